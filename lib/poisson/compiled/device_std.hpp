// What kernels use of the C++ standard library, for a compiler that has none: it stands for every
// header of that library.

#ifndef WARPFOLD_DEVICE_STD
#define WARPFOLD_DEVICE_STD

namespace std {

using size_t = decltype(sizeof 0);
using ptrdiff_t = long;
using uint8_t = unsigned char;
using uint32_t = unsigned;
using uint64_t = unsigned long;
using uintptr_t = unsigned long;

template <class T, T V>
struct integral_constant {
  static constexpr T value = V;
  constexpr operator T() const { return V; }
};

template <class A, class B>
inline constexpr bool is_same_v = false;
template <class A>
inline constexpr bool is_same_v<A, A> = true;
template <class A, class B>
concept same_as = is_same_v<A, B>;
template <class T>
concept copy_constructible = __is_constructible(T, T const&);

template <bool First, class A, class B>
struct conditional {
  using type = A;
};
template <class A, class B>
struct conditional<false, A, B> {
  using type = B;
};
template <bool First, class A, class B>
using conditional_t = typename conditional<First, A, B>::type;

template <class T>
struct remove_const {
  using type = T;
};
template <class T>
struct remove_const<T const> {
  using type = T;
};
template <class T>
using remove_const_t = typename remove_const<T>::type;
template <class T>
struct remove_reference {
  using type = T;
};
template <class T>
struct remove_reference<T&> {
  using type = T;
};
template <class T>
struct remove_reference<T&&> {
  using type = T;
};
template <class T>
using remove_reference_t = typename remove_reference<T>::type;
template <class T>
T&& declval() noexcept;

template <class T, T... I>
struct integer_sequence {};
template <class T, T N, T... I>
constexpr auto counted() {
  if constexpr (N == 0) return integer_sequence<T, I...>{};
  else return counted<T, N - 1, N - 1, I...>();
}
template <class T, T N>
using make_integer_sequence = decltype(counted<T, N>());

using ::fma;
using ::memcpy;

constexpr int bit_width(unsigned value) {
  int bits = 0;
  for (; value != 0; value >>= 1) ++bits;
  return bits;
}
constexpr int popcount(unsigned value) {
  int bits = 0;
  for (; value != 0; value &= value - 1) ++bits;
  return bits;
}

} // namespace std

#endif
