#pragma once
// Counts, histograms and compactions on the host, by parts of an array, in any order.

#include <warpfold/detail/core/parallel.hpp>
#include <warpfold/execution.hpp>

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <mutex>
#include <numeric>
#include <vector>

namespace warpfold::inline v0::detail {

/// Elements of a part: its count has 32 bits, for which compilers emit SIMD code.
inline constexpr std::int64_t counted_part = 1 << 16;

/// How many of the elements [first, end), fewer than 2^32, satisfy the predicate.
template <class Iterator, class Predicate>
std::uint32_t count_part(Iterator elements, std::int64_t first, std::int64_t end,
                         Predicate predicate) {
  std::uint32_t count = 0;
  for (std::int64_t i = first; i < end; ++i) count += predicate(elements[i]) ? 1 : 0;
  return count;
}

/// Calls body(part, first, end) for parts [first, end) of `size` elements.
template <class Body>
void for_each_part(int threads, std::size_t size, std::int64_t part_size, Body body) {
  auto const all = static_cast<std::int64_t>(size);
  std::int64_t const parts = (all + part_size - 1) / part_size;
  parallel_for(threads, parts, [&](std::int64_t part) {
    body(part, part * part_size, std::min((part + 1) * part_size, all));
  });
}

/// How many of `size` elements satisfy the predicate, on up to `threads` threads.
template <class Iterator, class Predicate>
std::uint64_t count_host(int threads, Iterator elements, std::size_t size, Predicate predicate) {
  std::atomic<std::uint64_t> total{0};
  for_each_part(
      threads, size, counted_part, [&](std::int64_t, std::int64_t first, std::int64_t end) {
        total.fetch_add(count_part(elements, first, end, predicate), std::memory_order_relaxed);
      });
  return total;
}
template <class Tuning = void, class Iterator, class Predicate, class Answer>
void count_array(host const& place, Iterator first, std::size_t size, Predicate predicate,
                 Answer const& answer) {
  answer(count_host(place.threads(), first, size, predicate));
}

/// counts[b] = how many of `size` elements are in bin b = bin_of(element), 0 <= b < bins.
template <class Iterator, class BinOf>
void histogram_host(int threads, Iterator elements, std::size_t size, BinOf bin_of, int bins,
                    std::uint64_t* counts) {
  std::int64_t const share = (static_cast<std::int64_t>(size) + threads - 1) / threads;
  std::fill_n(counts, bins, 0);
  std::mutex adding;
  for_each_part(threads, size, std::max(counted_part, share),
                [&](std::int64_t, std::int64_t first, std::int64_t end) {
                  std::vector<std::uint64_t> own(static_cast<std::size_t>(bins), 0);
                  for (std::int64_t i = first; i < end; ++i) {
                    int const bin = bin_of(elements[i]);
                    if (bin >= 0 && bin < bins) ++own[static_cast<std::size_t>(bin)];
                  }
                  std::lock_guard const lock{adding};
                  for (int b = 0; b < bins; ++b) counts[b] += own[static_cast<std::size_t>(b)];
                });
}

template <class Iterator, class BinOf>
void histogram_array(host const& place, Iterator first, std::size_t size, BinOf bin_of, int bins,
                     std::uint64_t* counts) {
  histogram_host(place.threads(), first, size, bin_of, bins, counts);
}

/// As compact of a GPU. The predicate is asked twice about each element.
template <class Iterator, class T, class Predicate>
std::uint64_t compact_host(int threads, Iterator elements, std::size_t size, Predicate predicate,
                           T* output, std::uint64_t capacity) {
  // One more than there are parts: where the next one's begin.
  std::vector<std::uint64_t> begin(size / counted_part + 2, 0);
  for_each_part(
      threads, size, counted_part, [&](std::int64_t part, std::int64_t first, std::int64_t end) {
        begin[static_cast<std::size_t>(part) + 1] = count_part(elements, first, end, predicate);
      });
  std::partial_sum(begin.begin(), begin.end(), begin.begin());
  for_each_part(threads, size, counted_part,
                [&](std::int64_t part, std::int64_t first, std::int64_t end) {
                  std::uint64_t next = begin[static_cast<std::size_t>(part)];
                  for (std::int64_t i = first; i < end && next < capacity; ++i)
                    if (predicate(elements[i])) output[next++] = elements[i];
                });
  return begin.back();
}

template <class Iterator, class T, class Predicate>
void compact_array(host const& place, Iterator first, std::size_t size, Predicate predicate,
                   T* output, std::size_t capacity, std::uint64_t* count, bool) {
  *count = compact_host(place.threads(), first, size, predicate, output, capacity);
}

} // namespace warpfold::inline v0::detail
