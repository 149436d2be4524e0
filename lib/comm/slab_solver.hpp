#pragma once
// Poisson's equation on slabs.

#include "packed_slabs.hpp"
#include "poisson/fields.hpp"
#include "poisson/instances.hpp"
#include "tiled_slabs.hpp"
#include "transports.hpp"

#include <warpfold/detail/comm/collective.hpp>
#include <warpfold/detail/comm/digest.hpp>
#include <warpfold/detail/core/verb.hpp>

namespace warpfold::inline v0::poisson {
namespace {

using detail::refuse, detail::text;

/// Made of what all ranks have to agree on.
inline comm::digest agreement_of(problem const& problem, std::size_t element, bool default_stream) {
  comm::digest made(problem.lambda, problem.symbol, element,
                    default_stream); // on which exchanges go another way
  for (axis const& axis : problem.axes)
    made.add(axis.points, axis.length, axis.lower, axis.upper, axis.grid);
  return made;
}

inline void check_problem(problem const& problem) {
  if (problem.axes.size() < 2)
    refuse("problem.axes", text(problem.axes.size(), " axes"), "2 or 3 for slabs");
  if (problem.batch != 1) refuse("problem.batch", problem.batch, "1 for slabs");
  if (problem.gradient) refuse("problem.gradient", "true", "false for slabs");
  if (problem.gauge != gauge::zero_mean)
    refuse("problem.gauge", "first_point", "zero_mean for slabs");
  if (problem.precision != precision::full) refuse("problem.precision", "single", "full for slabs");
}

template <class T, class Place>
std::unique_ptr<slab_backend<T>> make_backend(communicator<Place>& comm, plan const& plan) {
  if constexpr (on_gpu<Place>)
    if (auto made = make_tiled_slabs<T>(comm, plan)) return made;
  return std::make_unique<packed_slabs<T, Place>>(comm, plan);
}

} // namespace

template <class T, class Place>
struct slab_solver<T, Place>::state {
  state(communicator<Place>& ranks, problem const& problem) : comm{ranks} {
    check_problem(problem);
    plan_bounds bounds{.points = most_points<on_gpu<Place>>};
    if constexpr (!on_gpu<Place>) bounds.transforms = &comm.place();
    plan const whole = make_plan(problem, sizeof(T), bounds);
    comm::digest const mine = agreement_of(
        problem, sizeof(T), comm::is_default(comm::place_copies(comm.place()).stream()));
    auto const all = comm.all_gather(mine);
    for (std::size_t r = 0; r < all.size(); ++r)
      if (!(all[r] == mine))
        throw communication_error(
            comm.rank(),
            std::string(text("rank ", r, " solves another problem, or on another kind of stream")));
    made = make_backend<T>(comm, whole);
    size = whole.size() / problem.axes[0].points * made->rank_slab(comm.rank()).count;
  }

  communicator<Place>& comm;
  std::unique_ptr<slab_backend<T>> made;
  std::size_t size; ///< of the rank's arrays
};

template <class T, class Place>
slab_solver<T, Place>::slab_solver(communicator<Place>& comm, problem const& problem)
    : state_{[&] {
        detail::verb const scope("poisson::slab_solver");
        return detail::collective(comm).guarded(
            [&] { return std::make_unique<state>(comm, problem); });
      }()} {}
template <class T, class Place>
slab_solver<T, Place>::~slab_solver() = default;
template <class T, class Place>
slab_solver<T, Place>::slab_solver(slab_solver&&) noexcept = default;
template <class T, class Place>
slab_solver<T, Place>& slab_solver<T, Place>::operator=(slab_solver&&) noexcept = default;

template <class T, class Place>
index_range slab_solver<T, Place>::local_slab() const {
  return state_->made->rank_slab(state_->comm.rank());
}
template <class T, class Place>
index_range slab_solver<T, Place>::rank_slab(int rank) const {
  detail::verb const scope("poisson::slab_solver::rank_slab");
  int const ranks = state_->comm.size();
  if (rank < 0 || rank >= ranks) refuse("rank", rank, text("0 to ", ranks - 1));
  return state_->made->rank_slab(rank);
}
template <class T, class Place>
std::string_view slab_solver<T, Place>::engine_name() const noexcept {
  return "fused";
}
template <class T, class Place>
void slab_solver<T, Place>::solve(slab_fields<T, Place> const& fields) {
  detail::verb const scope("poisson::slab_solver::solve");
  detail::collective(state_->comm).guarded([&] {
    named_arrays arrays;
    T const* const rhs = arrays.add_input("fields.rhs", fields.rhs, state_->size);
    T* const solution = arrays.add_output("fields.solution", fields.solution, state_->size);
    T* const mean = fields.removed_mean.empty()
                        ? nullptr
                        : arrays.add_output("fields.removed_mean", fields.removed_mean, 1);
    arrays.check_overlaps();
    state_->made->solve(rhs, solution, mean);
    state_->comm.wait();
  });
}

} // namespace warpfold::inline v0::poisson

#define INSTANTIATE(T, Place)                                                                      \
  namespace warpfold::inline v0::poisson {                                                         \
  template class slab_solver<T, Place>;                                                            \
  }
