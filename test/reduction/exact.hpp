#pragma once
// Data for exact sums, and what is known of their results from elsewhere.

#include "support.hpp"

#include <limits>

namespace test {

template <class T>
using bits_t = std::conditional_t<sizeof(T) == 8, std::uint64_t,
                                  std::conditional_t<sizeof(T) == 4, std::uint32_t, std::uint16_t>>;

/// Finite numbers whose exponents are spread evenly over the whole range, subnormals too, but for
/// the `below` largest.
template <class T>
std::vector<T> wild_values(std::size_t size, std::mt19937_64& random, int below = 0) {
  constexpr int digits = std::is_same_v<T, double>   ? 53
                         : std::is_same_v<T, float>  ? 24
                         : std::is_same_v<T, __half> ? 11
                                                     : 8;
  constexpr int exponents = (1 << (static_cast<int>(8 * sizeof(T)) - digits)) - 1;
  std::vector<T> values(size);
  for (T& x : values) {
    auto const exponent =
        static_cast<bits_t<T>>(random() % static_cast<unsigned>(exponents - below));
    auto const mantissa = static_cast<bits_t<T>>(random() & ((bits_t<T>{1} << (digits - 1)) - 1));
    auto const sign = static_cast<bits_t<T>>(random() & 1);
    x = std::bit_cast<T>(
        static_cast<bits_t<T>>(exponent << (digits - 1) | mantissa | sign << (8 * sizeof(T) - 1)));
  }
  return values;
}

/// rough_values, and one in `one_in` of them wild; none with 0.
template <class T>
std::vector<T> partly_wild_values(std::size_t size, std::size_t one_in, std::mt19937_64& random,
                                  int below = 0) {
  auto values = rough_values<T>(size, static_cast<unsigned>(random()));
  auto const wild = wild_values<T>(size, random, below);
  for (std::size_t i = 0; i < size; ++i)
    if (one_in > 0 && random() % one_in == 0) values[i] = wild[i];
  return values;
}

/// Values and their exact sum, rounded.
struct published_sum {
  std::vector<double> values;
  double sum;
  char const* source;
};

inline std::vector<published_sum> published_sums() {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  constexpr double tiny = std::numeric_limits<double>::denorm_min();
  constexpr double huge = std::numeric_limits<double>::max();
  char const* const python = "CPython, Lib/test/test_math.py, testFsum";
  std::vector<double> harmonic, alternating;
  for (int n = 1; n <= 1000; ++n) {
    harmonic.push_back(1.0 / n);
    alternating.push_back((n % 2 == 1 ? 1.0 : -1.0) / n);
  }
  return {
      {{}, 0.0, python},
      {{0.0}, 0.0, python},
      {{1e100, 1.0, -1e100, 1e-100, 1e50, -1.0, -1e50}, 1e-100, python},
      {{1e308, 1e308, -1e308}, 1e308, python},
      {{-1e308, 1e308, 1e308}, 1e308, python},
      {{0x1p53, -0.5, -0x1p-54}, 0x1p53 - 1.0, python},
      {{0x1p53, 1.0, 0x1p-100}, 0x1p53 + 2.0, python},
      {{0x1p53 + 10.0, 1.0, 0x1p-100}, 0x1p53 + 12.0, python},
      {{0x1p53 - 4.0, 0.5, 0x1p-54}, 0x1p53 - 3.0, python},
      {harmonic, 0x1.df11f45f4e61ap+2, python},
      {alternating, 0x1.62a2af1bd3624p-1, python},
      {{1e16, 1.0, 1e-16}, 10000000000000002.0, python},
      {{1e16 - 2.0, 1.0 - 0x1p-53, -(1e16 - 2.0), -(1.0 - 0x1p-53)}, 0.0, python},
      // From the definition.
      {{-0.0, -0.0}, 0.0, "zero is +0"},
      {{tiny, tiny}, 2 * tiny, "subnormals count"},
      {{1.0, tiny, -1.0}, tiny, "subnormals count"},
      {{0x1p-1022, -tiny}, 0x1p-1022 - tiny, "subnormals count"},
      {{huge, huge}, infinity, "a true overflow"},
      {{-huge, -huge}, -infinity, "a true overflow"},
      {{huge, 0x1p969}, huge, "half a unit less than half of the last place"},
      {{huge, 0x1p970}, infinity, "half of the last place, which is odd"},
      {{huge, 0x1p970, -tiny}, huge, "a little less than half of the last place"},
      {{huge, huge, -huge, -huge}, 0.0, "overflow on the way"},
      {{infinity, 1.0}, infinity, "IEEE 754"},
      {{infinity, huge, huge, -infinity}, std::numeric_limits<double>::quiet_NaN(), "IEEE 754"},
      {{-infinity, 1.0}, -infinity, "IEEE 754"},
      {{std::numeric_limits<double>::quiet_NaN(), infinity},
       std::numeric_limits<double>::quiet_NaN(),
       "IEEE 754"},
  };
}

} // namespace test
