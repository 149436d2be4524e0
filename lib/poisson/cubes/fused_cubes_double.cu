#include "fused_cubes.cuh"

namespace warpfold::inline v0::poisson::gpu_impl {

template depth_launch<double> make_depth_launch(gpu&, plan const&);
template cube_column_launch<double> make_cube_column_launch(gpu&, plan const&);

} // namespace warpfold::inline v0::poisson::gpu_impl
