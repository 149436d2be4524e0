// Value at risk and expected shortfall: by hand, against a sort and closed forms, and how often
// their errors hold.

#include "pricing/risk_forms.hpp"

#include <warpfold/pricing/black_scholes.hpp>
#include <warpfold/random.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <numbers>
#include <random>

namespace risk_test {

using namespace test;
using namespace warpfold;
namespace pricing = warpfold::pricing;
using pricing::risk_figures, pricing::risk_options;

constexpr double infinity = std::numeric_limits<double>::infinity();

/// A level as a decimal fraction, numerator / 1000.
struct decimal {
  std::uint64_t thousandths;
  [[nodiscard]] double value() const { return static_cast<double>(thousandths) / 1000; }
};

/// Probabilities of 0 to n successes, each by itself.
std::vector<long double> binomial_probabilities(std::size_t n, long double p) {
  std::vector<long double> all(n + 1);
  auto const size = static_cast<long double>(n);
  for (std::size_t i = 0; i <= n; ++i) {
    auto const k = static_cast<long double>(i);
    all[i] = std::exp(std::lgamma(size + 1) - std::lgamma(k + 1) - std::lgamma(size - k + 1) +
                      k * std::log(p) + (size - k) * std::log1p(-p));
  }
  return all;
}

/// By sorting: ranks in integers, the interval from all probabilities, the shortfall as the mean of
/// the largest share (Acerbi and Tasche), the error as Manistre and Hancock write it.
template <class T>
risk_figures expected(std::vector<T> losses, decimal level, double confidence) {
  std::ranges::sort(losses);
  std::size_t const n = losses.size(), rank = (level.thousandths * n + 999) / 1000;
  auto const at = [&](std::size_t r) { return static_cast<double>(losses[r - 1]); };
  risk_figures found{at(rank), -infinity, infinity, 0, infinity, n};

  auto const p = static_cast<long double>(level.thousandths) / 1000;
  static std::map<std::pair<std::size_t, std::uint64_t>, std::vector<long double>> known; // slow
  auto& probabilities = known[{n, level.thousandths}];
  if (probabilities.empty()) probabilities = binomial_probabilities(n, p);
  long double const tail = (1 - static_cast<long double>(confidence)) / 2 * (1 + 1e-11L);
  long double sum = 0;
  for (std::size_t r = 1; r <= n && (sum += probabilities[r - 1]) <= tail; ++r) found.lower = at(r);
  sum = 0;
  for (std::size_t s = n; s >= 1 && (sum += probabilities[s]) <= tail; --s) found.upper = at(s);

  auto const size = static_cast<long double>(n);
  long double above = 0, squares = 0;
  for (std::size_t r = rank + 1; r <= n; ++r) above += static_cast<long double>(losses[r - 1]);
  long double const var = found.value_at_risk;
  long double const shortfall =
      (above + (static_cast<long double>(rank) - p * size) * var) / (size * (1 - p));
  found.expected_shortfall = static_cast<double>(shortfall);
  if (rank == n) return found;
  // Variance of the tail, of which a part n (1 - p) - (n - rank) lies at the value at risk.
  for (std::size_t r = rank + 1; r <= n; ++r)
    squares += std::pow(static_cast<long double>(losses[r - 1]) - shortfall, 2.L);
  squares += (static_cast<long double>(rank) - p * size) * std::pow(var - shortfall, 2.L);
  long double const variance = squares / (size * (1 - p));
  found.standard_error = static_cast<double>(
      std::sqrt((variance + p * std::pow(shortfall - var, 2.L)) / ((size - 1) * (1 - p))));
  return found;
}

void check_close(risk_figures const& found, risk_figures const& wanted, double scale) {
  CHECK(found.value_at_risk == wanted.value_at_risk);
  CHECK(found.lower == wanted.lower);
  CHECK(found.upper == wanted.upper);
  CHECK(std::abs(found.expected_shortfall - wanted.expected_shortfall) <= 1e-13 * scale);
  if (wanted.standard_error == infinity) CHECK(found.standard_error == infinity);
  else CHECK(std::abs(found.standard_error - wanted.standard_error) <= 1e-12 * scale);
  CHECK(found.losses == wanted.losses);
}

FAST_EVERY_PLACE_OF("risk figures of few losses, by hand", T, float, double) {
  std::vector<T> ten{7, 1, 9, 3, 10, 5, 2, 8, 6, 4};
  // 0.8 of 10: the 8th; above it are 9 and 10. P(at most 4) = 0.0064, P(at most 5) = 0.033, P(10) =
  // 0.107: the 5th is the last one with less than 0.0064 below it, and 10 has no upper end.
  risk_figures found = figures(place, ten, {.level = 0.8});
  CHECK(found.value_at_risk == 8);
  CHECK(found.lower == 5);
  CHECK(found.upper == infinity);
  CHECK(found.expected_shortfall == doctest::Approx(9.5).epsilon(1e-15));
  // Excesses 1 and 2 of ten: variance (5 - 0.9) / 9, over 10 and 0.2.
  CHECK(found.standard_error == doctest::Approx(std::sqrt(4.1 / 9 / 10) / 0.2).epsilon(1e-14));
  CHECK(found.losses == 10);
  // 0.75 of 10 is between two: the 8th again, and half of it belongs to the tail.
  found = figures(place, ten, {.level = 0.75});
  CHECK(found.value_at_risk == 8);
  CHECK(found.expected_shortfall == doctest::Approx((9 + 10 + 0.5 * 8) / 2.5).epsilon(1e-15));
  // The median of five, with the least and the greatest: each end is missed with 1/32.
  std::vector<T> const five{30, 10, 50, 20, 40};
  found = figures(place, five, {.level = 0.5, .confidence = 0.9375});
  CHECK(found.value_at_risk == 30);
  CHECK(found.lower == 10);
  CHECK(found.upper == 50);
  found = figures(place, five, {.level = 0.5, .confidence = 0.94});
  CHECK(found.lower == -infinity);
  CHECK(found.upper == infinity);
  // And of up to 30, where it is 2^-n.
  std::vector<T> rising;
  for (int n = 1; n <= 30; ++n) {
    CAPTURE(n);
    rising.push_back(static_cast<T>(n));
    if (n == 1) continue; // and a confidence of 0
    found = figures(place, rising, {.level = 0.5, .confidence = 1 - std::ldexp(2, -n)});
    CHECK(found.lower == 1);
    CHECK(found.upper == n);
    found = figures(place, rising, {.level = 0.5, .confidence = 1 - std::ldexp(1.99, -n)});
    CHECK(found.lower == -infinity);
    CHECK(found.upper == infinity);
  }
  // An atom at the value at risk: of 8 equal losses 5.5 are below the level, 2.5 above.
  found = figures(place, std::vector<T>{0, 2, 2, 2, 2, 2, 2, 2, 2, 4}, {.level = 0.65});
  CHECK(found.value_at_risk == 2);
  CHECK(found.expected_shortfall == doctest::Approx((2.5 * 2 + 4) / 3.5).epsilon(1e-15));
  // Losses that are all equal have no error; of one loss nothing is known.
  found = figures(place, std::vector<T>(50, T(-3)), {.level = 0.9});
  CHECK(agree(found, {-3, -3, -3, -3, 0, 50}));
  found = figures(place, std::vector<T>{6}, {.level = 0.97});
  CHECK(agree(found, {6, -infinity, infinity, 6, infinity, 1}));
  // 0.07 of 100, which is more than 7 in doubles; and 0.29, which is less than 29.
  std::vector<T> hundred(100);
  for (std::size_t i = 0; i < 100; ++i) hundred[i] = static_cast<T>(i + 1);
  CHECK(figures(place, hundred, {.level = 0.07}).value_at_risk == 7);
  CHECK(figures(place, hundred, {.level = 0.29}).value_at_risk == 29);
  CHECK(figures(place, hundred, {.level = 0.0701}).value_at_risk == 8);
  for (double const tiny : {5e-324, 1e-300, 1e-17}) {
    found = figures(place, hundred, {.level = tiny});
    CHECK(found.value_at_risk == 1);
    CHECK(found.lower == -infinity);
    CHECK(found.upper == 1);
  }
  found = figures(place, hundred, {.level = 1 - 0x1p-53});
  CHECK(found.value_at_risk == 100);
  CHECK(found.lower == 100);
  CHECK(found.upper == infinity);
}

EVERY_PLACE_OF("risk figures against a sort", T, float, double) {
  unsigned const seed = 701;
  CAPTURE(seed);
  std::mt19937_64 random{seed};
  for (std::size_t const size : {1, 2, 31, 32, 33, 1000, 4099, 40'001, 1 << 17})
    for (bool const has_ties : {false, true}) {
      CAPTURE(size);
      CAPTURE(has_ties);
      std::vector<T> losses(size + 1);
      std::normal_distribution<double> normal(3, 10);
      for (T& x : losses) {
        double const loss = normal(random);
        x = static_cast<T>(has_ties ? std::round(loss / 4) : loss);
      }
      memory_of<Place, T> there(place, losses);
      auto const view = there.view(1, size); // of any alignment
      auto const sample = part_of(losses, 1, size);
      for (std::uint64_t const thousandths : {1, 70, 500, 975, 990, 999})
        for (double const confidence : {0.5, 0.95, 0.9999}) {
          if (size > 5000 && confidence != 0.95 && thousandths != 990) continue;
          decimal const level{thousandths};
          CAPTURE(thousandths);
          CAPTURE(confidence);
          risk_options const options{.level = level.value(), .confidence = confidence};
          check_close(figures<T>(place, view, options), expected(sample, level, confidence), 100);
        }
    }
}

// More losses than the memory of a gpu's workspace is for at first.
EVERY_PLACE("risk figures of many losses") {
  std::size_t const size = (1 << 23) + 5;
  std::vector<float> losses(size);
  random::uniform(host(), losses, {.seed = 702});
  risk_figures const found = figures(place, losses, {.level = 0.99});
  // The ends are 0.99 n -+ 1.96 sqrt(0.99 0.01 n), of which normal ranks are at most two apart.
  CHECK(agree(found, pricing::risk(host(1), losses, {.level = 0.99})));
  auto const rank_of = [&](double x) {
    auto const less = [limit = static_cast<float>(x)](float loss) { return loss < limit; };
    return static_cast<double>(std::ranges::count_if(losses, less));
  };
  double const n = static_cast<double>(size), apart = 1.959964 * std::sqrt(0.0099 * n);
  CHECK(std::abs(rank_of(found.value_at_risk) - 0.99 * n) < 2);
  CHECK(std::abs(rank_of(found.lower) - (0.99 * n - apart)) < 4);
  CHECK(std::abs(rank_of(found.upper) - (0.99 * n + apart)) < 4);
  CHECK(std::abs(found.expected_shortfall - 0.995) < 4 * found.standard_error);
}

/// The standard error of the value at risk that its interval of 95 % stands for.
double quantile_error(risk_figures const& found) {
  return (found.upper - found.lower) / (2 * 1.959963984540054);
}
void check_known(risk_figures const& found, double value_at_risk, double shortfall) {
  CHECK(std::abs(found.value_at_risk - value_at_risk) < 4 * quantile_error(found));
  CHECK(std::abs(found.expected_shortfall - shortfall) < 4 * found.standard_error);
}

EVERY_PLACE_OF("risk figures against closed forms", T, float, double) {
  std::size_t const size = 1 << 20;
  std::vector<T> normals(size);
  random::normal(host(), normals, {.seed = 703});
  double const z = 2.326347874040841; // Phi(z) = 0.99
  double const density = std::exp(-z * z / 2) / std::sqrt(2 * std::numbers::pi);
  risk_figures const normal = figures(place, normals, {.level = 0.99});
  check_known(normal, z, density / 0.01);
  // Asymptotic errors: sqrt(p (1 - p) / n) / density, and Manistre and Hancock's.
  double const n = size, es = density / 0.01, variance = 1 + z * es - es * es;
  CHECK(quantile_error(normal) == doctest::Approx(std::sqrt(0.0099 / n) / density).epsilon(0.05));
  CHECK(normal.standard_error ==
        doctest::Approx(std::sqrt((variance + 0.99 * (es - z) * (es - z)) / (0.01 * n)))
            .epsilon(0.03));

  std::vector<T> exponentials(size);
  random::uniform(host(), exponentials, {.seed = 704});
  for (T& u : exponentials) u = static_cast<T>(-std::log(static_cast<double>(u)));
  risk_figures const found = figures(place, exponentials, {.level = 0.975});
  check_known(found, std::log(40.), std::log(40.) + 1);
  CHECK(found.standard_error == doctest::Approx(std::sqrt(1.975 / (0.025 * n))).epsilon(0.03));
}

EVERY_PLACE("risk figures of a short option over ten days") {
  // A call at 100 on 100, a quarter of a year, volatility 0.3, rate and drift 0.02. The loss rises
  // with the spot, so its quantile is the price's at the spot's quantile; the shortfall is an
  // integral by quadrature in 30 digits.
  std::size_t const size = 1 << 20;
  double const days = 10. / 252, volatility = 0.3, drift = 0.02;
  std::vector<double> spots(size), now(1), later(size);
  random::normal(host(), spots, {.seed = 705});
  for (double& z : spots)
    z = 100 *
        std::exp((drift - volatility * volatility / 2) * days + volatility * std::sqrt(days) * z);
  std::vector<double> const spot{100};
  auto const price = [&](std::vector<double> const& at, double expiry, std::vector<double>& to) {
    pricing::host_book<double> const book{
        .spot = at, .strike = 100, .expiry = expiry, .volatility = volatility, .rate = 0.02};
    pricing::price(host(), book, {.call = to});
  };
  price(spot, 0.25, now);
  price(spots, 0.25 - days, later);
  for (double& x : later) x -= now[0];
  check_known(figures(place, later, {.level = 0.99}), 10.151717009, 12.262057406);
}

TEST_CASE("intervals of the value at risk hold it as often as they say") {
  unsigned const seed = 706;
  CAPTURE(seed);
  std::mt19937_64 random{seed};
  std::exponential_distribution<double> exponential;
  constexpr std::size_t size = 300, samples = 4000;
  double const truth = std::log(10.);
  double below = 0, above = 0; // samples whose interval lies there
  std::vector<double> losses(size);
  for (std::size_t i = 0; i < samples; ++i) {
    for (double& x : losses) x = exponential(random);
    risk_figures const found = pricing::risk(host(1), losses, {.level = 0.9});
    below += found.upper < truth;
    above += found.lower > truth;
  }
  // The exact probabilities of both misses: at most 0.025, and not far below.
  auto const probabilities = binomial_probabilities(size, 0.9L);
  auto const miss = [&](bool from_above) {
    double sum = 0, missed = 0;
    for (std::size_t k = 0; k <= size; ++k) {
      sum += static_cast<double>(probabilities[from_above ? size - k : k]);
      if (sum <= 0.025) missed = sum;
    }
    return missed;
  };
  for (auto const& [missed, exact] :
       {std::pair(above, miss(false)), std::pair(below, miss(true))}) {
    CHECK(exact > 0.01);
    double const deviation = std::sqrt(samples * exact * (1 - exact));
    CHECK(std::abs(missed - samples * exact) < 4 * deviation);
  }
}

TEST_CASE("the shortfall's error is that of repeated samples") {
  unsigned const seed = 707;
  CAPTURE(seed);
  std::mt19937_64 random{seed};
  std::exponential_distribution<double> exponential;
  constexpr std::size_t size = 4000, samples = 1500;
  double const truth = std::log(10.) + 1;
  double held = 0, sum = 0, squares = 0, errors = 0;
  std::vector<double> losses(size);
  for (std::size_t i = 0; i < samples; ++i) {
    for (double& x : losses) x = exponential(random);
    risk_figures const found = pricing::risk(host(1), losses, {.level = 0.9});
    double const off = found.expected_shortfall - truth;
    held += std::abs(off) < 1.959964 * found.standard_error;
    sum += off;
    squares += off * off;
    errors += found.standard_error;
  }
  // 0.95 with a standard deviation of 0.0056; a little less, as the distribution is skewed.
  CHECK(held / samples > 0.92);
  CHECK(held / samples < 0.975);
  double const deviation = std::sqrt((squares - sum * sum / samples) / (samples - 1));
  CHECK(errors / samples == doctest::Approx(deviation).epsilon(0.08)); // of which 0.018 is one s.d.
}

} // namespace risk_test
