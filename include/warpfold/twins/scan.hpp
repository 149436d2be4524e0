#pragma once
// Scans by CUB and Thrust, to be compared with: the verbs of <warpfold/scan.hpp>, and the scans by
// key of <warpfold/scan/segmented.hpp>, with a tag. twins::fold is the call without one. Link
// warpfold::twins.
//
// Compiled are std::int32_t, float and double with plus, and float with maximum<>, each with the
// element's type as the accumulator; by key those with plus, and keys of std::int32_t.

#include <warpfold/scan.hpp>
#include <warpfold/scan/segmented.hpp>
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

template <class Keys, class Place, class T, class A, class Op>
concept compared_scan_keys = std::same_as<element_t<Place, Keys>, std::int32_t> &&
    compared_scan<T, A, Op> && std::same_as<Op, plus>;

// As those without a tag.

template <class T, class A, class Op>
void scan_to(gpu& place, device_span<T const> values, scan_start<A> start, device_span<A> results,
             twins::vendor twin, bool blocking);
template <class T, class A, class Op>
void scan_to(host const& place, std::span<T const> values, scan_start<A> start,
             std::span<A> results, twins::vendor twin, bool blocking);

// Sums by a vendor, of runs of keys.

template <class T>
void scan_by_key_of_vendor(gpu& place, std::int32_t const* keys, device_span<T const> values,
                           scan_start<T> start, T* results, twins::vendor twin, bool blocking);
template <class T>
void scan_by_key_of_vendor(host const& place, std::int32_t const* keys, std::span<T const> values,
                           scan_start<T> start, T* results, twins::vendor twin, bool blocking);
void check_scan_by_key_vendor(twins::vendor twin, bool on_gpu);

/// Does a scan by key; waits for it where the verb blocks.
template <class Place, class Keys, class Range, class T, class Op>
void scan_by_key(char const* name, Place& place, Keys const& keys, Range const& values,
                 scan_start<T> start, Op op, result_t<Place, T> results, bool blocking,
                 twins::vendor twin) {
  verb const scope(name);
  check_scan_by_key_vendor(twin, is_gpu<Place>);
  if (twin == twins::fold)
    return scan_segments(name, place, values, runs_of<Keys>{keys}, start, op, results, blocking);
  span_t<Place, Range> const input(values);
  span_t<Place, Keys> const runs(keys);
  check_array("values", input);
  check_scan(input.data(), input.size(), results.data(), results.size());
  check_array("keys", runs);
  check_by_key({plain_array::from(runs),
                {nullptr, input.size(), 0},
                {},
                plain_array::from(results),
                "results"},
               true, nullptr);
  scan_by_key_of_vendor(place, runs.data(), input, start, results.data(), twin, blocking);
  if constexpr (is_gpu<Place>)
    if (blocking) place.synchronize();
}

} // namespace detail

// Contract of every verb below.
//
// Results     cub adds up in an order that depends on which blocks are done first: sums of
//             floating-point numbers may differ from run to run. thrust adds one element after the
//             other.
// cub         on a gpu: cub::DeviceScan::InclusiveScan and ExclusiveScan, and those with ByKey, for
//             up to 2^31 - 1 keys.
//             Scratch memory is the gpu's workspace, which blocking calls grow; no look-back memory
//             is needed.
// thrust      thrust::inclusive_scan and exclusive_scan on a host, on OpenMP, and those with
//             _by_key. Scans of CCCL 3.0 run on one thread, whatever the host's number of threads.
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

/// inclusive_scan_by_key() by a vendor.
template <class Place, class Range, class Op, detail::results_for<Place> Results,
          detail::compared_scan_keys<Place, detail::element_t<Place, Range>,
                                     detail::result_element<Place, Results>, Op>
              Keys>
void inclusive_scan_by_key(Place&& place, Keys const& keys, Range const& values, Op op,
                           Results&& results, twins::vendor twin) {
  detail::scan_by_key("inclusive_scan_by_key", place, keys, values,
                      detail::inclusive_start<Place, Results>(), op, results, true, twin);
}
template <class Place, class Range, class Op, detail::results_for<Place> Results,
          detail::compared_scan_keys<Place, detail::element_t<Place, Range>,
                                     detail::result_element<Place, Results>, Op>
              Keys>
void inclusive_scan_by_key_async(Place&& place, Keys const& keys, Range const& values, Op op,
                                 Results&& results, twins::vendor twin) {
  detail::scan_by_key("inclusive_scan_by_key_async", place, keys, values,
                      detail::inclusive_start<Place, Results>(), op, results, false, twin);
}

/// exclusive_scan_by_key() by a vendor.
template <class Place, class Range, class A, class Op,
          detail::compared_scan_keys<Place, detail::element_t<Place, Range>, A, Op> Keys>
void exclusive_scan_by_key(Place&& place, Keys const& keys, Range const& values, A init, Op op,
                           detail::result_t<Place, A> results, twins::vendor twin) {
  detail::scan_by_key("exclusive_scan_by_key", place, keys, values,
                      detail::scan_start<A>{init, true}, op, results, true, twin);
}
template <class Place, class Range, class A, class Op,
          detail::compared_scan_keys<Place, detail::element_t<Place, Range>, A, Op> Keys>
void exclusive_scan_by_key_async(Place&& place, Keys const& keys, Range const& values, A init,
                                 Op op, detail::result_t<Place, A> results, twins::vendor twin) {
  detail::scan_by_key("exclusive_scan_by_key_async", place, keys, values,
                      detail::scan_start<A>{init, true}, op, results, false, twin);
}

} // namespace warpfold::inline v0
