#include "lines.cuh"

namespace warpfold::poisson::gpu_impl {

template std::unique_ptr<backend<float>> make_lines(gpu&, plan const&);

} // namespace warpfold::poisson::gpu_impl
