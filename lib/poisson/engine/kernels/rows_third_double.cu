#include "poisson/engine/rows.cuh"

namespace warpfold::inline v0::poisson::gpu_impl {

template row_launcher<double> make_paired_rows<double, unit_kind::third>(gpu&, axis_plan const&);

} // namespace warpfold::inline v0::poisson::gpu_impl
