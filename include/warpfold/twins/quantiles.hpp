#pragma once
// Order statistics and top_k by sorting, with CUB and Thrust, to be compared with: verbs of
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

/// The first elements of all in order.
template <class T>
void top_by_sorting(gpu& place, device_span<T const> values, selection const&,
                    top_k_options const& options, device_span<T> results,
                    device_span<std::uint64_t> positions, twins::vendor twin, bool blocking);
template <class T>
void top_by_sorting(host const& place, std::span<T const> values, selection const&,
                    top_k_options const& options, std::span<T> results,
                    std::span<std::uint64_t> positions, twins::vendor twin, bool blocking);

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

/// top_k() by a vendor: cub::DeviceRadixSort::SortPairs, or SortPairsDescending, with scratch
/// memory for both arrays twice; thrust::stable_sort of positions. Order and throws as of
/// order_statistics.
template <class Place, detail::compared_order_statistics<Place> Range>
void top_k(Place&& place, Range const& values,
           detail::result_t<Place, detail::element_t<Place, Range>> results,
           detail::result_t<Place, std::uint64_t> positions, top_k_options const& options,
           twins::vendor twin) {
  detail::top_k_of("top_k", place, values, results, positions, options, true, twin);
}
template <class Place, detail::compared_order_statistics<Place> Range>
void top_k_async(Place&& place, Range const& values,
                 detail::result_t<Place, detail::element_t<Place, Range>> results,
                 detail::result_t<Place, std::uint64_t> positions, top_k_options const& options,
                 twins::vendor twin) {
  detail::top_k_of("top_k_async", place, values, results, positions, options, false, twin);
}

} // namespace warpfold::inline v0
