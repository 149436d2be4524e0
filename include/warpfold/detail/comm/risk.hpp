#pragma once
// Risk figures of the losses of all ranks of a communicator.

#include <warpfold/detail/comm/contributions.hpp>
#include <warpfold/detail/comm/selections.hpp>
#include <warpfold/pricing/risk.hpp>

#include <bit>
#include <cstdint>
#include <numeric>
#include <vector>

namespace warpfold::inline v0::detail {

/// Ranks select together, then add up the words of their exact sums.
template <class Place, class Range>
pricing::risk_figures risk_of_ranks(communicator<Place>& comm, Range const& losses,
                                    pricing::risk_options const& options) {
  using T = element_t<Place, Range>;
  return collective(comm).guarded([&] {
    span_t<Place, Range> const own(losses);
    auto const bits = [](double x) { return std::bit_cast<std::uint64_t>(x); };
    auto const sizes =
        sizes_of_ranks(comm, own, {bits(options.level), bits(options.confidence)}, "losses");
    auto const size = std::accumulate(sizes.begin(), sizes.end(), std::size_t{0});
    risk_ranks const ranks = find_risk_ranks(size, options);
    std::uint64_t const wanted[] = {ranks.value_at_risk, ranks.lower, ranks.upper};
    auto const ranked = selected_together<T, selection_key<T>>(
        comm, own, select_ranks("losses", size, wanted, kind_of<T>));
    std::vector<excess_words> words;
    for (auto const& one : contributions<excess_words>(comm, own, [&](auto result) {
           excess_words_to<T>(comm.place(), own, ranked[0], result.data());
         }))
      words.push_back(one.result);
    return risk_of_words<T>(words, ranked.data(), ranks, size);
  });
}

} // namespace warpfold::inline v0::detail
