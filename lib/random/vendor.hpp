#pragma once
// Calls of cuRAND.

#include <warpfold/random/vendor.hpp>

#include <curand.h>

namespace warpfold::random {

/// Refuses options that no generator of cuRAND has, or not on this place.
void check_vendor_options(options const& options, bool on_gpu);

/// Throws vendor_error unless `status` is CURAND_STATUS_SUCCESS.
void check_vendor(curandStatus_t status,
                  std::source_location where = std::source_location::current());

} // namespace warpfold::random
