#include "fused_cubes.cuh"

namespace warpfold::poisson::gpu_impl {

template depth_launch<float> make_depth_launch(gpu&, plan const&);
template cube_column_launch<float> make_cube_column_launch(gpu&, plan const&);

} // namespace warpfold::poisson::gpu_impl
