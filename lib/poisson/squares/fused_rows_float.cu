#include "fused_rows.cuh"

namespace warpfold::inline v0::poisson::gpu_impl {

template row_launch<float> make_row_launch<float>(gpu&, plan const&);

} // namespace warpfold::inline v0::poisson::gpu_impl
