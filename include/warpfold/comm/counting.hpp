#pragma once
// Counting in arrays that are spread over the ranks of a communicator: the verbs of
// <warpfold/counting.hpp> and <warpfold/histogram.hpp>. What holds for them stands in
// <warpfold/comm/reduction.hpp>.

#include <warpfold/comm/communicator.hpp>
#include <warpfold/counting.hpp>
#include <warpfold/detail/comm/contributions.hpp>
#include <warpfold/histogram.hpp>

#include <cstdint>
#include <cstring>
#include <functional>
#include <span>
#include <vector>

namespace warpfold::inline v0 {

namespace detail {
/// Of a bin's end, which is of 4 or 8 bytes.
template <class Level>
std::uint64_t bits_of_level(Level level) {
  std::uint64_t bits = 0;
  std::memcpy(&bits, &level, sizeof level);
  return bits;
}
} // namespace detail

/// Number of all ranks' elements for which the predicate holds.
template <class Place, elements_for<Place> Range, class Predicate>
requires detail::built_in_count<Place, Range, Predicate> std::uint64_t
count_if(communicator<Place>& over, Range const& values, Predicate predicate) {
  return detail::fold_ranks<std::uint64_t>(
      over, detail::collective_verb::count_if, detail::elements_of<Place>(values), plus{},
      [&](auto result) { count_if_async(over.place(), values, predicate, result); });
}

/// Whether it holds for all elements of all ranks.
template <class Place, elements_for<Place> Range, class Predicate>
requires detail::built_in_count<Place, Range, Predicate>
bool all_of(communicator<Place>& over, Range const& values, Predicate predicate) {
  return detail::fold_ranks<bool>(
      over, detail::collective_verb::all_of, detail::elements_of<Place>(values), std::logical_and{},
      [&](auto result) { all_of_async(over.place(), values, predicate, result); });
}

/// Whether it holds for any of them.
template <class Place, elements_for<Place> Range, class Predicate>
requires detail::built_in_count<Place, Range, Predicate>
bool any_of(communicator<Place>& over, Range const& values, Predicate predicate) {
  return detail::fold_ranks<bool>(
      over, detail::collective_verb::any_of, detail::elements_of<Place>(values), std::logical_or{},
      [&](auto result) { any_of_async(over.place(), values, predicate, result); });
}

/// How many of all ranks' elements are in each bin. Ranks with different bins throw
/// communication_error, all of them.
template <class Place, elements_for<Place> Range>
requires detail::binned_range<Place, Range> std::vector<std::uint64_t>
histogram(communicator<Place>& over, Range const& values,
          detail::bins_for<Place, Range> const& bins) {
  using T = detail::element_t<Place, Range>;
  return over.guarded([&] {
    detail::check_bins<T>(bins);
    auto const size = static_cast<std::size_t>(bins.count);
    detail::record_head const head{
        detail::collective_verb::histogram,
        std::uint32_t{sizeof(T)},
        detail::elements_of<Place>(values),
        {size, detail::bits_of_level(bins.lower), detail::bits_of_level(bins.upper)}};
    std::vector<std::uint64_t> totals(size);
    auto const add = [&](void const* counts) {
      std::vector<std::uint64_t> one(size);
      std::memcpy(one.data(), counts, size * sizeof one[0]);
      for (std::size_t b = 0; b < size; ++b) totals[b] += one[b];
    };
    if (size * sizeof totals[0] <= sizeof(detail::record::result)) {
      auto* const mine = static_cast<std::uint64_t*>(over.open_record(head));
      histogram_async(over.place(), values, bins, {mine, size});
      for (detail::record const& one : over.gather_records()) add(one.result);
    } else {
      auto const mine = histogram(over.place(), values, bins);
      over.agree(head);
      auto const all = over.all_gather(std::span(mine));
      for (std::size_t i = 0; i < all.size(); i += size) add(&all[i]);
    }
    return totals;
  });
}

} // namespace warpfold::inline v0
