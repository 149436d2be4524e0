#pragma once
// Predicates that counts and compactions know by type. NaN is neither less than anything, nor
// greater, nor equal. They are made and called at once, on any thread, and never throw.

#include <warpfold/reduction/operations.hpp>

#include <type_traits>

namespace warpfold::inline v0 {

namespace detail {
/// Half types compare as float, which holds them exactly.
template <class T>
WARPFOLD_HOST_DEVICE constexpr auto comparable(T x) {
  return widen<std::conditional_t<is_half<T>, float, T>>(x);
}
} // namespace detail

/// x < bound
template <class T>
struct less_than {
  T bound; ///< to compare with
  WARPFOLD_HOST_DEVICE constexpr bool operator()(T x) const {
    return detail::comparable(x) < detail::comparable(bound);
  }
};
template <class T>
less_than(T) -> less_than<T>;
/// x > bound
template <class T>
struct greater_than {
  T bound; ///< to compare with
  WARPFOLD_HOST_DEVICE constexpr bool operator()(T x) const {
    return detail::comparable(x) > detail::comparable(bound);
  }
};
template <class T>
greater_than(T) -> greater_than<T>;
/// x == value; -0 equals +0.
template <class T>
struct equal_to {
  T value; ///< to compare with
  WARPFOLD_HOST_DEVICE constexpr bool operator()(T x) const {
    return detail::comparable(x) == detail::comparable(value);
  }
};
template <class T>
equal_to(T) -> equal_to<T>;
/// x is NaN. For float, double and the half types.
struct is_nan {
  template <class T>
  WARPFOLD_HOST_DEVICE constexpr bool operator()(T x) const {
    return detail::comparable(x) != detail::comparable(x);
  }
};
/// Neither NaN nor infinite.
struct is_finite {
  template <class T>
  WARPFOLD_HOST_DEVICE constexpr bool operator()(T x) const {
    auto const value = detail::comparable(x);
    return absolute{}(value) < detail::highest<std::remove_const_t<decltype(value)>>;
  }
};

} // namespace warpfold::inline v0
