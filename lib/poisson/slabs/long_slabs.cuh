#pragma once
// The kernels of long fields on slabs: rows with their slots in blocks, and the columns' own.

#include "long_slabs.hpp"
#include "poisson/engine/engine.hpp"
#include "poisson/engine/long/long_rows.cuh"
#include "poisson/instances.hpp"

namespace warpfold::inline v0::poisson::gpu_impl {

template <class T>
std::unique_ptr<square_slabs<T>> make_long_slabs(gpu& place, plan const& of, int rank, int ranks) {
  if constexpr (has_all_units)
    // Only where one GPU takes them, whose bits these are.
    if (!has_units(place, of, sizeof(T)) && has_long_units(place, of, sizeof(T)) &&
        can_share_long_rows(ranks))
      return std::make_unique<long_slabs<T>>(
          place, of, rank, ranks, launcher_of_long_rows<T, tiled_long_rows<T>>(place, of.axes[1]),
          make_long_columns<T>(place, of.axes[0], long_share(of)));
  return nullptr;
}

} // namespace warpfold::inline v0::poisson::gpu_impl

#define INSTANTIATE(T)                                                                             \
  namespace warpfold::inline v0::poisson::gpu_impl {                                               \
  template std::unique_ptr<square_slabs<T>> make_long_slabs(gpu&, plan const&, int, int);          \
  }
