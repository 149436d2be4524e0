// Poisson's equation on slabs.

#include "../poisson/slab_passes.hpp"
#include "place_copies.hpp"

#include <warpfold/poisson_slabs.hpp>

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

namespace warpfold::poisson {

slab slab_of(std::size_t points, int rank, int ranks) {
  // By twos, so that lines are transformed in the same pairs whatever the number of ranks.
  auto const begin = [&](int r) {
    std::size_t const pairs = (points + 1) / 2;
    return std::min(points,
                    2 * (pairs * static_cast<std::size_t>(r) / static_cast<std::size_t>(ranks)));
  };
  return {begin(rank), begin(rank + 1) - begin(rank)};
}

namespace {

/// What all ranks have to agree on.
struct agreement {
  std::size_t points[3];
  double lengths[3], lambda;
  std::uint32_t kinds[3], how, stands, element;
  bool operator==(agreement const&) const = default;
};

agreement agreement_of(problem const& of, method how, std::size_t element) {
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
  made.how = static_cast<std::uint32_t>(how);
  made.stands = static_cast<std::uint32_t>(of.stands);
  made.element = static_cast<std::uint32_t>(element);
  return made;
}

void check_problem(problem const& of) {
  if (of.axes.size() < 2) throw argument_error("of.axes", "slabs need two or three of them");
  if (of.batch != 1) throw argument_error("of.batch", "slabs are of one right-hand side");
  if (of.gradient) throw argument_error("of.gradient", "slabs have none");
  if (of.fixed_by != gauge::zero_mean) throw argument_error("of.fixed_by", "slabs have zero_mean");
}

template <class T>
std::unique_ptr<slab_passes<T>> make_passes(gpu& place, plan const& of, slab_part const& part,
                                            method& how) {
  if (how == method::automatic) how = method::fused;
  if (how != method::fused) throw argument_error("using_method", "slabs on a gpu are fused");
  auto made = gpu_impl::make_line_slabs<T>(place, of, part);
  if (!made)
    throw argument_error("using_method",
                         "method::fused is not compiled for this problem: see can_fuse");
  return made;
}
template <class T>
std::unique_ptr<slab_passes<T>> make_passes(host& place, plan const& of, slab_part const& part,
                                            method& how) {
  if (how == method::automatic) how = method::vendor;
  if (how != method::vendor) throw argument_error("using_method", "a host has method::vendor only");
  auto made = host_impl::make_slabs<T>(place, of, part);
  if (!made) throw argument_error("using_method", "this library was built without FFTW");
  return made;
}

template <class T>
void check_array(char const* name, T const* data, std::size_t size, std::size_t wanted) {
  if (size != wanted)
    throw argument_error(name, std::to_string(size) + " elements, not " + std::to_string(wanted));
  if (size > 0 && !data)
    throw argument_error(name, "null, with " + std::to_string(size) + " elements");
}

} // namespace

template <class T, class Place>
struct slab_solver<T, Place>::state {
  state(communicator<Place>& ranks, problem const& of, method how)
      : over{ranks}, chosen{how}, rank{static_cast<std::size_t>(ranks.rank())} {
    over.guarded([&] {
      check_problem(of);
      plan const whole = make_plan(of, sizeof(T));
      agreement const mine = agreement_of(of, how, sizeof(T));
      auto const all = over.all_gather(mine);
      for (std::size_t r = 0; r < all.size(); ++r)
        if (!(all[r] == mine))
          throw communication_error(over.rank(),
                                    "rank " + std::to_string(r) + " solves another problem");
      for (int r = 0; r < over.size(); ++r) {
        rows.push_back(slab_of(of.axes[0].points, r, over.size()));
        columns.push_back(slab_of(of.axes[1].points, r, over.size()));
      }
      // (Two parts of 64 elements more, so that both begin at whole sectors.)
      inner = of.axes.size() > 2 ? of.axes[2].points : 1;
      width = of.axes[1].points * inner;
      size = rows[rank].count * width;
      std::size_t const across = of.axes[0].points * columns[rank].count * inner;
      for (std::size_t r = 0; r < rows.size(); ++r) {
        std::size_t const theirs = columns[r].count * inner;
        here.push_back({rows[rank].count * columns[r].first * inner * sizeof(T),
                        rows[rank].count * theirs * sizeof(T)});
        std::size_t const mine_across = columns[rank].count * inner;
        there.push_back(
            {rows[r].first * mine_across * sizeof(T), rows[r].count * mine_across * sizeof(T)});
      }
      memory = comm::place_memory<Place>(over.place(), (size + across + 128) * sizeof(T) +
                                                           (rows.size() + 1) * sizeof(T));
      packed = reinterpret_cast<T*>(memory.data());
      crossed = packed + (size + 63) / 64 * 64;
      means = crossed + (across + 63) / 64 * 64;
      passes = make_passes<T>(over.place(), whole,
                              {rows[rank].count, columns[rank].first, columns[rank].count}, chosen);
    });
  }

  void solve(slab_fields<T, Place> const& of) {
    over.guarded([&] {
      check_array("of.rhs", of.rhs.data(), of.rhs.size(), size);
      check_array("of.solution", of.solution.data(), of.solution.size(), size);
      if (!of.removed_mean.empty())
        check_array("of.removed_mean", of.removed_mean.data(), of.removed_mean.size(), 1);
      T const *const begin = of.rhs.data(), *const out = of.solution.data();
      if (begin != out && begin < out + size && out < begin + size)
        throw argument_error("of.solution", "overlaps rhs, and is not the same");
      comm::place_copies<Place> const copies(over.place());
      T* const modes = of.solution.data();
      passes->forward(of.rhs.data(), modes);
      for (std::size_t r = 0; r < rows.size(); ++r) {
        std::size_t const some = columns[r].count * inner;
        copies.rows(packed + here[r].offset / sizeof(T), some, modes + columns[r].first * inner,
                    width, some, rows[rank].count);
      }
      over.through().exchange(packed, here, crossed, there, copies.stream());
      passes->solve(crossed, means);
      over.through().exchange(crossed, there, packed, here, copies.stream());
      for (std::size_t r = 0; r < rows.size(); ++r) {
        std::size_t const some = columns[r].count * inner;
        copies.rows(modes + columns[r].first * inner, width, packed + here[r].offset / sizeof(T),
                    some, some, rows[rank].count);
      }
      passes->backward(modes);
      // The mean is with the first rank that has columns; all take part, whoever wants it.
      over.through().all_gather(means, means + 1, sizeof(T), copies.stream());
      std::size_t owner = 0;
      while (columns[owner].count == 0) ++owner;
      if (!of.removed_mean.empty())
        copies.rows(of.removed_mean.data(), 1, means + 1 + owner, 1, 1, 1);
      over.wait();
    });
  }

  communicator<Place>& over;
  method chosen;
  std::size_t rank;
  std::vector<slab> rows, columns; ///< of all ranks
  std::size_t inner, width;        ///< points of the third axis; of the second and third
  std::size_t size;                ///< of the rank's arrays
  /// What goes to and comes from other ranks, in the slab's order and in that of all of the first
  /// axis.
  std::vector<byte_range> here, there;
  comm::place_memory<Place> memory;
  T *packed, *crossed, *means;
  std::unique_ptr<slab_passes<T>> passes;
};

template <class T, class Place>
slab_solver<T, Place>::slab_solver(communicator<Place>& over, problem const& of,
                                   method using_method)
    : state_{std::make_unique<state>(over, of, using_method)} {}
template <class T, class Place>
slab_solver<T, Place>::~slab_solver() = default;
template <class T, class Place>
slab_solver<T, Place>::slab_solver(slab_solver&&) noexcept = default;
template <class T, class Place>
slab_solver<T, Place>& slab_solver<T, Place>::operator=(slab_solver&&) noexcept = default;

template <class T, class Place>
slab slab_solver<T, Place>::own() const noexcept {
  return state_->rows[state_->rank];
}
template <class T, class Place>
method slab_solver<T, Place>::chosen() const noexcept {
  return state_->chosen;
}
template <class T, class Place>
void slab_solver<T, Place>::solve(slab_fields<T, Place> const& of) {
  state_->solve(of);
}

template class slab_solver<float, gpu>;
template class slab_solver<double, gpu>;
template class slab_solver<float, host>;
template class slab_solver<double, host>;

} // namespace warpfold::poisson
