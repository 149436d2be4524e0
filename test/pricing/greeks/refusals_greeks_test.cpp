// Refusals of Greeks by simulation: the argument is named, and nothing is written.

#include "pricing/greeks/greeks.hpp"
#include "refusals.hpp"

#include <limits>

namespace refusals_greeks_test {

using namespace test;
using namespace test::greeks;
namespace pricing = warpfold::pricing;

constexpr double infinite = std::numeric_limits<double>::infinity();
constexpr double nan = std::numeric_limits<double>::quiet_NaN();

FAST_EVERY_PLACE("what simulations of Greeks refuse") {
  refusals<Place> all(place);
  all.of("pricing/greeks.hpp");
  using device = view_t<Place, estimate>;
  auto const here = all.template memory<estimate>(3);
  std::vector<estimate> untouched(6);
  std::span<estimate> const host_memory = untouched;
  std::vector<contract> const book{{100, 1}, {100, 0.5, settlement::put}};
  simulation_options const few{.paths = 16, .steps = 2};
  black_scholes const flat{100, 0.2, 0.01};
  auto const local = ordinary_local();

  // set(to, memory): with the wanted results in memory of either kind.
  auto const refuses = [&](std::string const& argument, auto const& model,
                           std::vector<contract> const& of, simulation_options const& options,
                           auto set, bumps const& by = {}) {
    all.row("simulate", argument, [&] {
      pricing::greeks to;
      set(to, host_memory);
      pricing::simulate(place, model, of, to, options, by);
    });
    all.row("simulate_async", argument, [&] {
      spans<device> to;
      set(to, here);
      pricing::simulate_async(place, model, of, to, options, by);
    });
  };
  auto const wants = [](wanted which) {
    return [which](auto& to, auto memory) { member(to, which) = memory.subspan(0, 2); };
  };

  // What prices refuse.
  refuses("options.paths", ordinary, book, {.paths = 0, .steps = 2}, wants(delta));
  refuses("options.paths", flat, book, {.paths = 15, .steps = 2, .antithetic = true}, wants(delta));
  refuses("options.sampling", local, book,
          {.paths = 64, .steps = 2, .sampling = pricing::sampling::sobol}, wants(delta));
  refuses("model.spot", heston{0, 0, 0, 0.04, 1, 0.04, 0.5, 0}, book, few, wants(rho));
  refuses("model.correlation", heston{100, 0, 0, 0.04, 1, 0.04, 0.5, 2}, book, few, wants(rho));
  refuses("model.volatility", black_scholes{100, nan, 0.01}, book, few, wants(vega));
  refuses("book[1].strike", flat, {book[0], {-1, 1}}, few, wants(value));
  refuses("book[1].strike", flat, {book[0], {1e39, 1}}, few, wants(value));
  refuses("book[0].expiry", local, {{100, 0.3}, book[0]}, few, wants(delta));

  // Results of another size, nowhere, or at another's place.
  for (wanted const which : all_of<heston>()) {
    std::string const name = std::string("results.") + names[which];
    refuses(name, ordinary, book, few,
            [&](auto& to, auto memory) { member(to, which) = memory.subspan(0, 1); });
    refuses(name, ordinary, book, few,
            [&](auto& to, auto memory) { member(to, which) = memory.subspan(0, 3); });
    refuses(name, ordinary, {}, few, wants(which));
    if (which != value)
      refuses(name, ordinary, book, few, [&](auto& to, auto memory) {
        to.value = memory.subspan(0, 2);
        member(to, which) = memory.subspan(1, 2);
      });
  }
  for (auto const bad : refusals<wf::host>::nowhere<estimate>(2))
    all.row("simulate", "results.delta", [&] {
      pricing::simulate(place, flat, book, {.value = host_memory.first(2), .delta = bad}, few);
    });
  for (auto const bad : refusals<Place>::template nowhere<estimate>(2))
    all.row("simulate_async", "results.delta", [&] {
      pricing::simulate_async(place, flat, book, {.value = here.subspan(0, 2), .delta = bad}, few);
    });
  refuses("results", flat, book, few, [](auto&, auto) {});

  // What a model has not.
  refuses("results.vega", ordinary, book, few, wants(vega));
  for (wanted const which : {variance, reversion, mean, vol_of_vol, correlation}) {
    refuses(std::string("results.") + names[which], flat, book, few, wants(which));
    refuses(std::string("results.") + names[which], local, book, few, wants(which));
  }

  // Bumps of what is wanted.
  struct row {
    wanted which;
    char const* argument;
    double bumps::*member;
  };
  for (row const& one :
       {row{delta, "sizes.spot", &bumps::spot}, row{spot_gamma, "sizes.spot", &bumps::spot},
        row{rho, "sizes.rate", &bumps::rate},
        row{dividend_rho, "sizes.dividend_yield", &bumps::dividend_yield},
        row{variance, "sizes.variance", &bumps::variance},
        row{reversion, "sizes.reversion", &bumps::reversion}, row{mean, "sizes.mean", &bumps::mean},
        row{vol_of_vol, "sizes.vol_of_vol", &bumps::vol_of_vol},
        row{correlation, "sizes.correlation", &bumps::correlation}})
    for (double const bad : {0., -0.01, nan, infinite}) {
      bumps by;
      by.*one.member = bad;
      refuses(one.argument, ordinary, book, few, wants(one.which), by);
    }
  for (double const bad : {0., -0.01, nan, infinite}) {
    refuses("sizes.volatility", flat, book, few, wants(vega), {.volatility = bad});
    refuses("sizes.volatility", local, book, few, wants(vega), {.volatility = bad});
  }
  for (double const bad : {1., 0.9e-5}) // of float
    refuses("sizes.spot", flat, book, few, wants(delta), {.spot = bad});
  refuses("sizes.spot", flat, book, few, wants(spot_gamma), {.spot = 0.9e-5});
  refuses("sizes.correlation", ordinary, book, few, wants(correlation), {.correlation = 1.7});
  refuses("sizes.sticky", local, book, few, wants(delta),
          {.sticky = static_cast<pricing::sticky>(2)});
  // Bumped models that are none.
  refuses("model", flat, book, few, wants(rho), {.rate = 1e4});
  refuses("model", flat, book, few, wants(dividend_rho), {.dividend_yield = 1e4});
  refuses("model.spot", black_scholes{3.39e38, 0.2, 0}, book, few, wants(delta), {.spot = 0.1});

  // What paths do not give, and where.
  bumps const pathwise{.method = pricing::greek_method::pathwise};
  refuses("sizes.method", flat, book, few, wants(delta),
          {.method = static_cast<pricing::greek_method>(3)});
  refuses("sizes.method", local, book, few, wants(delta), pathwise);
  refuses("results.gamma", flat, book, few, wants(spot_gamma), pathwise);
  refuses("results.gamma", ordinary, book, few, wants(spot_gamma), pathwise);
  refuses("results.vega", ordinary, book, few, wants(vega), pathwise);
  refuses("results.mean", flat, book, few, wants(mean), pathwise);
  refuses(
      "results", flat, book, few, [](auto&, auto) {}, pathwise);
  refuses("options.paths", ordinary, book, {.paths = 0, .steps = 2}, wants(delta), pathwise);
  refuses("book[1].strike", flat, {book[0], {-1, 1}}, few, wants(value), pathwise);
  refuses("model.spot", black_scholes{1e-40, 0.2, 0.01}, book, few, wants(delta), pathwise);
  black_scholes jumping = flat;
  jumping.jumps = {.intensity = 1, .mean = 0.1};
  refuses("model.jumps.intensity", jumping, book, few, wants(delta), pathwise);
  for (wanted const which : {variance, reversion, mean, vol_of_vol}) {
    for (double const vol : {0., 1.}) {
      heston model = ordinary;
      model.vol_of_vol = vol;
      refuses("model.vol_of_vol", model, book, few, wants(which), pathwise);
    }
    refuses("model.vol_of_vol", heston_of(0.04, 0, 0.04, 0.1, 0), book, few, wants(which),
            pathwise);
  }
  refuses("model.vol_of_vol", heston_of(0.04, 1, 0.04, 0, 0), book, few, wants(correlation),
          pathwise);
  refuses("model.variance", heston_of(0, 2, 0.06, 0.5, 0), book, few, wants(variance), pathwise);
  refuses("model.correlation", heston_of(0.04, 1, 0.04, 0.2, -0.995), book, few, wants(correlation),
          pathwise);
  for (wanted const which : {mean, correlation})
    refuses("model.correlation", heston_of(0.04, 0.5, 2, 2, 0.9), {book[0], book[0]},
            {.paths = 16, .steps = 1}, wants(which), pathwise);

  refuses("book[1].settlement", flat, {book[0], {100, 1, settlement::digital_put}}, few,
          wants(delta), pathwise);

  // What scores do not give, and where.
  bumps const by_ratio{.method = pricing::greek_method::likelihood_ratio};
  refuses("sizes.method", local, book, few, wants(delta), by_ratio);
  refuses("results.vega", ordinary, book, few, wants(vega), by_ratio);
  refuses("model.jumps.intensity", jumping, book, few, wants(delta), by_ratio);
  for (wanted const which : {variance, reversion, mean, vol_of_vol, correlation})
    refuses(std::string("results.") + names[which], ordinary, book, few, wants(which), by_ratio);
  refuses("book[1].measure", flat,
          {book[0], {100, 1, settlement::call, measure::arithmetic_average}}, few, wants(delta),
          by_ratio);
  double const from_0[] = {0, 0.5, 1};
  simulation_options const with_start{.paths = 16, .times = from_0};
  refuses("book[1].expiry", flat, {{100, 1}, {100, 0}}, with_start, wants(delta), by_ratio);
  refuses("model.volatility", black_scholes{100, 0, 0.01}, book, few, wants(delta), by_ratio);
  refuses("model.variance", heston_of(0, 2, 0.06, 0.5, 0), book, few, wants(delta), by_ratio);
  refuses("model.variance", heston_of(1e-50, 2, 0.06, 0.5, 0), book, few, wants(delta), by_ratio);
  refuses("model.correlation", heston_of(0.04, 1, 0.04, 0.2, -0.995), book, few, wants(value),
          by_ratio);
  refuses("model.spot", black_scholes{1e-40, 0.2, 0.01}, book, few, wants(delta), by_ratio);
  refuses("model.spot", black_scholes{1e-30, 0.2, 0.01}, book, few, wants(spot_gamma), by_ratio);

  // Products refuse the same.
  double const year[] = {1}, never[] = {pricing::schedule_date::never};
  pricing::schedule const note =
      pricing::autocallable{.times = year, .call_levels = never, .knock_in_level = 0.6};
  auto const of_notes = [&](std::string const& argument, auto const& model,
                            std::vector<pricing::schedule> const& of, auto set,
                            bumps const& by = {}) {
    all.row("simulate", argument, [&] {
      pricing::greeks to;
      set(to, host_memory);
      pricing::simulate(place, model, of, to, few, by);
    });
    all.row("simulate_async", argument, [&] {
      spans<device> to;
      set(to, here);
      pricing::simulate_async(place, model, of, to, few, by);
    });
  };
  of_notes("sizes.method", flat, {note, note}, wants(delta), pathwise);
  of_notes("sizes.method", local, {note, note}, wants(rho), pathwise);
  of_notes("sizes.spot", flat, {note, note}, wants(delta), bumps{.spot = 0.9e-10});
  of_notes("sizes.method", flat, {note, note}, wants(rho), by_ratio);
  of_notes("model.spot", black_scholes{nan, 0.2, 0.01}, {note, note}, wants(delta));
  of_notes("book[1].dates", flat, {note, {}}, wants(delta));
  of_notes("results.vega", ordinary, {note, note}, wants(vega));
  of_notes("results.delta", flat, {note}, wants(delta));
  of_notes("results", flat, {note}, [](auto&, auto) {});
  for (auto const bad : refusals<wf::host>::nowhere<pricing::schedule const>(2))
    all.row("simulate", "book",
            [&] { pricing::simulate(place, flat, bad, {.delta = host_memory.first(2)}, few); });
  CHECK(untouched[0].paths == 0);
}

} // namespace refusals_greeks_test
