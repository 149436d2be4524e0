#pragma once
// Histograms of a user's own bins.

#include <warpfold/detail/counting/counting_host.hpp>
#include <warpfold/detail/counting/gpu_function.cuh>
#include <warpfold/detail/counting/histogram.cuh>
#include <warpfold/detail/reduction/custom_fold.cuh>

#include <cstddef>
#include <cstdint>
#include <vector>

namespace warpfold::inline v0::detail {

template <class Place, class Iterator, class BinOf>
void custom_histogram_to(Place& place, Iterator first, std::size_t size, BinOf bin_of,
                         result_t<Place, std::uint64_t> counts) {
  detail::check_first<Place>(first, size);
  check_function<Place, iterator_element<Iterator>>(bin_of);
  check_bin_count("counts", counts.size());
  auto const* const values = detail::address_of(first);
  check_counts(counts.data(), counts.size(), values, values ? size * sizeof *values : 0);
  histogram_array(place, first, size, bin_of, static_cast<int>(counts.size()), counts.data());
}
template <class Place, class Iterator, class BinOf>
std::vector<std::uint64_t> custom_histogram(Place& place, Iterator first, std::size_t size,
                                            BinOf bin_of, std::size_t bins) {
  detail::check_first<Place>(first, size);
  check_bin_count("bins", bins);
  return counts_of(place, bins,
                   [&](auto counts) { custom_histogram_to(place, first, size, bin_of, counts); });
}

} // namespace warpfold::inline v0::detail
