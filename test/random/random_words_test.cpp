// Words of Philox against its authors' known answers, and what is made of single words.

#include "support.hpp"

#include <warpfold/detail/random/inverse_normal.hpp>

namespace random_words_test {

using namespace test;
using namespace warpfold::detail;

void check_words(philox_words got, std::array<std::uint32_t, 4> const& expected) {
  for (int i = 0; i < 4; ++i) CHECK(got.of[i] == expected[i]);
}

/// (w + 1/2) / 2^32 or / 2^64 to the nearest number of T below 1, to the even one of two that are
/// as near: by integers, from the 33 or 65 bits of 2 w + 1.
template <class T>
T nearest_fraction(bits_of<T> w) {
  __extension__ using wide = unsigned __int128;
  constexpr int digits = mantissa_bits<T> + 1;
  wide const twice = 2 * wide{w} + 1;
  int length = 0;
  while (twice >> length != 0) ++length;
  int const dropped = length > digits ? length - digits : 0;
  wide const half = (wide{1} << dropped) / 2, rest = twice - (twice >> dropped << dropped);
  auto kept = static_cast<std::uint64_t>(twice >> dropped);
  if (dropped > 0 && (rest > half || (rest == half && kept % 2 == 1))) ++kept;
  constexpr int bits = 8 * sizeof(T);
  return std::min(std::ldexp(static_cast<T>(kept), dropped - bits - 1),
                  1 - std::ldexp(T(1), -digits));
}

// kat_vectors of Random123 1.09, D. E. Shaw Research: counter, key and words in the file's order.
TEST_CASE("Philox4x32-10: known answers") {
  constexpr std::uint32_t ones = 0xffffffff;
  check_words(philox4x32_10({{0, 0, 0, 0}}, 0, 0),
              {0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8});
  check_words(philox4x32_10({{ones, ones, ones, ones}}, ones, ones),
              {0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd});
  check_words(
      philox4x32_10({{0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344}}, 0xa4093822, 0x299f31d0),
      {0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1});
  // By address, these words are the same.
  check_words(random_words({0, 0}, 0), {0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8});
  check_words(random_words({0x299f31d0'a4093822, 0x03707344'13198a2e}, 0x85a308d3'243f6a88),
              {0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1});
}

TEST_CASE("uniform numbers lie between 0 and 1, and rise with their words") {
  auto const single = uniform_of_word<float>;
  auto const twice = uniform_of_word<double>;
  CHECK(single(0) == 0x1p-33F);
  CHECK(single(0xffffffff) == 1 - 0x1p-24F);
  CHECK(single(0x80000000) == 0.5F);
  CHECK(twice(0) == 0x1p-65);
  CHECK(twice(two_words(0xffffffff, 0xffffffff)) == 1 - 0x1p-53);
  CHECK(twice(two_words(0, 0x80000000)) == 0.5);
  unsigned const seed = 1;
  CAPTURE(seed);
  std::mt19937_64 random{seed};
  for (int i = 0; i < 100'000; ++i) {
    std::uint64_t const a = random() >> (random() % 64), b = random() >> (random() % 64);
    auto const c = static_cast<std::uint32_t>(a), d = static_cast<std::uint32_t>(b);
    REQUIRE((a < b ? twice(a) <= twice(b) : twice(b) <= twice(a)));
    REQUIRE((c < d ? single(c) <= single(d) : single(d) <= single(c)));
  }
}

TEST_CASE_TEMPLATE("uniform numbers are rounded once", T, float, double) {
  using word = bits_of<T>;
  constexpr int bits = 8 * sizeof(T);
  constexpr word ones = ~word{0}, middle = ~(ones >> 1);
  auto const check = [](word w) {
    CAPTURE(w);
    T const u = uniform_of_word<T>(w);
    REQUIRE(u == nearest_fraction<T>(w));
    REQUIRE((u > 0 && u < 1));
  };
  for (word const w : {word{0}, word{1}, word{2}, middle, ones}) {
    check(w);
    check(w - 1);
  }
  // Powers of two and words halfway between two numbers of T, with their neighbours.
  for (int last = 0; last < bits; ++last)
    for (int first = last; first < bits; ++first)
      for (word const near : {ones, word{0}, word{1}})
        check((word{1} << first | word{1} << last) + near);
  unsigned const seed = 3;
  CAPTURE(seed);
  std::mt19937_64 random{seed};
  for (int i = 0; i < 100'000; ++i) {
    auto const w = static_cast<word>(random());
    check(w);
    check(w >> (random() % bits));
    // A number of T and a half of its last bit.
    auto const cut = static_cast<int>(random() % (bits - mantissa_bits<T> - 1));
    check((w >> cut << cut) | (word{1} << cut) / 2);
  }
}

TEST_CASE("normals reach the tails that their words do") {
  // sqrt(66 ln 2) and sqrt(130 ln 2); the quantiles of 2^-33 and 2^-65.
  auto const far = box_muller(0U, 0U);
  CHECK(far.first == doctest::Approx(6.7637).epsilon(1e-5));
  CHECK(std::abs(far.second) < 1e-8F);
  CHECK(box_muller(0U, 0x40000000U).first == -far.first);
  CHECK(box_muller(0U, 0x80000000U).second == far.first);
  CHECK(box_muller(~0U, 0U).first == doctest::Approx(0x1p-16).epsilon(1e-6));
  CHECK(box_muller(std::uint64_t{0}, std::uint64_t{0}).first ==
        doctest::Approx(9.49258).epsilon(1e-6));
  CHECK(box_muller(~std::uint64_t{0}, std::uint64_t{0}).first ==
        doctest::Approx(0x1p-32).epsilon(1e-12));
  auto const single = inverse_normal_of_word<float>;
  auto const twice = inverse_normal_of_word<double>;
  CHECK(single(0) == doctest::Approx(-6.33796).epsilon(1e-6));
  CHECK(twice(0) == doctest::Approx(-9.15529).epsilon(1e-6));
  unsigned const seed = 2;
  CAPTURE(seed);
  std::mt19937_64 random{seed};
  for (int i = 0; i < 100'000; ++i) {
    std::uint64_t const w = random() >> (random() % 64);
    auto const low = static_cast<std::uint32_t>(w);
    REQUIRE(twice(w) == -twice(~w));
    REQUIRE(single(low) == -single(~low));
    REQUIRE(twice(w) < twice(w + (std::uint64_t{1} << 55)) + (w >> 55 == 511 ? 100 : 0));
  }
}

// M. J. Wichura, AS 241: the percentage points of the normal distribution, Applied Statistics 37,
// 1988, gives these three.
TEST_CASE("quantiles as published") {
  CHECK(inverse_normal(0.25) == doctest::Approx(-0.6744897501960817).epsilon(1e-15));
  CHECK(inverse_normal(0.001) == doctest::Approx(-3.090232306167814).epsilon(1e-15));
  CHECK(inverse_normal(1e-20) == doctest::Approx(-9.262340089798408).epsilon(1e-15));
  CHECK(inverse_normal(0.25F) == doctest::Approx(-0.6744897501960817).epsilon(2e-7));
  CHECK(inverse_normal(0.001F) == doctest::Approx(-3.090232306167814).epsilon(2e-7));
}

} // namespace random_words_test
