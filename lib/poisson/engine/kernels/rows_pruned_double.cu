#include "poisson/engine/rows.cuh"

namespace warpfold::inline v0::poisson::gpu_impl {

template row_launcher<double> make_pruned_rows<double>(gpu&, axis_plan const&);

} // namespace warpfold::inline v0::poisson::gpu_impl
