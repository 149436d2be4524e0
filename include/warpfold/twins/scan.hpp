#pragma once
// Scans by CUB and Thrust, to be compared with: the verbs of <warpfold/scan.hpp> with a tag.
// twins::fold is the call without one. Link warpfold::twins.
//
// Compiled are std::int32_t, float and double with plus, and float with maximum<>, each with the
// element's type as the accumulator.

#include <warpfold/scan.hpp>
#include <warpfold/twins/tags.hpp>

#include <concepts>
#include <cstdint>
#include <span>
#include <type_traits>

namespace warpfold::inline v0 {

namespace detail {

template <class T, class A, class Op>
concept compared_scan = std::same_as<T, A> &&
    ((one_of<T, std::int32_t, float, double> && std::same_as<Op, plus>) ||
     (std::same_as<T, float> && std::same_as<Op, maximum<>>));
template <class Range, class Place, class Results, class Op>
concept compared_inclusive =
    compared_scan<element_t<Place, Range>, element_t<Place, std::remove_cvref_t<Results>>, Op>;
template <class Range, class Place, class A, class Op>
concept compared_exclusive = compared_scan<element_t<Place, Range>, A, Op>;

// As those without a tag.

template <class T, class A, class Op>
void scan_to(gpu& place, device_span<T const> values, scan_start<A> start, device_span<A> results,
             twins::vendor twin, bool blocking);
template <class T, class A, class Op>
void scan_to(host const& place, std::span<T const> values, scan_start<A> start,
             std::span<A> results, twins::vendor twin, bool blocking);

} // namespace detail

// Contract of every verb below.
//
// Results     cub adds up in an order that depends on which blocks are done first: sums of
//             floating-point numbers may differ from run to run. thrust adds one element after the
//             other.
// cub         on a gpu: cub::DeviceScan::InclusiveScan and ExclusiveScan. Scratch memory is the
//             gpu's workspace, which blocking calls grow; no look-back memory is needed.
// thrust      thrust::inclusive_scan and exclusive_scan on a host, on OpenMP. Those of CCCL 3.0 run
//             on one thread, whatever the host's number of threads.
// Throws      what the call without a tag throws; argument_error for `twin` if it is no vendor, for
//             cub on a host, and for thrust on a gpu, where its scans are CUB's.

/// inclusive_scan() by a vendor.
template <class Place, class Range, class Op, detail::results_for<Place> Results>
requires detail::compared_inclusive<Range, Place, Results, Op>
void inclusive_scan(Place&& place, Range const& values, Op, Results&& results, twins::vendor twin) {
  detail::scan_inclusive<Op>("inclusive_scan", place, values, results, true, twin);
}
template <class Place, class Range, class Op, detail::results_for<Place> Results>
requires detail::compared_inclusive<Range, Place, Results, Op>
void inclusive_scan_async(Place&& place, Range const& values, Op, Results&& results,
                          twins::vendor twin) {
  detail::scan_inclusive<Op>("inclusive_scan_async", place, values, results, false, twin);
}

/// exclusive_scan() by a vendor.
template <class Place, class A, class Op, detail::compared_exclusive<Place, A, Op> Range>
void exclusive_scan(Place&& place, Range const& values, A init, Op,
                    detail::result_t<Place, A> results, twins::vendor twin) {
  detail::scan_range<Op, Place, Range, A>("exclusive_scan", place, values, {init, true}, results,
                                          true, twin);
}
template <class Place, class A, class Op, detail::compared_exclusive<Place, A, Op> Range>
void exclusive_scan_async(Place&& place, Range const& values, A init, Op,
                          detail::result_t<Place, A> results, twins::vendor twin) {
  detail::scan_range<Op, Place, Range, A>("exclusive_scan_async", place, values, {init, true},
                                          results, false, twin);
}

} // namespace warpfold::inline v0
