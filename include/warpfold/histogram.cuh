#pragma once
// Histograms for those who compile with nvcc: any function from elements to bins, any element type
// and random-access iterator.
//
// place, blocking and _async forms and errors are those of <warpfold/histogram.hpp>. bin_of is a
// function object that the place can call, for a lambda __host__ __device__, and says the same each
// time: the number of the element's bin, an int; elements for which that is not the number of a bin
// are not counted. Elements are trivially copyable and default constructible.

#include <warpfold/detail/counting/histogram.cuh>
#include <warpfold/detail/counting/histogram_host.hpp>
#include <warpfold/histogram.hpp>
#include <warpfold/reduction.cuh>

#include <cstddef>
#include <cstdint>
#include <iterator>
#include <memory>

namespace warpfold::inline v0 {

namespace detail {

/// Refuses a number of bins that is not 1 ... max_bins.
void check_bin_count(char const* argument, std::size_t count);

} // namespace detail

/// How many of the `size` elements from `first` on are in each of counts.size() bins.
template <class Place, detail::indexable Iterator, class BinOf>
void histogram_by_async(Place&& place, Iterator first, std::size_t size, BinOf bin_of,
                        detail::result_t<Place, std::uint64_t> counts) {
  detail::check_first(first, size);
  detail::check_bin_count("counts", counts.size());
  detail::check_elements("counts", counts.data(), counts.size());
  if constexpr (std::contiguous_iterator<Iterator>)
    if (detail::share_memory(counts.data(), counts.size_bytes(), std::to_address(first),
                             size * sizeof *first))
      throw argument_error("counts", "overlap the values");
  auto const bins = static_cast<int>(counts.size());
  if constexpr (std::same_as<std::remove_cvref_t<Place>, gpu>) {
    static_assert(std::is_pointer_v<Iterator> || !std::contiguous_iterator<Iterator>,
                  "an iterator into a container of the host cannot be read on a gpu");
    detail::histogram_of(place, first, size, bin_of, bins, counts.data());
  } else {
    detail::histogram_host(place.threads(), first, size, bin_of, bins, counts.data());
  }
}
template <class Place, detail::indexable Iterator, class BinOf>
std::vector<std::uint64_t> histogram_by(Place&& place, Iterator first, std::size_t size,
                                        BinOf bin_of, std::size_t bins) {
  detail::check_first(first, size);
  detail::check_bin_count("bins", bins);
  return detail::counts_of(
      place, bins, [&](auto counts) { histogram_by_async(place, first, size, bin_of, counts); });
}

/// The same for ranges.
template <class Place, elements_for<Place> Range, class BinOf>
void histogram_by_async(Place&& place, Range const& values, BinOf bin_of,
                        detail::result_t<Place, std::uint64_t> counts) {
  auto const input = detail::checked<Place>(values);
  histogram_by_async(place, input.data(), input.size(), bin_of, counts);
}
template <class Place, elements_for<Place> Range, class BinOf>
std::vector<std::uint64_t> histogram_by(Place&& place, Range const& values, BinOf bin_of,
                                        std::size_t bins) {
  auto const input = detail::checked<Place>(values);
  return histogram_by(place, input.data(), input.size(), bin_of, bins);
}

} // namespace warpfold::inline v0
