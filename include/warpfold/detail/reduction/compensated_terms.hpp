#pragma once
// A sum, what rounding took from it, and a bound of what is still unknown.
//
// T. Ogita, S. M. Rump, S. Oishi, "Accurate sum and dot product", SIAM J. Sci. Comput. 26(6), 2005;
// docs/numerics.md derives the bound for the fold's tree.

#include <warpfold/detail/reduction/two_sum.hpp>
#include <warpfold/reduction/operations.hpp>

#include <concepts>
#include <cstdint>
#include <limits>

namespace warpfold::inline v0 {

/// A computed value and a bound of its error: |value - exact| <= error_bound.
template <class T>
struct bounded {
  T value;       ///< as computed
  T error_bound; ///< at least 0
  /// True if both members are equal.
  bool operator==(bounded const&) const = default;
};

namespace detail {

/// The accumulator of a compensated sum. `error` adds up the exact errors of the additions that
/// made `sum`, and rounds itself; `magnitude` adds up their absolute values.
template <std::floating_point T>
struct compensated_terms {
  T sum = 0, error = 0, magnitude = 0;

  compensated_terms() = default;
  WARPFOLD_HOST_DEVICE constexpr compensated_terms(T x) : sum{x} {}
};

struct add_compensated {
  using is_commutative = void;

  template <class T>
  WARPFOLD_HOST_DEVICE constexpr compensated_terms<T> operator()(compensated_terms<T> a,
                                                                 compensated_terms<T> b) const {
    a.error = plus{}(a.error, b.error);
    a.magnitude = plus{}(a.magnitude, b.magnitude);
    return (*this)(a, b.sum);
  }
  /// One element more, which has no error yet.
  template <class T>
  WARPFOLD_HOST_DEVICE constexpr compensated_terms<T> operator()(compensated_terms<T> a,
                                                                 T b) const {
    auto const [sum, error] = two_sum(a.sum, b);
    a.sum = sum;
    a.error = plus{}(a.error, error);
    a.magnitude = plus{}(a.magnitude, absolute{}(error));
    return a;
  }
};

/// Half a unit in the last place of 1.
template <std::floating_point T>
inline constexpr T unit_roundoff = std::numeric_limits<T>::epsilon() / 2;

/// The next number above x >= 0; infinity and NaN stay as they are.
template <std::floating_point T>
WARPFOLD_HOST_DEVICE constexpr T next_up(T x) {
  return x < highest<T> ? cast_bits<T>(cast_bits<bits_of<T>>(x) + 1) : x;
}

/// The value and its bound, after at most `additions` additions of errors one after the other.
template <std::floating_point T>
WARPFOLD_HOST_DEVICE constexpr bounded<T> value_of(compensated_terms<T> const& total,
                                                   std::int64_t additions) {
  constexpr T infinity = highest<T>;
  constexpr std::int64_t too_many = std::int64_t{1} << (std::numeric_limits<T>::digits - 2);
  // Infinite or NaN: the sum says all that is known.
  if (!(absolute{}(total.sum) < infinity))
    return {total.sum, total.sum == total.sum ? infinity : total.sum};

  auto const [value, rest] = two_sum(total.sum, total.error);
  T bound = absolute{}(rest);
  if (total.magnitude != 0) {
    T unknown = infinity;
    if (additions < too_many) {
      // h u / (1 - h u)^2 * magnitude. h u and 1 - h u are exact; the square and the quotient lose
      // less than three units in the last place together.
      T const hu = multiplies{}(static_cast<T>(additions), unit_roundoff<T>);
      T const below_one = plus{}(T{1}, -hu);
      T const factor = next_up(next_up(next_up(hu / multiplies{}(below_one, below_one))));
      unknown = next_up(multiplies{}(factor, total.magnitude));
    }
    bound = bound == 0 ? unknown : next_up(plus{}(bound, unknown));
  }
  // The errors, or the corrected sum, have overflowed.
  if (bound != bound) return {total.sum, infinity};
  return {value, bound};
}

struct finish_compensated {
  std::int64_t additions;
  template <class T>
  WARPFOLD_HOST_DEVICE constexpr bounded<T> operator()(compensated_terms<T> const& total) const {
    return value_of(total, additions);
  }
};

} // namespace detail
} // namespace warpfold::inline v0
