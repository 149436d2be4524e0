#include "fused_cubes.hpp"
#include "poisson/squares/fused_rows.cuh"

namespace warpfold::inline v0::poisson::gpu_impl {

template <>
row_launch<float> make_cube_row_launch(gpu& place, plan const& of) {
  return with_box_points(of.axes[2].points, [&](auto points) {
    return row_launch_of<tuned_cube_rows<float, points>>(place, 0, 0);
  });
}

} // namespace warpfold::inline v0::poisson::gpu_impl
