#pragma once
// Checks that the vendors' segments share.

#include <warpfold/twins/tags.hpp>

namespace warpfold::inline v0::detail {

/// Refuses what has no segments.
void check_segments_vendor(twins::vendor twin, bool on_gpu);

} // namespace warpfold::inline v0::detail
