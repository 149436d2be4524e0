#pragma once
// Common to the tests of aggregated counters and sums.

#include <warpfold/detail/counting/aggregated_counter_body.hpp>

#include <cstdint>
#include <vector>

namespace test {

using numbers = std::vector<std::uint64_t>;

/// A strategy as a type, for TEST_CASE_TEMPLATE.
template <warpfold::aggregation Strategy>
struct strategy {
  static constexpr warpfold::aggregation value = Strategy;
};
/// The strategies whose totals are all the same.
#define WARPFOLD_TEST_STRATEGIES                                                                   \
  strategy<aggregation::global>, strategy<aggregation::warp>, strategy<aggregation::block>,        \
      strategy<aggregation::automatic>

} // namespace test
