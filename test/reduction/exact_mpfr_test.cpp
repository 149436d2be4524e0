// The exact sums against GNU MPFR, with so many digits that it does not round before the end.

#include "exact.hpp"
#include "mpfr_number.hpp"

#include <algorithm>
#include <cmath>

namespace exact_mpfr_test {

using namespace test;
namespace wf = warpfold;

template <class T>
void check_sum(std::vector<T> const& values, int threads = 1) {
  mpfr_number reference;
  for (T const x : values) reference.add(static_cast<double>(wide(x)));
  wf::host const place{threads};
  CHECK(same_bits(wf::exact_sum<float>(place, values), reference.rounded<float>()));
  CHECK(same_bits(wf::exact_sum<double>(place, values), reference.rounded<double>()));
}

template <class T>
void check_products(std::vector<T> const& x, std::vector<T> const& y) {
  mpfr_number dot, squares;
  for (std::size_t i = 0; i < x.size(); ++i) {
    auto const a = static_cast<double>(wide(x[i])), b = static_cast<double>(wide(y[i]));
    dot.add_product(a, b);
    squares.add_product(a, a);
  }
  squares.take_root();
  wf::host const place{1};
  CHECK(same_bits(wf::exact_dot<float>(place, x, y), dot.rounded<float>()));
  CHECK(same_bits(wf::exact_dot<double>(place, x, y), dot.rounded<double>()));
  CHECK(same_bits(wf::exact_norm2<float>(place, x), squares.rounded<float>()));
  CHECK(same_bits(wf::exact_norm2<double>(place, x), squares.rounded<double>()));
}

/// Kinds of random vectors.
template <class T>
std::vector<T> random_vector(int kind, std::size_t size, std::mt19937_64& random) {
  if (kind == 0) return wild_values<T>(size, random);
  if (kind == 1) return rough_values<T>(size, static_cast<unsigned>(random()));
  if (kind == 2) { // few exponents, of which some are the smallest
    auto values = wild_values<T>(size, random);
    for (T& x : values)
      x = std::bit_cast<T>(
          static_cast<bits_t<T>>(std::bit_cast<bits_t<T>>(x) &
                                 static_cast<bits_t<T>>(~(bits_t<T>{1} << (8 * sizeof(T) - 2) |
                                                          bits_t<T>{1} << (8 * sizeof(T) - 3)))));
    return values;
  }
  // Pairs that cancel, in any order, and a little that is left.
  auto values = wild_values<T>(size, random);
  for (std::size_t i = 0; i + 1 < size; i += 2) values[i + 1] = static_cast<T>(-wide(values[i]));
  std::shuffle(values.begin(), values.end(), random);
  if (kind == 4 && size > 0) values[random() % size] = static_cast<T>(1.0F);
  return values;
}

constexpr int kinds = 5;

TEST_CASE_TEMPLATE("exact sums of random vectors are those of MPFR", T, WARPFOLD_TEST_FLOATS) {
  auto const seed = std::random_device{}();
  CAPTURE(seed);
  std::mt19937_64 random{seed};
  for (int round = 0; round < 1000; ++round) {
    CAPTURE(round);
    std::size_t const size = random() % (round % 100 == 0 ? 5000 : 60);
    check_sum(random_vector<T>(round % kinds, size, random));
  }
}

TEST_CASE_TEMPLATE("exact sums of many elements are those of MPFR", T, float, double) {
  auto const seed = std::random_device{}();
  CAPTURE(seed);
  std::mt19937_64 random{seed};
  for (int kind = 0; kind < kinds; ++kind) {
    CAPTURE(kind);
    check_sum(random_vector<T>(kind, 1'000'000, random), 2);
  }
}

TEST_CASE_TEMPLATE("exact dot products and norms are those of MPFR", T, WARPFOLD_TEST_FLOATS) {
  auto const seed = std::random_device{}();
  CAPTURE(seed);
  std::mt19937_64 random{seed};
  for (int round = 0; round < 1000; ++round) {
    CAPTURE(round);
    std::size_t const size = random() % (round % 100 == 0 ? 3000 : 40);
    auto const x = random_vector<T>(round % kinds, size, random);
    auto const y = random_vector<T>(static_cast<int>(random() % kinds), size, random);
    check_products(x, y);
  }
}

// T. Ogita, S. M. Rump, S. Oishi, "Accurate sum and dot product", SIAM J. Sci. Comput. 26 (2005),
// algorithm 6.1: the first half spread over exponents, the second half cancels what came before.
TEST_CASE("exact dot products up to condition numbers of 1e32") {
  auto const seed = std::random_device{}();
  CAPTURE(seed);
  std::mt19937_64 random{seed};
  std::uniform_real_distribution<double> uniform{-1, 1};
  for (int digits = 8; digits <= 32; digits += 4)
    for (int round = 0; round < 20; ++round) {
      CAPTURE(digits);
      int const count = 50, bits = static_cast<int>(digits * std::log2(10.0) / 2);
      std::vector<double> x, y;
      mpfr_number sum;
      for (int i = 0; i < 2 * count; ++i) {
        int const exponent = i < count
                                 ? static_cast<int>(random() % static_cast<unsigned>(bits + 1))
                                 : bits - bits * (i - count) / (count - 1);
        double const a = std::ldexp(uniform(random), exponent);
        double const wanted = std::ldexp(uniform(random), exponent);
        double const b = i < count ? wanted : (wanted - sum.rounded<double>()) / a;
        x.push_back(a);
        y.push_back(b);
        sum.add_product(a, b);
      }
      check_products(x, y);
    }
}

TEST_CASE("roots are rounded right where they are exact, and halfway") {
  std::mt19937_64 random{8};
  for (int round = 0; round < 2000; ++round) {
    // Integers of 53 and 54 bits: the root of the square of the latter lies halfway.
    double const root = static_cast<double>(random() >> 11);
    double const odd = static_cast<double>((random() >> 10) | 1);
    wf::exact_product_accumulator<double> square, halfway;
    square.add(root, root);
    CHECK(square.finish_root<double>() == root);
    auto const high = static_cast<double>(static_cast<std::uint64_t>(odd) >> 1 << 1);
    mpfr_number reference;
    for (auto const& [a, b] :
         {std::pair{high, high}, std::pair{high, 1.0}, std::pair{high, 1.0}, std::pair{1.0, 1.0}}) {
      halfway.add(a, b);
      reference.add_product(a, b);
    }
    reference.take_root();
    CHECK(halfway.finish_root<double>() == reference.rounded<double>());
  }
}

TEST_CASE("sums below 0 have no root") {
  for (double const x : {-1.0, -1e10, -0x1p-1074}) {
    wf::exact_product_accumulator<double> sum;
    sum.add(x, 1);
    CHECK(std::isnan(sum.finish_root<double>()));
    CHECK(std::isnan(sum.finish_root<float>()));
    sum.add(-x, 1);
    CHECK(sum.finish_root<double>() == 0);
  }
  // What comes to 0 when it is rounded, in words that are not.
  for (float const x : {0x1p35F, -1.39214e6F}) {
    wf::exact_product_accumulator<float> none;
    float const y = x < 0 ? 1.673e7F : 1;
    for (int i = 0; i < 2; ++i) none.add(x, y);
    none.add(-2 * x, y);
    CHECK(none.finish_root<double>() == 0);
    CHECK(none.finish_root<float>() == 0);
  }
  wf::exact_product_accumulator<double> tiny; // rounds to -0
  tiny.add(-0x1p-1000, 0x1p-1000);
  CHECK(std::isnan(tiny.finish_root<double>()));
}

} // namespace exact_mpfr_test
