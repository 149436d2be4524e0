#include "lines_slabs.cuh"

namespace warpfold::inline v0::poisson::gpu_impl {

template std::unique_ptr<slab_passes<double>> make_line_slabs(gpu&, plan const&, slab_part const&);

} // namespace warpfold::inline v0::poisson::gpu_impl
