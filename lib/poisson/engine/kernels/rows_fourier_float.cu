#include "poisson/engine/rows.cuh"

namespace warpfold::inline v0::poisson::gpu_impl {

template row_launcher<float> make_paired_rows<float, unit_kind::fourier>(gpu&, axis_plan const&);

} // namespace warpfold::inline v0::poisson::gpu_impl
