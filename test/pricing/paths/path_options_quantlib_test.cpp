// The closed forms of path-dependent options against QuantLib's, over random options.

#include <warpfold/pricing/path_options.hpp>

#include <doctest/doctest.h>
#include <ql/exercise.hpp>
#include <ql/instruments/asianoption.hpp>
#include <ql/instruments/barrieroption.hpp>
#include <ql/pricingengines/asian/analytic_discr_geom_av_price.hpp>
#include <ql/pricingengines/barrier/analyticbarrierengine.hpp>
#include <ql/quotes/simplequote.hpp>
#include <ql/settings.hpp>
#include <ql/termstructures/volatility/equityfx/blackconstantvol.hpp>
#include <ql/termstructures/yield/flatforward.hpp>
#include <ql/time/calendars/nullcalendar.hpp>
#include <ql/time/daycounters/actual365fixed.hpp>

#include <random>
#include <vector>

namespace path_options_quantlib_test {

namespace pricing = warpfold::pricing;
namespace ql = QuantLib;
using pricing::barrier_type;
using pricing::option_kind;

ql::Date const today(20, ql::November, 2026);
ql::Actual365Fixed const days;

ql::ext::shared_ptr<ql::GeneralizedBlackScholesProcess> process(pricing::option<double> const& of) {
  auto const curve = [](double rate) {
    return ql::Handle<ql::YieldTermStructure>(
        ql::ext::make_shared<ql::FlatForward>(today, rate, days));
  };
  return ql::ext::make_shared<ql::BlackScholesMertonProcess>(
      ql::Handle<ql::Quote>(ql::ext::make_shared<ql::SimpleQuote>(of.spot)),
      curve(of.dividend_yield), curve(of.rate),
      ql::Handle<ql::BlackVolTermStructure>(ql::ext::make_shared<ql::BlackConstantVol>(
          today, ql::NullCalendar(), of.volatility, days)));
}

auto payoff_of(option_kind kind, double strike) {
  return ql::ext::make_shared<ql::PlainVanillaPayoff>(
      kind == option_kind::call ? ql::Option::Call : ql::Option::Put, strike);
}

/// A random option, and the days that it lives.
struct random_option {
  pricing::option<double> terms;
  int life;
  option_kind kind;

  explicit random_option(std::mt19937_64& random) {
    auto const within = [&](double low, double high) {
      return std::uniform_real_distribution{low, high}(random);
    };
    life = std::uniform_int_distribution{30, 1000}(random);
    terms = {
        100, within(60, 150), life / 365., within(0.05, 0.6), within(0, 0.1), within(-0.02, 0.08)};
    kind = random() % 2 == 0 ? option_kind::call : option_kind::put;
  }
};

/// difference(option, random), ours less theirs, is small for so many random options.
template <class Difference>
void check_differences(unsigned seed, int count, Difference difference) {
  ql::Settings::instance().evaluationDate() = today;
  CAPTURE(seed);
  std::mt19937_64 random{seed};
  double worst = 0;
  for (int i = 0; i < count; ++i)
    worst = std::max(worst, std::abs(difference(random_option(random), random)));
  CHECK(worst < 1e-10);
}

TEST_CASE("barrier options have QuantLib's prices") {
  ql::Barrier::Type const types[] = {ql::Barrier::UpOut, ql::Barrier::DownOut, ql::Barrier::UpIn,
                                     ql::Barrier::DownIn};
  check_differences(42, 2000, [&](random_option const& one, auto& random) {
    auto const type = static_cast<barrier_type>(random() % 4);
    bool const up = type == barrier_type::up_and_out || type == barrier_type::up_and_in;
    double const away = std::uniform_real_distribution{1.01, 1.6}(random);
    pricing::barrier_option const mine{one.terms, up ? 100 * away : 100 / away, type, one.kind,
                                       random() % 2 == 0 ? 0. : 4.};
    ql::BarrierOption theirs(types[static_cast<int>(type)], mine.barrier, mine.rebate,
                             payoff_of(one.kind, one.terms.strike),
                             ql::ext::make_shared<ql::EuropeanExercise>(today + one.life));
    theirs.setPricingEngine(ql::ext::make_shared<ql::AnalyticBarrierEngine>(process(one.terms)));
    return pricing::barrier_price(mine) - theirs.NPV();
  });
}

TEST_CASE("geometric Asian options have QuantLib's prices") {
  check_differences(43, 500, [&](random_option const& one, auto& random) {
    pricing::asian_option const mine{one.terms, one.kind, pricing::average::geometric};
    std::vector<ql::Date> dates;
    std::vector<double> fixings;
    int day = std::uniform_int_distribution{1, 10}(random);
    for (; day <= one.life; day += std::uniform_int_distribution{1, 90}(random)) {
      dates.push_back(today + day);
      fixings.push_back(static_cast<double>(day) / one.life);
    }
    ql::DiscreteAveragingAsianOption theirs(
        ql::Average::Geometric, 1, 0, dates, payoff_of(one.kind, one.terms.strike),
        ql::ext::make_shared<ql::EuropeanExercise>(today + one.life));
    theirs.setPricingEngine(
        ql::ext::make_shared<ql::AnalyticDiscreteGeometricAveragePriceAsianEngine>(
            process(one.terms)));
    return pricing::geometric_asian_price(mine, fixings) - theirs.NPV();
  });
}

} // namespace path_options_quantlib_test
