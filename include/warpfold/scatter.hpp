#pragma once
// Sums of values by index, in any order: deposition, weighted histograms, assembly. For kernels of
// your own, compile with nvcc and include <warpfold/scatter.cuh>; for values that are spread over
// ranks, <warpfold/comm/scatter.hpp>.
//
// Contract of every verb below:
//
// place       a gpu or a host; values, indices, results and status live there.
// values      float or double, any number at any alignment; with a bound also `counted`, of a
//             multiple of options.components.
// indices     one for each value: std::int32_t, std::uint32_t, std::int64_t or std::uint64_t. With
//             options.components, one for as many numbers: a vector, which counts as one value.
// bound       {value, sum}: no value, and no result, is larger in magnitude. Without a bound the
//             values are read once more to find the largest magnitude, and as many times that, as
//             there are values, bounds the results. options.exact needs neither.
// results     one a bin, of the values' type; up to 2^31 - 1. They need not be 0 before, and share
//             no memory with values or indices. A bin without values is +0.
// Arithmetic  With s = 62 - ceil(log2(bound.sum)), each value is rounded once, to a multiple of
//             2^-s; with options.wide of 2^-(s + 32). These are added exactly, and the sum is
//             rounded once to a result. Both to nearest, ties to even. (Without a bound
//             s = 62 - ceil(log2(largest magnitude)) - ceil(log2(number of values)): beside a much
//             larger value, in whatever bin, small ones lose digits or are 0; exact sums do not.)
// Exact       options.exact: each result is the exact sum of its values, rounded once, to nearest,
//             ties to even: that of exact_sum. A sum of 0 is +0; beyond the type's range the result
//             is infinite, which is not an overflow. All finite values can be added.
// Determinism The same bits for every order of the values, on the host and every GPU, for any
//             number of threads: they depend on the values of a bin and the bound alone. Without a
//             bound, on the largest magnitude and the number of all values, too; exact ones on the
//             values of a bin alone.
// Not added   are values that are NaN, infinite or beyond bound.value, and values whose index is
//             none of a result. With B for bound.sum rounded up to a power of two, results from
//             (1 + 2^-6) B to (3 - 2^-6) B are NaN; smaller ones are right, and larger ones may
//             come round unnoticed. So bound.sum is the caller's promise, unless it is the number
//             of values times bound.value. Where B is below 2^-87, in double 2^-1012, that number
//             stands for B here. If options.cumulative meets a result that is not finite, exact
//             sums are refused, or are NaN and overflows.
// Blocking    scatter_sum(...) returns when the results are there. Unless all is added, it throws
//             argument_error, which names the first position that is not, and leaves results as
//             they were. Positions are those of numbers in values, or of an index.
// _async      scatter_sum_async(...) enqueues on a gpu's stream; it neither allocates nor waits,
//             and can be captured in a CUDA graph. status[0] says what was not added; results are
//             the sums of the others. Without a bound, one value that is not finite makes the
//             unit that of the largest finite numbers, and smaller values 0. Values, indices,
//             results and status must stay valid until the stream has passed it. The gpu's
//             workspace must hold scatter_workspace(...) bytes: a call that has too little is
//             refused until gpu::reserve or a blocking call has made room. On a host it is done on
//             return.
// Throws      argument_error that names the argument; nothing is then enqueued and no output is
//             touched. cuda_error if the runtime fails.
// Twins       <warpfold/twins/scatter.hpp> has the same verbs by atomic additions of floating-point
//             numbers.

#include <warpfold/detail/scatter/scatter.hpp>

#include <cstddef>

namespace warpfold::inline v0 {

/// results[b] = the sum of the values whose index is b.
template <class Place, detail::scatter_terms<Place> Range, detail::scatter_indices<Place> Indices>
void scatter_sum(Place&& place, Range const& values, Indices const& indices,
                 scatter_bound const& bound, detail::scatter_results<Place, Range> results,
                 scatter_options const& options = {}) {
  detail::scatter_ranges("scatter_sum", place, values, indices, &bound, results, options);
}
template <class Place, detail::scatter_terms<Place> Range, detail::scatter_indices<Place> Indices>
void scatter_sum_async(Place&& place, Range const& values, Indices const& indices,
                       scatter_bound const& bound, detail::scatter_results<Place, Range> results,
                       detail::result_t<Place, scatter_status> status,
                       scatter_options const& options = {}) {
  detail::scatter_ranges("scatter_sum_async", place, values, indices, &bound, results, options,
                         status);
}

/// results[b] = the sum of the values whose index is b, with a bound that is found first; or exact.
template <class Place, detail::scatter_values<Place> Range, detail::scatter_indices<Place> Indices>
void scatter_sum(Place&& place, Range const& values, Indices const& indices,
                 detail::scatter_results<Place, Range> results,
                 scatter_options const& options = {}) {
  detail::scatter_ranges("scatter_sum", place, values, indices, nullptr, results, options);
}
template <class Place, detail::scatter_values<Place> Range, detail::scatter_indices<Place> Indices>
void scatter_sum_async(Place&& place, Range const& values, Indices const& indices,
                       detail::scatter_results<Place, Range> results,
                       detail::result_t<Place, scatter_status> status,
                       scatter_options const& options = {}) {
  detail::scatter_ranges("scatter_sum_async", place, values, indices, nullptr, results, options,
                         status);
}

/// The weighted histogram: results[b] = the sum of the weights whose value is in bin b. Values,
/// bins and what is in none of them are those of <warpfold/counting/histogram.hpp>; weights, one
/// for each value, are what that contract calls values. A weight is refused only if its value is in
/// a bin. Without a bound all weights count for the one that is found: if one in no bin is not
/// finite, weights are refused, or results are NaN and overflows. Exact sums do not mind it.
template <class Place, detail::binned_range<Place> Range, detail::scatter_values<Place> Weights>
void histogram(Place&& place, Range const& values, Weights const& weights,
               detail::bins_for<Place, Range> const& bins, scatter_bound const& bound,
               detail::scatter_results<Place, Weights> results) {
  detail::weigh_ranges("histogram", place, values, weights, bins, &bound, results, {});
}
template <class Place, detail::binned_range<Place> Range, detail::scatter_values<Place> Weights>
void histogram_async(Place&& place, Range const& values, Weights const& weights,
                     detail::bins_for<Place, Range> const& bins, scatter_bound const& bound,
                     detail::scatter_results<Place, Weights> results,
                     detail::result_t<Place, scatter_status> status) {
  detail::weigh_ranges("histogram_async", place, values, weights, bins, &bound, results, {},
                       status);
}

/// results[b] = the sum of the weights whose value is in bin b, with a bound that is found
/// first; or exact.
template <class Place, detail::binned_range<Place> Range, detail::scatter_values<Place> Weights>
void histogram(Place&& place, Range const& values, Weights const& weights,
               detail::bins_for<Place, Range> const& bins,
               detail::scatter_results<Place, Weights> results,
               weighted_histogram_options const& options = {}) {
  detail::weigh_ranges("histogram", place, values, weights, bins, nullptr, results, options);
}
template <class Place, detail::binned_range<Place> Range, detail::scatter_values<Place> Weights>
void histogram_async(Place&& place, Range const& values, Weights const& weights,
                     detail::bins_for<Place, Range> const& bins,
                     detail::scatter_results<Place, Weights> results,
                     detail::result_t<Place, scatter_status> status,
                     weighted_histogram_options const& options = {}) {
  detail::weigh_ranges("histogram_async", place, values, weights, bins, nullptr, results, options,
                       status);
}

/// Bytes of workspace that an `_async` call needs on a gpu, for so many numbers in results and in
/// values: 8 for every result, 16 with options.wide, with options.exact 80 for floats and 600 for
/// doubles, and few more; at least 64 KiB. T makes a difference for exact sums alone. Blocking
/// calls reserve it themselves.
template <detail::scatter_value T = double>
[[nodiscard]] constexpr std::size_t scatter_workspace(std::size_t bins, std::size_t values,
                                                      scatter_options const& options = {}) {
  return detail::scatter_memory(bins, values, detail::words_of_bin<T>(detail::form_of(options)))
      .bytes;
}

} // namespace warpfold::inline v0
