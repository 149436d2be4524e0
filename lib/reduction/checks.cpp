#include "checks.hpp"

#include <warpfold/detail/core/refusal.hpp>
#include <warpfold/detail/reduction/jobs.hpp>

namespace warpfold::inline v0::detail {

void check_policy(nan_policy policy) {
  if (policy != nan_policy::propagate && policy != nan_policy::ignore)
    refuse("options.nan", static_cast<int>(policy), "0 (propagate) or 1 (ignore)");
}

void check_sizes(std::size_t x, std::size_t y) {
  if (x != y) refuse("y", text(y, " elements"), text(x, ", as many as x has"));
}

} // namespace warpfold::inline v0::detail
