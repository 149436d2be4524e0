#pragma once
// Elements by rank: order statistics, quantiles between them, and the k largest or smallest.
//
// Contract of every verb below:
//
// place       a gpu or a host; values and results live there. Ranks and probabilities are read on
//             the host before the verb returns.
// values      std::int32_t, std::uint32_t, std::int64_t, std::uint64_t, float or double, at least
//             one of them but for top_k of none, at any alignment that the type has.
// Order       that of the numbers, with -0 before +0. If any element is NaN, every result is NaN;
//             but see top_k.
// Rank        0 is the least element, values.size() - 1 the greatest.
// Determinism The same bits on every run, on the host and every GPU, for any number of threads:
//             order statistics are elements, and quantiles are computed from two of them in double
//             precision. (NaN is any NaN, but for top_k's.)
// Blocking    verb(...) returns when the results are there.
// _async      verb_async(...) enqueues on a gpu's stream; it neither allocates nor waits, and can
//             be captured in a CUDA graph. Values and results must stay valid until the stream has
//             passed it. It needs quantiles_workspace() bytes of the gpu's workspace, which a gpu
//             has for fewer than 2^23 elements at first: gpu::reserve or a blocking call makes room
//             for more. On a host it is done on return.
// Throws      argument_error that names the argument; nothing is then enqueued and no output is
//             touched. cuda_error if the runtime fails. std::bad_alloc on a host.
// Twins       <warpfold/twins/quantiles.hpp> has order statistics and top_k by CUB and Thrust.

#include <warpfold/detail/quantiles/quantiles.hpp>

#include <cstddef>
#include <cstdint>
#include <span>

namespace warpfold::inline v0 {

/// Ranks or probabilities that one call takes.
inline constexpr std::size_t max_quantiles = detail::max_positions;

/// The element of the given rank.
template <class Place, detail::selectable<Place> Range>
[[nodiscard]] auto nth_element(Place&& place, Range const& values, std::uint64_t rank) {
  return detail::rank_job(place, values, rank).now("nth_element");
}
template <class Place, detail::selectable<Place> Range>
void nth_element_async(Place&& place, Range const& values, std::uint64_t rank,
                       detail::result_t<Place, detail::element_t<Place, Range>> result) {
  detail::rank_job(place, values, rank).later("nth_element_async", result);
}

/// results[i] = the element of rank ranks[i].
/// @param ranks   up to max_quantiles, in any order; equal ones are allowed
/// @param results one for each rank; they share no memory with the values
template <class Place, detail::selectable<Place> Range>
void order_statistics(Place&& place, Range const& values, std::span<std::uint64_t const> ranks,
                      detail::result_t<Place, detail::element_t<Place, Range>> results) {
  detail::order_statistics_of("order_statistics", place, values, ranks, results, true);
}
template <class Place, detail::selectable<Place> Range>
void order_statistics_async(Place&& place, Range const& values,
                            std::span<std::uint64_t const> ranks,
                            detail::result_t<Place, detail::element_t<Place, Range>> results) {
  detail::order_statistics_of("order_statistics_async", place, values, ranks, results, false);
}

/// The quantile of probability q, 0 <= q <= 1: as numpy.quantile has it, what stands at position
/// q (n - 1) of the sorted elements. A float for floats, else a double, to which integers are
/// rounded. Between two equal elements it is that element. Beside an infinity, and between doubles
/// whose difference overflows, it is an infinity or NaN, as arithmetic has it.
template <class Place, detail::selectable<Place> Range>
[[nodiscard]] auto quantile(Place&& place, Range const& values, double q,
                            interpolation method = interpolation::linear) {
  return detail::quantile_job(place, values, q, method).now("quantile");
}
template <class Place, detail::selectable<Place> Range>
void quantile_async(Place&& place, Range const& values, double q,
                    detail::quantile_result_t<Place, Range> result,
                    interpolation method = interpolation::linear) {
  detail::quantile_job(place, values, q, method).later("quantile_async", result);
}

/// results[i] = the quantile of probability qs[i].
/// @param qs      up to max_quantiles, in any order; equal ones are allowed
/// @param results one for each probability; they share no memory with the values
template <class Place, detail::selectable<Place> Range>
void quantiles(Place&& place, Range const& values, std::span<double const> qs,
               detail::quantile_result_t<Place, Range> results,
               interpolation method = interpolation::linear) {
  detail::quantiles_of("quantiles", place, values, qs, results, method, true);
}
template <class Place, detail::selectable<Place> Range>
void quantiles_async(Place&& place, Range const& values, std::span<double const> qs,
                     detail::quantile_result_t<Place, Range> results,
                     interpolation method = interpolation::linear) {
  detail::quantiles_of("quantiles_async", place, values, qs, results, method, false);
}

/// quantile() of 1/2: between the two elements in the middle, if there are two.
template <class Place, detail::selectable<Place> Range>
[[nodiscard]] auto median(Place&& place, Range const& values) {
  return detail::quantile_job(place, values, 0.5, interpolation::linear).now("median");
}
template <class Place, detail::selectable<Place> Range>
void median_async(Place&& place, Range const& values,
                  detail::quantile_result_t<Place, Range> result) {
  detail::quantile_job(place, values, 0.5, interpolation::linear).later("median_async", result);
}

/// The k largest elements, k = results.size(), in falling order, and where they are: results[i] has
/// the bits of values[positions[i]]. Equal elements stay in their order. Any NaN is above
/// all numbers and equal to any other. So there is one answer, with the same bits everywhere.
/// @param results   room for 0 to values.size() elements
/// @param positions one for each; the three arrays share no memory
/// @param options   whether the k smallest elements are meant, in rising order: NaN come last
template <class Place, detail::selectable<Place> Range>
void top_k(Place&& place, Range const& values,
           detail::result_t<Place, detail::element_t<Place, Range>> results,
           detail::result_t<Place, std::uint64_t> positions, top_k_options const& options = {}) {
  detail::top_k_of("top_k", place, values, results, positions, options, true);
}
/// Needs top_k_workspace() bytes of a gpu's workspace.
template <class Place, detail::selectable<Place> Range>
void top_k_async(Place&& place, Range const& values,
                 detail::result_t<Place, detail::element_t<Place, Range>> results,
                 detail::result_t<Place, std::uint64_t> positions,
                 top_k_options const& options = {}) {
  detail::top_k_of("top_k_async", place, values, results, positions, options, false);
}

/// Bytes of scratch memory that the _async forms need on a gpu for an array of `elements` elements
/// of T: a quarter of a megabyte; from 2^23 elements on also a quarter of the elements' bytes and
/// two megabytes at most.
template <class T>
[[nodiscard]] constexpr std::size_t quantiles_workspace(std::size_t elements) {
  return detail::selection_layout(elements, sizeof(T)).bytes;
}

/// Bytes that top_k_async needs on a gpu for `count` of `elements` elements of T:
/// quantiles_workspace, a position and an element for each result, and for counts two bytes for
/// each result and 1/64 for each element, some 2.5 MiB at most.
template <class T>
[[nodiscard]] constexpr std::size_t top_k_workspace(std::size_t elements, std::size_t count) {
  return detail::top_layout(elements, count, sizeof(T)).bytes;
}

} // namespace warpfold::inline v0
