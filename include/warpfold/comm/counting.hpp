#pragma once
// The verbs of <warpfold/counting.hpp> and <warpfold/counting/histogram.hpp> for arrays that are
// spread over ranks. Their contract stands in <warpfold/comm/reduction.hpp>.

#include <warpfold/comm/communicator.hpp>
#include <warpfold/counting.hpp>
#include <warpfold/counting/histogram.hpp>
#include <warpfold/detail/comm/contributions.hpp>

#include <cstdint>
#include <functional>
#include <vector>

namespace warpfold::inline v0 {

/// Number of all ranks' elements for which the predicate holds.
template <class Place, class Predicate, detail::built_in_count<Place, Predicate> Range>
std::uint64_t count_if(communicator<Place>& comm, Range const& values, Predicate predicate) {
  detail::verb const scope("count_if");
  return detail::fold_ranks<std::uint64_t>(
      comm, values, plus{},
      [&](auto result) { count_if_async(comm.place(), values, predicate, result); },
      detail::predicate_digest(predicate));
}

/// True if the predicate holds for all elements of all ranks.
template <class Place, class Predicate, detail::built_in_count<Place, Predicate> Range>
bool all_of(communicator<Place>& comm, Range const& values, Predicate predicate) {
  detail::verb const scope("all_of");
  return detail::fold_ranks<bool>(
      comm, values, std::logical_and{},
      [&](auto result) { all_of_async(comm.place(), values, predicate, result); },
      detail::predicate_digest(predicate));
}

/// True if the predicate holds for any element of any rank.
template <class Place, class Predicate, detail::built_in_count<Place, Predicate> Range>
bool any_of(communicator<Place>& comm, Range const& values, Predicate predicate) {
  detail::verb const scope("any_of");
  return detail::fold_ranks<bool>(
      comm, values, std::logical_or{},
      [&](auto result) { any_of_async(comm.place(), values, predicate, result); },
      detail::predicate_digest(predicate));
}

/// Number of all ranks' elements in each bin. If bins differ, all ranks throw communication_error.
template <class Place, detail::binned_range<Place> Range>
std::vector<std::uint64_t> histogram(communicator<Place>& comm, Range const& values,
                                     detail::bins_for<Place, Range> const& bins) {
  detail::verb const scope("histogram");
  return detail::add_histograms(comm, values, bins);
}

} // namespace warpfold::inline v0
