// Greeks by simulation against QuantLib: its closed forms of Black and Scholes's model, and central
// differences of its quadrature for Heston's, for random models.

#include "pricing/greeks/greeks.hpp"
#include "pricing/paths/quantlib_heston.hpp"

#include <doctest/doctest.h>
#include <ql/pricingengines/blackcalculator.hpp>

#include <random>

namespace greeks_quantlib_test {

using namespace test;
using namespace test::greeks;
namespace ql = QuantLib;

/// Numbers in a range, of a seed.
struct random_numbers {
  std::mt19937_64 random;
  double operator()(double low, double high) {
    return std::uniform_real_distribution{low, high}(random);
  }
};

TEST_CASE("Greeks in Heston's model are central differences of QuantLib's prices") {
  ql::Settings::instance().evaluationDate() = today;
  random_numbers within{std::mt19937_64{45}};
  wf::host place;
  bumps const by;
  for (int i = 0; i < 6; ++i) {
    CAPTURE(i);
    heston const model{.spot = 100,
                       .rate = within(0, 0.08),
                       .dividend_yield = within(-0.02, 0.05),
                       .variance = within(0.02, 0.2),
                       .reversion = within(0.3, 4),
                       .mean = within(0.02, 0.2),
                       .vol_of_vol = within(0.1, 1),
                       .correlation = within(-0.9, 0.3)};
    int const days = 250;
    double const times[] = {days / 365.};
    std::vector<contract> const book{{90, times[0], settlement::put}, {105, times[0]}};
    auto const got = greeks_of<double>(place, model, book,
                                       {.paths = 1 << 15,
                                        .times = times,
                                        .longest_step = 1. / 16,
                                        .seed = 8,
                                        .stream = static_cast<std::uint64_t>(i),
                                        .antithetic = true});
    for (std::size_t k = 0; k < book.size(); ++k) {
      CAPTURE(k);
      auto const price = [&](heston const& of) {
        return quantlib_price(of, days, book[k].strike, book[k].settlement);
      };
      auto const difference = [&](double bump, auto move) {
        heston up = model, down = model;
        move(up, bump);
        move(down, -bump);
        return (price(up) - price(down)) / (2 * bump);
      };
      heston up = model, down = model;
      up.spot += 1;
      down.spot -= 1;
      std::pair<wanted, double> const theirs[] = {
          {delta, (price(up) - price(down)) / 2},
          {spot_gamma, price(up) - 2 * price(model) + price(down)},
          {rho, difference(by.rate, [](auto& of, double x) { of.rate = of.rate.values()[0] + x; })},
          {dividend_rho, difference(by.dividend_yield,
                                    [](auto& of, double x) {
                                      of.dividend_yield = of.dividend_yield.values()[0] + x;
                                    })},
          {variance, difference(by.variance, [](auto& of, double x) { of.variance += x; })},
          {reversion, difference(by.reversion, [](auto& of, double x) { of.reversion += x; })},
          {mean, difference(by.mean, [](auto& of, double x) { of.mean += x; })},
          {vol_of_vol, difference(by.vol_of_vol, [](auto& of, double x) { of.vol_of_vol += x; })},
          {correlation,
           difference(by.correlation, [](auto& of, double x) { of.correlation += x; })}};
      for (auto const& known : theirs) {
        auto const which = known.first;
        double const exact = known.second;
        CAPTURE(names[which]);
        estimate const& one = got[which][k];
        CHECK(std::abs(one.value - exact) <
              4.5 * one.standard_error + 5e-3 * std::abs(exact) + 1e-4);
      }
    }
  }
}

TEST_CASE("Greeks in Black and Scholes's model are QuantLib's closed forms") {
  random_numbers within{std::mt19937_64{46}};
  wf::host place;
  for (int i = 0; i < 10; ++i) {
    CAPTURE(i);
    formula const of{100, within(0.1, 0.5), within(-0.02, 0.1), within(-0.02, 0.1)};
    double const t = within(0.2, 3);
    bool const is_call = i % 2 == 0;
    contract const one{within(80, 120), t, is_call ? settlement::call : settlement::put};
    double const times[] = {t};
    auto const got =
        greeks_of<float>(place, of.model(), {one},
                         {.paths = 1 << 17, .times = times, .stream = static_cast<unsigned>(i)});
    double const growth = std::exp((of.rate - of.dividend_yield) * t);
    ql::BlackCalculator const theirs(is_call ? ql::Option::Call : ql::Option::Put, one.strike,
                                     of.spot * growth, of.volatility * std::sqrt(t),
                                     std::exp(-of.rate * t));
    std::pair<wanted, double> const all[] = {{value, theirs.value()},
                                             {delta, theirs.delta(of.spot)},
                                             {spot_gamma, theirs.gamma(of.spot)},
                                             {vega, theirs.vega(t)},
                                             {rho, theirs.rho(t)},
                                             {dividend_rho, theirs.dividendRho(t)}};
    for (auto const& known : all) {
      auto const which = known.first;
      double const exact = known.second;
      CAPTURE(names[which]);
      estimate const& mine = got[which][0];
      // The bumps' biases are of that order.
      CHECK(std::abs(mine.value - exact) <
            4.5 * mine.standard_error + 2e-3 * std::abs(exact) + 1e-5);
    }
  }
}

} // namespace greeks_quantlib_test
