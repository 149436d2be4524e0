#include "checks.hpp"

#include <warpfold/error.hpp>

#include <string>

namespace warpfold::inline v0::detail {

void check_room(std::size_t size, std::size_t capacity, twins::vendor twin) {
  if (capacity < size)
    throw argument_error("output", "has room for " + std::to_string(capacity) + " elements, and " +
                                       to_string(twin) + " needs it for all " +
                                       std::to_string(size));
}

void check_no_thrust(twins::vendor twin) {
  if (twin == twins::thrust) throw argument_error("twin", "Thrust has no histogram");
}

} // namespace warpfold::inline v0::detail
