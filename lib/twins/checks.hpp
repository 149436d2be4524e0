#pragma once
// Checks of tags.

#include <warpfold/twins/tags.hpp>

#include <cstddef>

namespace warpfold::inline v0::detail {

/// Refuses a vendor that is none, or that the place or the form of the call does not have.
void check_vendor(twins::vendor twin, bool on_gpu, bool blocking);

/// Refuses a rung that is none, a block size that it does not have, and all but plain sums.
void check_classic(twins::reducer const& twin, bool is_sum);

/// Refuses Thrust where it is not compiled for the elements, or has no such verb.
void check_has_thrust(twins::vendor twin, bool has_thrust);

/// Refuses an output that has not room for all values.
void check_room(std::size_t size, std::size_t capacity, twins::vendor twin,
                char const* argument = "output");

} // namespace warpfold::inline v0::detail
