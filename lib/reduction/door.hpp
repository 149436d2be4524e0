#pragma once
// For the doors of verbs that have the fold and its vendor twins, but no ladder.

#include <warpfold/reduction.hpp>

namespace warpfold::detail {

/// Refuses other methods than fold, cub and thrust; cub on a host; and thrust on a gpu for a call
/// that must not block.
void check_method(gpu const& place, method how, bool blocking);
void check_method(host const& place, method how, bool blocking);

} // namespace warpfold::detail
