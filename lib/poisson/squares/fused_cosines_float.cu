#include "fused_cosines.cuh"

namespace warpfold::inline v0::poisson::gpu_impl {

template column_launch<float> make_cosine_launch<float, true, true>(gpu&, plan const&);

} // namespace warpfold::inline v0::poisson::gpu_impl
