#include "fused_rows.cuh"

namespace warpfold::inline v0::poisson::gpu_impl {

template row_launch<double> make_row_launch<double>(gpu&, plan const&);

} // namespace warpfold::inline v0::poisson::gpu_impl
