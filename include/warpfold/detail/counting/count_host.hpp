#pragma once
// Counting on the host. Integers: any order will do.

#include <warpfold/detail/core/parallel.hpp>

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>

namespace warpfold::inline v0::detail {

/// How many of `size` elements satisfy the predicate, on up to `threads` threads.
template <class Iterator, class Predicate>
std::uint64_t count_host(int threads, Iterator first, std::size_t size, Predicate predicate) {
  // 32-bit counts of parts, which a compiler makes into SIMD code.
  constexpr std::int64_t part = 1 << 16;
  auto const end = static_cast<std::int64_t>(size);
  std::atomic<std::uint64_t> total{0};
  parallel_for(threads, (end + part - 1) / part, [&](std::int64_t p) {
    std::int64_t const past = std::min((p + 1) * part, end);
    std::uint32_t count = 0;
    for (std::int64_t i = p * part; i < past; ++i) count += predicate(first[i]) ? 1 : 0;
    total.fetch_add(count, std::memory_order_relaxed);
  });
  return total;
}

} // namespace warpfold::inline v0::detail
