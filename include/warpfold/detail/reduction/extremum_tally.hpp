#pragma once
// Where the smallest or largest element is: what a thread keeps, and how two findings make one.

#include <warpfold/detail/reduction/padding.hpp>
#include <warpfold/reduction/extrema.hpp>

#include <concepts>
#include <cstdint>
#include <limits>

namespace warpfold::inline v0::detail {

template <class A>
inline constexpr A not_a_number = std::numeric_limits<A>::quiet_NaN();

/// The index of nothing, which every other comes before.
inline constexpr std::uint64_t no_index = std::numeric_limits<std::uint64_t>::max();

/// The order in which a minimum or maximum prefers elements.
template <class Op>
struct sought_by;
template <template <nan_policy> class Extremum, nan_policy Nan>
struct sought_by<Extremum<Nan>> {
  static constexpr bool is_least = std::same_as<Extremum<Nan>, minimum<Nan>>;
  static constexpr nan_policy nan = Nan;
  template <class A>
  static constexpr A of_nothing = neutral<Extremum<Nan>, A>;
  template <class A>
  WARPFOLD_HOST_DEVICE static bool before(A x, A y) {
    return is_least ? x < y : x > y;
  }
  template <class A>
  WARPFOLD_HOST_DEVICE static bool not_before(A x, A y) {
    return is_least ? x >= y : x <= y;
  }
};

/// The first element that Op would keep of those that one thread has seen, in their order.
template <class A, class Op>
struct tracker {
  using sought = sought_by<Op>;
  static constexpr bool skips_nan = std::floating_point<A> && sought::nan == nan_policy::ignore;
  /// Nothing found yet. Where NaN counts, what equals `of_nothing` is not taken, and the thread's
  /// first element stands for it: it is the first of its kind if nothing is ever taken.
  static constexpr A start = skips_nan ? not_a_number<A> : sought::template of_nothing<A>;

  A value = start;
  std::uint32_t at = 0;

  /// x is element number i of the thread's own, and not NaN if it is `ordinary`.
  WARPFOLD_HOST_DEVICE void add(A x, std::uint32_t i, bool ordinary) {
    bool const taken = takes(x, ordinary);
    value = taken ? x : value;
    at = taken ? i : at;
  }

  WARPFOLD_HOST_DEVICE bool takes(A x, bool ordinary) const {
    if constexpr (!std::floating_point<A>) return sought::before(x, value);
    else if constexpr (skips_nan) return ordinary & !sought::not_before(x, value);
    else return (value == value) & !sought::not_before(x, value);
  }

  /// The finding of a thread that has seen elements, whose first is number `first` of all.
  WARPFOLD_HOST_DEVICE extremum<A> close(std::uint64_t first) const {
    return {value, skips_nan && value != value ? no_index : first + at};
  }

  WARPFOLD_HOST_DEVICE static constexpr extremum<A> nothing() { return {start, no_index}; }
  WARPFOLD_HOST_DEVICE static extremum<A> of(A x, std::uint64_t i) {
    return {x, skips_nan && x != x ? no_index : i};
  }

  /// True if b is better than a, or as good and first. In a tree, any two may meet.
  WARPFOLD_HOST_DEVICE static bool beats(extremum<A> const& b, extremum<A> const& a) {
    bool const first = b.index < a.index;
    bool const better = sought::before(b.value, a.value) | ((b.value == a.value) & first);
    if constexpr (!std::floating_point<A>) return better;
    else if constexpr (skips_nan) return better | (a.index == no_index);
    else return b.value != b.value ? (a.value == a.value) | first : better;
  }
  WARPFOLD_HOST_DEVICE static extremum<A> merge(extremum<A> const& a, extremum<A> const& b) {
    bool const taken = beats(b, a);
    return {taken ? b.value : a.value, taken ? b.index : a.index};
  }

  /// As it is returned, of `size` elements.
  WARPFOLD_HOST_DEVICE static extremum<A> finish(extremum<A> const& found, std::uint64_t size) {
    if (found.index == no_index) return {sought::template of_nothing<A>, size};
    return found;
  }
};

/// The tally of argmin and argmax: see tally_body.hpp.
template <class A, class Op>
struct extremum_tally {
  using is_commutative = void;
  using element = A;
  using partial = extremum<A>;
  using result = extremum<A>;
  struct running : tracker<A, Op> {
    using element = A;
    template <int N>
    WARPFOLD_HOST_DEVICE void add(A const (&pack)[N], std::uint32_t i) {
      WARPFOLD_UNROLL
      for (int v = 0; v < N; ++v)
        tracker<A, Op>::add(pack[v], i + static_cast<std::uint32_t>(v), pack[v] == pack[v]);
    }
    WARPFOLD_HOST_DEVICE partial close(std::int64_t, std::uint64_t first) const {
      return tracker<A, Op>::close(first);
    }
  };

  std::uint64_t size;

  WARPFOLD_HOST_DEVICE static partial nothing() { return running::nothing(); }
  WARPFOLD_HOST_DEVICE static partial of(A x, std::uint64_t i) { return running::of(x, i); }
  WARPFOLD_HOST_DEVICE partial operator()(partial const& a, partial const& b) const {
    return running::merge(a, b);
  }
  WARPFOLD_HOST_DEVICE result finish(partial const& found) const {
    return running::finish(found, size);
  }
};

/// Every finding beats nothing, and nothing beats none. Integers take as long without conditions.
/// us of argmin of 2^8, 2^14 and 2^22 floats, NVIDIA H200, 2026-11-29,
/// docs/validation/2026-11-29-missing-operands-h200.txt: 1.05, 2.10 and 6.86 instead of 1.17, 2.32
/// and 7.25.
template <std::floating_point A, class Op>
inline constexpr bool pads_with_identity<extremum_tally<A, Op>, extremum<A>> = true;
template <class A, class Op>
inline constexpr extremum<A>
    exact_identity<extremum_tally<A, Op>, extremum<A>> = tracker<A, Op>::nothing();

/// Both extrema of two sets of elements, as a fold's operator.
template <nan_policy Nan>
struct min_max_op {
  using is_commutative = void;
  template <class A>
  WARPFOLD_HOST_DEVICE min_max<A> operator()(min_max<A> const& a, min_max<A> const& b) const {
    return {minimum<Nan>{}(a.min, b.min), maximum<Nan>{}(a.max, b.max)};
  }
};

/// An element as both extrema of itself.
template <class A>
struct both_extrema {
  template <class T>
  WARPFOLD_HOST_DEVICE min_max<A> operator()(T x) const {
    A const wide = widen<A>(x);
    return {wide, wide};
  }
};

template <class A>
inline constexpr min_max<A> min_max_of_nothing{highest<A>, lowest<A>};

/// A double's bits as an integer of the same order, -0 before +0 and NaN outermost; and back again.
WARPFOLD_HOST_DEVICE constexpr std::int64_t ordered(std::int64_t bits) {
  return bits ^ (bits >> 63 & 0x7fff'ffff'ffff'ffff);
}

/// Both extrema of doubles as ordered integers, in a third of fmin's instructions for NaN and -0.
template <nan_policy Nan>
struct min_max_keys {
  using key = std::int64_t;
  static constexpr key first = std::numeric_limits<key>::min();
  static constexpr key last = std::numeric_limits<key>::max();

  key min, max;

  WARPFOLD_HOST_DEVICE static min_max_keys of(double x) {
    key const k = ordered(cast_bits<key>(x));
    if (Nan == nan_policy::ignore && x != x) return {last, first};
    return {k, k};
  }
  WARPFOLD_HOST_DEVICE operator min_max<double>() const {
    constexpr key infinity = key{0x7ff} << 52;
    if (min < ordered(infinity | first) || max > infinity) // NaN, or there was nothing else
      return Nan == nan_policy::ignore
                 ? min_max_of_nothing<double>
                 : min_max<double>{not_a_number<double>, not_a_number<double>};
    return {cast_bits<double>(ordered(min)), cast_bits<double>(ordered(max))};
  }
};

/// min_max_op of doubles for a GPU: a thread's own extrema are integers.
template <nan_policy Nan>
struct keyed_min_max_op : min_max_op<Nan> {
  using lane = min_max_keys<Nan>;
  using min_max_op<Nan>::operator();
  WARPFOLD_HOST_DEVICE lane operator()(lane const& a, lane const& b) const {
    return {a.min < b.min ? a.min : b.min, a.max > b.max ? a.max : b.max};
  }
};
template <nan_policy Nan>
struct keys_of_both {
  WARPFOLD_HOST_DEVICE min_max_keys<Nan> operator()(double x) const {
    return min_max_keys<Nan>::of(x);
  }
};

} // namespace warpfold::inline v0::detail
