#pragma once
// Poisson's equation on slabs.

#include "place_copies.hpp"
#include "poisson/instances.hpp"
#include "slab_backend.hpp"
#include "transports.hpp"

#include <warpfold/detail/core/arguments.hpp>

#include <cstdint>
#include <string>

namespace warpfold::inline v0::poisson {

namespace {

/// What all ranks have to agree on.
struct agreement {
  std::size_t points[3];
  double lengths[3], lambda;
  std::uint32_t kinds[3], stands, element, default_stream;
  bool operator==(agreement const&) const = default;
};

agreement agreement_of(problem const& of, std::size_t element, bool default_stream) {
  agreement made{};
  for (std::size_t d = 0; d < of.axes.size(); ++d) {
    auto const& along = of.axes[d];
    made.points[d] = along.points;
    made.lengths[d] = along.length;
    made.kinds[d] = static_cast<std::uint32_t>(along.lower) << 16 |
                    static_cast<std::uint32_t>(along.upper) << 8 |
                    static_cast<std::uint32_t>(along.on);
  }
  made.lambda = of.lambda;
  made.stands = static_cast<std::uint32_t>(of.stands);
  made.element = static_cast<std::uint32_t>(element);
  made.default_stream = default_stream; // on which exchanges go another way
  return made;
}

void check_problem(problem const& of) {
  if (of.axes.size() < 2) throw argument_error("of.axes", "slabs need two or three of them");
  if (of.batch != 1) throw argument_error("of.batch", "slabs are of one right-hand side");
  if (of.gradient) throw argument_error("of.gradient", "slabs have none");
  if (of.fixed_by != gauge::zero_mean) throw argument_error("of.fixed_by", "slabs have zero_mean");
}

template <class T>
std::unique_ptr<slab_backend<T>> make_backend(communicator<gpu>& over, plan const& of) {
  if (auto made = make_tiled_slabs<T>(over, of)) return made;
  if (auto made = make_packed_slabs<T>(over, of)) return made;
  throw argument_error("of",
                       "slabs of this problem are not compiled for this gpu: see slab_solver");
}
template <class T>
std::unique_ptr<slab_backend<T>> make_backend(communicator<host>& over, plan const& of) {
  if (auto made = make_packed_slabs<T>(over, of)) return made;
  throw argument_error("over", "a host needs FFTW, and this library was built without it");
}

template <class T>
void check_array(char const* name, T const* data, std::size_t size, std::size_t wanted) {
  if (size != wanted)
    throw argument_error(name, std::to_string(size) + " elements, not " + std::to_string(wanted));
  detail::check_elements(name, data, size);
}

} // namespace

template <class T, class Place>
struct slab_solver<T, Place>::state {
  state(communicator<Place>& ranks, problem const& of) : over{ranks} {
    check_problem(of);
    plan const whole = make_plan(of, sizeof(T));
    agreement const mine =
        agreement_of(of, sizeof(T), comm::is_default(comm::place_copies(over.place()).stream()));
    auto const all = over.all_gather(mine);
    for (std::size_t r = 0; r < all.size(); ++r)
      if (!(all[r] == mine))
        throw communication_error(over.rank(),
                                  "rank " + std::to_string(r) +
                                      " solves another problem, or on another kind of stream");
    made = make_backend<T>(over, whole);
    size = whole.size() / of.axes[0].points * made->slab_of(over.rank()).count;
  }

  void solve(slab_fields<T, Place> const& of) {
    over.guarded([&] {
      check_array("of.rhs", of.rhs.data(), of.rhs.size(), size);
      check_array("of.solution", of.solution.data(), of.solution.size(), size);
      if (!of.removed_mean.empty())
        check_array("of.removed_mean", of.removed_mean.data(), of.removed_mean.size(), 1);
      T const *const begin = of.rhs.data(), *const out = of.solution.data();
      std::size_t const bytes = size * sizeof(T);
      if (begin != out && detail::share_memory(begin, bytes, out, bytes))
        throw argument_error("of.solution", "overlaps rhs, and is not the same");
      T const* const mean = of.removed_mean.data();
      std::size_t const mean_bytes = of.removed_mean.size() * sizeof(T);
      if (detail::share_memory(mean, mean_bytes, begin, bytes) ||
          detail::share_memory(mean, mean_bytes, out, bytes))
        throw argument_error("of.removed_mean", "overlaps rhs or solution");
      made->solve(begin, of.solution.data(),
                  of.removed_mean.empty() ? nullptr : of.removed_mean.data());
      over.wait();
    });
  }

  communicator<Place>& over;
  std::unique_ptr<slab_backend<T>> made;
  std::size_t size; ///< of the rank's arrays
};

template <class T, class Place>
slab_solver<T, Place>::slab_solver(communicator<Place>& over, problem const& of)
    : state_{over.guarded([&] { return std::make_unique<state>(over, of); })} {}
template <class T, class Place>
slab_solver<T, Place>::~slab_solver() = default;
template <class T, class Place>
slab_solver<T, Place>::slab_solver(slab_solver&&) noexcept = default;
template <class T, class Place>
slab_solver<T, Place>& slab_solver<T, Place>::operator=(slab_solver&&) noexcept = default;

template <class T, class Place>
slab slab_solver<T, Place>::own() const {
  return slab_of(state_->over.rank());
}
template <class T, class Place>
slab slab_solver<T, Place>::slab_of(int rank) const {
  if (rank < 0 || rank >= state_->over.size())
    throw argument_error("rank", std::to_string(rank) + " is not within 0 ... " +
                                     std::to_string(state_->over.size() - 1));
  return state_->made->slab_of(rank);
}
template <class T, class Place>
std::string_view slab_solver<T, Place>::chosen() const noexcept {
  return on_gpu<Place> ? "fused" : "FFTW";
}
template <class T, class Place>
void slab_solver<T, Place>::solve(slab_fields<T, Place> const& of) {
  state_->solve(of);
}

} // namespace warpfold::inline v0::poisson

#define INSTANTIATE(T, Place)                                                                      \
  namespace warpfold::inline v0::poisson {                                                         \
  template class slab_solver<T, Place>;                                                            \
  }
