#pragma once
// The counts of all ranks, added.

#include <warpfold/counting/histogram.hpp>
#include <warpfold/detail/comm/contributions.hpp>

#include <cstdint>
#include <cstring>
#include <span>
#include <vector>

namespace warpfold::inline v0::detail {

/// The bits of a bin's end, which is of 4 or 8 bytes.
template <class Level>
std::uint64_t bits_of_level(Level level) {
  std::uint64_t bits = 0;
  std::memcpy(&bits, &level, sizeof level);
  return bits;
}

/// Counts travel in the record, or behind it if there are too many.
template <class Place, class Range, class Bins>
std::vector<std::uint64_t> add_histograms(communicator<Place>& comm, Range const& values,
                                          Bins const& bins) {
  using T = element_t<Place, Range>;
  collective const group(comm);
  return group.guarded([&] {
    check_bins<T>(bins);
    auto const size = static_cast<std::size_t>(bins.count);
    record_head const head{collective_verb::histogram,
                           std::uint32_t{sizeof(T)},
                           span_t<Place, Range>(values).size(),
                           {size, bits_of_level(bins.lower), bits_of_level(bins.upper)}};
    std::vector<std::uint64_t> totals(size);
    auto const add = [&](void const* counts) {
      std::vector<std::uint64_t> one(size);
      std::memcpy(one.data(), counts, size * sizeof one[0]);
      for (std::size_t b = 0; b < size; ++b) totals[b] += one[b];
    };
    if (size * sizeof totals[0] <= sizeof(record::result)) {
      auto* const mine = static_cast<std::uint64_t*>(group.open_record(head));
      histogram_async(comm.place(), values, bins, {mine, size});
      for (record const& one : group.gather_records()) add(one.result);
    } else {
      auto const mine = histogram(comm.place(), values, bins);
      group.agree(head);
      auto const all = comm.all_gather(std::span(mine));
      for (std::size_t i = 0; i < all.size(); i += size) add(&all[i]);
    }
    return totals;
  });
}

} // namespace warpfold::inline v0::detail
