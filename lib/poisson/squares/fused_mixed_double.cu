#include "fused_cosines.cuh"

namespace warpfold::inline v0::poisson::gpu_impl {

template column_launch<double> make_cosine_launch<double, true, false>(gpu&, plan const&);
template column_launch<double> make_cosine_launch<double, false, true>(gpu&, plan const&);

} // namespace warpfold::inline v0::poisson::gpu_impl
