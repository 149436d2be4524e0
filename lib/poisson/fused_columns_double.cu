#include "fused_columns.cuh"

namespace warpfold::poisson::gpu_impl {

template column_launch<double> make_column_launch(gpu&, plan const&);

} // namespace warpfold::poisson::gpu_impl
