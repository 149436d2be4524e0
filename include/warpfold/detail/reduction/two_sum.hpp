#pragma once
// An addition and what its rounding loses: what compensated and exact sums are made of.

#include <warpfold/reduction/operations.hpp>

#include <concepts>

namespace warpfold::inline v0::detail {

template <std::floating_point T>
struct exact_pair {
  T sum;   ///< a + b, rounded
  T error; ///< a + b - sum, exactly
};

/// Knuth's TwoSum (The Art of Computer Programming, vol. 2, 4.2.2, theorem B). Exact unless it
/// overflows, which leaves no finite error.
template <std::floating_point T>
WARPFOLD_HOST_DEVICE constexpr exact_pair<T> two_sum(T a, T b) {
  plus const add{};
  T const sum = add(a, b);
  T const b_part = add(sum, -a);
  T const a_part = add(sum, -b_part);
  return {sum, add(add(a, -a_part), add(b, -b_part))};
}

} // namespace warpfold::inline v0::detail
