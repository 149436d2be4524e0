#pragma once
// Counts, histograms and compactions by CUB and Thrust, to be compared with: the verbs of
// <warpfold/counting.hpp>, <warpfold/counting/histogram.hpp> and <warpfold/counting/compaction.hpp>
// with a tag. twins::fold is the call without one. Link warpfold::twins.
//
// Compiled are
//   count_if, all_of, any_of  float with every predicate; double with less_than, greater_than and
//                             is_nan; std::int32_t with less_than and equal_to; __half with
//                             greater_than
//   histogram                 std::uint8_t, std::int32_t and float
//   compact_if                float with less_than, is_nan and is_finite; double and std::int32_t
//                             with less_than

#include <warpfold/counting.hpp>
#include <warpfold/counting/compaction.hpp>
#include <warpfold/counting/histogram.hpp>
#include <warpfold/detail/twins/tasks.hpp>

#include <cstdint>
#include <vector>

namespace warpfold::inline v0 {

namespace detail {

template <class Range, class Place, class Predicate>
concept compared_count = compared_predicate<element_t<Place, Range>, Predicate>;
template <class T, class Predicate>
concept compared_selection = (one_of<T, float, double, std::int32_t> &&
                              std::same_as<Predicate, less_than<T>>) ||
                             (std::same_as<T, float> && one_of<Predicate, is_nan, is_finite>);
template <class Range, class Place, class Predicate>
concept compared_compaction = compared_selection<element_t<Place, Range>, Predicate>;
template <class Range, class Place>
concept compared_histogram = one_of < element_t<Place, Range>,
        std::uint8_t, std::int32_t,
float > ;

// As those without a tag. `blocking` says that the caller will wait, so that scratch memory may
// grow.

template <class T>
void histogram_to(gpu& place, device_span<T const> values, bins_of<T> const& bins,
                  device_span<std::uint64_t> counts, twins::vendor twin, bool blocking);
template <class T>
void histogram_to(host const& place, std::span<T const> values, bins_of<T> const& bins,
                  std::span<std::uint64_t> counts, twins::vendor twin, bool blocking);
template <class T, class Predicate>
void compact_to(gpu& place, device_span<T const> values, Predicate predicate, device_span<T> output,
                std::uint64_t* count, twins::vendor twin, bool blocking);
template <class T, class Predicate>
void compact_to(host const& place, std::span<T const> values, Predicate predicate,
                std::span<T> output, std::uint64_t* count, twins::vendor twin, bool blocking);

template <class Place, class Range, class Predicate>
void compact_range(Place& place, Range const& values, Predicate predicate,
                   output_t<Place, Range> output, twins::vendor twin, compaction_count result) {
  compact_to<element_t<Place, Range>>(place, span_t<Place, Range>(values), predicate, output,
                                      result.count, twin, result.blocking);
}

} // namespace detail

// Contract of every verb below.
//
// Results     those of the call without a tag.
// cub         on a gpu: cub::DeviceReduce::TransformReduce, cub::DeviceHistogram::HistogramEven and
//             cub::DeviceSelect::If. Scratch memory is the gpu's workspace, which blocking calls
//             grow. HistogramEven is refused floating-point bins of which it would count the
//             element just below upper behind the last one; DeviceSelect more than 2^31 - 2^16
//             elements, beyond which it was seen to write where it must not.
// thrust      thrust::count_if on a gpu, in blocking calls alone; thrust::count_if and
//             thrust::copy_if on a host, on OpenMP.
// Throws      what the call without a tag throws; argument_error for `twin` if it is no vendor, or
//             has no such verb; for `output` if a vendor's compaction has not room for all values.

/// count_if() by a vendor.
template <class Place, class Predicate, detail::compared_count<Place, Predicate> Range>
std::uint64_t count_if(Place&& place, Range const& values, Predicate predicate,
                       twins::vendor twin) {
  return detail::count_twin<&detail::count_answer::count>(place, values, predicate, twin)
      .now("count_if");
}
template <class Place, class Predicate, detail::compared_count<Place, Predicate> Range>
void count_if_async(Place&& place, Range const& values, Predicate predicate,
                    detail::result_t<Place, std::uint64_t> result, twins::vendor twin) {
  detail::count_twin<&detail::count_answer::count>(place, values, predicate, twin)
      .later("count_if_async", result);
}

/// all_of() by a vendor's count.
template <class Place, class Predicate, detail::compared_count<Place, Predicate> Range>
bool all_of(Place&& place, Range const& values, Predicate predicate, twins::vendor twin) {
  return detail::count_twin<&detail::count_answer::all>(place, values, predicate, twin)
      .now("all_of");
}
template <class Place, class Predicate, detail::compared_count<Place, Predicate> Range>
void all_of_async(Place&& place, Range const& values, Predicate predicate,
                  detail::result_t<Place, bool> result, twins::vendor twin) {
  detail::count_twin<&detail::count_answer::all>(place, values, predicate, twin)
      .later("all_of_async", result);
}

/// any_of() by a vendor's count.
template <class Place, class Predicate, detail::compared_count<Place, Predicate> Range>
bool any_of(Place&& place, Range const& values, Predicate predicate, twins::vendor twin) {
  return detail::count_twin<&detail::count_answer::any>(place, values, predicate, twin)
      .now("any_of");
}
template <class Place, class Predicate, detail::compared_count<Place, Predicate> Range>
void any_of_async(Place&& place, Range const& values, Predicate predicate,
                  detail::result_t<Place, bool> result, twins::vendor twin) {
  detail::count_twin<&detail::count_answer::any>(place, values, predicate, twin)
      .later("any_of_async", result);
}

/// histogram() by a vendor.
template <class Place, detail::compared_histogram<Place> Range>
std::vector<std::uint64_t> histogram(Place&& place, Range const& values,
                                     detail::bins_for<Place, Range> const& bins,
                                     twins::vendor twin) {
  detail::verb const scope("histogram");
  using T = detail::element_t<Place, Range>;
  detail::check_bins<T>(bins);
  return detail::counts_of(place, static_cast<std::size_t>(bins.count), [&](auto counts) {
    detail::histogram_to<T>(place, detail::span_t<Place, Range>(values), bins, counts, twin, true);
  });
}
template <class Place, detail::compared_histogram<Place> Range>
void histogram_async(Place&& place, Range const& values, detail::bins_for<Place, Range> const& bins,
                     detail::result_t<Place, std::uint64_t> counts, twins::vendor twin) {
  detail::verb const scope("histogram_async");
  detail::histogram_to<detail::element_t<Place, Range>>(place, detail::span_t<Place, Range>(values),
                                                        bins, counts, twin, false);
}

/// compact_if() by a vendor.
template <class Place, class Predicate, detail::compared_compaction<Place, Predicate> Range>
std::uint64_t compact_if(Place&& place, Range const& values, Predicate predicate,
                         detail::output_t<Place, Range> output, twins::vendor twin) {
  detail::verb const scope("compact_if");
  return detail::compact_now(place, values, predicate, output, twin);
}
template <class Place, class Predicate, detail::compared_compaction<Place, Predicate> Range>
void compact_if_async(Place&& place, Range const& values, Predicate predicate,
                      detail::output_t<Place, Range> output,
                      detail::result_t<Place, std::uint64_t> count, twins::vendor twin) {
  detail::verb const scope("compact_if_async");
  detail::compact_later(place, count, values, predicate, output, twin);
}

} // namespace warpfold::inline v0
