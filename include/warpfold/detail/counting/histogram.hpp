#pragma once
// Implementation of the public header: histograms.

#include <warpfold/buffer.hpp>
#include <warpfold/detail/counting/even_bins.hpp>
#include <warpfold/detail/reduction/jobs.hpp>

#include <cstdint>
#include <vector>

namespace warpfold::inline v0::detail {

template <class Range, class Place>
concept binned_range = requires {
  requires binned_element<element_t<Place, Range>>;
};
template <class Place, class Range>
using bins_for = bins_of<element_t<Place, Range>>;

/// Refuses bins that are none.
template <binned_element T>
void check_bins(bins_of<T> const& bins);
/// Refuses a number of bins that is not 1 ... max_bins.
void check_bin_count(char const* argument, std::size_t count);
/// Refuses counts that none can be written to, or that share memory with the values.
void check_counts(std::uint64_t const* counts, std::size_t size, void const* values,
                  std::size_t values_bytes);

/// Counts into counts[0 ... bins.count - 1], which are accessible to the place; see reduce_to.
template <class T>
void histogram_to(gpu& place, device_span<T const> values, bins_of<T> const& bins,
                  device_span<std::uint64_t> counts);
template <class T>
void histogram_to(host const& place, std::span<T const> values, bins_of<T> const& bins,
                  std::span<std::uint64_t> counts);

/// The `size` counts that fill(counts) writes, copied to the host.
template <class Place, class Fill>
std::vector<std::uint64_t> counts_of(Place& place, std::size_t size, Fill fill) {
  if constexpr (std::same_as<std::remove_cv_t<Place>, gpu>) {
    device_buffer<std::uint64_t> counts(place, size);
    fill(counts.span());
    return to_vector(place, counts.span());
  } else {
    std::vector<std::uint64_t> counts(size);
    fill(std::span(counts));
    return counts;
  }
}

} // namespace warpfold::inline v0::detail
