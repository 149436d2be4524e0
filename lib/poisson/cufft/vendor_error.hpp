#pragma once
// Calls of cuFFT.

#include <warpfold/error.hpp>

#include <cufft.h>

namespace warpfold::inline v0::poisson {

/// Throws vendor_error unless `status` is CUFFT_SUCCESS.
void check_vendor(cufftResult status, std::source_location where = std::source_location::current());

} // namespace warpfold::inline v0::poisson
