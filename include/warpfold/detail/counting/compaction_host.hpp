#pragma once
// Compaction on the host: the parts' counts first, then everybody writes at once.

#include <warpfold/detail/core/parallel.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <vector>

namespace warpfold::inline v0::detail {

/// Writes to output[i], i < capacity, the i-th of `size` elements that the predicate holds for, and
/// returns how many there are. The predicate is asked twice about each.
template <class Iterator, class T, class Predicate>
std::uint64_t compact_host(int threads, Iterator first, std::size_t size, Predicate predicate,
                           T* output, std::uint64_t capacity) {
  constexpr std::int64_t part = 1 << 16;
  auto const end = static_cast<std::int64_t>(size);
  std::int64_t const parts = (end + part - 1) / part;
  std::vector<std::uint64_t> at(static_cast<std::size_t>(parts) + 1, 0);
  parallel_for(threads, parts, [&](std::int64_t p) {
    std::int64_t const past = std::min((p + 1) * part, end);
    std::uint32_t count = 0;
    for (std::int64_t i = p * part; i < past; ++i) count += predicate(first[i]) ? 1 : 0;
    at[static_cast<std::size_t>(p) + 1] = count;
  });
  std::partial_sum(at.begin(), at.end(), at.begin());
  parallel_for(threads, parts, [&](std::int64_t p) {
    std::int64_t const past = std::min((p + 1) * part, end);
    std::uint64_t next = at[static_cast<std::size_t>(p)];
    for (std::int64_t i = p * part; i < past && next < capacity; ++i)
      if (predicate(first[i])) output[next++] = first[i];
  });
  return at.back();
}

} // namespace warpfold::inline v0::detail
