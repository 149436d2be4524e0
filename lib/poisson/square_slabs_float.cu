#include "square_slabs.cuh"

namespace warpfold::poisson::gpu_impl {

template std::unique_ptr<square_slabs<float>> make_square_slabs(gpu&, plan const&, int, int);

} // namespace warpfold::poisson::gpu_impl
