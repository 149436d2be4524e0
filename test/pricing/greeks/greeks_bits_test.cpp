// Greeks by simulation: what they are differences of, the same bits everywhere, and graphs.

#include "pricing/greeks/greeks.hpp"
#include "pricing/paths/contracts_bits.hpp"

namespace greeks_bits_test {

using namespace test;
using namespace test::greeks;
namespace pricing = warpfold::pricing;

bool same(estimates const& a, estimates const& b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), same_estimates);
}
/// Contract i's estimates.
estimates of_one(estimates const& all, std::size_t i) {
  estimates one;
  for (auto const& of : all)
    one.push_back(of.empty() ? std::vector<estimate>{} : std::vector{of[i]});
  return one;
}

/// A model with a parameter moved, as it is differenced.
struct moved {
  wanted which;
  heston up, down;
};
template <class T>
std::vector<moved> all_moved(heston const& model) {
  std::vector<moved> all;
  auto const add = [&](wanted which, double heston::*in, double by) {
    heston up = model, down = model;
    up.*in += by;
    down.*in -= by;
    all.push_back({which, up, down});
  };
  auto const add_curve = [&](wanted which, pricing::curve heston::*in) {
    heston up = model, down = model;
    double const now = (model.*in).values()[0];
    up.*in = now + 1e-3;
    down.*in = now - 1e-3;
    all.push_back({which, up, down});
  };
  add(delta, &heston::spot, 1);
  add_curve(rho, &heston::rate);
  add_curve(dividend_rho, &heston::dividend_yield);
  add(variance, &heston::variance, 0.002);
  add(reversion, &heston::reversion, 0.1);
  add(mean, &heston::mean, 0.002);
  add(vol_of_vol, &heston::vol_of_vol, 0.02);
  add(correlation, &heston::correlation, 0.02);
  return all;
}
double bump_of(wanted which) {
  double const all[] = {0, 1, 1, 0.01, 1e-3, 1e-3, 0.002, 0.1, 0.002, 0.02, 0.02};
  return all[which];
}

FAST_EVERY_PLACE_OF("Greeks are differences of prices on the same paths", T, float, double) {
  for (auto const how : {&simulation_options::antithetic, &simulation_options::independent,
                         &simulation_options::control_variate}) { // which changes nothing
    // Two kernels, in double three, or one each.
    auto const book = every_contract(how == &simulation_options::independent ? 7 : 70, quarters);
    auto options = with(ordinary_options, how);
    options.paths = 700;
    auto const got = greeks_of<T>(place, ordinary, book, options);
    auto const prices = contracts::simulated<T>(place, ordinary, book, options);
    CHECK(same_estimates(got[value], prices));
    for (moved const& one : all_moved<T>(ordinary)) {
      CAPTURE(names[one.which]);
      auto const up = contracts::simulated<T>(place, one.up, book, options);
      auto const down = contracts::simulated<T>(place, one.down, book, options);
      for (std::size_t i = 0; i < book.size(); ++i) {
        CAPTURE(i);
        double const bump = bump_of(one.which);
        auto const& estimate = got[one.which][i];
        double const difference = (up[i].value - down[i].value) / (2 * bump);
        CHECK(std::abs(estimate.value - difference) <=
              1e-9 * std::abs(difference) + 1e-12 * std::abs(prices[i].value) / bump);
        CHECK(estimate.paths == options.paths);
        CHECK(estimate.paying == std::min(up[i].paying, down[i].paying));
        CHECK(estimate.too_few_paid == (estimate.paying < 100));
        if (one.which != delta) continue;
        CHECK(got[spot_gamma][i].value ==
              doctest::Approx(up[i].value - 2 * prices[i].value + down[i].value).scale(1e-3));
        // The correlation of the two prices is what makes errors small.
        CHECK(estimate.standard_error < 0.3 * up[i].standard_error + 0.01);
      }
    }
  }
}

// A few errors from how the tiles' differences vary, with a tile a simulation.
TEST_CASE_TEMPLATE("standard errors are those of tiles", T, float, double) {
  wf::host place(1);
  contract const call{100, 1};
  constexpr std::uint64_t paths = 128 * 7 + 70;
  auto const options_of = [](std::uint64_t count) {
    return simulation_options{.paths = count, .steps = 1, .seed = 4};
  };
  // Sums until the end of each tile.
  std::vector<double> sums, counts;
  double before = 0, last = 0;
  for (std::uint64_t until = 128; last < paths; until += 128) {
    auto const now = std::min(until, paths);
    auto const one = greeks_of<T>(place, ordinary, {call}, options_of(now));
    double const sum = one[delta][0].value * static_cast<double>(now);
    sums.push_back(sum - before);
    counts.push_back(static_cast<double>(now) - last);
    before = sum;
    last = static_cast<double>(now);
  }
  double const average = before / paths;
  double squares = 0;
  for (std::size_t t = 0; t < sums.size(); ++t) {
    double const apart = sums[t] - counts[t] * average;
    squares += apart * apart / counts[t];
  }
  double const error = std::sqrt(squares / static_cast<double>(sums.size() - 1) / paths);
  auto const all = greeks_of<T>(place, ordinary, {call}, options_of(paths));
  CHECK(sums.size() == 8);
  CHECK(all[delta][0].standard_error == doctest::Approx(error).epsilon(1e-6));
}

EVERY_PLACE_OF("Greeks of a contract have the same bits alone and in any book", T, float, double) {
  auto const book = every_contract(70, quarters);
  auto const few = every_contract(5, quarters);
  auto own = ordinary_options;
  own.paths = 700;
  auto const independent = with(own, &simulation_options::independent);
  auto const check = [&](auto const& model) {
    auto const all = greeks_of<T>(place, model, book, own);
    for (std::size_t const i : {3, 40, 69})
      CHECK(same(greeks_of<T>(place, model, {book[i]}, own), of_one(all, i)));
    auto const apart = greeks_of<T>(place, model, few, independent);
    for (std::size_t i = 0; i < few.size(); ++i) {
      auto alone = own;
      alone.stream += i;
      CHECK(same(greeks_of<T>(place, model, {few[i]}, alone), of_one(apart, i)));
    }
  };
  check(ordinary);
  check(formula{}.model());
  check(ordinary_local());
}

EVERY_PLACE_OF("each Greek has the same bits alone", T, float, double) {
  auto const book = every_contract(5, quarters);
  auto const all = greeks_of<T>(place, lewis, book, ordinary_options);
  for (wanted const which : all_of<heston>()) {
    CAPTURE(names[which]);
    auto const one = some_greeks<T>(place, lewis, book, ordinary_options, {which});
    CHECK(same_estimates(one[which], all[which]));
    for (int other = 0; other < wanted_count; ++other)
      CHECK(one[static_cast<std::size_t>(other)].empty() == (other != which));
  }
  CHECK(same(greeks_of<T>(place, lewis, {}, ordinary_options), estimates(wanted_count)));
}

EVERY_PLACE_OF("where a bump would leave the domain, the other side is taken", T, float, double) {
  contract const call{95, 1};
  auto const check = [&](auto const& model, wanted which, auto const& other, double by) {
    CAPTURE(names[which]);
    auto const got = some_greeks<T>(place, model, {call}, ordinary_options, {value, which});
    auto const here = contracts::simulated<T>(place, model, call, ordinary_options);
    auto const there = contracts::simulated<T>(place, other, call, ordinary_options);
    CHECK(same_estimate(got[value][0], here));
    CHECK(got[which][0].value == doctest::Approx((there.value - here.value) / by).epsilon(1e-9));
    CHECK(got[which][0].paying == std::min(there.paying, here.paying));
  };
  auto const with_value = [](double heston::*member, double to) {
    heston model = ordinary;
    model.*member = to;
    return model;
  };
  check(with_value(&heston::variance, 0), variance, with_value(&heston::variance, 0.002), 0.002);
  check(with_value(&heston::reversion, 0.05), reversion, with_value(&heston::reversion, 0.15), 0.1);
  check(with_value(&heston::mean, 0.001), mean, with_value(&heston::mean, 0.003), 0.002);
  check(with_value(&heston::vol_of_vol, 0), vol_of_vol, with_value(&heston::vol_of_vol, 0.02),
        0.02);
  for (double const sign : {-1., 1.})
    check(with_value(&heston::correlation, sign), correlation,
          with_value(&heston::correlation, sign - 0.02 * sign), -0.02 * sign);
  check(black_scholes{100, 0.005, 0.01}, vega, black_scholes{100, 0.015, 0.01}, 0.01);
  check(local_volatility{100, 0.01, 0, constant(0.004)}, vega,
        local_volatility{100, 0.01, 0, constant(0.014)}, 0.01);
}

EVERY_PLACE_OF("Greeks have the same bits with and without a wait", T, float, double) {
  auto const book = every_contract(9, quarters);
  auto const check = [&](auto const& model) {
    auto const expected = greeks_of<T>(place, model, book, ordinary_options);
    std::vector<memory_of<Place, estimate>> memory;
    spans<view_t<Place, estimate>> to;
    auto const which = all_of<std::remove_cvref_t<decltype(model)>>();
    for (std::size_t k = 0; k < which.size(); ++k)
      memory.emplace_back(place, std::vector<estimate>(book.size()));
    for (std::size_t k = 0; k < which.size(); ++k) member(to, which[k]) = memory[k].all();
    pricing::simulate_async<T>(place, model, book, to, ordinary_options);
    for (std::size_t k = 0; k < which.size(); ++k)
      CHECK(same_estimates(contents(place, memory[k].all()), expected[which[k]]));
  };
  check(ordinary);
  check(formula{}.model());
  check(ordinary_local());
}

TEST_CASE_TEMPLATE("Greeks on the host have the same bits for any number of threads", T, float,
                   double) {
  auto const book = every_contract(20, quarters);
  wf::host one(1), three(3);
  CHECK(same(greeks_of<T>(one, lewis, book, ordinary_options),
             greeks_of<T>(three, lewis, book, ordinary_options)));
}

TEST_SUITE("gpu") {
  TEST_CASE_TEMPLATE("fast: Greeks on a gpu are the host's", T, float, double) {
    wf::gpu place;
    wf::host other;
    auto const book = every_contract(70, quarters);
    auto const there = greeks_of<T>(place, ordinary, book, ordinary_options);
    auto const here = greeks_of<T>(other, ordinary, book, ordinary_options);
    for (wanted const which : all_of<heston>()) {
      CAPTURE(names[which]);
      CHECK(same_estimates(there[which], here[which]));
    }
  }

  TEST_CASE("Greeks in a captured graph") {
    wf::gpu place;
    auto const book = every_contract(40, quarters);
    auto const expected = greeks_of<float>(place, ordinary, book, ordinary_options);
    wf::device_buffer<estimate> deltas(place, book.size()), gammas(place, book.size());
    captured graph(place, [&] {
      pricing::simulate_async(place, ordinary, book,
                              {.delta = deltas.span(), .gamma = gammas.span()}, ordinary_options);
    });
    for (int launch = 0; launch < 2; ++launch) {
      graph.launch();
      CHECK(same_estimates(wf::to_vector(place, deltas.span()), expected[delta]));
      CHECK(same_estimates(wf::to_vector(place, gammas.span()), expected[spot_gamma]));
    }
  }

  TEST_CASE("a workspace that is too small for Greeks is refused, and what it asks for is enough") {
    wf::gpu place;
    auto const book = every_contract(64, quarters);
    wf::device_buffer<estimate> deltas(place, book.size());
    auto const call = [&] {
      pricing::simulate_async(place, ordinary, book, {.delta = deltas.span()},
                              {.paths = 1 << 20, .times = quarters});
    };
    CHECK(refused_by(call) == "place");
    place.reserve(3 * 64 * 200'000 + 4 * 64);
    call();
    place.synchronize();
  }
}

} // namespace greeks_bits_test
