#pragma once
// Statistics for those who compile with nvcc: a choice of them, made at compile time, and elements
// that any random-access iterator yields.
//
//   auto const found = describe<statistic::mean | statistic::argmax>(place, values);
//
// What is not chosen costs nothing, and has in the description the value that it has of no elements
// (an index: their number). min without argmin is IEEE 754-2019's, for which -0 is less than +0,
// and max alike. The tree, and with it the last bits of the moments, is that of the size of what is
// kept. Otherwise as <warpfold/statistics.hpp> says.

#include <warpfold/detail/reduction/description_tally.hpp>
#include <warpfold/detail/reduction/tally.cuh>
#include <warpfold/detail/reduction/tally_host.hpp>
#include <warpfold/reduction.cuh>
#include <warpfold/statistics.hpp>

#include <cstddef>

namespace warpfold::inline v0 {

namespace detail {

template <class Iterator>
using description_at = description<typename default_accumulator<iterator_element<Iterator>>::type>;

template <statistic Wanted, class Place, class Iterator, class A>
void describe_at(Place& place, Iterator first, std::size_t size, description<A>* result) {
  using T = iterator_element<Iterator>;
  static_assert(built_in_element<T>, "statistics are of the built-in element types");
  check_first(first, size);
  description_tally<A, Wanted> const tally{size};
  widened<A, identity> const transform{};
  if constexpr (!std::same_as<std::remove_cv_t<Place>, gpu>) {
    *result = tally_host(place.threads(), first, size, tally, transform);
  } else if constexpr (std::is_pointer_v<Iterator>) {
    tally_array(place, first, size, tally, transform, result);
  } else {
    static_assert(!std::contiguous_iterator<Iterator>,
                  "an iterator into a container of the host cannot be read on a gpu");
    using partial = typename description_tally<A, Wanted>::partial;
    launch_tally<tally_tuning<description_tally<A, Wanted>>>(
        place, element_reader<Iterator, widened<A, identity>>{first, transform},
        tally_shape_of<T>(size, sizeof(partial)), tally, result);
  }
}

} // namespace detail

/// What is Wanted of the `size` elements from `first` on, a pointer or random-access iterator into
/// memory of the place, of which the value type is a built-in element.
template <statistic Wanted, class Place, detail::indexable Iterator>
detail::description_at<Iterator> describe(Place&& place, Iterator first, std::size_t size) {
  return detail::compute_now<detail::description_at<Iterator>>(
      place, [&](auto* result) { detail::describe_at<Wanted>(place, first, size, result); });
}
template <statistic Wanted, class Place, detail::indexable Iterator>
void describe_async(Place&& place, Iterator first, std::size_t size,
                    detail::result_t<Place, detail::description_at<Iterator>> result) {
  detail::compute_later(result,
                        [&](auto* to) { detail::describe_at<Wanted>(place, first, size, to); });
}

/// The same for ranges.
template <statistic Wanted, class Place, elements_for<Place> Range>
requires detail::built_in_elements<Range, Place>
auto describe(Place&& place, Range const& values) {
  auto const input = detail::checked<Place>(values);
  return describe<Wanted>(place, input.data(), input.size());
}
template <statistic Wanted, class Place, elements_for<Place> Range>
requires detail::built_in_elements<Range, Place>
void describe_async(Place&& place, Range const& values,
                    detail::result_t<Place, detail::description_for<Place, Range>> result) {
  auto const input = detail::checked<Place>(values);
  describe_async<Wanted>(place, input.data(), input.size(), result);
}

} // namespace warpfold::inline v0
