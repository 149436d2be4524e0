#include "checks.hpp"

#include <warpfold/error.hpp>
#include <warpfold/reduction.hpp>

#include <string>

namespace warpfold::inline v0::detail {

void check_policy(nan_policy policy) {
  if (policy != nan_policy::propagate && policy != nan_policy::ignore)
    throw argument_error("options.nan",
                         std::to_string(static_cast<int>(policy)) + " is not a policy");
}

void check_sizes(std::size_t x, std::size_t y) {
  if (x != y)
    throw argument_error("y", "has " + std::to_string(y) + " elements, x has " + std::to_string(x));
}

} // namespace warpfold::inline v0::detail
