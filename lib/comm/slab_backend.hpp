#pragma once
// The two ways of solving on slabs.

#include "poisson/plan.hpp"

#include <warpfold/comm/communicator.hpp>
#include <warpfold/comm/poisson.hpp>

#include <memory>

namespace warpfold::inline v0::poisson {

template <class T>
class slab_backend {
public:
  virtual ~slab_backend() = default;
  [[nodiscard]] virtual index_range rank_slab(int rank) const = 0;
  /// Solves checked arrays. Enqueues on a gpu, and writes the mean if there is a place for it.
  virtual void solve(T const* rhs, T* solution, T* removed_mean) = 0;
};

/// Any lines, and between them packing; null if they are not compiled.
template <class T, class Place>
std::unique_ptr<slab_backend<T>> make_packed_slabs(communicator<Place>& comm, plan const& plan);
/// Squares in tiles; null if they are not compiled for the problem, or as many ranks.
template <class T>
std::unique_ptr<slab_backend<T>> make_tiled_slabs(communicator<gpu>& comm, plan const& plan);

} // namespace warpfold::inline v0::poisson
