// Pricing by simulation: sums, counts and errors against loops of our own, values against Black and
// Scholes, twins, and what is refused.

#include "monte_carlo.hpp"

#include <warpfold/detail/pricing/estimate.hpp>

#include <limits>
#include <string>

namespace monte_carlo_test {

using namespace test;
using namespace test::pricing;

/// The definition, from the same normals, in double.
template <class T>
estimate defined(european<T> const& of, std::uint64_t paths, warpfold::detail::address from,
                 double quantile) {
  auto const [s, x, t, v, r, q] = converted<double>(of.terms);
  double sum = 0, squares = 0;
  std::uint64_t paying = 0;
  for (std::uint64_t i = 0; i < paths; ++i) {
    double const z = normal_of<T>(from, i);
    double const final = s * std::exp((r - q - v * v / 2) * t + v * std::sqrt(t) * z);
    double const worth = of.kind == option_kind::call ? final - x : x - final;
    double const payoff = std::exp(-r * t) * std::max(worth, 0.);
    sum += payoff;
    squares += payoff * payoff;
    paying += worth >= 0;
  }
  double const n = static_cast<double>(paths), mean = sum / n;
  double const error = std::sqrt((squares - mean * sum) / (n - 1) / n);
  return {mean,   error,       mean - quantile * error, mean + quantile * error, paths,
          paying, paying < 100};
}

FAST_EVERY_PLACE_OF("simulated values are what they are defined to be", T, float, double) {
  double const close = sizeof(T) == 4 ? 1e-6 : 1e-13;
  struct run {
    std::size_t size;
    std::uint64_t paths;
    bool independent;
  };
  for (run const& one : {run{1, 1, false},
                         {1, 3, false},
                         {2, 511, false},
                         {3, 512, true},
                         {5, 4097, false},
                         {9, 2050, true},
                         {63, 1000, false},
                         {129, 513, false},
                         {200, 9001, false},
                         {300, 4500, true},
                         {4, 70'001, false}}) {
    std::size_t const size = one.size;
    std::uint64_t const paths = one.paths;
    bool const independent = one.independent;
    INFO(size << " options, " << paths << " paths, independent: " << independent);
    auto const options = random_europeans<T>(size, 6);
    simulated<Place, T> book(place, options);
    std::uint64_t const seed = 0x1234'5678'9abc'def0;
    auto const got = book.values(
        {.paths = paths, .seed = seed, .stream = 7, .confidence = 0.9, .independent = independent});
    for (std::size_t i = 0; i < size; ++i) {
      CAPTURE(i);
      auto const expected =
          defined(options[i], paths, {seed, 7 + (independent ? i : 0)}, 1.6448536269514729);
      double const scale = static_cast<double>(options[i].terms.strike);
      CHECK(std::abs(got[i].value - expected.value) < close * scale);
      CHECK(got[i].paths == expected.paths);
      CHECK(paying_apart(got[i], expected) <= (sizeof(T) == 4 ? 1 : 0));
      CHECK(got[i].too_few_paid == (got[i].paying < 100));
      if (paths == 1) {
        CHECK(std::isinf(got[i].standard_error));
        continue;
      }
      CHECK(std::abs(got[i].standard_error - expected.standard_error) < 2 * close * scale);
      CHECK(std::abs(got[i].lower - expected.lower) < 4 * close * scale);
      CHECK(std::abs(got[i].upper - expected.upper) < 4 * close * scale);
      if (independent && i > 40) break; // the loop here is slow
    }
  }
}

/// So many of a thousand intervals of 95, 99 and 99.9 % hold the price: fewer than they say, since
/// the means of replicates are skewed.
void check_sobol_coverage(int replicates, std::array<int, 3> const& least) {
  host place;
  warpfold::pricing::option<double> const terms{100, 100, 1, 0.3, 0.05, 0};
  europeans<double> const options{{option_kind::call, terms}, {option_kind::put, terms}};
  simulated<host, double> book(place, options);
  std::array<std::array<int, 3>, 2> inside{};
  auto const reach = [&](double p) {
    return warpfold::detail::student_quantile(p, replicates - 1);
  };
  double const reaches[] = {reach(0.95), reach(0.99), reach(0.999)};
  auto const paths = static_cast<std::uint64_t>(replicates) * 256;
  for (std::uint64_t seed = 0; seed < 1000; ++seed) {
    auto const got = book.values(
        {.paths = paths, .seed = seed, .sampling = sampling::sobol, .replicates = replicates});
    for (std::size_t i = 0; i < 2; ++i) {
      double const away = std::abs(got[i].value - exact_of(options[i]).mean);
      for (std::size_t k = 0; k < 3; ++k)
        inside[i][k] += away <= reaches[k] * got[i].standard_error;
    }
  }
  for (auto const& counts : inside)
    for (std::size_t k = 0; k < 3; ++k) CHECK(counts[k] >= least[k]);
}

TEST_CASE("host: intervals of Sobol sequences hold the price as often as is written") {
  check_sobol_coverage(8, {880, 940, 970});
  check_sobol_coverage(32, {910, 960, 980});
  check_sobol_coverage(128, {925, 975, 990});
}

// 95 % intervals hold Black and Scholes's price in 93 to 97 % of a thousand simulations.
EVERY_PLACE("confidence intervals hold the price as often as they say") {
  europeans<float> options;
  for (float const strike : {90.F, 100.F, 110.F})
    for (option_kind const kind : {option_kind::call, option_kind::put})
      options.push_back({kind, {100, strike, 1, 0.2F, 0.05F, 0}});
  simulated<Place, float> book(place, options);
  std::vector<int> inside(options.size());
  auto const paths = on<Place, std::uint64_t>(4096, 1 << 16);
  for (std::uint64_t seed = 1000; seed < 2000; ++seed) {
    auto const got = book.values({.paths = paths, .seed = seed});
    for (std::size_t i = 0; i < options.size(); ++i)
      inside[i] += holds(got[i], exact_of(options[i]).mean);
  }
  for (int const count : inside) check_coverage_of_95(count);
}

// The deviation of the discounted payoff of S = X = 100, r = 0.05, v = 0.2, T = 1.
EVERY_PLACE("the deviation of a payoff is estimated") {
  europeans<double> const options{{option_kind::call, {100, 100, 1, 0.2, 0.05, 0}}};
  CHECK(exact_of(options[0]).deviation == doctest::Approx(14.719404091).epsilon(1e-10));
  simulated<Place, double> book(place, options);
  auto const paths = on<Place, std::uint64_t>(1 << 22, std::uint64_t{1} << 32);
  auto const got = book.values({.paths = paths, .seed = 3});
  CHECK(got[0].standard_error * std::sqrt(static_cast<double>(paths)) ==
        doctest::Approx(14.719404091).epsilon(on<Place>(3e-3, 1e-4)));
}

// Two options of the course, as the generator of its book makes them: options 1 and 2 of
// S 5 ... 50, X 10 ... 25, T 1 ... 5 by the C library's rand after srand(123). It printed 6.621852
// and 8.976007, and simulated 6.621926 and 8.976083 with 200 million paths.
EVERY_PLACE("the course's options by simulation") {
  europeans<float> const options{
      {option_kind::call, {20.6853409F, 15.4241409F, 1.53855467F, 0.1F, 0.06F, 0}},
      {option_kind::call, {21.9185619F, 13.8898239F, 1.17726505F, 0.1F, 0.06F, 0}}};
  CHECK(std::abs(exact_of(options[0]).mean - 6.621852) < 2e-6);
  CHECK(std::abs(exact_of(options[1]).mean - 8.976007) < 3e-6);
  simulated<Place, float> book(place, options);
  auto const paths = on<Place, std::uint64_t>(1 << 20, 200'000'000);
  auto const got = book.values({.paths = paths, .seed = 2008});
  for (std::size_t i = 0; i < options.size(); ++i)
    CHECK(std::abs(z_score(got[i], exact_of(options[i]).mean)) < 4);
  MESSAGE("the course's options by " << paths << " paths: " << got[0].value << " and "
                                     << got[1].value);
}

FAST_EVERY_PLACE_OF("simulated options at their limits", T, float, double) {
  T const inf = std::numeric_limits<T>::infinity(), nan = std::numeric_limits<T>::quiet_NaN();
  double const none = std::nan("");
  struct row {
    option_kind kind;
    option<T> terms;
    double value;
    double near = 1e-4;
  };
  constexpr auto call = option_kind::call, put = option_kind::put;
  row const rows[] = {{call, {100, 90, 1, 0, 0, 0}, 10},
                      {put, {100, 90, 1, 0, 0, 0}, 0},
                      {put, {90, 100, 0, T(0.2), 1, 0}, 10},
                      {call, {0, 90, 1, T(0.2), 0, 0}, 0},
                      {put, {0, 90, 1, T(0.2), 0, 0}, 90},
                      {call, {100, 0, 1, T(0.2), 0, 0}, 100, 0.4},
                      {put, {100, 0, 1, T(0.2), 0, 0}, 0},
                      {call, {0, 0, 1, T(0.2), 0, 0}, 0},
                      {put, {0, 0, 1, T(0.2), 0, 0}, 0},
                      {call, {nan, 90, 1, T(0.2), 0, 0}, none},
                      {call, {100, -1, 1, T(0.2), 0, 0}, none},
                      {put, {100, 90, inf, T(0.2), 0, 0}, none},
                      {put, {100, 90, 1, nan, 0, 0}, none},
                      {put, {100, 90, 1, T(0.2), inf, 0}, none},
                      {call, {100, 90, 1, 0, 0, 0}, 10},
                      {static_cast<option_kind>(2), {100, 90, 1, T(0.2), 0, 0}, none},
                      {static_cast<option_kind>(255), {100, 90, 1, T(0.2), 0, 0}, none},
                      // Almost all paths end far below so small a strike.
                      {put, {100, 0, 4, 5, 0, 0}, 0, 1e-300},
                      {put, {100, T(1e-8), 4, 5, 0, 0}, 0.995e-8, 0.005e-8}};
  europeans<T> options;
  for (row const& one : rows) options.push_back({one.kind, one.terms});
  simulated<Place, T> book(place, options);
  for (simulation const by : simulations<Place>()) {
    CAPTURE(std::string(to_string(by)));
    auto const got = book.values({.paths = 1 << 16, .seed = 5}, by);
    for (std::size_t i = 0; i < options.size(); ++i) {
      CAPTURE(i);
      if (std::isnan(rows[i].value)) CHECK(std::isnan(got[i].value));
      else CHECK(std::abs(got[i].value - rows[i].value) < rows[i].near);
    }
    CHECK(got[1].paying == 0);
    CHECK(got[1].too_few_paid);
    CHECK(got[0].paying == 1 << 16);
  }
  // What has no value has no Greeks.
  for (auto const& column : book.all({.paths = 1 << 10}))
    for (std::size_t i = 0; i < options.size(); ++i)
      if (std::isnan(rows[i].value)) CHECK(std::isnan(column[i].value));
  // Nor with reduced variances.
  auto const reduced = book.values(
      {.paths = 1 << 10, .antithetic = true, .control_variate = true, .importance = true});
  for (std::size_t i = 0; i < options.size(); ++i)
    CHECK(std::isnan(rows[i].value) == std::isnan(reduced[i].value));
}

FAST_EVERY_PLACE_OF("paths that all end at the strike do not pay", T, float, double) {
  europeans<T> options;
  for (auto const kind : {option_kind::call, option_kind::put}) {
    options.push_back({kind, {100, 100, 1, 0, 0, 0}});
    options.push_back({kind, {100, 100, 0, T(0.2), T(0.1), 0}});
    options.push_back({kind, {0, 0, 1, T(0.2), 0, 0}});
    options.push_back({kind, {100, kind == option_kind::call ? T(99) : T(101), 1, 0, 0, 0}});
  }
  simulated<Place, T> book(place, options);
  std::vector<std::vector<estimate>> all;
  for (simulation const by : simulations<Place>()) all.push_back(book.values({.paths = 1000}, by));
  for (bool const antithetic : {false, true})
    for (bool const other : {false, true}) {
      all.push_back(
          book.values({.paths = 1000, .antithetic = antithetic, .control_variate = other}));
      all.push_back(book.values({.paths = 1000, .antithetic = antithetic, .importance = other}));
      all.push_back(book.all({.paths = 1000, .antithetic = antithetic})[0]);
    }
  all.push_back(book.values({.paths = 1000, .standard_error = 1e-9}));
  for (std::size_t way = 0; way < all.size(); ++way)
    for (std::size_t i = 0; i < options.size(); ++i) {
      CAPTURE(way);
      CAPTURE(i);
      bool const pays = i % 4 == 3;
      CHECK(all[way][i].value == doctest::Approx(pays ? 1 : 0).epsilon(1e-4));
      CHECK(all[way][i].paying == (pays ? 1000 : 0));
      CHECK(all[way][i].too_few_paid == !pays);
    }
}

// An option that one path in ten thousand pays for has its flag at first, and not later.
FAST_EVERY_PLACE("a simulation says when too few paths paid") {
  europeans<float> const options{{option_kind::call, {100, 210, 1, 0.2F, 0, 0}},
                                 {option_kind::call, {100, 100, 1, 0.2F, 0, 0}}};
  simulated<Place, float> book(place, options);
  auto const few = book.values({.paths = 1 << 14}), many = book.values({.paths = 1 << 22});
  CHECK(few[0].too_few_paid);
  CHECK_FALSE(few[1].too_few_paid);
  CHECK_FALSE(many[0].too_few_paid);
}

// Options that do not combine; the rest stands in refusals_pricing_test.cpp.
FAST_EVERY_PLACE("bad simulations are refused") {
  simulated<Place, float> book(place, random_europeans<float>(5, 1));
  using options = european_simulation_options;
  auto const refuses = [&](char const* argument, options const& how,
                           simulation by = simulation::fused) {
    CHECK(refused_by([&] { book.values(how, by); }) == argument);
  };
  for (simulation const by : {simulation::stored, simulation::vendor, simulation::block_reduce,
                              simulation::blocks_reduce}) {
    for (options const& how : {options{.independent = true},
                               {.control_variate = true},
                               {.importance = true},
                               {.sampling = sampling::sobol}})
      refuses("twin", how, by);
    if (std::same_as<Place, host> && by >= simulation::block_reduce)
      refuses("twin", {.paths = 9}, by);
  }
  refuses("options.antithetic", {.antithetic = true, .sampling = sampling::sobol});
  refuses("options.control_variate", {.control_variate = true, .sampling = sampling::sobol});
  refuses("options.standard_error", {.sampling = sampling::sobol, .standard_error = 1});
  for (int const replicates : {-1, 7, 31, 1 << 20})
    refuses("options.replicates", {.sampling = sampling::sobol, .replicates = replicates});
  auto const right = book.book;
  book.book.spot = std::numeric_limits<float>::quiet_NaN();
  refuses("book.spot", {.paths = 9});
  book.book = right;
  CHECK(refused_by([&] {
          simulate(place, book.book, {.delta = book.to.delta}, {.control_variate = true});
        }) == "options.control_variate");
  for (estimate const& one : book.results(0)) CHECK(same_estimate(one, {}));
  if constexpr (std::same_as<Place, gpu>) {
    auto const refuses_async = [&](char const* argument, options const& how,
                                   simulation by = simulation::fused) {
      CHECK(refused_by([&] {
              simulate_async(place, book.book, {.value = book.to.value}, by, how);
            }) == argument);
    };
    refuses_async("options.standard_error", {.standard_error = 1});
    refuses_async("twin", {}, simulation::vendor);
    refuses_async("place", {.paths = std::uint64_t{1} << 32}, simulation::stored);
  }
}

TEST_CASE("host: quantiles of intervals") {
  // Abramowitz and Stegun, tables 26.1 and 26.10; others of those of Student's by mpmath.
  using warpfold::detail::student_quantile, warpfold::detail::two_sided_quantile;
  CHECK(two_sided_quantile(0.95) == doctest::Approx(1.959963984540054).epsilon(1e-14));
  CHECK(two_sided_quantile(0.5) == doctest::Approx(0.674489750196082).epsilon(1e-14));
  CHECK(two_sided_quantile(0.999) == doctest::Approx(3.290526731491895).epsilon(1e-14));
  CHECK(two_sided_quantile(1e-9) == doctest::Approx(1.2533141373155003e-9).epsilon(1e-6));
  CHECK(student_quantile(0.95, 1) == doctest::Approx(12.706205).epsilon(1e-7));
  CHECK(student_quantile(0.95, 7) == doctest::Approx(2.3646243).epsilon(1e-7));
  CHECK(student_quantile(0.95, 31) == doctest::Approx(2.0395134).epsilon(1e-7));
  CHECK(student_quantile(0.99, 10) == doctest::Approx(3.1692727).epsilon(1e-7));
  // Abramowitz and Stegun, 26.7.5
  double const z = two_sided_quantile(0.95);
  for (int const freedom : {8191, 65'535, 1 << 20}) {
    CAPTURE(freedom);
    double const expected = z + (z * z * z + z) / (4. * freedom);
    CHECK(student_quantile(0.95, freedom) == doctest::Approx(expected).epsilon(1e-7));
  }
}

TEST_SUITE("gpu") {
  // With the payoff's exact deviation: the estimated one is not independent of the value.
  TEST_CASE("simulations of 2^40 paths in all are unbiased") {
    gpu place;
    auto const options = random_europeans<float>(256, 17);
    simulated<gpu, float> book(place, options);
    for (int const log2_paths : {26, 32}) {
      CAPTURE(log2_paths);
      std::uint64_t const paths = std::uint64_t{1} << log2_paths;
      auto const got = book.values({.paths = paths, .seed = 2026 + paths, .independent = true});
      std::vector<double> z;
      for (std::size_t i = 0; i < options.size(); ++i) {
        auto const exact = exact_of(options[i]);
        z.push_back((got[i].value - exact.mean) / exact.deviation * std::sqrt(double(paths)));
      }
      CHECK(kolmogorov_smirnov(z) < 1.63);
      auto const [least, most] = std::minmax_element(z.begin(), z.end());
      CHECK(std::abs(*most) < 4.5);
      CHECK(std::abs(*least) < 4.5);
      MESSAGE("2^" << log2_paths << " paths an option: KS " << kolmogorov_smirnov(z) << ", z from "
                   << *least << " to " << *most);
    }
  }
} // TEST_SUITE

} // namespace monte_carlo_test
