#pragma once
// Sums by index as <warpfold/scatter.hpp> describes them, in integers of 128 bits, one value after
// the other.

#include "support.hpp"

#include <warpfold/reduction/exact.hpp>
#include <warpfold/scatter.hpp>

#include <algorithm>
#include <cmath>
#include <vector>

/// A generator with a new seed, which failures print.
#define SEEDED(random)                                                                             \
  unsigned const seed = std::random_device{}();                                                    \
  CAPTURE(seed);                                                                                   \
  std::mt19937_64 random(seed)

namespace test {

__extension__ using int128 = __int128;

/// s of docs/scatter.md: 62 - ceil(log2(sum)).
inline int fraction_bits(double sum) {
  if (sum == 0) return 1000;
  int exponent = 0;
  bool const is_power = std::frexp(sum, &exponent) == 0.5;
  return 62 - (is_power ? exponent - 1 : exponent);
}
/// For a bound that is found: two roundings up to powers of two.
inline int fraction_bits(double most, std::size_t size) {
  return most == 0 ? 1000 : fraction_bits(most) + fraction_bits(static_cast<double>(size)) - 62;
}

/// sum * 2^-bits, rounded once to nearest, ties to even.
template <class T>
T rounded_once(int128 sum, int bits) {
  using limits = std::numeric_limits<T>;
  int128 const magnitude = sum < 0 ? -sum : sum;
  int length = 0;
  while (magnitude >> length != 0) ++length;
  // Bits that T has no room for, at the length of the number or among the subnormal ones.
  int const lost =
      std::max({0, length - limits::digits, limits::min_exponent - limits::digits + bits});
  if (lost > 120) return T{0};
  int128 kept = magnitude >> lost;
  int128 const rest = magnitude - (kept << lost), half = lost == 0 ? 1 : int128{1} << (lost - 1);
  if (rest > half || (rest == half && kept % 2 != 0)) ++kept;
  auto const exact =
      std::ldexp(static_cast<long double>(static_cast<std::int64_t>(kept)), lost - bits);
  return static_cast<T>(sum < 0 ? -exact : exact);
}

template <class T>
struct scattered {
  std::vector<T> results;
  warpfold::scatter_status status{0, warpfold::no_position, 0, warpfold::no_position};
  std::vector<int128> sums;
};

template <class T, class Index>
scattered<T> scatter_by_definition(std::vector<T> const& values, std::vector<Index> const& indices,
                                   int s, double most_value, double most_sum, std::size_t bins,
                                   bool wide, std::vector<T> const& before = {},
                                   int components = 1) {
  scattered<T> all{std::vector<T>(bins), {}, std::vector<int128>(bins)};
  int const bits = wide ? s + 32 : s;
  auto const integer = [&](T x) {
    return static_cast<int128>(std::nearbyint(std::ldexp(static_cast<long double>(x), bits)));
  };
  auto& status = all.status;
  status = {0, warpfold::no_position, 0, warpfold::no_position};
  auto const each = static_cast<std::size_t>(components);
  for (std::size_t i = 0; i < values.size(); ++i) {
    Index const index = indices[i / each];
    bool const is_there = index >= 0 && static_cast<std::uint64_t>(index) < bins / each;
    if (is_there && std::abs(static_cast<double>(values[i])) <= most_value) {
      all.sums[static_cast<std::size_t>(index) * each + i % each] += integer(values[i]);
    } else if (status.refused++ == 0) {
      status.first_refused = i;
    }
  }
  int128 const most = (int128{1} << (wide ? 94 : 62)) + (int128{1} << (wide ? 88 : 56));
  for (std::size_t b = 0; b < bins; ++b) {
    bool fits = true;
    if (!before.empty()) {
      fits = std::abs(static_cast<double>(before[b])) <= most_sum;
      if (fits) all.sums[b] += integer(before[b]);
    }
    int128 const magnitude = all.sums[b] < 0 ? -all.sums[b] : all.sums[b];
    fits = fits && magnitude <= most;
    all.results[b] =
        fits ? rounded_once<T>(all.sums[b], bits) : std::numeric_limits<T>::quiet_NaN();
    if (!fits && status.overflows++ == 0) status.first_overflow = b;
  }
  return all;
}

/// The exact sums of bins, each by an accumulator of its own.
template <class T, class Index>
scattered<T> scatter_exactly(std::vector<T> const& values, std::vector<Index> const& indices,
                             std::size_t bins, std::vector<T> const& before = {},
                             int components = 1) {
  scattered<T> all;
  all.results.resize(bins);
  auto& status = all.status;
  std::vector<warpfold::exact_accumulator<T>> sums(bins);
  auto const each = static_cast<std::size_t>(components);
  for (std::size_t i = 0; i < values.size(); ++i) {
    Index const index = indices[i / each];
    bool const is_there = index >= 0 && static_cast<std::uint64_t>(index) < bins / each;
    if (is_there && std::isfinite(values[i])) {
      sums[static_cast<std::size_t>(index) * each + i % each].add(values[i]);
    } else if (status.refused++ == 0) {
      status.first_refused = i;
    }
  }
  for (std::size_t b = 0; b < bins; ++b) {
    if (!before.empty()) sums[b].add(before[b]);
    bool const fits = before.empty() || std::isfinite(before[b]);
    all.results[b] = fits ? sums[b].template finish<T>() : std::numeric_limits<T>::quiet_NaN();
    if (!fits && status.overflows++ == 0) status.first_overflow = b;
  }
  return all;
}

template <class T>
bool same_numbers(std::vector<T> const& a, std::vector<T> const& b) {
  return std::ranges::equal(a, b, [](T x, T y) { return same_number(x, y); });
}

/// Magnitudes over 2^-20 ... 1, of both signs.
template <class T>
std::vector<T> scatter_values(std::mt19937_64& random, std::size_t size) {
  std::vector<T> values(size);
  for (T& x : values) {
    auto const mantissa = static_cast<double>(static_cast<std::int64_t>(random()));
    x = static_cast<T>(std::ldexp(mantissa, -63 - static_cast<int>(random() % 20)));
  }
  return values;
}
/// In any order, or, if clustered, as of particles that lie almost in the order of their cells.
template <class Index>
std::vector<Index> scatter_indices(std::mt19937_64& random, std::size_t size, std::size_t bins,
                                   bool is_clustered) {
  std::vector<Index> indices(size);
  for (std::size_t i = 0; i < size; ++i) {
    std::size_t const at = is_clustered ? i * bins / size + random() % 5 : random() % bins;
    indices[i] = static_cast<Index>(std::min(at, bins - 1));
  }
  return indices;
}

} // namespace test
