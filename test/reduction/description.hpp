#pragma once
// Descriptions made in two passes with 64 bits of mantissa, and how close others come to them.

#include <warpfold/reduction/statistics.hpp>

#include "support.hpp"

#include <algorithm>

namespace test {

template <class A>
struct reference_description {
  warpfold::description<A> exact; ///< rounded to double
  long double spread = 0;         ///< largest deviation from the mean
  long double cubes = 0;          ///< sum of the absolute third powers of the deviations
};

template <class A, class T>
reference_description<A> described(std::span<T const> values) {
  using limits = std::numeric_limits<A>;
  reference_description<A> made{};
  auto& all = made.exact;
  all.min = limits::has_infinity ? limits::infinity() : limits::max();
  all.max = limits::has_infinity ? -limits::infinity() : limits::lowest();
  all.argmin = all.argmax = values.size();
  long double sum = 0;
  // Deviations from an element: their sum has no large part that rounds.
  long double origin = 0;
  for (std::size_t i = 0; i < values.size(); ++i) {
    A const x = wide(values[i]);
    if (x != x) {
      ++all.nan_count;
      continue;
    }
    if (all.count++ == 0) {
      all.min = all.max = x;
      all.argmin = all.argmax = i;
      origin = static_cast<double>(x);
    }
    if (x < all.min) {
      all.min = x;
      all.argmin = i;
    }
    if (x > all.max) {
      all.max = x;
      all.argmax = i;
    }
    sum += static_cast<double>(x) - origin;
  }
  auto const n = static_cast<long double>(all.count);
  long double const mean = origin + sum / n;
  long double m2 = 0, m3 = 0, m4 = 0;
  for (T const value : values) {
    A const x = wide(value);
    if (x != x) continue;
    long double const d = static_cast<double>(x) - origin - sum / n;
    made.spread = std::max(made.spread, std::abs(d));
    made.cubes += std::abs(d * d * d);
    m2 += d * d;
    m3 += d * d * d;
    m4 += d * d * d * d;
  }
  bool const any = all.count > 0;
  double const nan = std::numeric_limits<double>::quiet_NaN();
  all.mean = any ? static_cast<double>(mean) : nan;
  all.m2 = any ? static_cast<double>(m2) : nan;
  all.m3 = any ? static_cast<double>(m3) : nan;
  all.m4 = any ? static_cast<double>(m4) : nan;
  return made;
}

/// |got - exact| <= part * scale, or both NaN.
inline bool within(double got, double exact, long double scale, double part) {
  return std::isnan(exact) ? std::isnan(got) : std::abs(got - exact) <= part * scale;
}

template <class A>
bool same_counts(warpfold::description<A> const& a, warpfold::description<A> const& b) {
  return a.count == b.count && a.nan_count == b.nan_count && same_number(a.min, b.min) &&
         same_number(a.max, b.max) && a.argmin == b.argmin && a.argmax == b.argmax;
}

/// Counts and extrema equal; the moments as close as 2000 roundings allow.
template <class A>
void check_close(warpfold::description<A> const& got, reference_description<A> const& expected) {
  auto const& exact = expected.exact;
  CHECK(same_counts(got, exact));
  double const part = 2000 * 0x1p-53;
  CHECK(within(got.mean, exact.mean, expected.spread + std::abs(exact.mean) / 1000, part));
  CHECK(within(got.m2, exact.m2, exact.m2, part));
  CHECK(within(got.m3, exact.m3, expected.cubes, part));
  CHECK(within(got.m4, exact.m4, exact.m4, part));
}

/// Equal bits, except that every NaN is one.
template <class A>
bool same_description(warpfold::description<A> const& a, warpfold::description<A> const& b) {
  return same_counts(a, b) && same_number(a.mean, b.mean) && same_number(a.m2, b.m2) &&
         same_number(a.m3, b.m3) && same_number(a.m4, b.m4);
}

/// rough_values with, here and there, a NaN.
template <class T>
std::vector<T> values_with_nan(std::size_t size, unsigned seed) {
  auto values = rough_values<T>(size, seed);
  if constexpr (!std::integral<T>)
    for (std::size_t i = seed % 7; i < size; i += 97)
      values[i] = static_cast<T>(std::numeric_limits<float>::quiet_NaN());
  return values;
}

} // namespace test
