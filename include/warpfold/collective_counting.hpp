#pragma once
// Counting in arrays that are spread over the ranks of a communicator: the verbs of
// <warpfold/counting.hpp> and <warpfold/histogram.hpp>. What holds for them stands in
// <warpfold/collective.hpp>.

#include <warpfold/communicator.hpp>
#include <warpfold/counting.hpp>
#include <warpfold/detail/contributions.hpp>
#include <warpfold/histogram.hpp>

#include <cstdint>
#include <cstring>
#include <functional>
#include <span>
#include <vector>

namespace warpfold {

template <class Place, elements_for<Place> Range, class Predicate>
requires detail::built_in_count<Place, Range, Predicate> std::uint64_t
count_if(communicator<Place>& over, Range const& values, Predicate predicate,
         reduce_options const& options = {}) {
  return detail::fold_ranks<std::uint64_t>(
      over, detail::collective_verb::count_if, detail::elements_of<Place>(values), plus{},
      [&](auto result) { count_if_async(over.place(), values, predicate, result, options); });
}

template <class Place, elements_for<Place> Range, class Predicate>
requires detail::built_in_count<Place, Range, Predicate>
bool all_of(communicator<Place>& over, Range const& values, Predicate predicate,
            reduce_options const& options = {}) {
  return detail::fold_ranks<bool>(
      over, detail::collective_verb::all_of, detail::elements_of<Place>(values), std::logical_and{},
      [&](auto result) { all_of_async(over.place(), values, predicate, result, options); });
}

template <class Place, elements_for<Place> Range, class Predicate>
requires detail::built_in_count<Place, Range, Predicate>
bool any_of(communicator<Place>& over, Range const& values, Predicate predicate,
            reduce_options const& options = {}) {
  return detail::fold_ranks<bool>(
      over, detail::collective_verb::any_of, detail::elements_of<Place>(values), std::logical_or{},
      [&](auto result) { any_of_async(over.place(), values, predicate, result, options); });
}

/// Ranks with different bins throw communication_error, all of them.
template <class Place, elements_for<Place> Range>
requires detail::binned_range<Place, Range> std::vector<std::uint64_t>
histogram(communicator<Place>& over, Range const& values,
          detail::bins_for<Place, Range> const& bins, reduce_options const& options = {}) {
  using T = detail::element_t<Place, Range>;
  auto const bits = [](auto level) {
    std::uint64_t of = 0;
    std::memcpy(&of, &level, sizeof level);
    return of;
  };
  return over.guarded([&] {
    std::vector<std::uint64_t> counts = histogram(over.place(), values, bins, options);
    over.agree({detail::collective_verb::histogram,
                std::uint32_t{sizeof(T)},
                detail::elements_of<Place>(values),
                {counts.size(), bits(bins.lower), bits(bins.upper)}});
    std::vector<std::uint64_t> const all = over.all_gather(std::span<std::uint64_t const>(counts));
    for (std::size_t b = 0; b < counts.size(); ++b) {
      counts[b] = 0;
      for (std::size_t i = b; i < all.size(); i += counts.size()) counts[b] += all[i];
    }
    return counts;
  });
}

} // namespace warpfold
