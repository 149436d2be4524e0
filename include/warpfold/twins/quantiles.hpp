#pragma once
// Order statistics by sorting, with CUB and Thrust, to be compared with: order_statistics of
// <warpfold/quantiles.hpp> with a tag. twins::fold is the call without one. Link warpfold::twins.
//
// Compiled are std::int32_t, float and double.

#include <warpfold/quantiles.hpp>
#include <warpfold/twins/tags.hpp>

#include <concepts>
#include <cstdint>
#include <span>

namespace warpfold::inline v0 {

namespace detail {

template <class Range, class Place>
concept compared_order_statistics = (one_of<element_t<Place, Range>, std::int32_t, float, double>);

/// results[i] = the element of rank asked.rank[2 i].
template <class T>
void select_by_sorting(gpu& place, device_span<T const> values, selection const& asked, T* results,
                       twins::vendor twin, bool blocking);
template <class T>
void select_by_sorting(host const& place, std::span<T const> values, selection const& asked,
                       T* results, twins::vendor twin, bool blocking);

} // namespace detail

/// order_statistics() by a vendor.
///
/// Order       -0 and +0 are equal, so that a result may be either; NaN are not admitted.
/// cub         on a gpu: cub::DeviceRadixSort::SortKeys. Scratch memory, for a sorted copy of the
///             values and more, is the gpu's workspace, which blocking calls grow.
/// thrust      thrust::sort of a copy on a host, on OpenMP.
/// Throws      what the call without a tag throws; argument_error for `twin` if it is no vendor,
///             cub on a host, or thrust on a gpu, where its sort is CUB's.
template <class Place, detail::compared_order_statistics<Place> Range>
void order_statistics(Place&& place, Range const& values, std::span<std::uint64_t const> ranks,
                      detail::result_t<Place, detail::element_t<Place, Range>> results,
                      twins::vendor twin) {
  detail::order_statistics_of("order_statistics", place, values, ranks, results, true, twin);
}
template <class Place, detail::compared_order_statistics<Place> Range>
void order_statistics_async(Place&& place, Range const& values,
                            std::span<std::uint64_t const> ranks,
                            detail::result_t<Place, detail::element_t<Place, Range>> results,
                            twins::vendor twin) {
  detail::order_statistics_of("order_statistics_async", place, values, ranks, results, false, twin);
}

} // namespace warpfold::inline v0
