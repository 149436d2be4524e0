#pragma once
// Where the smallest and the largest element are, and both values at once.

#include <warpfold/operations.hpp>
#include <warpfold/reduction.hpp>

#include <cstdint>

namespace warpfold::inline v0 {

/// An element, and where it stands.
template <class T>
struct extremum {
  T value;             ///< of the accumulator's type
  std::uint64_t index; ///< the number of elements, where none was found
};

/// The smallest and the largest element.
template <class T>
struct min_max {
  T min, max; ///< of the accumulator's type
};

namespace detail {

template <class Place, class Range>
using extremum_for = extremum<accumulator_for<void, Place, Range>>;
template <class Place, class Range>
using min_max_for = min_max<accumulator_for<void, Place, Range>>;

/// Find what Op (a minimum or maximum) would keep, and where; see reduce_to. Defined for the
/// built-in element types.
template <class T, class Op, class A>
void find_to(gpu& place, device_span<T const> values, extremum<A>* result);
template <class T, class Op, class A>
void find_to(host const& place, std::span<T const> values, extremum<A>* result);

/// The same for a minimum and a maximum.
template <class T, nan_policy Nan, class A>
void min_max_to(gpu& place, device_span<T const> values, min_max<A>* result);
template <class T, nan_policy Nan, class A>
void min_max_to(host const& place, std::span<T const> values, min_max<A>* result);

template <template <nan_policy> class Extremum, class Place, class Range, class Result>
void find_by_policy(Place& place, Range const& values, Result* result,
                    extremum_options const& options) {
  with_checked_policy<Extremum, decltype(Result::value)>(options.nan, [&]<class Op>(Op) {
    find_to<element_t<Place, Range>, Op>(place, span_t<Place, Range>(values), result);
  });
}

template <nan_policy Nan>
struct policy_tag {
  static constexpr nan_policy nan = Nan;
};

template <class Place, class Range, class A>
void min_max_by_policy(Place& place, Range const& values, min_max<A>* result,
                       extremum_options const& options) {
  with_checked_policy<policy_tag, A>(options.nan, [&]<class Policy>(Policy) {
    min_max_to<element_t<Place, Range>, Policy::nan>(place, span_t<Place, Range>(values), result);
  });
}

} // namespace detail

// What holds for the verbs below: all that <warpfold/reduction.hpp> says of places, elements,
// blocking and _async forms, determinism and errors.

/// The first of the smallest elements, and its index. -0 and +0 are equal here, as in numpy, CUB
/// and torch: the first of them is found. The value is the element itself, as its default
/// accumulator (float for the half types).
///
/// With nan_policy::propagate the first NaN is found, if there is any; with ignore NaN elements do
/// not count. Without elements that count: the value of min() for no elements, and the number of
/// elements as index.
template <class Place, elements_for<Place> Range>
requires detail::built_in_elements<Range, Place>
auto argmin(Place&& place, Range const& values, extremum_options const& options = {}) {
  return detail::compute_now<detail::extremum_for<Place, Range>>(place, [&](auto* result) {
    detail::find_by_policy<minimum>(place, values, result, options);
  });
}
template <class Place, elements_for<Place> Range>
requires detail::built_in_elements<Range, Place>
void argmin_async(Place&& place, Range const& values,
                  detail::result_t<Place, detail::extremum_for<Place, Range>> result,
                  extremum_options const& options = {}) {
  detail::compute_later(
      result, [&](auto* to) { detail::find_by_policy<minimum>(place, values, to, options); });
}

/// The first of the largest elements, and its index; otherwise as argmin.
template <class Place, elements_for<Place> Range>
requires detail::built_in_elements<Range, Place>
auto argmax(Place&& place, Range const& values, extremum_options const& options = {}) {
  return detail::compute_now<detail::extremum_for<Place, Range>>(place, [&](auto* result) {
    detail::find_by_policy<maximum>(place, values, result, options);
  });
}
template <class Place, elements_for<Place> Range>
requires detail::built_in_elements<Range, Place>
void argmax_async(Place&& place, Range const& values,
                  detail::result_t<Place, detail::extremum_for<Place, Range>> result,
                  extremum_options const& options = {}) {
  detail::compute_later(
      result, [&](auto* to) { detail::find_by_policy<maximum>(place, values, to, options); });
}

/// What min() and max() return, read once: IEEE 754-2019's minimum and maximum, for which -0 is
/// less than +0; NaN and no elements as there.
template <class Place, elements_for<Place> Range>
requires detail::built_in_elements<Range, Place>
auto minmax(Place&& place, Range const& values, extremum_options const& options = {}) {
  return detail::compute_now<detail::min_max_for<Place, Range>>(
      place, [&](auto* result) { detail::min_max_by_policy(place, values, result, options); });
}
template <class Place, elements_for<Place> Range>
requires detail::built_in_elements<Range, Place>
void minmax_async(Place&& place, Range const& values,
                  detail::result_t<Place, detail::min_max_for<Place, Range>> result,
                  extremum_options const& options = {}) {
  detail::compute_later(result,
                        [&](auto* to) { detail::min_max_by_policy(place, values, to, options); });
}

} // namespace warpfold::inline v0
