#include "lines.cuh"

namespace warpfold::inline v0::poisson::gpu_impl {

template std::unique_ptr<backend<double>> make_lines(gpu&, plan const&);

} // namespace warpfold::inline v0::poisson::gpu_impl
