#pragma once
// What a simulation knows about a price.

#include <cstdint>

namespace warpfold::inline v0::pricing {

/// A mean over simulated paths, discounted, and how far to trust it.
struct estimate {
  double value;          ///< the mean
  double standard_error; ///< of the value; infinite where there is one sample only
  double lower, upper;   ///< the confidence interval: value -+ the level's quantile standard errors
  std::uint64_t paths;   ///< simulated
  std::uint64_t paying;  ///< of them, those that end in the money
  /// Fewer paths paid than detail::least_paying. The error is estimated from those that did, so
  /// value, error and interval may all be far too small: simulate more paths, or importance.
  bool too_few_paid;
};

} // namespace warpfold::inline v0::pricing
