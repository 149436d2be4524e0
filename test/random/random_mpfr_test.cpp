// Normals against what MPFR makes of the same words, tails included.

#include "pricing/option_reference.hpp"

#include <warpfold/detail/random/inverse_normal.hpp>

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <random>
#include <string>

namespace random_mpfr_test {

using test::digits;
namespace detail = warpfold::detail;

/// Errors in units of the last place of what is exact.
struct errors {
  double largest = 0, sum = 0;
  int count = 0, above_two = 0;

  template <class T>
  void add(T got, digits const& exact) {
    int exponent = 0;
    std::frexp(exact.rounded(), &exponent);
    double const unit = std::ldexp(1, exponent - (sizeof(T) == 4 ? 24 : 53));
    double const error = std::abs((digits(got) - exact).rounded()) / unit;
    largest = std::max(largest, error);
    sum += error;
    ++count;
    above_two += error > 2;
  }
  /// x should be the normal quantile of u. Its error is that of the distribution function there
  /// over its slope, with a second-order term for its curvature.
  template <class T>
  void add_quantile(T x, digits const& u) {
    digits const exact = x, away = (test::normal(exact) - u) / test::normal_density(exact);
    add(x, exact - away * (digits(1) + exact * away * digits(0.5)));
  }
  void check(std::string const& what, double most, double most_on_average = HUGE_VAL) const {
    MESSAGE(what << ": up to " << largest << " ulp, " << sum / count << " on average, above 2 in "
                 << 100. * above_two / count << " %");
    CHECK(largest < most);
    CHECK(sum < most_on_average * count);
  }
};

/// (w + 1/2) / 2^bits of the word.
template <class Word>
digits fraction(Word w) {
  digits const high = static_cast<double>(static_cast<std::uint64_t>(w) >> 32),
               low = static_cast<double>(w & 0xffffffff);
  digits const whole = high * digits(0x1p32) + low + digits(0.5);
  return whole * digits(sizeof(Word) == 4 ? 0x1p-32 : 0x1p-64);
}

/// Words of all sizes, near both ends and the middle.
template <class Word>
Word odd_word(std::mt19937_64& random, int i) {
  constexpr int bits = 8 * sizeof(Word);
  auto const w = static_cast<Word>(random());
  auto const small = static_cast<Word>(w >> (random() % bits));
  Word const half = Word{1} << (bits - 1);
  switch (i % 5) {
  case 0: return small;
  case 1: return static_cast<Word>(~small);
  case 2: return static_cast<Word>(half + small);
  case 3: return static_cast<Word>(half - small);
  default: return w;
  }
}

template <class T>
void check_box_muller(bool odd) {
  using word = detail::bits_of<T>;
  constexpr int bits = 8 * sizeof(T);
  unsigned const seed = 1;
  CAPTURE(seed);
  std::mt19937_64 random{seed};
  digits const quarter_turn = atan(digits(1)) * digits(2);
  errors found;
  for (int i = 0; i < 100'000; ++i) {
    word const w = odd ? odd_word<word>(random, i) : static_cast<word>(random());
    word const v = odd ? odd_word<word>(random, i / 5) : static_cast<word>(random());
    auto const got = detail::box_muller(w, v);
    // The last bits but two as a signed number: its fraction, less 1 if it is negative, in
    // quarters.
    word const rest = static_cast<word>(v << 2);
    digits const part =
        (fraction(static_cast<word>(rest >> 2)) * digits(4)) - digits(rest >> (bits - 1) ? 1 : 0);
    digits const angle = part * quarter_turn;
    digits radius = sqrt(digits(-2) * log(fraction(w)));
    if (v >> (bits - 2) & 1) radius = -radius;
    digits const x = radius * cos(angle), y = radius * sin(angle);
    bool const exchanged = v >> (bits - 1);
    found.add(got.first, exchanged ? y : x);
    found.add(got.second, exchanged ? x : y);
  }
  found.check("Box and Muller", 4.5, 0.75);
}

template <class T>
void check_inverse(bool odd) {
  using word = detail::bits_of<T>;
  unsigned const seed = 2;
  CAPTURE(seed);
  std::mt19937_64 random{seed};
  errors found;
  for (int i = 0; i < 100'000; ++i) {
    word const w = odd ? odd_word<word>(random, i) : static_cast<word>(random());
    found.add_quantile(detail::inverse_normal_of_word<T>(w), fraction(w));
  }
  found.check("inverse", 4.5, 0.9);
}

TEST_CASE_TEMPLATE("normals are those of their words to a few units of the last place", T, float,
                   double) {
  for (bool const odd : {false, true}) {
    CAPTURE(odd);
    check_box_muller<T>(odd);
    check_inverse<T>(odd);
  }
}

TEST_CASE_TEMPLATE("quantiles of any probability", T, float, double) {
  unsigned const seed = 3;
  CAPTURE(seed);
  std::mt19937_64 random{seed};
  errors found;
  for (int i = 0; i < 50'000; ++i) {
    auto const w = odd_word<std::uint64_t>(random, i);
    T const u =
        detail::uniform_of_word<T>(static_cast<detail::bits_of<T>>(sizeof(T) == 4 ? w >> 32 : w));
    T const got = detail::inverse_normal(u);
    if (u == T(0.5)) CHECK(got == 0);
    else found.add_quantile(got, digits(u));
  }
  found.check("quantiles", 4.5);
}

} // namespace random_mpfr_test
