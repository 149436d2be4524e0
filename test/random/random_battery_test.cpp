// The distribution of random numbers: all bins of a histogram at once
// (chi-square), the largest distance of the distribution functions (Kolmogorov and Smirnov), four
// moments, the extremes, and what neighbours have to do with each other.

#include "contents.hpp"
#include "gpu.hpp"

#include <warpfold/random.hpp>

#include <algorithm>

namespace random_battery_test {

using namespace test;
using warpfold::gpu;
using warpfold::host;
using warpfold::random::normal_method;

struct law {
  double lower, upper;
  double (*below)(double); ///< the distribution function
  double raw_moments[9];   ///< of the powers 0 ... 8
};
double normal_below(double x) { return std::erfc(-x / std::sqrt(2.)) / 2; }
constexpr law normal_law{-8, 8, normal_below, {1, 0, 1, 0, 3, 0, 15, 0, 105}};
constexpr law uniform_law{0,
                          1,
                          [](double x) { return x; },
                          {1, 1. / 2, 1. / 3, 1. / 4, 1. / 5, 1. / 6, 1. / 7, 1. / 8, 1. / 9}};

/// Statistics of all samples so far.
struct evidence {
  static constexpr int bins = 4096;
  static constexpr int lags = 8;
  std::vector<std::uint64_t> counts = std::vector<std::uint64_t>(bins);
  std::uint64_t size = 0;
  double powers[5] = {};
  double min = 1e9, max = -1e9;
  double products[lags + 1] = {}; ///< of centred samples with those k places after them
  double pairs = 0;               ///< that each of them is made of

  template <class T>
  void add(warpfold::description<T> const& d) {
    auto const n = static_cast<double>(d.count);
    double const m = d.mean;
    powers[1] += n * m;
    powers[2] += d.m2 + n * m * m;
    powers[3] += d.m3 + 3 * m * d.m2 + n * m * m * m;
    powers[4] += d.m4 + 4 * m * d.m3 + 6 * m * m * d.m2 + n * m * m * m * m;
    min = std::min(min, static_cast<double>(d.min));
    max = std::max(max, static_cast<double>(d.max));
    size += d.count;
  }
};

/// Chi-square as a standard normal: E. B. Wilson, M. M. Hilferty, The distribution of chi-square,
/// PNAS 17, 1931.
double normal_score(double chi_square, double freedom) {
  double const a = 2 / (9 * freedom);
  return (std::cbrt(chi_square / freedom) - (1 - a)) / std::sqrt(a);
}

void check_evidence(evidence const& all, law const& of) {
  auto const n = static_cast<double>(all.size);
  double chi_square = 0, freedom = -1, distance = 0;
  double expected = 0, got = 0, total = n * of.below(of.lower), seen = 0;
  CHECK(total < 1);
  double const width = (of.upper - of.lower) / evidence::bins;
  for (int i = 0; i < evidence::bins; ++i) {
    double const a = of.lower + i * width, b = a + width;
    // In the upper tail the difference of two numbers near 1 would lose its digits.
    double const p =
        a > 0 && of.lower < 0 ? of.below(-a) - of.below(-b) : of.below(b) - of.below(a);
    expected += n * p;
    total += n * p;
    auto const count = static_cast<double>(all.counts[static_cast<std::size_t>(i)]);
    got += count;
    seen += count;
    distance = std::max(distance, std::abs(seen - total));
    if (expected < 20) continue; // together with the next
    chi_square += (got - expected) * (got - expected) / expected;
    freedom += 1;
    expected = got = 0;
  }
  CHECK(seen == n);
  double const score = normal_score(chi_square, freedom), ks = distance / std::sqrt(n);
  CAPTURE(chi_square);
  CAPTURE(freedom);
  CHECK(std::abs(score) < 4.5);
  // Beyond with probability 2 exp(-2 x^2), 2e-7.
  CHECK(ks < 2.85);
  CHECK(ks > 0.2);
  std::string scores;
  for (int k = 1; k <= 4; ++k) {
    double const mean = of.raw_moments[k];
    double const spread = std::sqrt((of.raw_moments[2 * k] - mean * mean) / n);
    double const z = (all.powers[k] / n - mean) / spread;
    CAPTURE(k);
    CHECK(std::abs(z) < 5);
    (scores += ' ') += std::to_string(z);
  }
  double const variance = of.raw_moments[2] - of.raw_moments[1] * of.raw_moments[1];
  std::string lagged;
  for (int k = 1; k <= evidence::lags; ++k) {
    double const z = all.products[k] / variance / std::sqrt(all.pairs);
    CAPTURE(k);
    CHECK(std::abs(z) < 5);
    (lagged += ' ') += std::to_string(z);
  }
  MESSAGE(all.size << " samples: chi-square " << score << ", KS " << ks << ", moments" << scores
                   << ", lags" << lagged << ", from " << all.min << " to " << all.max);
}

/// Parts of `size` samples each, as `make(array, part)` makes them.
template <class T, class Place, class Make>
void check_law(Place& place, law const& of, std::size_t size, int parts, Make make) {
  evidence all;
  auto array = [&] {
    if constexpr (std::same_as<Place, gpu>) return warpfold::device_buffer<T>(place, size);
    else return std::vector<T>(size);
  }();
  view_t<Place, T> const out(array);
  double const mean = of.raw_moments[1];
  for (int part = 0; part < parts; ++part) {
    make(out, static_cast<std::uint64_t>(part));
    auto const counts = warpfold::histogram(
        place, out, {evidence::bins, static_cast<T>(of.lower), static_cast<T>(of.upper)});
    for (std::size_t i = 0; i < counts.size(); ++i) all.counts[i] += counts[i];
    auto const described = warpfold::describe(place, out);
    REQUIRE(described.nan_count == 0);
    all.add(described);
    for (std::size_t k = 1; k <= evidence::lags; ++k) {
      auto const x = out.subspan(0, size - evidence::lags), y = out.subspan(k, x.size());
      // Sum of (x - mean) (y - mean); what the ends miss of the means is below what can be seen.
      auto const n = static_cast<double>(x.size());
      double const around = mean == 0 ? 0 : mean * (2 * described.mean - mean) * n;
      all.products[k] += warpfold::dot<double>(place, x, y) - around;
    }
    all.pairs += static_cast<double>(size - evidence::lags);
  }
  check_evidence(all, of);
}

/// `parts` consecutive arrays of one sequence.
template <class T, class Place>
void check_normals(Place& place, std::size_t size, int parts, normal_method method) {
  check_law<T>(place, normal_law, size, parts, [&](auto out, std::uint64_t part) {
    warpfold::random::normal(place, out, {.seed = 2026, .offset = part * size, .method = method});
  });
}
/// `parts` streams, each from its beginning.
template <class T, class Place>
void check_normals_of_streams(Place& place, std::size_t size, int parts) {
  check_law<T>(place, normal_law, size, parts, [&](auto out, std::uint64_t part) {
    warpfold::random::normal(place, out, {.seed = 2027, .stream = part});
  });
}
template <class T, class Place>
void check_uniforms(Place& place, std::size_t size, int parts) {
  check_law<T>(place, uniform_law, size, parts, [&](auto out, std::uint64_t part) {
    warpfold::random::uniform(place, out, {.seed = 2028, .offset = part * size});
  });
}

TEST_CASE_TEMPLATE("host: random numbers have their distribution", T, float, double) {
  host place;
  check_uniforms<T>(place, 1 << 20, 4);
  check_normals<T>(place, 1 << 20, 4, normal_method::box_muller);
  check_normals<T>(place, 1 << 20, 4, normal_method::inverse);
  check_normals_of_streams<T>(place, 1 << 14, 64);
}

// A test that nothing fails proves nothing.
TEST_CASE("host: the battery sees what is wrong with numbers") {
  host place;
  // Sums of four uniform numbers, scaled: moments of a normal up to the third.
  std::vector<double> u(4 << 20), sums(1 << 20);
  warpfold::random::uniform(place, u, {.seed = 1});
  for (std::size_t i = 0; i < sums.size(); ++i)
    sums[i] = (u[4 * i] + u[4 * i + 1] + u[4 * i + 2] + u[4 * i + 3] - 2) * std::sqrt(3.);
  auto const counts = warpfold::histogram(place, sums, {evidence::bins, -8., 8.});
  double chi_square = 0;
  for (int i = 0; i < evidence::bins; ++i) {
    double const a = -8 + i / 256.;
    double const expected = (normal_below(a + 1 / 256.) - normal_below(a)) * (1 << 20);
    if (expected < 20) continue;
    double const off = static_cast<double>(counts[static_cast<std::size_t>(i)]) - expected;
    chi_square += off * off / expected;
  }
  CHECK(normal_score(chi_square, 1800) > 15);
}

TEST_SUITE("gpu") {

  TEST_CASE("10^10 normals have their distribution") {
    gpu place;
    check_normals<float>(place, std::size_t{1} << 28, 38, normal_method::box_muller);
  }
  TEST_CASE("10^10 uniform numbers have their distribution") {
    gpu place;
    check_uniforms<float>(place, std::size_t{1} << 28, 38);
  }
  TEST_CASE("normals of doubles, by the inverse and of many streams have their distribution") {
    gpu place;
    check_normals<double>(place, std::size_t{1} << 27, 8, normal_method::box_muller);
    check_normals<double>(place, std::size_t{1} << 27, 8, normal_method::inverse);
    check_normals<float>(place, std::size_t{1} << 28, 4, normal_method::inverse);
    check_uniforms<double>(place, std::size_t{1} << 27, 8);
    check_normals_of_streams<float>(place, std::size_t{1} << 20, 1000);
  }

} // TEST_SUITE

} // namespace random_battery_test
