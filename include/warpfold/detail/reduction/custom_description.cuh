#pragma once
// A choice of statistics, of elements that an iterator yields.

#include <warpfold/detail/reduction/custom_fold.cuh>
#include <warpfold/detail/reduction/description_tally.hpp>
#include <warpfold/detail/reduction/tally.cuh>
#include <warpfold/detail/reduction/tally_host.hpp>

#include <cstddef>

namespace warpfold::inline v0::detail {

template <class Iterator>
using description_at = description<typename default_accumulator<iterator_element<Iterator>>::type>;

template <statistic Choice, class Place, class Iterator, class A>
void describe_at(Place& place, Iterator first, std::size_t size, description<A>* result) {
  static_assert(built_in_element<iterator_element<Iterator>>,
                "statistics are of the built-in element types");
  detail::check_first<Place>(first, size);
  tally_array(place, first, size, description_tally<A, Choice>{size}, widened<A, identity>{},
              result);
}

template <statistic Choice, class Place, class Iterator>
auto description_job(Place& place, Iterator first, std::size_t size) {
  return job_of<description_at<Iterator>>(
      place, [=, &place](auto* result) { describe_at<Choice>(place, first, size, result); });
}
template <statistic Choice, class Place, class Range>
auto description_job(Place& place, Range const& values) {
  return job_of<description_for<Place, Range>>(
      place, [&place, view = span_t<Place, Range>(values)](auto* result) {
        auto const input = checked<Place>(view);
        describe_at<Choice>(place, input.data(), input.size(), result);
      });
}

} // namespace warpfold::inline v0::detail
