#pragma once
// What the vendors' methods are given for extrema and statistics, so that they keep the verbs'
// contracts.

#include "reduction/instances.hpp"

#include <warpfold/detail/reduction/description_tally.hpp>
#include <warpfold/detail/reduction/extremum_tally.hpp>
#include <warpfold/twins/statistics.hpp>

#include <cstdint>

namespace warpfold::inline v0::detail {

template <class A>
using full_description = description_tally<A, statistic::all>;

/// Element number i, as a tally's partial of one element.
template <class T, class Tally>
struct partial_at {
  T const* values;
  WARPFOLD_HOST_DEVICE typename Tally::partial operator()(std::int64_t i) const {
    return Tally::of(widen<typename Tally::element>(values[i]), static_cast<std::uint64_t>(i));
  }
};

/// A strict weak order of all elements, NaN too, in which what is sought comes first. It chooses at
/// run time: each type of order takes the compiler seconds.
template <class A>
struct comes_first {
  bool greatest, ignores_nan;

  template <class T>
  WARPFOLD_HOST_DEVICE bool operator()(T const& a, T const& b) const {
    A const x = widen<A>(a), y = widen<A>(b);
    bool const x_is_nan = x != x, y_is_nan = y != y;
    if (x_is_nan || y_is_nan) return x_is_nan != y_is_nan && x_is_nan != ignores_nan;
    return greatest ? x > y : x < y;
  }
};

template <class A, nan_policy Nan>
constexpr comes_first<A> order_for(minimum<Nan>) {
  return {false, Nan == nan_policy::ignore};
}
template <class A, nan_policy Nan>
constexpr comes_first<A> order_for(maximum<Nan>) {
  return {true, Nan == nan_policy::ignore};
}

/// The result of the search that found element number i, x, of `size`.
template <class A, class Op, class T>
extremum<A> found_at(T x, std::uint64_t i, std::uint64_t size) {
  using tally = extremum_tally<A, Op>;
  return tally{size}.finish(tally::of(widen<A>(x), i));
}

// By Thrust on a GPU; they block. There is at least one element, but for descriptions.
template <class Op, class A, class T>
extremum<A> find_by_thrust(gpu& place, device_span<T const> values);
template <nan_policy Nan, class A, class T>
min_max<A> min_max_by_thrust(gpu& place, device_span<T const> values);
template <class T, class A>
description<A> describe_by_thrust(gpu& place, device_span<T const> values,
                                  full_description<A> tally);

} // namespace warpfold::inline v0::detail
