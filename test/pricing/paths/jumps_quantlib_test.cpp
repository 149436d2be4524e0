// Options on prices that jump against QuantLib's prices: by quadrature in Bates's model, by the
// series in Merton's, for random models.

#include "pricing/paths/jumps.hpp"

#include <doctest/doctest.h>
#include <ql/exercise.hpp>
#include <ql/instruments/vanillaoption.hpp>
#include <ql/models/equity/batesmodel.hpp>
#include <ql/pricingengines/vanilla/batesengine.hpp>
#include <ql/pricingengines/vanilla/jumpdiffusionengine.hpp>
#include <ql/processes/batesprocess.hpp>
#include <ql/processes/merton76process.hpp>
#include <ql/quotes/simplequote.hpp>
#include <ql/settings.hpp>
#include <ql/termstructures/volatility/equityfx/blackconstantvol.hpp>
#include <ql/termstructures/yield/flatforward.hpp>
#include <ql/time/calendars/nullcalendar.hpp>
#include <ql/time/daycounters/actual365fixed.hpp>

#include <random>

namespace jumps_quantlib_test {

using namespace test;
using namespace test::contracts;
namespace pricing = warpfold::pricing;
namespace ql = QuantLib;

ql::Date const today(20, ql::November, 2026);
ql::Actual365Fixed const counter;

ql::Handle<ql::Quote> quote(double value) {
  return ql::Handle<ql::Quote>(ql::ext::make_shared<ql::SimpleQuote>(value));
}
ql::Handle<ql::YieldTermStructure> flat(pricing::curve const& rate) {
  return ql::Handle<ql::YieldTermStructure>(
      ql::ext::make_shared<ql::FlatForward>(today, rate.values()[0], counter));
}

ql::ext::shared_ptr<ql::PricingEngine> engine_of(heston const& of) {
  auto const process = ql::ext::make_shared<ql::BatesProcess>(
      flat(of.rate), flat(of.dividend_yield), quote(of.spot), of.variance, of.reversion, of.mean,
      of.vol_of_vol, of.correlation, of.jumps.intensity, of.jumps.mean, of.jumps.deviation);
  return ql::ext::make_shared<ql::BatesEngine>(ql::ext::make_shared<ql::BatesModel>(process), 192);
}
ql::ext::shared_ptr<ql::PricingEngine> engine_of(black_scholes const& of) {
  ql::Handle<ql::BlackVolTermStructure> const volatility(ql::ext::make_shared<ql::BlackConstantVol>(
      today, ql::NullCalendar(), of.volatility.values()[0], counter));
  return ql::ext::make_shared<ql::JumpDiffusionEngine>(ql::ext::make_shared<ql::Merton76Process>(
      quote(of.spot), flat(of.dividend_yield), flat(of.rate), volatility, quote(of.jumps.intensity),
      quote(of.jumps.mean), quote(of.jumps.deviation)));
}

/// Simulates options and compares them with QuantLib's.
template <class Model>
void check_prices(Model const& model, std::uint64_t stream, double longest_step, double bias) {
  int const days[] = {60, 200, 600};
  std::vector<double> times;
  std::vector<contract> book;
  for (int const d : days) {
    times.push_back(d / 365.);
    for (double const strike : {80., 100., 120.})
      book.push_back({strike, d / 365., strike > 100 ? settlement::put : settlement::call});
  }
  wf::host place;
  auto const got = simulated<float>(place, model, book,
                                    {.paths = 1 << 16,
                                     .times = times,
                                     .longest_step = longest_step,
                                     .seed = 7,
                                     .stream = stream});
  auto const engine = engine_of(model);
  for (std::size_t k = 0; k < book.size(); ++k) {
    CAPTURE(k);
    ql::VanillaOption option(
        ql::ext::make_shared<ql::PlainVanillaPayoff>(
            book[k].settlement == settlement::call ? ql::Option::Call : ql::Option::Put,
            book[k].strike),
        ql::ext::make_shared<ql::EuropeanExercise>(today + days[k / 3]));
    option.setPricingEngine(engine);
    CHECK(std::abs(got[k].value - option.NPV()) < 4.5 * got[k].standard_error + bias);
    CHECK(got[k].standard_error < 0.5);
  }
}

TEST_CASE("options on prices that jump have QuantLib's prices") {
  ql::Settings::instance().evaluationDate() = today;
  unsigned const seed = 76;
  CAPTURE(seed);
  std::mt19937_64 random{seed};
  auto const within = [&](double low, double high) {
    return std::uniform_real_distribution{low, high}(random);
  };
  for (std::uint64_t i = 0; i < 8; ++i) {
    CAPTURE(i);
    jumps const of{within(0.05, 4), within(-0.3, 0.1), within(0, 0.25)};
    double const rate = within(0, 0.08), dividend_yield = within(-0.02, 0.05);
    check_prices(merton_of(within(0.05, 0.4), of, rate, dividend_yield), i, 0, 1e-4);
    check_prices(bates_of(heston_of(within(0.01, 0.2), within(0.3, 4), within(0.01, 0.2),
                                    within(0.1, 1), within(-0.9, 0.3), rate, dividend_yield),
                          of),
                 i, 1. / 32, 0.005);
  }
}

} // namespace jumps_quantlib_test
