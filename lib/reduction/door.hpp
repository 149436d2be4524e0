#pragma once
// Doors are written once for both places, over functions that both have: a header X.hpp is for
// hosts, and X.cuh, which nvcc compiles, is the same for GPUs. Nvcc does not read what only hosts
// need: headers are most of what it compiles.

#include <warpfold/execution.hpp>
#include <warpfold/span.hpp>

#include <span>

namespace warpfold::inline v0::detail {

#ifdef __CUDACC__
using door_place = gpu;
template <class T>
using door_span = device_span<T>;
#else
using door_place = host const;
template <class T>
using door_span = std::span<T>;
#endif

} // namespace warpfold::inline v0::detail
