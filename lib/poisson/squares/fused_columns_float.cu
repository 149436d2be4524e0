#include "fused_columns.cuh"

namespace warpfold::inline v0::poisson::gpu_impl {

template column_launch<float> make_column_launch(gpu&, plan const&);

} // namespace warpfold::inline v0::poisson::gpu_impl
