// Options on random local volatilities against QuantLib's finite differences.

#include "pricing/paths/local_volatility.hpp"

#include <doctest/doctest.h>
#include <ql/exercise.hpp>
#include <ql/instruments/vanillaoption.hpp>
#include <ql/pricingengines/vanilla/fdblackscholesvanillaengine.hpp>
#include <ql/processes/blackscholesprocess.hpp>
#include <ql/quotes/simplequote.hpp>
#include <ql/settings.hpp>
#include <ql/termstructures/volatility/equityfx/blackconstantvol.hpp>
#include <ql/termstructures/volatility/equityfx/localvoltermstructure.hpp>
#include <ql/termstructures/yield/flatforward.hpp>
#include <ql/time/calendars/nullcalendar.hpp>
#include <ql/time/daycounters/actual365fixed.hpp>

#include <random>
#include <utility>

namespace local_volatility_quantlib_test {

using namespace test;
using namespace test::contracts;
namespace ql = QuantLib;

ql::Date const today(20, ql::November, 2026);
ql::Actual365Fixed const counter;

/// A model's volatility, as QuantLib asks for it.
class grid_surface final : public ql::LocalVolTermStructure {
public:
  explicit grid_surface(local_volatility of)
      : ql::LocalVolTermStructure(today, ql::NullCalendar(), ql::Following, counter), of_{std::move(
                                                                                          of)} {}
  ql::Date maxDate() const override { return ql::Date::maxDate(); }
  ql::Real minStrike() const override { return 0; }
  ql::Real maxStrike() const override { return 1e300; }

private:
  ql::Volatility localVolImpl(ql::Time t, ql::Real price) const override {
    double const growth = of_.rate.integral(t) - of_.dividend_yield.integral(t);
    return of_.grid.at(t, std::log(price / of_.spot) - growth);
  }
  local_volatility of_;
};

std::vector<double> quantlib_prices(local_volatility const& of, int days,
                                    std::vector<contract> const& book) {
  auto const flat = [&](double rate) {
    return ql::Handle<ql::YieldTermStructure>(
        ql::ext::make_shared<ql::FlatForward>(today, rate, counter));
  };
  auto const process = ql::ext::make_shared<ql::GeneralizedBlackScholesProcess>(
      ql::Handle<ql::Quote>(ql::ext::make_shared<ql::SimpleQuote>(of.spot)),
      flat(of.dividend_yield.values()[0]), flat(of.rate.values()[0]),
      ql::Handle<ql::BlackVolTermStructure>(ql::ext::make_shared<ql::BlackConstantVol>(
          today, ql::NullCalendar(), of.grid.at(0, 0), counter)),
      ql::Handle<ql::LocalVolTermStructure>(ql::ext::make_shared<grid_surface>(of)));
  std::vector<double> prices;
  for (auto const& one : book) {
    ql::VanillaOption option(
        ql::ext::make_shared<ql::PlainVanillaPayoff>(
            one.settlement == settlement::call ? ql::Option::Call : ql::Option::Put, one.strike),
        ql::ext::make_shared<ql::EuropeanExercise>(today + days));
    option.setPricingEngine(ql::ext::make_shared<ql::FdBlackScholesVanillaEngine>(
        process, 200, 800, 0, ql::FdmSchemeDesc::Douglas(), true));
    prices.push_back(option.NPV());
  }
  return prices;
}

TEST_CASE("options on a local volatility have QuantLib's prices") {
  ql::Settings::instance().evaluationDate() = today;
  unsigned const seed = 45;
  CAPTURE(seed);
  std::mt19937_64 random{seed};
  auto const within = [&](double low, double high) {
    return std::uniform_real_distribution{low, high}(random);
  };
  wf::host place;
  for (int i = 0; i < 6; ++i) {
    CAPTURE(i);
    double const level = within(0.15, 0.3), slope = within(-0.3, 0.1), bend = within(0, 0.3),
                 later = within(-0.05, 0.1);
    local_volatility const model{
        .spot = 100,
        .rate = within(0, 0.08),
        .dividend_yield = within(-0.02, 0.05),
        .grid = grid_of({0, 0.3, 1}, evenly(-1, 1, 21), [&](double t, double k) {
          return std::max(level + later * t + slope * std::tanh(2 * k) / 2 + bend * k * k, 0.05);
        })};
    int const days = i % 2 == 0 ? 120 : 400;
    double const times[] = {days / 365.};
    std::vector<contract> const book{
        {80, times[0], settlement::put}, {100, times[0]}, {120, times[0]}};
    auto const got = simulated<double>(place, model, book,
                                       {.paths = 1 << 18,
                                        .times = times,
                                        .longest_step = 1. / 24,
                                        .seed = 7,
                                        .stream = static_cast<std::uint64_t>(i),
                                        .antithetic = true});
    auto const theirs = quantlib_prices(model, days, book);
    for (std::size_t k = 0; k < book.size(); ++k) {
      CAPTURE(k);
      CHECK(std::abs(got[k].value - theirs[k]) < 4 * got[k].standard_error + 0.003);
      CHECK(got[k].standard_error < 0.05);
    }
  }
}

} // namespace local_volatility_quantlib_test
