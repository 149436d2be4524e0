#pragma once
// Checks that histograms share.

#include <warpfold/counting/histogram.hpp>
#include <warpfold/detail/core/refusal.hpp>

#include <cstddef>

namespace warpfold::inline v0::detail {

/// Refuses bins that are none, arrays that are none, counts that are not one a bin, and counts that
/// share memory with the values.
template <class T>
void check_histogram(T const* values, std::size_t size, bins_of<T> const& bins,
                     std::uint64_t const* counts, std::size_t count) {
  check_elements("values", values, size);
  check_bins<T>(bins);
  if (count != static_cast<std::size_t>(bins.count))
    refuse("counts", text("room for ", count), text(bins.count, ", one a bin"));
  check_counts(counts, count, values, size * sizeof(T));
}

} // namespace warpfold::inline v0::detail
