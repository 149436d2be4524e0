#pragma once
// Compaction by a user's own predicate.

#include <warpfold/detail/counting/compaction.cuh>
#include <warpfold/detail/counting/counting_host.hpp>
#include <warpfold/detail/counting/gpu_function.cuh>
#include <warpfold/detail/reduction/custom_fold.cuh>

#include <cstddef>
#include <cstdint>

namespace warpfold::inline v0::detail {

template <class Range, class Place, class Predicate>
concept custom_compaction = !built_in_selection<element_t<Place, Range>, Predicate>;

template <class Place, class Iterator, class Predicate>
void compact_range(Place& place, Iterator first, std::size_t size, Predicate predicate,
                   result_t<Place, iterator_element<Iterator>> output, compaction_count result) {
  detail::check_first<Place>(first, size);
  check_function<Place, iterator_element<Iterator>>(predicate);
  auto const* const values = detail::address_of(first);
  check_output(values, values ? size : 0, output.data(), output.size(), result.count);
  compact_array(place, first, size, predicate, output.data(), output.size(), result.count,
                result.blocking);
}
template <class Place, class Predicate, custom_compaction<Place, Predicate> Range>
void compact_range(Place& place, Range const& values, Predicate predicate,
                   output_t<Place, Range> output, compaction_count result) {
  auto const input = checked<Place>(values);
  compact_range(place, input.data(), input.size(), predicate, output, result);
}

} // namespace warpfold::inline v0::detail
