#pragma once
// Sums of powers, and how the central moments of two sets of elements make those of both.

#include <warpfold/reduction/operations.hpp>

namespace warpfold::inline v0::detail {

/// A double whose operations are rounded one by one (host code: -ffp-contract=off).
struct rounded {
  double value = 0;

  friend WARPFOLD_HOST_DEVICE rounded operator+(rounded a, rounded b) {
    return {plus{}(a.value, b.value)};
  }
  friend WARPFOLD_HOST_DEVICE rounded operator-(rounded a, rounded b) {
    return {plus{}(a.value, -b.value)};
  }
  friend WARPFOLD_HOST_DEVICE rounded operator*(rounded a, rounded b) {
    return {multiplies{}(a.value, b.value)};
  }
  friend WARPFOLD_HOST_DEVICE rounded operator/(rounded a, rounded b) {
    return {a.value / b.value};
  }
};

/// Number, mean and sums of powers of the deviations from the mean, up to power Order. The mean is
/// shift + offset, an element and the distance from it, which loses nothing to the element's size.
template <int Order>
struct moments;
template <>
struct moments<0> {
  double number = 0; ///< exact up to 2^53
};
template <>
struct moments<1> : moments<0> {
  double shift = 0, offset = 0;
};
template <>
struct moments<2> : moments<1> {
  double m2 = 0;
};
template <>
struct moments<3> : moments<2> {
  double m3 = 0;
};
template <>
struct moments<4> : moments<3> {
  double m4 = 0;
};

/// A thread's sums of powers of d = x - shift.
template <int Order>
struct power_sums;
template <>
struct power_sums<0> {};
template <>
struct power_sums<1> {
  rounded s1{};
};
template <>
struct power_sums<2> : power_sums<1> {
  rounded s2{};
};
template <>
struct power_sums<3> : power_sums<2> {
  rounded s3{};
};
template <>
struct power_sums<4> : power_sums<3> {
  rounded s4{};
};

template <int Order>
WARPFOLD_HOST_DEVICE void add_powers(power_sums<Order>& sums, rounded d) {
  if constexpr (Order >= 1) sums.s1 = sums.s1 + d;
  if constexpr (Order >= 2) {
    rounded const d2 = d * d;
    sums.s2 = sums.s2 + d2;
    if constexpr (Order >= 3) sums.s3 = sums.s3 + d2 * d;
    if constexpr (Order >= 4) sums.s4 = sums.s4 + d2 * d2;
  }
}

/// The central moments of `number` elements from sums of powers of their distances from `shift`.
template <int Order>
WARPFOLD_HOST_DEVICE moments<Order> moments_of(power_sums<Order> const& sums, double number,
                                               double shift) {
  moments<Order> all;
  all.number = number;
  if constexpr (Order >= 1) {
    if (number == 0) return all;
    rounded const m = sums.s1 / rounded{number};
    all.shift = shift;
    all.offset = m.value;
    if constexpr (Order >= 2) all.m2 = (sums.s2 - m * sums.s1).value;
    if constexpr (Order >= 3)
      all.m3 = (sums.s3 - m * (rounded{3} * sums.s2 - rounded{2} * m * sums.s1)).value;
    if constexpr (Order >= 4)
      all.m4 = (sums.s4 -
                m * (rounded{4} * sums.s3 - m * (rounded{6} * sums.s2 - rounded{3} * m * sums.s1)))
                   .value;
  }
  return all;
}

/// The moments of both sets together: P. Pebay, SAND2008-6212, 2008 (see docs/numerics.md), with
/// the sets' shares of the whole in place of their numbers.
template <int Order>
WARPFOLD_HOST_DEVICE moments<Order> merged(moments<Order> const& a, moments<Order> const& b) {
  if (b.number == 0) return a;
  if (a.number == 0) return b;
  moments<Order> all;
  all.number = a.number + b.number;
  if constexpr (Order >= 1) {
    rounded const na{a.number};
    // Most are as many as each other, and a division takes long.
    rounded wa{0.5}, wb{0.5};
    if (a.number != b.number) {
      rounded const inverse = rounded{1} / rounded{all.number};
      wa = na * inverse;
      wb = rounded{b.number} * inverse;
    }
    rounded const b_from_a = rounded{b.shift} - rounded{a.shift} + rounded{b.offset};
    rounded const delta = b_from_a - rounded{a.offset};
    rounded const step = delta * wb;
    all.shift = a.shift;
    all.offset = (rounded{a.offset} + step).value;
    // Infinite means have no difference, but a mean.
    if (!(delta.value - delta.value == 0))
      all.offset = (wa * rounded{a.offset} + wb * b_from_a).value;
    if constexpr (Order >= 2) {
      rounded const between = na * delta * step;
      rounded const a2{a.m2}, b2{b.m2};
      all.m2 = (a2 + b2 + between).value;
      if constexpr (Order >= 3) {
        rounded const a3{a.m3}, b3{b.m3};
        all.m3 = (a3 + b3 + delta * (between * (wa - wb) + rounded{3} * (wa * b2 - wb * a2))).value;
        if constexpr (Order >= 4) {
          rounded const squares = between * (rounded{1} - rounded{3} * wa * wb) +
                                  rounded{6} * (wa * wa * b2 + wb * wb * a2);
          rounded const cubes = rounded{4} * (wa * b3 - wb * a3);
          all.m4 = (rounded{a.m4} + rounded{b.m4} + delta * (delta * squares + cubes)).value;
        }
      }
    }
  }
  return all;
}

} // namespace warpfold::inline v0::detail
