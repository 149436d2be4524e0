#pragma once
// The verbs of <warpfold/scatter.hpp> for values that are spread over ranks.
//
// comm        a communicator: all ranks call the verb, each with values and indices of its own,
//             which live where its place works; a rank may have none. Blocks.
// results     the sums of all ranks' values, in memory of every rank. With options.cumulative they
//             are the same on all ranks before.
// Determinism the bits of one place that has all values: the same however these are spread, on
//             hosts and GPUs, and on any number of ranks.
// Throws      what those verbs throw: the rank that has a value that cannot be added names its
//             position, and the other ranks throw communication_error, which says rank and
//             position. A sum beyond the bound is an error on all ranks. Results are then as they
//             were. communication_error also if ranks disagree about bins, bound or options, or if
//             one does not come in time. vendor_error from NCCL.

#include <warpfold/detail/comm/scatter_ranks.hpp>

namespace warpfold::inline v0 {

/// results[b] = the sum of all ranks' values whose index is b.
template <class Place, detail::scatter_values<Place> Range, detail::scatter_indices<Place> Indices>
void scatter_sum(communicator<Place>& comm, Range const& values, Indices const& indices,
                 scatter_bound const& bound, detail::scatter_results<Place, Range> results,
                 scatter_options const& options = {}) {
  detail::verb const scope("scatter_sum");
  detail::scatter_ranks(
      comm, detail::indexed_values(comm.place(), values, indices, results.size(), options), &bound,
      results, options);
}
/// results[b] = the sum of all ranks' values whose index is b, with a bound that is found first:
/// from the largest magnitude and the number of all ranks' values. Or exact.
template <class Place, detail::scatter_values<Place> Range, detail::scatter_indices<Place> Indices>
void scatter_sum(communicator<Place>& comm, Range const& values, Indices const& indices,
                 detail::scatter_results<Place, Range> results,
                 scatter_options const& options = {}) {
  detail::verb const scope("scatter_sum");
  detail::scatter_ranks(
      comm, detail::indexed_values(comm.place(), values, indices, results.size(), options), nullptr,
      results, options);
}

/// results[b] = the sum of all ranks' weights whose value is in bin b.
template <class Place, detail::binned_range<Place> Range, detail::scatter_values<Place> Weights>
void histogram(communicator<Place>& comm, Range const& values, Weights const& weights,
               detail::bins_for<Place, Range> const& bins, scatter_bound const& bound,
               detail::scatter_results<Place, Weights> results) {
  detail::verb const scope("histogram");
  detail::weigh_ranks(comm, values, weights, bins, &bound, results);
}
/// results[b] = the sum of all ranks' weights whose value is in bin b, with a bound that is found
/// first; or exact.
template <class Place, detail::binned_range<Place> Range, detail::scatter_values<Place> Weights>
void histogram(communicator<Place>& comm, Range const& values, Weights const& weights,
               detail::bins_for<Place, Range> const& bins,
               detail::scatter_results<Place, Weights> results,
               weighted_histogram_options const& options = {}) {
  detail::verb const scope("histogram");
  detail::weigh_ranks(comm, values, weights, bins, nullptr, results, options);
}

} // namespace warpfold::inline v0
