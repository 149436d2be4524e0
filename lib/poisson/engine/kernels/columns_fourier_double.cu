#include "poisson/engine/columns.cuh"

namespace warpfold::inline v0::poisson::gpu_impl {

template column_launcher<double>
make_paired_columns<double, unit_kind::fourier>(gpu&, axis_plan const&, double);

} // namespace warpfold::inline v0::poisson::gpu_impl
