#pragma once
// Prefix sums and other scans of arrays of the built-in types. For element types, operators and
// transforms of your own, compile with nvcc and include <warpfold/scan.cuh>.
//
// Contract of every verb below:
//
// place       a gpu or a host; values and results live there.
// values      std::int32_t, std::uint32_t, std::int64_t, std::uint64_t, float, double, __half or
//             __nv_bfloat16, any number of them at any alignment that the type has; or `counted`.
// op          plus, multiplies, minimum<> or maximum<>; also compensated_plus for floats and
//             doubles with results of their own type. Operands keep their order.
// results     one for each value. Their type is the accumulator: the element's, float for the half
//             types; for plus also double for floating-point and 64-bit elements, and the 64-bit
//             integer for 32-bit ones. They may be the values themselves, if the types are the
//             same; otherwise they share no memory with them.
// Determinism The same bits on every run, on the host and every GPU, for any number of threads. The
//             first m results of a scan of n values have the bits of a scan of m. (NaN is any NaN.)
//             The last result need not have the bits of sum(), which adds in another order, nor
//             exclusive result i + 1 those of inclusive result i; sums of numbers that are not
//             negative may fall by a rounding error. docs/scan.md says in which order is added.
// Blocking    verb(...) returns when the results are there.
// _async      verb_async(...) enqueues one kernel on a gpu's stream; it neither allocates nor
//             waits, and can be captured in a CUDA graph. Values and results must stay valid until
//             the stream has passed it. It needs look-back memory (scan_lookback), which a gpu has
//             for 2^26 floats at first: a call that has too little is refused until
//             gpu::reserve_lookback or a blocking call has made room (graphs captured before must
//             then not be replayed). On a host it is done on return.
// Throws      argument_error that names the argument; nothing is then enqueued and no output is
//             touched. cuda_error if the runtime fails.
// Twins       <warpfold/twins/scan.hpp> has the same verbs by CUB and Thrust.

#include <warpfold/detail/scan/scan.hpp>
#include <warpfold/reduction.hpp>

#include <cstddef>

namespace warpfold::inline v0 {

/// results[i] = the values up to values[i] folded with op.
template <class Place, class Range, class Op, detail::results_for<Place> Results>
requires detail::built_in_inclusive<Range, Place, Results, Op>
void inclusive_scan(Place&& place, Range const& values, Op, Results&& results) {
  detail::scan_inclusive<Op>("inclusive_scan", place, values, results, true);
}
template <class Place, class Range, class Op, detail::results_for<Place> Results>
requires detail::built_in_inclusive<Range, Place, Results, Op>
void inclusive_scan_async(Place&& place, Range const& values, Op, Results&& results) {
  detail::scan_inclusive<Op>("inclusive_scan_async", place, values, results, false);
}

/// results[i] = op(init, the values before values[i] folded with op); results[0] is init, whose
/// type is the accumulator.
template <class Place, class A, class Op, detail::built_in_exclusive<Place, A, Op> Range>
void exclusive_scan(Place&& place, Range const& values, A init, Op,
                    detail::result_t<Place, A> results) {
  detail::scan_range<Op, Place, Range, A>("exclusive_scan", place, values, {init, true}, results,
                                          true);
}
template <class Place, class A, class Op, detail::built_in_exclusive<Place, A, Op> Range>
void exclusive_scan_async(Place&& place, Range const& values, A init, Op,
                          detail::result_t<Place, A> results) {
  detail::scan_range<Op, Place, Range, A>("exclusive_scan_async", place, values, {init, true},
                                          results, false);
}

/// Bytes of look-back memory that an `_async` scan of so many elements needs on a gpu: a little
/// more than 10 for every 4 KiB of results, and some KiB; twice as many where results are 64 bits
/// wide, and twice as many with compensated_plus. Blocking calls reserve it themselves.
template <class A, class Op = plus>
[[nodiscard]] constexpr std::size_t scan_lookback(std::size_t elements) {
  return detail::scan_lookback_bytes<detail::scan_accumulator<A, Op>>(elements);
}

} // namespace warpfold::inline v0
