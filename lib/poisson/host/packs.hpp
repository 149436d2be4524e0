#pragma once
// Packs of numbers, as wide as a vector register: lane by lane they compute as numbers do. By the
// vector types of GCC and Clang, which a compiler splits where registers are shorter.

#include "poisson/butterflies.hpp"

#include <array>
#include <cstddef>
#include <type_traits>
#include <utility>

namespace warpfold::inline v0::poisson {

template <class T>
struct pack_of {
  // Aligned, too, where a register is shorter. Of 64 bytes, lines would fill twice as much of a
  // cache.
  using type [[gnu::vector_size(32)]] = T;
};
template <class T>
using pack = typename pack_of<T>::type;

template <class V>
concept packed = !std::is_same_v<V, lane_of<V>>;

/// Aligned for every generation of processors, which for its parts alone is not so. Copied part by
/// part: a compiler that copies both at once, through a longer register, waits until
/// the parts have reached the cache.
template <packed V>
struct alignas(2 * sizeof(V)) complex<V> {
  V re, im;

  complex() = default;
  WARPFOLD_ALWAYS_INLINE complex(V const& real, V const& imaginary) : re{real}, im{imaginary} {}
  WARPFOLD_ALWAYS_INLINE complex(complex const& other) : re{other.re}, im{other.im} {}
  WARPFOLD_ALWAYS_INLINE complex& operator=(complex const& other) {
    re = other.re;
    im = other.im;
    return *this;
  }
};

/// 1 for a number.
template <class V>
inline constexpr std::size_t lanes_of = sizeof(V) / sizeof(lane_of<V>);

template <class V>
WARPFOLD_ALWAYS_INLINE lane_of<V> lane(V const& v, std::size_t number) {
  if constexpr (lanes_of<V> == 1) return v;
  else return v[number];
}
template <class V>
WARPFOLD_ALWAYS_INLINE void set_lane(V& v, std::size_t number, lane_of<V> x) {
  if constexpr (lanes_of<V> == 1) v = x;
  else v[number] = x;
}

template <class V>
WARPFOLD_ALWAYS_INLINE V load_pack(lane_of<V> const* from) {
  V loaded;
  __builtin_memcpy(&loaded, from, sizeof loaded);
  return loaded;
}
template <class V>
WARPFOLD_ALWAYS_INLINE void store_pack(lane_of<V>* to, V const& v) {
  __builtin_memcpy(to, &v, sizeof v);
}

namespace pack_impl {

/// Lane l is lane from(l) of a, or, from the number of lanes on, of b.
template <class V, class From, std::size_t... Lane>
WARPFOLD_ALWAYS_INLINE V picked(V const& a, V const& b, From, std::index_sequence<Lane...>) {
  return __builtin_shufflevector(a, b, From::lane(static_cast<int>(Lane))...);
}
template <class V, class From>
WARPFOLD_ALWAYS_INLINE V picked(V const& a, V const& b, From from) {
  return picked(a, b, from, std::make_index_sequence<lanes_of<V>>{});
}

/// Every second lane of both.
template <int First>
struct alternate {
  static constexpr int lane(int l) { return 2 * l + First; }
};
/// What undoes that: the half of all lanes from First on.
template <int Lanes, int First>
struct interleaved {
  static constexpr int lane(int l) { return (First + l) / 2 + (First + l) % 2 * Lanes; }
};
/// What two rows become whose numbers differ in one bit, in a transposition.
template <int Lanes, int Bit, bool Upper>
struct exchanged {
  static constexpr int lane(int l) {
    if (Upper) return l & Bit ? Lanes + l : l + Bit;
    return l & Bit ? Lanes + l - Bit : l;
  }
};

template <int Bit, class V, std::size_t Lanes>
WARPFOLD_ALWAYS_INLINE void exchange(std::array<V, Lanes>& rows) {
  if constexpr (Bit < static_cast<int>(Lanes)) {
    constexpr int lanes = static_cast<int>(Lanes);
    unrolled<lanes>([&](auto i) {
      if constexpr ((i.value & Bit) == 0) {
        V &a = rows[i.value], &b = rows[i.value | Bit];
        V const lower = picked(a, b, exchanged<lanes, Bit, false>{});
        b = picked(a, b, exchanged<lanes, Bit, true>{});
        a = lower;
      }
    });
    exchange<2 * Bit>(rows);
  }
}

} // namespace pack_impl

/// Numbers that alternate in memory between real and imaginary parts.
template <class V>
WARPFOLD_ALWAYS_INLINE complex<V> load_alternating(lane_of<V> const* from) {
  using namespace pack_impl;
  V const a = load_pack<V>(from), b = load_pack<V>(from + lanes_of<V>);
  return {picked(a, b, alternate<0>{}), picked(a, b, alternate<1>{})};
}
template <class V>
WARPFOLD_ALWAYS_INLINE void store_alternating(lane_of<V>* to, complex<V> const& v) {
  using namespace pack_impl;
  constexpr int lanes = static_cast<int>(lanes_of<V>);
  store_pack<V>(to, picked(v.re, v.im, interleaved<lanes, 0>{}));
  store_pack<V>(to + lanes, picked(v.re, v.im, interleaved<lanes, lanes>{}));
}

template <class V>
WARPFOLD_ALWAYS_INLINE void transpose(std::array<V, lanes_of<V>>& rows) {
  pack_impl::exchange<1>(rows);
}

} // namespace warpfold::inline v0::poisson
