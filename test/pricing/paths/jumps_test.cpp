// Contracts on prices that jump: Merton's model against his series, Bates's against published and
// independent prices, forwards and variances.

#include "pricing/paths/jumps.hpp"

namespace jumps_test {

using namespace test;
using namespace test::contracts;

/// As many paths as make a case last about a second on a host.
template <class Place>
constexpr std::uint64_t some = many<Place> * 2;

struct in_series {
  char const* name;
  black_scholes model;
};
std::vector<in_series> const all_in_series{
    {"Merton", merton},
    {"often and small", merton_of(0.1, {12, 0.02, 0.05}, 0.02, 0.03)},
    {"rare and large", merton_of(0.15, {0.05, -0.7, 0.3}, 0.03)},
    {"rising", merton_of(0.25, {3, 0.1, 0.02}, -0.01)},
    {"of one size", merton_of(0.2, {0.7, -0.2, 0})},
    {"jumps alone", merton_of(0, {2, -0.05, 0.2}, 0.04)},
    {"to ruin", merton_of(0.3, {0.2, -1000, 0})},
    {"without an end", merton_of(0.2, {0.1, 0, 1})}};
/// Jumps that multiply the price, so that rare numbers of them matter: puts alone, as calls have no
/// variance to speak of.
std::vector<in_series> const all_multiplying{{"seven times", merton_of(0.2, {1, 2, 0})},
                                             {"twenty times", merton_of(0.2, {1, 3, 0})},
                                             {"of any size", merton_of(0.2, {1, 0, 2})}};

TEST_CASE("Merton's series") {
  // To 30 digits by mpmath.
  CHECK(merton_price(merton, 100, 1, settlement::call) ==
        doctest::Approx(12.76128859363).epsilon(1e-12));
  CHECK(merton_price(merton, 90, 1, settlement::put) ==
        doctest::Approx(4.308964391892).epsilon(1e-12));
  // Merton, Theory of rational option pricing (1973): ruin is a higher rate.
  CHECK(merton_price(merton_of(0.3, {0.2, -1000, 0}), 110, 2, settlement::call) ==
        doctest::Approx(merton_price(merton_of(0.3, {}, 0.25), 110, 2, settlement::call)));
}

EVERY_PLACE_OF("contracts in Merton's model have his series' prices", T, float, double) {
  double const times[] = {0.5, 2};
  std::vector<contract> book;
  for (double const t : times) {
    for (double const strike : {90., 100., 115.}) book.push_back({strike, t});
    book.push_back({90, t, settlement::put});
    book.push_back({0, t, settlement::forward});
  }
  for (in_series const& one : all_in_series)
    for (double const longest : {0., 0.05})
      for (bool const antithetic : {false, true}) {
        CAPTURE(one.name);
        CAPTURE(longest);
        CAPTURE(antithetic);
        auto const got = simulated<T>(place, one.model, book,
                                      {.paths = some<Place>,
                                       .times = times,
                                       .longest_step = longest,
                                       .seed = 11,
                                       .antithetic = antithetic});
        for (std::size_t i = 0; i < book.size(); ++i) {
          CAPTURE(i);
          double const exact =
              book[i].settlement == settlement::forward
                  ? 100 * std::exp(-one.model.dividend_yield.integral(book[i].expiry))
                  : merton_price(one.model, book[i].strike, book[i].expiry, book[i].settlement);
          CHECK(std::abs(z_score(got[i], exact)) < 4.5);
          CHECK(got[i].standard_error < 300 / std::sqrt(some<Place>));
        }
      }
}

EVERY_PLACE_OF("puts on prices that jump far have his series' prices", T, float, double) {
  for (in_series const& one : all_multiplying) {
    CAPTURE(one.name);
    auto const got = simulated<T>(place, one.model, contract{100, 1, settlement::put},
                                  {.paths = 4 * some<Place>, .steps = 1, .seed = 12});
    CHECK(std::abs(z_score(got, merton_price(one.model, 100, 1, settlement::put))) < 4.5);
    CHECK(got.standard_error < 60 / std::sqrt(some<Place>));
  }
}

struct quadrature {
  char const* name;
  heston model;
  double expiry;
  std::vector<double> strikes, prices; ///< of calls
};
/// M. Broadie, O. Kaya, Exact simulation of stochastic volatility and other affine jump diffusion
/// processes (2006) have 20.1642 for the model of D. Duffie, J. Pan, K. Singleton (2000). The
/// others: the inverse Fourier transform of Bates's characteristic function, to 30 digits by
/// mpmath.
std::vector<quadrature> const all_quadratures{
    {"Duffie, Pan and Singleton",
     bates_of(heston_of(0.008836, 3.99, 0.014, 0.27, -0.79, 0.0319),
              {0.11, std::log(0.88) - 0.15 * 0.15 / 2, 0.15}),
     5,
     {100},
     {20.16415458224}},
    {"ordinary", bates, 0.25, {80, 100, 120}, {21.00141249171, 5.51931588176, 0.2701732733453}},
    {"ordinary", bates, 1, {80, 100, 120}, {24.66909419149, 11.7844607872, 4.111820054533}},
    {"Lewis's model, often and rising",
     bates_of(lewis, {3, 0.05, 0.1}),
     1,
     {80, 100, 120},
     {27.92871844329, 17.77924830272, 10.96833540553}}};

EVERY_PLACE_OF("calls and puts in Bates's model", T, float, double) {
  constexpr double bias = 0.02; // of Heston's steps: docs/monte-carlo.md
  for (quadrature const& one : all_quadratures)
    for (bool const antithetic : {false, true}) {
      CAPTURE(one.name);
      CAPTURE(one.expiry);
      CAPTURE(antithetic);
      std::vector<contract> book;
      for (double const strike : one.strikes) book.push_back({strike, one.expiry});
      for (double const strike : one.strikes) book.push_back({strike, one.expiry, settlement::put});
      book.push_back({0, one.expiry, settlement::forward});
      double const times[] = {one.expiry};
      auto const got = simulated<T>(place, one.model, book,
                                    {.paths = some<Place>,
                                     .times = times,
                                     .longest_step = 1. / 16,
                                     .seed = 5,
                                     .antithetic = antithetic});
      double const discount = std::exp(-one.model.rate.integral(one.expiry));
      double const forward = 100 * std::exp(-one.model.dividend_yield.integral(one.expiry));
      std::size_t const n = one.strikes.size();
      for (std::size_t i = 0; i < n; ++i) {
        CAPTURE(i);
        double const call = one.prices[i], put = call - forward + one.strikes[i] * discount;
        CHECK(std::abs(got[i].value - call) < 4 * got[i].standard_error + bias);
        CHECK(std::abs(got[n + i].value - put) < 4 * got[n + i].standard_error + bias);
        CHECK(got[i].standard_error < 40 / std::sqrt(some<Place>));
      }
      CHECK(std::abs(z_score(got[2 * n], forward)) < 4.5);
    }
}

EVERY_PLACE_OF("realized variances of prices that jump", T, float, double) {
  constexpr int fixings = 24;
  for (black_scholes const& model : {merton, merton_of(0.1, {12, 0.02, 0.05}, 0.02, 0.03)}) {
    contract const variance{0, 1, settlement::forward, measure::realized_variance};
    auto const got =
        simulated<T>(place, model, variance, {.paths = some<Place>, .steps = fixings, .seed = 2});
    // The mean square of a return: its variance, and its squared mean.
    auto const [intensity, mean, deviation] = model.jumps;
    double const square = 0.5 * deviation * deviation, v = model.volatility.integral(1);
    double const mean_return = model.rate.integral(1) - model.dividend_yield.integral(1) -
                               v * v / 2 - intensity * std::expm1(mean + square) + intensity * mean;
    double const exact = v * v + intensity * (mean * mean + deviation * deviation) +
                         mean_return * mean_return / fixings;
    CHECK(std::abs(z_score(got, std::exp(-model.rate.integral(1)) * exact)) < 4);
    CHECK(got.standard_error < 0.1 * exact);
  }
}

} // namespace jumps_test
