#pragma once
// The order of elements by rank.

#include <cmath>
#include <concepts>

namespace test {

/// -0 before +0, NaN behind all and equal.
template <class T>
bool is_before(T a, T b) {
  if constexpr (std::floating_point<T>) {
    if (a != a || b != b) return a == a;
    if (a == 0 && b == 0) return std::signbit(a) && !std::signbit(b);
  }
  return a < b;
}

} // namespace test
