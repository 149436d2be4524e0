// Greeks by simulation, on either place, against closed forms and independent derivatives, and how
// honest their errors are.

#include "pricing/greeks/greeks.hpp"

namespace greeks_test {

using namespace test;
using namespace test::greeks;
namespace pricing = warpfold::pricing;

EVERY_PLACE_OF("Greeks of calls and puts are Black and Scholes's", T, float, double) {
  std::vector<double> const times{0.25, 1};
  std::vector<contract> book;
  for (double const t : times)
    for (double const strike : {85., 100., 120.})
      for (settlement const kind : {settlement::call, settlement::put})
        book.push_back({strike, t, kind});
  formula const of;
  for (bool const antithetic : {false, true}) {
    CAPTURE(antithetic);
    auto const got = greeks_of<T>(
        place, of.model(), book,
        {.paths = 2 * many<Place>, .times = times, .seed = 2, .antithetic = antithetic});
    for (std::size_t i = 0; i < book.size(); ++i) {
      CAPTURE(i);
      auto const exact = of.all(book[i]);
      auto const limit = mills_valuation<double>(
          {of.spot, book[i].strike, book[i].expiry, of.volatility, of.rate, of.dividend_yield});
      bool const call = book[i].settlement == settlement::call;
      double const derivatives[] = {call ? limit.call : limit.put,
                                    call ? limit.call_delta : limit.put_delta,
                                    limit.gamma,
                                    limit.vega,
                                    call ? limit.call_rho : limit.put_rho,
                                    exact[dividend_rho]};
      for (int k = 0; k < 6; ++k) {
        CAPTURE(names[k]);
        estimate const& one = got[k][i];
        CHECK(std::abs(z_score(one, exact[k])) < 4.5);
        // The bump's bias, in per mille of what a Greek can be.
        double const scales[] = {0, 1, 0.1, 40, 100, 100};
        CHECK(std::abs(exact[k] - derivatives[k]) < 2e-3 * scales[k] + 1e-12);
        double const errors[] = {30, 2, 0.3, 150, 150, 150};
        CHECK(one.standard_error < errors[k] / std::sqrt(2. * many<Place>));
        CHECK(one.paths == 2 * many<Place>);
      }
    }
  }
}

EVERY_PLACE_OF("Greeks with curves, and of geometric averages", T, float, double) {
  double const ends[] = {0.25, 0.75, 1.5}, volatilities[] = {0.3, 0.1, 0.25},
               rates[] = {0.02, 0.06, -0.01}, yields[] = {0.01, 0, 0.03};
  black_scholes const model{.spot = 100,
                            .volatility = {{.times = ends, .values = volatilities}},
                            .rate = {{.times = ends, .values = rates}},
                            .dividend_yield = {{.times = ends, .values = yields}}};
  contract const call{98, 1};
  // Parallel shifts, by hand.
  auto const price = [&](double spot, double volatility, double rate, double yield) {
    auto const square = [&](double of) { return (of + volatility) * (of + volatility); };
    double const total = 0.25 * square(0.3) + 0.5 * square(0.1) + 0.25 * square(0.25);
    return formula{spot, std::sqrt(total), 0.0325 + rate, 0.01 + yield}.price(call);
  };
  auto const got = greeks_of<T>(place, model, {call}, {.paths = 2 * many<Place>, .steps = 1});
  double const exact[] = {price(100, 0, 0, 0),
                          (price(101, 0, 0, 0) - price(99, 0, 0, 0)) / 2,
                          price(101, 0, 0, 0) - 2 * price(100, 0, 0, 0) + price(99, 0, 0, 0),
                          (price(100, 0.01, 0, 0) - price(100, -0.01, 0, 0)) / 0.02,
                          (price(100, 0, 1e-3, 0) - price(100, 0, -1e-3, 0)) / 2e-3,
                          (price(100, 0, 0, 1e-3) - price(100, 0, 0, -1e-3)) / 2e-3};
  for (int k = 0; k < 6; ++k) {
    CAPTURE(names[k]);
    CHECK(std::abs(z_score(got[k][0], exact[k])) < 4.5);
  }
  // Averages are lognormal: A. Kemna, A. Vorst, A pricing method for options based on average asset
  // values (1990). The mean of four prices has a rate and a volatility of its own.
  std::vector<double> const fixings{0.25, 0.5, 0.75, 1};
  contract const average{100, 1, settlement::call, measure::geometric_average};
  double const root = std::sqrt(0.04 * 30. / 64); // sum of min(i, j) / 64
  double const growth = (0.05 - 0.01 - 0.02) * 0.625 + root * root / 2;
  auto const averaged = [&](double spot) {
    return formula{spot, root, 0.05, 0.05 - growth}.price({100, 1});
  };
  auto const of_average =
      some_greeks<T>(place, black_scholes{100, 0.2, 0.05, 0.01}, {average},
                     {.paths = 2 * many<Place>, .times = fixings}, {value, delta, spot_gamma});
  CHECK(std::abs(z_score(of_average[value][0], averaged(100))) < 4.5);
  CHECK(std::abs(z_score(of_average[delta][0], (averaged(101) - averaged(99)) / 2)) < 4.5);
  CHECK(std::abs(z_score(of_average[spot_gamma][0],
                         averaged(101) - 2 * averaged(100) + averaged(99))) < 4.5);
}

// Central differences of a quadrature over the characteristic function (A. Lewis 2000), at 30
// digits, with the default bumps.
struct heston_greeks {
  contract of;
  std::array<double, wanted_count> exact;
};
std::vector<heston_greeks> const of_ordinary{
    {{100, 1},
     {9.69670132362, 0.639755822743, 0.0172850332668, 0, 54.2918315559, -63.9886209161,
      34.2060598344, 0.338669592303, 48.0105473993, -1.75064462799, 0.288662852153}},
    {{120, 1},
     {2.37852525308, 0.263952297216, 0.0200925385946, 0, 24.010160442, -26.3887865962,
      26.9169445238, 0.412652278379, 40.3646847232, -2.41088681175, 2.18903728709}},
    {{90, 0.5},
     {13.3043586432, 0.819796912196, 0.0133584076412, 0, 34.3464393796, -40.9986273233,
      26.7427370899, 0.0346754620004, 15.000916367, 0.151213694156, -0.548941729614}}};

EVERY_PLACE_OF("Greeks in Heston's model", T, float, double) {
  std::vector<contract> book;
  for (auto const& one : of_ordinary) book.push_back(one.of);
  std::vector<double> const times{0.5, 1};
  for (bool const antithetic : {false, true}) {
    CAPTURE(antithetic);
    auto const got = greeks_of<T>(place, ordinary, book,
                                  {.paths = many<Place>,
                                   .times = times,
                                   .longest_step = 1. / 16,
                                   .seed = 4,
                                   .antithetic = antithetic});
    for (std::size_t i = 0; i < book.size(); ++i) {
      CAPTURE(i);
      for (wanted const k : all_of<heston>()) {
        CAPTURE(names[k]);
        double const exact = of_ordinary[i].exact[k];
        // The scheme's bias with such steps, and one part in a hundred for a derivative in what it
        // approximates.
        double const bias = k < variance ? 1e-3 * std::abs(exact) : 5e-3 * std::abs(exact) + 2e-3;
        CHECK(std::abs(got[k][i].value - exact) < 4 * got[k][i].standard_error + bias);
        double const errors[] = {20, 1, 0.3, 0, 80, 90, 120, 4, 150, 30, 30};
        CHECK(got[k][i].standard_error < errors[k] / std::sqrt(many<Place>));
      }
    }
  }
}

EVERY_PLACE_OF("Greeks with local volatilities", T, float, double) {
  // One volatility everywhere: Black and Scholes's, to the rounding of rows.
  formula const of;
  std::vector<contract> const book{{95, 1}, {110, 1, settlement::put}};
  simulation_options const options{.paths = many<Place>, .steps = 1, .seed = 6};
  auto const got = greeks_of<T>(
      place, local_volatility{100, of.rate, of.dividend_yield, constant(of.volatility)}, book,
      options);
  auto const flat = greeks_of<T>(place, of.model(), book, options);
  for (std::size_t i = 0; i < book.size(); ++i)
    for (int k = 0; k < 6; ++k) {
      CAPTURE(names[k]);
      CHECK(std::abs(z_score(got[k][i], of.all(book[i])[k])) < 4.5);
      CHECK(got[k][i].standard_error == doctest::Approx(flat[k][i].standard_error).epsilon(0.2));
    }
  // Constant elasticity of variance: the price is a noncentral chi-squared variable. Series of 30
  // digits: central differences with the volatility held where prices are, and derivatives with
  // the volatility held at log-moneyness, (price + strike P(S > strike)) / spot.
  double const strikes[] = {80, 100, 120};
  double const held[] = {0.8661055858, 0.5199474272, 0.1823914571};
  double const moving[] = {0.887732904168, 0.559716342675, 0.208690340428};
  std::vector<contract> calls;
  for (double const strike : strikes) calls.push_back({strike, 1});
  simulation_options const monthly{.paths = many<Place>, .steps = 12, .seed = 7};
  auto const stays = some_greeks<T>(place, cev(), calls, monthly, {value, delta},
                                    {.sticky = pricing::sticky::price});
  auto const moves = some_greeks<T>(place, cev(), calls, monthly, {value, delta});
  for (std::size_t i = 0; i < calls.size(); ++i) {
    CAPTURE(i);
    CHECK(std::abs(stays[delta][i].value - held[i]) < 4 * stays[delta][i].standard_error + 1e-3);
    CHECK(std::abs(moves[delta][i].value - moving[i]) < 4 * moves[delta][i].standard_error + 1e-3);
    CHECK(same_estimate(stays[value][i], moves[value][i]));
  }
}

EVERY_PLACE_OF("Greeks with jumps", T, float, double) {
  // R. C. Merton's series (1976): given n jumps the price is lognormal.
  pricing::jumps const jumps{.intensity = 0.8, .mean = -0.1, .deviation = 0.15};
  contract const call{105, 1};
  auto const price = [&](formula const& of) {
    double const square = jumps.deviation * jumps.deviation, factor = jumps.mean + square / 2;
    double sum = 0, likely = std::exp(-jumps.intensity);
    for (int n = 0; n < 40; likely *= jumps.intensity / ++n) {
      formula given = of;
      given.volatility = std::sqrt(of.volatility * of.volatility + n * square);
      given.dividend_yield += jumps.intensity * std::expm1(factor) - n * factor;
      sum += likely * given.price(call);
    }
    return sum;
  };
  auto const difference = [&](double formula::*in, double bump) {
    formula up, down;
    up.*in += bump;
    down.*in -= bump;
    return (price(up) - price(down)) / (2 * bump);
  };
  formula up, down;
  up.spot += 1;
  down.spot -= 1;
  double const exact[] = {price({}),
                          difference(&formula::spot, 1),
                          price(up) - 2 * price({}) + price(down),
                          difference(&formula::volatility, 0.01),
                          difference(&formula::rate, 1e-3),
                          difference(&formula::dividend_yield, 1e-3)};
  black_scholes model = formula{}.model();
  model.jumps = jumps;
  auto const got = greeks_of<T>(place, model, {call}, {.paths = 2 * many<Place>, .steps = 1});
  for (int k = 0; k < 6; ++k) {
    CAPTURE(names[k]);
    CHECK(std::abs(z_score(got[k][0], exact[k])) < 4.5);
  }
}

TEST_CASE_TEMPLATE("errors of Greeks are honest", T, float, double) {
  wf::host place(1);
  formula const of;
  contract const call{105, 1};
  auto const exact = of.all(call);
  constexpr int runs = 200;
  for (bool const antithetic : {false, true}) {
    CAPTURE(antithetic);
    double sum[6]{}, squares[6]{};
    int inside[6]{};
    for (int seed = 0; seed < runs; ++seed) {
      auto const got =
          greeks_of<T>(place, of.model(), {call},
                       {.paths = antithetic ? 7'500U : 3'750U, // the last tile is short
                        .steps = 1,
                        .seed = static_cast<std::uint64_t>(seed),
                        .antithetic = antithetic});
      for (int k = 0; k < 6; ++k) {
        double const z = z_score(got[k][0], exact[k]);
        sum[k] += z;
        squares[k] += z * z;
        inside[k] += holds(got[k][0], exact[k]) ? 1 : 0;
      }
    }
    for (int k = 0; k < 6; ++k) {
      CAPTURE(names[k]);
      double const average = sum[k] / runs, spread = squares[k] / runs - average * average;
      CHECK(std::abs(average) < 0.28); // four errors of a mean of 200
      CHECK(spread > 0.65);            // of Student's distribution with 29 degrees it is 1.07
      CHECK(spread < 1.6);
      CHECK(inside[k] >= 179); // of a binomial distribution with 190 all but one in 10,000
    }
  }
}

EVERY_PLACE_OF("few tiles", T, float, double) {
  formula const of;
  contract const call{100, 1};
  auto const of_paths = [&](std::uint64_t paths) {
    return greeks_of<T>(place, of.model(), {call}, {.paths = paths, .steps = 1, .seed = 1});
  };
  auto const one = of_paths(128), two = of_paths(192), many_tiles = of_paths(20 * 128);
  for (wanted const k : all_of<black_scholes>()) {
    CAPTURE(names[k]);
    CHECK(std::isfinite(one[k][0].value));
    if (k != value) CHECK(std::isinf(one[k][0].standard_error)); // there is one tile
    CHECK(std::isfinite(two[k][0].standard_error));
    // A few samples more make no tile that counts by itself.
    if (k != value) CHECK(std::isinf(of_paths(191)[k][0].standard_error));
    // Student's quantile with 1 degree of freedom is 12.706, with 19 it is 2.093.
    auto const quantile = [&](estimate const& of_one) {
      return (of_one.upper - of_one.value) / of_one.standard_error;
    };
    CHECK(quantile(two[k][0]) == doctest::Approx(k == value ? 1.96 : 12.706).epsilon(1e-3));
    CHECK(quantile(many_tiles[k][0]) == doctest::Approx(k == value ? 1.96 : 2.093).epsilon(1e-3));
  }
  // Above 128 degrees the expansion: 1.978524 of 129.
  auto const more = of_paths(130 * 128);
  CHECK((more[delta][0].upper - more[delta][0].value) / more[delta][0].standard_error ==
        doctest::Approx(1.978524).epsilon(2e-6));
}

} // namespace greeks_test
