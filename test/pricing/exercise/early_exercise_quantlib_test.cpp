// Bermudan options against QuantLib's finite differences, for random models.

#include "pricing/exercise/early_exercise.hpp"

#include <doctest/doctest.h>
#include <ql/exercise.hpp>
#include <ql/instruments/vanillaoption.hpp>
#include <ql/pricingengines/vanilla/fdblackscholesvanillaengine.hpp>
#include <ql/processes/blackscholesprocess.hpp>
#include <ql/quotes/simplequote.hpp>
#include <ql/settings.hpp>
#include <ql/termstructures/volatility/equityfx/blackconstantvol.hpp>
#include <ql/termstructures/yield/flatforward.hpp>
#include <ql/time/calendars/nullcalendar.hpp>
#include <ql/time/daycounters/actual365fixed.hpp>

#include <random>

namespace early_exercise_quantlib_test {

using namespace test;
using namespace test::early;
namespace ql = QuantLib;

ql::Date const today(20, ql::November, 2026);

double quantlib_price(black_scholes const& of, std::vector<int> const& days,
                      bermudan_option const& option) {
  ql::Actual365Fixed const counter;
  auto const flat = [&](double rate) {
    return ql::Handle<ql::YieldTermStructure>(
        ql::ext::make_shared<ql::FlatForward>(today, rate, counter));
  };
  auto const process = ql::ext::make_shared<ql::BlackScholesMertonProcess>(
      ql::Handle<ql::Quote>(ql::ext::make_shared<ql::SimpleQuote>(of.spot)),
      flat(of.dividend_yield.values()[0]), flat(of.rate.values()[0]),
      ql::Handle<ql::BlackVolTermStructure>(ql::ext::make_shared<ql::BlackConstantVol>(
          today, ql::NullCalendar(), of.volatility.values()[0], counter)));
  std::vector<ql::Date> dates;
  for (int const d : days) dates.push_back(today + d);
  ql::VanillaOption theirs(
      ql::ext::make_shared<ql::PlainVanillaPayoff>(
          option.kind == option_kind::call ? ql::Option::Call : ql::Option::Put, option.strike),
      ql::ext::make_shared<ql::BermudanExercise>(dates));
  theirs.setPricingEngine(ql::ext::make_shared<ql::FdBlackScholesVanillaEngine>(process, 400, 800));
  return theirs.NPV();
}

TEST_CASE("Bermudan options have QuantLib's prices") {
  ql::Settings::instance().evaluationDate() = today;
  unsigned const seed = 45;
  CAPTURE(seed);
  std::mt19937_64 random{seed};
  auto const within = [&](double low, double high) {
    return std::uniform_real_distribution{low, high}(random);
  };
  wf::host place;
  std::vector<int> const days{40, 80, 160, 240, 365};
  std::vector<double> times;
  for (int const d : days) times.push_back(d / 365.);
  for (int i = 0; i < 8; ++i) {
    CAPTURE(i);
    black_scholes const model{.spot = 100,
                              .volatility = within(0.1, 0.5),
                              .rate = within(0, 0.1),
                              .dividend_yield = within(0, 0.1)};
    std::vector<bermudan_option> book;
    for (double const strike : {85., 100., 120.})
      for (auto const kind : {option_kind::call, option_kind::put})
        book.push_back({strike, 1, kind});
    auto const got = priced<float>(
        place, model, book,
        {.paths = 1 << 16, .times = times, .seed = 8, .stream = static_cast<std::uint64_t>(i)});
    for (std::size_t k = 0; k < book.size(); ++k) {
      CAPTURE(k);
      double const theirs = quantlib_price(model, days, book[k]);
      double const error = 4.5 * got[k].price.standard_error;
      CHECK(got[k].price.value < theirs + error + 0.005); // of their grid
      CHECK(got[k].price.value > theirs - error - 0.015);
      CHECK(got[k].price.standard_error < 0.2);
    }
  }
}

} // namespace early_exercise_quantlib_test
