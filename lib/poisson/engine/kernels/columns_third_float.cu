#include "poisson/engine/columns.cuh"

namespace warpfold::inline v0::poisson::gpu_impl {

template column_launcher<float> make_paired_columns<float, unit_kind::third>(gpu&, axis_plan const&,
                                                                             double);

} // namespace warpfold::inline v0::poisson::gpu_impl
