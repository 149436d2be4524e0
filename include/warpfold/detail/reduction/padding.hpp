#pragma once
// Identity elements in the place of operands that are missing, so that folds need no conditions.

#include <warpfold/reduction/operations.hpp>

#include <limits>
#include <type_traits>

namespace warpfold::inline v0::detail {

template <class Op>
inline constexpr bool is_extremum = false;
template <nan_policy Nan>
inline constexpr bool is_extremum<minimum<Nan>> = true;
template <nan_policy Nan>
inline constexpr bool is_extremum<maximum<Nan>> = true;

/// True if any two numbers may be combined, and nothing happens but a result.
template <class Op>
inline constexpr bool takes_any_numbers =
    std::is_same_v<Op, plus> || std::is_same_v<Op, multiplies> || is_extremum<Op>;

/// True if a missing operand is combined, too, as one that changes no bit of another, and if
/// operands may change places. Code without conditions is a quarter shorter, and few elements wait
/// for code. us of sums of 2^8, 2^14 and 2^22 floats, NVIDIA H200, 2026-11-29,
/// docs/validation/2026-11-29-missing-operands-h200.txt: 0.75, 1.46 and 6.12 instead of 0.86, 1.59
/// and 6.24.
template <class Op, class A>
inline constexpr bool pads_with_identity = std::is_arithmetic_v<A>&& takes_any_numbers<Op>;

/// The operand that changes no bit: not always neutral<Op, A>, the result for no elements. In a sum
/// 0 would not do, since 0 + -0 is 0; in an extremum that ignores NaN infinity would hide one.
template <class Op, class A>
inline constexpr A exact_identity;
template <class A>
inline constexpr A exact_identity<plus, A> = std::is_floating_point_v<A> ? static_cast<A>(-0.0)
                                                                         : A{};
template <class A>
inline constexpr A exact_identity<multiplies, A>{1};
template <class A>
inline constexpr A exact_identity<minimum<nan_policy::propagate>, A> = highest<A>;
template <class A>
inline constexpr A exact_identity<maximum<nan_policy::propagate>, A> = lowest<A>;
template <class A>
inline constexpr A exact_identity<minimum<nan_policy::ignore>, A> =
    std::numeric_limits<A>::has_quiet_NaN ? std::numeric_limits<A>::quiet_NaN() : highest<A>;
template <class A>
inline constexpr A exact_identity<maximum<nan_policy::ignore>, A> =
    std::numeric_limits<A>::has_quiet_NaN ? std::numeric_limits<A>::quiet_NaN() : lowest<A>;

/// Folds expect this in the place of a missing operand. Other operators are not called with it.
template <class Op, class A>
WARPFOLD_HOST_DEVICE constexpr A padding_for() {
  if constexpr (pads_with_identity<Op, A>) return exact_identity<Op, A>;
  else return A{};
}
template <class Op, class A, int N>
WARPFOLD_HOST_DEVICE void fill_with_padding(A (&values)[N]) {
  WARPFOLD_UNROLL
  for (int v = 0; v < N; ++v) values[v] = padding_for<Op, A>();
}

} // namespace warpfold::inline v0::detail
