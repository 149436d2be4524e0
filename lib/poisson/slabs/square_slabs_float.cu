#include "square_slabs.cuh"

namespace warpfold::inline v0::poisson::gpu_impl {

template std::unique_ptr<square_slabs<float>> make_square_slabs(gpu&, plan const&, int, int);

} // namespace warpfold::inline v0::poisson::gpu_impl
