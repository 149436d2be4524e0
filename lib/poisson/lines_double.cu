#include "lines.cuh"

namespace warpfold::poisson::gpu_impl {

template std::unique_ptr<backend<double>> make_lines(gpu&, plan const&);

} // namespace warpfold::poisson::gpu_impl
