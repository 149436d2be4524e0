#pragma once
// Poisson's equation on grids that are spread over the ranks of a communicator.
//
//   poisson::slab_solver<float, gpu> solver(comm, {.axes = {{.points = 4096}, {.points = 4096}}});
//   solver.solve({.rhs = f, .solution = u}); // solver.local_slab().count rows of each

#include <warpfold/comm/communicator.hpp>
#include <warpfold/poisson.hpp>

#include <cstddef>
#include <memory>
#include <string_view>

namespace warpfold::inline v0::poisson {

/// A rank's arrays for slab_solver::solve: its slab of each, row-major, without gaps.
template <class T, class Place>
struct slab_fields {
  span_on<T const, Place> rhs; ///< f: local_slab().count times the points of the other axes
  /// May be the same array as rhs; else they do not overlap.
  span_on<T, Place> solution;
  /// One number on every rank, or empty: the mean taken from a singular problem's rhs; else 0.
  span_on<T, Place> removed_mean{};
};

/// A solver for two or three axes, of which ranks have slabs along the first one. All ranks make it
/// with the same problem and call it together.
///
/// Lines along all axes but the first are transformed where they are. An exchange
/// then gives each rank all of the first axis for a part of the second one's modes. The rank
/// transforms, divides and transforms back, and another exchange brings everything back. GPUs of
/// compute capability 9.0 exchange periodic squares and oblongs of 4096, 8192 and 16384 points
/// while they compute them. (Double: not 16384.) Up to 16 ranks do so, or 32 where the first axis
/// has 8192 points or more. Longer ones, 4096 to 65536 times 8192 to 32768 points (double: 4096 to
/// 16384), are in part, by 1, 2, 4, 8 or 16 ranks. All others are exchanged between passes.
///
/// The communicator outlives it, where it is. Memory: twice the largest slab, besides the caller's
/// arrays; up to a quarter more for longer fields, and more if ranks have very different slabs.
///
/// Problems: any that solver takes, with homogeneous boundaries, one right-hand side, without
/// gradient, gauge::zero_mean and precision::full; on gpus those squares and oblongs, and where a
/// block may have 227 KB of shared memory (compute capability 9.0) all whose lines fit into it, two
/// by two. Determinism: the same bits on every run, and for any number of ranks: transforms of
/// lines are the same wherever they are computed; except for numbers of gpus that are not named
/// here, which have other bits.
template <class T, class Place>
class slab_solver {
public:
  /// Plans, and allocates what a solve needs. Collective; blocks until all ranks have come.
  /// @throws argument_error for a problem that it does not take; communication_error if the ranks
  ///         have different ones; vendor_error; cuda_error
  slab_solver(communicator<Place>& comm, problem const& problem);
  ~slab_solver();
  slab_solver(slab_solver&&) noexcept;
  slab_solver& operator=(slab_solver&&) noexcept;

  /// This rank's points of the first axis: about as many as the others', all of them together.
  /// Known at once. Never throws.
  [[nodiscard]] index_range local_slab() const;
  /// Any rank's points of the first axis. Known at once.
  /// @throws argument_error for a rank outside the group
  [[nodiscard]] index_range rank_slab(int rank) const;
  /// "fused".
  [[nodiscard]] std::string_view engine_name() const noexcept;

  /// Solves. Collective. Blocks, and has no `_async` form: ranks wait for each other, on the host.
  /// @throws argument_error for null arrays, arrays that overlap, and sizes other than
  ///         local_slab().count times the points of the other axes; communication_error if other
  ///         ranks fail; cuda_error
  void solve(slab_fields<T, Place> const& fields);

private:
  struct state;
  std::unique_ptr<state> state_;
};

extern template class slab_solver<float, gpu>;
extern template class slab_solver<double, gpu>;
extern template class slab_solver<float, host>;
extern template class slab_solver<double, host>;

} // namespace warpfold::inline v0::poisson
