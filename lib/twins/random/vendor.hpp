#pragma once
// Calls of cuRAND.

#include <warpfold/twins/random.hpp>

#include <curand.h>

namespace warpfold::inline v0::random {

/// Refuses generators that are none of cuRAND's or not on this place, and options that the
/// generator does not have.
void check_vendor_options(twins::generator twin, options const& options, bool on_gpu);

/// Throws vendor_error unless `status` is CURAND_STATUS_SUCCESS.
void check_vendor(curandStatus_t status,
                  std::source_location where = std::source_location::current());

} // namespace warpfold::inline v0::random
