#pragma once
// Checks that histograms share.

#include <warpfold/histogram.hpp>

#include <cstddef>

namespace warpfold::inline v0::detail {

/// Refuses counts that are not one a bin, that none can be written to, or that share memory with
/// the values.
void check_counts(std::uint64_t const* counts, std::size_t room, int bins, void const* values,
                  std::size_t values_bytes);

/// And values or bins that are none.
template <class T>
void check_histogram(T const* values, std::size_t size, bins_of<T> const& bins,
                     std::uint64_t const* counts, std::size_t room) {
  check_elements("values", values, size);
  check_bins<T>(bins);
  check_counts(counts, room, bins.count, values, size * sizeof(T));
}

} // namespace warpfold::inline v0::detail
