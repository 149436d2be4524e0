#pragma once
// The verbs of <warpfold/quantiles.hpp> for arrays that are spread over ranks. Their contract
// stands in <warpfold/comm/reduction.hpp>.
//
// Results are the same bits however the elements are spread, and on however many ranks. Ranks ask
// for the same, or all throw communication_error. Each reads elements of 32 bits three or four
// times, of 64 bits six to eight times, the more for more than 6 ranks or probabilities.

#include <warpfold/comm/communicator.hpp>
#include <warpfold/detail/comm/selections.hpp>

#include <cstddef>
#include <cstdint>
#include <span>

namespace warpfold::inline v0 {

/// The element of the given rank.
template <class Place, detail::selectable<Place> Range>
auto nth_element(communicator<Place>& comm, Range const& values, std::uint64_t rank) {
  detail::verb const scope("nth_element");
  return detail::order_statistics_of_ranks(comm, values, "rank", std::span(&rank, 1))[0];
}

/// A vector of the elements of the given ranks.
template <class Place, detail::selectable<Place> Range>
auto order_statistics(communicator<Place>& comm, Range const& values,
                      std::span<std::uint64_t const> ranks) {
  detail::verb const scope("order_statistics");
  return detail::order_statistics_of_ranks(comm, values, "ranks", ranks);
}

/// The quantile of probability q.
template <class Place, detail::selectable<Place> Range>
auto quantile(communicator<Place>& comm, Range const& values, double q,
              interpolation method = interpolation::linear) {
  detail::verb const scope("quantile");
  return detail::quantiles_of_ranks(comm, values, "q", std::span(&q, 1), method)[0];
}

/// A vector of the quantiles of the given probabilities.
template <class Place, detail::selectable<Place> Range>
auto quantiles(communicator<Place>& comm, Range const& values, std::span<double const> qs,
               interpolation method = interpolation::linear) {
  detail::verb const scope("quantiles");
  return detail::quantiles_of_ranks(comm, values, "qs", qs, method);
}

/// quantile() of 1/2.
template <class Place, detail::selectable<Place> Range>
auto median(communicator<Place>& comm, Range const& values) {
  detail::verb const scope("median");
  constexpr double middle[] = {0.5};
  return detail::quantiles_of_ranks(comm, values, "q", middle, interpolation::linear)[0];
}

/// A vector of the k first elements in the order of top_k, with their numbers among those of all
/// ranks. Every rank's first k come to all hosts.
/// @param k from 0 to the number of all elements
template <class Place, detail::selectable<Place> Range>
auto top_k(communicator<Place>& comm, Range const& values, std::size_t k,
           top_k_options const& options = {}) {
  detail::verb const scope("top_k");
  return detail::top_k_of_ranks(comm, values, k, options);
}

} // namespace warpfold::inline v0
