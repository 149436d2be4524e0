// Options on the larger and the smaller of two assets, and to exchange them, against QuantLib's
// closed forms, for random models.

#include "pricing/baskets/baskets.hpp"

#include <doctest/doctest.h>
#include <ql/exercise.hpp>
#include <ql/instruments/basketoption.hpp>
#include <ql/pricingengines/basket/stulzengine.hpp>
#include <ql/processes/blackscholesprocess.hpp>
#include <ql/quotes/simplequote.hpp>
#include <ql/settings.hpp>
#include <ql/termstructures/volatility/equityfx/blackconstantvol.hpp>
#include <ql/termstructures/yield/flatforward.hpp>
#include <ql/time/calendars/nullcalendar.hpp>
#include <ql/time/daycounters/actual365fixed.hpp>

#include <random>

namespace baskets_quantlib_test {

using namespace test;
using namespace test::baskets;
namespace pricing = warpfold::pricing;
namespace ql = QuantLib;

ql::Date const today(20, ql::November, 2026);

ql::ext::shared_ptr<ql::BlackScholesMertonProcess> process_of(black_scholes const& asset) {
  ql::Actual365Fixed const counter;
  auto const flat = [&](pricing::curve const& rate) {
    return ql::Handle<ql::YieldTermStructure>(
        ql::ext::make_shared<ql::FlatForward>(today, rate.values()[0], counter));
  };
  return ql::ext::make_shared<ql::BlackScholesMertonProcess>(
      ql::Handle<ql::Quote>(ql::ext::make_shared<ql::SimpleQuote>(asset.spot)),
      flat(asset.dividend_yield), flat(asset.rate),
      ql::Handle<ql::BlackVolTermStructure>(ql::ext::make_shared<ql::BlackConstantVol>(
          today, ql::NullCalendar(), asset.volatility.values()[0], counter)));
}

double quantlib_price(owned_basket const& model, int days, basket_contract const& of) {
  auto const plain = ql::ext::make_shared<ql::PlainVanillaPayoff>(
      of.settlement == settlement::call ? ql::Option::Call : ql::Option::Put, of.strike);
  ql::ext::shared_ptr<ql::BasketPayoff> payoff;
  if (of.selection == selection::best_of) payoff = ql::ext::make_shared<ql::MaxBasketPayoff>(plain);
  else payoff = ql::ext::make_shared<ql::MinBasketPayoff>(plain);
  ql::BasketOption option(payoff, ql::ext::make_shared<ql::EuropeanExercise>(today + days));
  option.setPricingEngine(ql::ext::make_shared<ql::StulzEngine>(
      process_of(model.assets[0]), process_of(model.assets[1]), model.between(0, 1)));
  return option.NPV();
}

TEST_CASE("options on the larger and the smaller asset have QuantLib's prices") {
  ql::Settings::instance().evaluationDate() = today;
  unsigned const seed = 45;
  CAPTURE(seed);
  std::mt19937_64 random{seed};
  auto const within = [&](double low, double high) {
    return std::uniform_real_distribution{low, high}(random);
  };
  wf::host place;
  std::vector<double> const each{1, 1};
  for (int i = 0; i < 20; ++i) {
    CAPTURE(i);
    double const rate = within(0, 0.08);
    auto const asset = [&] {
      return black_scholes{within(85, 115), within(0.1, 0.5), rate, within(-0.02, 0.05)};
    };
    owned_basket const model{{asset(), asset()}, equal_correlation(2, within(-0.95, 0.95))};
    int const days[] = {60, 200, 600};
    std::vector<double> times;
    for (int const d : days) times.push_back(d / 365.);
    std::vector<basket_contract> book;
    for (double const t : times)
      for (auto const kind : {settlement::call, settlement::put})
        for (auto const on : {selection::best_of, selection::worst_of})
          book.push_back({each, within(80, 120), t, kind, on});
    auto const got = simulated<float>(
        place, model, book,
        {.paths = 1 << 16, .times = times, .seed = 7, .stream = static_cast<std::uint64_t>(i)});
    for (std::size_t k = 0; k < book.size(); ++k) {
      CAPTURE(k);
      double const theirs = quantlib_price(model, days[k / 4], book[k]);
      CHECK(std::abs(got[k].value - theirs) < 4.5 * got[k].standard_error + 1e-4);
      CHECK(got[k].standard_error < 0.5);
    }
  }
}

} // namespace baskets_quantlib_test
