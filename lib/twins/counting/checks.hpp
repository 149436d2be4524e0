#pragma once
// Checks that the vendors' counts share.

#include <warpfold/twins/tags.hpp>

#include <cstddef>

namespace warpfold::inline v0::detail {

/// Refuses an output that has not room for all values.
void check_room(std::size_t size, std::size_t capacity, twins::vendor twin);

/// Refuses Thrust, which has no histogram.
void check_no_thrust(twins::vendor twin);

} // namespace warpfold::inline v0::detail
