// Sums against exact ones from MPFR, of inputs as wild as they come.

#include "mpfr_number.hpp"
#include "twins.hpp"

#include <warpfold/twins/norms.hpp>

#include <algorithm>
#include <limits>

namespace compensated_mpfr_test {

using namespace test;
namespace wf = warpfold;

template <class T>
T element(double x) {
  return static_cast<T>(static_cast<accumulator_t<T>>(x));
}

/// One kind of input after the other. All are finite; some partial sums are not.
template <class T>
std::vector<T> wild_values(std::mt19937_64& random, std::size_t size, int kind) {
  using A = accumulator_t<T>;
  constexpr int highest = std::same_as<T, __half> ? 15 : std::numeric_limits<A>::max_exponent - 1;
  constexpr int lowest = std::same_as<T, double> ? -1074 : std::same_as<T, __half> ? -24 : -133;
  std::uniform_real_distribution<double> mantissa{-1, 1};
  auto const spread = [&](int low, int high) {
    std::uniform_int_distribution<int> exponent{std::max(low, lowest), std::min(high, highest)};
    return element<T>(std::ldexp(mantissa(random), exponent(random)));
  };
  std::vector<T> values(size);
  switch (kind) {
  case 0: // of like magnitude
    for (T& x : values) x = element<T>(mantissa(random));
    break;
  case 1: // of many magnitudes
  case 2: // of all: few digits of one meet another's
    for (T& x : values) x = kind == 1 ? spread(-20, 20) : spread(lowest, highest - 20);
    break;
  case 3: // subnormal numbers and those just above
    for (T& x : values) x = spread(lowest, lowest + 30);
    break;
  case 4: { // pairs that cancel but for little, shuffled
    for (std::size_t i = 0; i + 1 < size; i += 2) {
      values[i] = spread(-40, highest - 20);
      values[i + 1] =
          element<T>(-static_cast<double>(wide(values[i])) * (random() % 2 == 0 ? 1 : 1.001));
    }
    std::shuffle(values.begin(), values.end(), random);
    break;
  }
  case 5: { // every element takes away most of the sum so far: as ill-conditioned as can be
    mpfr_number sum;
    for (std::size_t i = 0; i < size; ++i) {
      values[i] = i < size / 2 ? spread(-60, highest - 20) : element<T>(-sum.rounded<double>());
      if (!std::isfinite(static_cast<double>(wide(values[i])))) values[i] = T{};
      sum.add(static_cast<double>(wide(values[i])));
    }
    std::shuffle(values.begin(), values.end(), random);
    break;
  }
  case 6: // next to overflow, of both signs
    for (T& x : values) x = spread(highest - 2, highest);
    break;
  default: // positive
    for (T& x : values) x = element<T>(0.1 + std::abs(mantissa(random)));
  }
  return values;
}
constexpr int kinds = 8, positive = 7;

template <class T>
void check_wild(unsigned seed, int rounds) {
  CAPTURE(seed);
  using A = accumulator_t<T>;
  constexpr bool is_compared = wf::detail::compared_measure<T, wf::detail::sum_and_bound<T>>;
  std::mt19937_64 random{seed};
  wf::host place(2);
  int bounded = 0, all = 0;
  for (int round = 0; round < rounds; ++round)
    for (int kind = 0; kind < kinds; ++kind) {
      CAPTURE(kind);
      std::size_t const size = round % 50 == 0 ? 20'000 + random() % 20'000 : random() % 600;
      CAPTURE(size);
      auto const values = wild_values<T>(random, size, kind);
      for_each_twin<is_compared>(place, [&](auto... twin) {
        auto const got = wf::compensated_sum(place, values, twin...);
        ++all;
        if (!std::isfinite(got.value) || !std::isfinite(got.error_bound)) {
          // Only these may overflow on the way.
          CHECK((kind == 6 || std::same_as<T, __nv_bfloat16> || std::same_as<T, float>));
          CHECK_FALSE(got.error_bound < std::numeric_limits<A>::infinity());
          return;
        }
        ++bounded;
        mpfr_number off;
        for (T const x : values) off.add(static_cast<double>(wide(x)));
        off.add(-static_cast<double>(got.value));
        CHECK(off.is_within(static_cast<double>(got.error_bound)));
        // Not much more than what the last rounding may cost.
        if (kind == positive && sizeof...(twin) == 0)
          CHECK(got.error_bound <= std::numeric_limits<A>::epsilon() * 0.51F * got.value);
      });
    }
  CHECK(10 * bounded > 8 * all);
}

TEST_CASE_TEMPLATE("bounds of compensated sums of wild values hold", T, WARPFOLD_TEST_FLOATS) {
  check_wild<T>(141, std::same_as<T, double> ? 150 : 250);
}

} // namespace compensated_mpfr_test
