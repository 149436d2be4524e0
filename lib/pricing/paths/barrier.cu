// Barrier options on a GPU.

#include "path_groups.cuh"

namespace warpfold::inline v0::pricing::gpu_impl {
WARPFOLD_FOR_EACH_BARRIER_GROUP(INSTANTIATE)
} // namespace warpfold::inline v0::pricing::gpu_impl
