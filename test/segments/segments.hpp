#pragma once
// Common to the tests of segments: where segments begin, and how results differ.

#include "support.hpp"

#include <algorithm>
#include <random>

namespace test {

/// Positions of segments of the given lengths, from `first` on.
template <class Offset = std::int64_t>
std::vector<Offset> positions(std::vector<std::size_t> const& lengths, std::size_t first) {
  std::vector<Offset> offsets{static_cast<Offset>(first)};
  for (std::size_t const length : lengths)
    offsets.push_back(static_cast<Offset>(static_cast<std::size_t>(offsets.back()) + length));
  return offsets;
}

/// The elements of segment i, `first` elements further on.
template <class T, class Offset>
std::span<T const> segment_of(std::vector<T> const& values, std::vector<Offset> const& offsets,
                              std::size_t i, std::size_t first = 0) {
  return std::span(values).subspan(static_cast<std::size_t>(offsets[i]) + first,
                                   static_cast<std::size_t>(offsets[i + 1] - offsets[i]));
}

/// Lengths around the edges of what threads, groups, warps, stages and blocks take, in random
/// order.
inline std::vector<std::size_t> mixed_lengths(unsigned seed, std::size_t most) {
  std::mt19937 random{seed};
  std::vector<std::size_t> lengths;
  for (std::size_t const edge :
       {1,     2,     3,     4,     7,      8,       15,      16,       31,   32,
        33,    63,    64,    65,    127,    128,     255,     256,      511,  512,
        513,   1023,  1024,  1025,  2048,   4090,    4096,    4097,     8192, 16383,
        16384, 16385, 32768, 32769, 70'000, 140'001, 300'007, 1'000'000})
    if (edge <= most)
      for (std::size_t const length : {edge - 1, edge, edge + 1}) lengths.push_back(length);
  for (int i = 0; i < 400; ++i) lengths.push_back(random() % 40);
  for (int i = 0; i < 200; ++i) lengths.push_back(0);
  for (int i = 0; i < 30; ++i) lengths.push_back(random() % std::min<std::size_t>(most, 3000));
  std::shuffle(lengths.begin(), lengths.end(), random);
  for (int i = 0; i < 1500; ++i) lengths.push_back(0);
  for (int i = 0; i < 1500; ++i) lengths.push_back(random() % 6);
  return lengths;
}

/// Number of results whose bits differ, and the first of them; a NaN equals every other.
template <class A>
std::string differences(std::vector<A> const& found, std::vector<A> const& expected) {
  if (found.size() != expected.size()) return "sizes";
  std::size_t count = 0, first = 0;
  for (std::size_t i = 0; i < expected.size(); ++i) {
    if (same_bits(found[i], expected[i])) continue;
    if constexpr (std::is_floating_point_v<A>)
      if (std::isnan(found[i]) && std::isnan(expected[i])) continue;
    if (count++ == 0) first = i;
  }
  if (count == 0) return "";
  return std::to_string(count) + " of " + std::to_string(expected.size()) + ", first number " +
         std::to_string(first) + ": " + std::to_string(found[first]) + " for " +
         std::to_string(expected[first]);
}

} // namespace test
