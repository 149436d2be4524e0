// Simulations on the host beside QuantLib's: a call in Heston's model, and a Bermudan put by least
// squares. QuantLib has one thread; an item is a step of a pricing path.

#include "rows_together.hpp"

#include <warpfold/pricing/contracts.hpp>
#include <warpfold/pricing/early_exercise.hpp>

#include <ql/exercise.hpp>
#include <ql/instruments/vanillaoption.hpp>
#include <ql/methods/montecarlo/lsmbasissystem.hpp>
#include <ql/pricingengines/vanilla/mcamericanengine.hpp>
#include <ql/pricingengines/vanilla/mceuropeanhestonengine.hpp>
#include <ql/processes/blackscholesprocess.hpp>
#include <ql/processes/hestonprocess.hpp>
#include <ql/quotes/simplequote.hpp>
#include <ql/settings.hpp>
#include <ql/termstructures/volatility/equityfx/blackconstantvol.hpp>
#include <ql/termstructures/yield/flatforward.hpp>
#include <ql/time/calendars/nullcalendar.hpp>
#include <ql/time/daycounters/actual365fixed.hpp>

#include <cmath>
#include <cstdio>
#include <functional>

namespace warpfold::bench {
namespace {

namespace ql = QuantLib;

ql::Date const today(27, ql::November, 2026);
constexpr int year = 365;

ql::Handle<ql::Quote> quote(double value) {
  return ql::Handle<ql::Quote>(ql::ext::make_shared<ql::SimpleQuote>(value));
}
ql::Handle<ql::YieldTermStructure> flat(double rate) {
  return ql::Handle<ql::YieldTermStructure>(
      ql::ext::make_shared<ql::FlatForward>(today, rate, ql::Actual365Fixed()));
}

/// A price and its standard error.
struct priced {
  double value, error;
};

/// QuantLib's program on one thread, and ours on two; both as often as it takes to compare.
struct task {
  std::string name;
  std::uint64_t paths;
  int steps;
  std::function<priced(std::uint64_t seed)> theirs;
  std::function<priced(host const&, std::uint64_t seed)> ours;
};

void add(session& run, task const& of) {
  rows_together rows(run, [&run, of](auto& outcomes) {
    host const two(2);
    priced const a = of.theirs(1), b = of.ours(two, 1);
    if (!(std::abs(a.value - b.value) <= 4 * std::hypot(a.error, b.error) + 0.003 * a.value))
      outcomes[0].complaint =
          std::to_string(b.value) + ", but QuantLib has " + std::to_string(a.value);
    std::uint64_t seed = 1;
    auto const times = time_in_turns(2, run.quick ? 3 : 7, [&](std::size_t w) {
      ++seed;
      return wall_seconds([&] {
        if (w == 0) of.ours(two, seed);
        else of.theirs(seed);
      });
    });
    for (std::size_t w = 0; w < 2; ++w) outcomes[w].times = times[w];
    char label[80];
    std::snprintf(label, sizeof label, "QuantLib's time, halved, is %.1f of this",
                  times[1].median / 2 / times[0].median);
    outcomes[0].label = label;
  });
  double const items = static_cast<double>(of.paths) * of.steps;
  std::string const end = "/n:" + std::to_string(of.paths);
  rows.add("host/" + of.name + "/float/warpfold/threads:2" + end, 0, items, true);
  rows.add("host/" + of.name + "/double/quantlib/threads:1" + end, 0, items, true);
}

task heston_call(std::uint64_t paths) {
  constexpr int steps = 252;
  pricing::heston const model{100, 0.03, 0, 0.04, 1.5, 0.05, 0.6, -0.7};
  auto const theirs = [=](std::uint64_t seed) -> priced {
    auto const process = ql::ext::make_shared<ql::HestonProcess>(
        flat(0.03), flat(0), quote(model.spot), model.variance, model.reversion, model.mean,
        model.vol_of_vol, model.correlation, ql::HestonProcess::QuadraticExponentialMartingale);
    ql::VanillaOption option(ql::ext::make_shared<ql::PlainVanillaPayoff>(ql::Option::Call, 100),
                             ql::ext::make_shared<ql::EuropeanExercise>(today + year));
    option.setPricingEngine(ql::MakeMCEuropeanHestonEngine<ql::PseudoRandom>(process)
                                .withSteps(steps)
                                .withSamples(paths)
                                .withSeed(seed));
    return {option.NPV(), option.errorEstimate()};
  };
  auto const ours = [=](host const& place, std::uint64_t seed) -> priced {
    pricing::contract const call{.strike = 100, .expiry = 1};
    double const end[] = {1};
    pricing::estimate result;
    pricing::simulate(place, model, std::span(&call, 1), std::span(&result, 1),
                      {.paths = paths, .times = end, .longest_step = 1. / steps, .seed = seed});
    return {result.value, result.standard_error};
  };
  return {"heston_1x252", paths, steps, theirs, ours};
}

/// As many paths for the rules as for the price.
task bermudan_put(std::uint64_t paths) {
  constexpr int dates = 50;
  pricing::black_scholes const model{36, 0.2, 0.06};
  auto const theirs = [=](std::uint64_t seed) -> priced {
    auto const process = ql::ext::make_shared<ql::BlackScholesMertonProcess>(
        quote(36), flat(0), flat(0.06),
        ql::Handle<ql::BlackVolTermStructure>(ql::ext::make_shared<ql::BlackConstantVol>(
            today, ql::NullCalendar(), 0.2, ql::Actual365Fixed())));
    ql::VanillaOption option(ql::ext::make_shared<ql::PlainVanillaPayoff>(ql::Option::Put, 40),
                             ql::ext::make_shared<ql::AmericanExercise>(today, today + year));
    option.setPricingEngine(ql::MakeMCAmericanEngine<ql::PseudoRandom>(process)
                                .withSteps(dates)
                                .withSamples(paths)
                                .withCalibrationSamples(paths)
                                .withPolynomialOrder(3)
                                .withBasisSystem(ql::LsmBasisSystem::Monomial)
                                .withSeed(seed));
    return {option.NPV(), option.errorEstimate()};
  };
  auto const ours = [=](host const& place, std::uint64_t seed) -> priced {
    pricing::bermudan_option const put{40, 1};
    pricing::exercise_estimate result;
    pricing::simulate(place, model, std::span(&put, 1), std::span(&result, 1),
                      {.paths = paths, .steps = dates, .seed = seed, .regression_paths = paths});
    return {result.price.value, result.price.standard_error};
  };
  return {"bermudan-put_1x50", paths, dates, theirs, ours};
}

} // namespace
} // namespace warpfold::bench

int main(int argc, char** argv) {
  using namespace warpfold::bench;
  session all;
  QuantLib::Settings::instance().evaluationDate() = today;
  benchmark::Initialize(&argc, argv);
  if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 1;
  add(all, heston_call(std::uint64_t{1} << 14));
  add(all, bermudan_put(100'000));
  std::size_t const rows = benchmark::RunSpecifiedBenchmarks();
  benchmark::ClearRegisteredBenchmarks();
  benchmark::Shutdown();
  return rows > 0 && all.complaints == 0 ? 0 : 1;
}
