#pragma once
// Counts, histograms and compactions by CUB and Thrust, to be compared with: the verbs of
// <warpfold/counting.hpp>, <warpfold/histogram.hpp> and <warpfold/compaction.hpp> with a tag.
// twins::fold is the call without one. Link warpfold::twins.
//
// Compiled are
//   count_if, all_of, any_of  float with every predicate; double with less_than, greater_than and
//                             is_nan; std::int32_t with less_than and equal_to; __half with
//                             greater_than
//   histogram                 std::uint8_t, std::int32_t and float
//   compact_if                float with less_than, is_nan and is_finite; double and std::int32_t
//                             with less_than

#include <warpfold/compaction.hpp>
#include <warpfold/counting.hpp>
#include <warpfold/histogram.hpp>
#include <warpfold/twins/tags.hpp>

#include <cstdint>
#include <vector>

namespace warpfold::inline v0 {

namespace detail {

template <class T, class Predicate>
concept compared_predicate = (std::same_as<T, float> && built_in_predicate<float, Predicate>) ||
                             (std::same_as<T, double> &&
                              one_of<Predicate, less_than<double>, greater_than<double>, is_nan>) ||
                             (std::same_as<T, std::int32_t> &&
                              one_of<Predicate, less_than<std::int32_t>, equal_to<std::int32_t>>) ||
                             (std::same_as<T, __half> &&
                              std::same_as<Predicate, greater_than<__half>>);
template <class Place, class Range, class Predicate>
concept compared_count = requires {
  requires compared_predicate<element_t<Place, Range>, Predicate>;
};
template <class T, class Predicate>
concept compared_selection = (one_of<T, float, double, std::int32_t> &&
                              std::same_as<Predicate, less_than<T>>) ||
                             (std::same_as<T, float> && one_of<Predicate, is_nan, is_finite>);
template <class Place, class Range, class Predicate>
concept compared_compaction = requires {
  requires compared_selection<element_t<Place, Range>, Predicate>;
};
template <class T>
concept compared_binned = one_of<T, std::uint8_t, std::int32_t, float>;
template <class Place, class Range>
concept compared_histogram = requires {
  requires compared_binned<element_t<Place, Range>>;
};

// As those without a tag. `blocking` says that the caller will wait, so that scratch memory may be
// grown and Thrust may run.

template <class T, class Predicate>
void count_to(gpu& place, device_span<T const> values, Predicate predicate,
              count_answer const& answer, twins::vendor twin, bool blocking);
template <class T, class Predicate>
void count_to(host const& place, std::span<T const> values, Predicate predicate,
              count_answer const& answer, twins::vendor twin, bool blocking);
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
void count_range(Place& place, Range const& values, Predicate predicate, count_answer answer,
                 twins::vendor twin, bool blocking) {
  span_t<Place, Range> const input(values);
  answer.size = input.size();
  count_to<element_t<Place, Range>>(place, input, predicate, answer, twin, blocking);
}

} // namespace detail

// What holds for every verb below.
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
template <class Place, elements_for<Place> Range, class Predicate>
requires detail::compared_count<Place, Range, Predicate> std::uint64_t
count_if(Place&& place, Range const& values, Predicate predicate, twins::vendor twin) {
  return detail::compute_now<std::uint64_t>(place, [&](std::uint64_t* result) {
    detail::count_range(place, values, predicate, {.count = result}, twin, true);
  });
}
template <class Place, elements_for<Place> Range, class Predicate>
requires detail::compared_count<Place, Range, Predicate>
void count_if_async(Place&& place, Range const& values, Predicate predicate,
                    detail::result_t<Place, std::uint64_t> result, twins::vendor twin) {
  detail::compute_later(result, [&](auto* to) {
    detail::count_range(place, values, predicate, {.count = to}, twin, false);
  });
}

/// all_of() by a vendor's count.
template <class Place, elements_for<Place> Range, class Predicate>
requires detail::compared_count<Place, Range, Predicate>
bool all_of(Place&& place, Range const& values, Predicate predicate, twins::vendor twin) {
  return detail::compute_now<bool>(place, [&](bool* result) {
    detail::count_range(place, values, predicate, {.all = result}, twin, true);
  });
}
template <class Place, elements_for<Place> Range, class Predicate>
requires detail::compared_count<Place, Range, Predicate>
void all_of_async(Place&& place, Range const& values, Predicate predicate,
                  detail::result_t<Place, bool> result, twins::vendor twin) {
  detail::compute_later(result, [&](auto* to) {
    detail::count_range(place, values, predicate, {.all = to}, twin, false);
  });
}

/// any_of() by a vendor's count.
template <class Place, elements_for<Place> Range, class Predicate>
requires detail::compared_count<Place, Range, Predicate>
bool any_of(Place&& place, Range const& values, Predicate predicate, twins::vendor twin) {
  return detail::compute_now<bool>(place, [&](bool* result) {
    detail::count_range(place, values, predicate, {.any = result}, twin, true);
  });
}
template <class Place, elements_for<Place> Range, class Predicate>
requires detail::compared_count<Place, Range, Predicate>
void any_of_async(Place&& place, Range const& values, Predicate predicate,
                  detail::result_t<Place, bool> result, twins::vendor twin) {
  detail::compute_later(result, [&](auto* to) {
    detail::count_range(place, values, predicate, {.any = to}, twin, false);
  });
}

/// histogram() by a vendor.
template <class Place, elements_for<Place> Range>
requires detail::compared_histogram<Place, Range> std::vector<std::uint64_t>
histogram(Place&& place, Range const& values, detail::bins_for<Place, Range> const& bins,
          twins::vendor twin) {
  using T = detail::element_t<Place, Range>;
  detail::check_bins<T>(bins);
  return detail::counts_of(place, static_cast<std::size_t>(bins.count), [&](auto counts) {
    detail::histogram_to<T>(place, detail::span_t<Place, Range>(values), bins, counts, twin, true);
  });
}
template <class Place, elements_for<Place> Range>
requires detail::compared_histogram<Place, Range>
void histogram_async(Place&& place, Range const& values, detail::bins_for<Place, Range> const& bins,
                     detail::result_t<Place, std::uint64_t> counts, twins::vendor twin) {
  detail::histogram_to<detail::element_t<Place, Range>>(place, detail::span_t<Place, Range>(values),
                                                        bins, counts, twin, false);
}

/// compact_if() by a vendor.
template <class Place, elements_for<Place> Range, class Predicate>
requires detail::compared_compaction<Place, Range, Predicate> std::uint64_t
compact_if(Place&& place, Range const& values, Predicate predicate,
           detail::result_t<Place, detail::element_t<Place, Range>> output, twins::vendor twin) {
  using T = detail::element_t<Place, Range>;
  return detail::compute_now<std::uint64_t>(place, [&](std::uint64_t* count) {
    detail::compact_to<T>(place, detail::span_t<Place, Range>(values), predicate, output, count,
                          twin, true);
  });
}
template <class Place, elements_for<Place> Range, class Predicate>
requires detail::compared_compaction<Place, Range, Predicate>
void compact_if_async(Place&& place, Range const& values, Predicate predicate,
                      detail::result_t<Place, detail::element_t<Place, Range>> output,
                      detail::result_t<Place, std::uint64_t> count, twins::vendor twin) {
  using T = detail::element_t<Place, Range>;
  detail::compute_later(
      count,
      [&](std::uint64_t* to) {
        detail::compact_to<T>(place, detail::span_t<Place, Range>(values), predicate, output, to,
                              twin, false);
      },
      "count");
}

} // namespace warpfold::inline v0
