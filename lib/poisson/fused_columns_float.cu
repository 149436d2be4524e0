#include "fused_columns.cuh"

namespace warpfold::poisson::gpu_impl {

template column_launch<float> make_column_launch(gpu&, plan const&);

} // namespace warpfold::poisson::gpu_impl
