#pragma once
// Histograms on the host: counts of large parts, added up.

#include <warpfold/detail/core/parallel.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <mutex>
#include <vector>

namespace warpfold::inline v0::detail {

/// counts[b] = how many of `size` elements are in bin b = bin_of(element), 0 <= b < bins.
template <class Iterator, class BinOf>
void histogram_host(int threads, Iterator first, std::size_t size, BinOf bin_of, int bins,
                    std::uint64_t* counts) {
  constexpr std::int64_t least = 1 << 16;
  auto const end = static_cast<std::int64_t>(size);
  std::int64_t const part = std::max(least, (end + threads - 1) / threads);
  std::fill_n(counts, bins, 0);
  std::mutex adding;
  parallel_for(threads, (end + part - 1) / part, [&](std::int64_t p) {
    std::vector<std::uint64_t> own(static_cast<std::size_t>(bins), 0);
    std::int64_t const past = std::min((p + 1) * part, end);
    for (std::int64_t i = p * part; i < past; ++i) {
      int const bin = bin_of(first[i]);
      if (bin >= 0 && bin < bins) ++own[static_cast<std::size_t>(bin)];
    }
    std::lock_guard const lock{adding};
    for (int b = 0; b < bins; ++b) counts[b] += own[static_cast<std::size_t>(b)];
  });
}

} // namespace warpfold::inline v0::detail
