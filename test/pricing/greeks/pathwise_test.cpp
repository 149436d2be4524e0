// Pathwise Greeks by simulation, on either place, against closed forms and quadratures, and how
// honest their errors are.

#include "pricing/greeks/greeks.hpp"
#include "pricing/paths/contracts_bits.hpp"

namespace pathwise_test {

using namespace test;
using namespace test::greeks;
namespace pricing = warpfold::pricing;

bumps const pathwise{.method = pricing::greek_method::pathwise};

/// All that paths give of a model's.
template <class Model>
std::vector<wanted> all_pathwise() {
  std::vector<wanted> all = all_of<Model>();
  std::erase(all, spot_gamma);
  return all;
}
template <class T, class Place, class Model>
estimates pathwise_of(Place& place, Model const& model, std::vector<contract> const& book,
                      simulation_options const& options) {
  return some_greeks<T>(place, model, book, options, all_pathwise<Model>(), pathwise);
}

void check_all(estimates const& got, std::size_t i, std::array<double, 6> const& exact) {
  test::greeks::check_all(got, i, exact, all_pathwise<black_scholes>());
}

EVERY_PLACE_OF("pathwise Greeks of calls and puts are Black and Scholes's", T, float, double) {
  std::vector<contract> book;
  for (double const t : {0.25, 1.})
    for (double const strike : {85., 100., 120.})
      for (settlement const kind : {settlement::call, settlement::put, settlement::forward})
        book.push_back({strike, t, kind});
  formula const of;
  double const times[] = {0.25, 1};
  for (bool const antithetic : {false, true}) {
    CAPTURE(antithetic);
    auto const got = pathwise_of<T>(
        place, of.model(), book,
        {.paths = 2 * many<Place>, .times = times, .seed = 2, .antithetic = antithetic});
    for (std::size_t i = 0; i < book.size(); ++i) {
      check_all(got, i,
                derivatives(of, [&](formula const& moved) { return moved.price(book[i]); }));
      double const errors[] = {30, 2, 0, 150, 150, 150};
      for (wanted const k : all_pathwise<black_scholes>()) {
        CHECK(got[k][i].standard_error < errors[k] / std::sqrt(2. * many<Place>));
        CHECK(got[k][i].paying == got[value][i].paying);
        CHECK(got[k][i].paths == 2 * many<Place>);
      }
    }
  }
}

EVERY_PLACE_OF("pathwise Greeks of averages and variances", T, float, double) {
  std::vector<double> const times{0.25, 0.5, 1};
  std::vector<contract> const book{{98, 1, settlement::call, measure::geometric_average},
                                   {95, 1, settlement::forward, measure::arithmetic_average},
                                   {0.03, 1, settlement::forward, measure::realized_variance}};
  formula const of;
  auto const got = pathwise_of<T>(place, of.model(), book,
                                  {.paths = 4 * many<Place>, .times = times, .seed = 5});
  // Averages are lognormal: A. Kemna, A. Vorst, A pricing method for options based on average asset
  // values (1990). The sum of min(s, t) is 3.75 over all pairs of times.
  check_all(
      got, 0, derivatives(of, [](formula const& moved) {
        double const square = moved.volatility * moved.volatility;
        double const variance = square * 3.75 / 9;
        double const growth =
            (moved.rate - moved.dividend_yield - square / 2) * 1.75 / 3 + variance / 2;
        return formula{moved.spot, std::sqrt(variance), moved.rate, moved.rate - growth}.price(
            {98, 1});
      }));
  check_all(got, 1, derivatives(of, [&](formula const& moved) {
              double sum = 0;
              for (double const t : times)
                sum += moved.spot * std::exp((moved.rate - moved.dividend_yield) * t) / 3;
              return std::exp(-moved.rate) * (sum - 95);
            }));
  check_all(got, 2, derivatives(of, [](formula const& moved) {
              double const square = moved.volatility * moved.volatility;
              double const drift = moved.rate - moved.dividend_yield - square / 2;
              return std::exp(-moved.rate) *
                     (square + drift * drift * (0.0625 + 0.0625 + 0.25) - 0.03);
            }));
  CHECK(got[delta][2].value == 0);
}

EVERY_PLACE_OF("pathwise Greeks with curves", T, float, double) {
  double const ends[] = {0.25, 0.75, 1.5}, volatilities[] = {0.3, 0.1, 0.25},
               rates[] = {0.02, 0.06, -0.01}, yields[] = {0.01, 0, 0.03};
  black_scholes const model{.spot = 100,
                            .volatility = {{.times = ends, .values = volatilities}},
                            .rate = {{.times = ends, .values = rates}},
                            .dividend_yield = {{.times = ends, .values = yields}}};
  contract const call{98, 1};
  auto const got =
      pathwise_of<T>(place, model, {call}, {.paths = 2 * many<Place>, .steps = 1, .seed = 3});
  // Parallel shifts, by hand.
  check_all(
      got, 0, derivatives({100, 0, 0, 0}, [&](formula const& by) {
        auto const square = [&](double at) { return (at + by.volatility) * (at + by.volatility); };
        double const total = 0.25 * square(0.3) + 0.5 * square(0.1) + 0.25 * square(0.25);
        return formula{by.spot, std::sqrt(total), 0.0325 + by.rate, 0.01 + by.dividend_yield}.price(
            call);
      }));
}

// Derivatives of a quadrature over the characteristic function (A. Lewis 2000), at 25 digits.
struct heston_derivatives {
  heston model;
  contract of;
  std::array<double, wanted_count> exact;
};
/// F. Fang, C. Oosterlee, A novel pricing method for European options (2008).
heston const fang_oosterlee = heston_of(0.0175, 1.5768, 0.0398, 0.5751, -0.5711);
std::vector<heston_derivatives> const by_quadrature{
    {ordinary,
     {100, 1},
     {9.696701324, 0.639886546, 0, 0, 54.29195327, -63.9886546, 34.2053506, 0.3384049256,
      48.00747358, -1.751184587, 0.2886540203}},
    {ordinary,
     {120, 1},
     {2.378525253, 0.2638861554, 0, 0, 24.01009029, -26.38861554, 26.9177712, 0.4125640811,
      40.36751951, -2.411253088, 2.188839092}},
    {ordinary,
     {90, 0.5},
     {13.30435864, 0.819972785, 0, 0, 34.34645993, -40.99863925, 26.74222113, 0.03466874917,
      15.00098991, 0.1511106006, -0.5489232824}},
    {fang_oosterlee,
     {100, 1},
     {5.785155434, 0.6249164956, 0, 0, 56.70649413, -62.49164956, 54.56533089, 0.8687402706,
      62.91518292, -2.204808563, 0.5805726114}}};

EVERY_PLACE_OF("pathwise Greeks in Heston's model", T, float, double) {
  for (auto const& row : by_quadrature) {
    CAPTURE(row.of.strike);
    double const times[] = {row.of.expiry};
    auto const got = pathwise_of<T>(
        place, row.model, {row.of},
        {.paths = 2 * many<Place>, .times = times, .longest_step = 1. / 32, .seed = 4});
    for (wanted const k : all_pathwise<heston>()) {
      CAPTURE(names[k]);
      // The scheme's bias with such steps.
      double const bias = (k < variance ? 1e-3 : 5e-3) * std::abs(row.exact[k]) + 2e-3;
      CHECK(std::abs(got[k][0].value - row.exact[k]) < 4 * got[k][0].standard_error + bias);
      double const errors[] = {20, 1, 0, 0, 80, 90, 180, 6, 220, 40, 30};
      CHECK(got[k][0].standard_error < errors[k] / std::sqrt(2. * many<Place>));
    }
  }
}

FAST_EVERY_PLACE_OF("pathwise Greeks are those of bumps on the same paths", T, float, double) {
  auto const book = every_contract(24, quarters);
  simulation_options const options{
      .paths = 1 << 14, .times = quarters, .longest_step = 0.125, .seed = 8};
  auto const check = [&](auto const& model) {
    using model_type = std::remove_cvref_t<decltype(model)>;
    auto const got = pathwise_of<T>(place, model, book, options);
    auto const by_bumps = greeks_of<T>(place, model, book, options);
    for (wanted const k : all_pathwise<model_type>())
      for (std::size_t i = 0; i < book.size(); ++i) {
        CAPTURE(names[k]);
        CAPTURE(i);
        auto const &a = got[k][i], &b = by_bumps[k][i];
        // Bumps have a bias of their own.
        double const bias = 4e-3 * std::abs(b.value) + 1e-4;
        CHECK(std::abs(a.value - b.value) < b.standard_error + bias);
        CHECK(a.standard_error == doctest::Approx(b.standard_error).epsilon(0.3).scale(1e-3));
      }
  };
  check(ordinary);
  check(formula{}.model());
}

TEST_CASE_TEMPLATE("errors of pathwise Greeks are honest", T, float, double) {
  wf::host place(1);
  formula const of;
  contract const call{105, 1};
  auto const exact = derivatives(of, [&](formula const& moved) { return moved.price(call); });
  for (bool const antithetic : {false, true}) {
    CAPTURE(antithetic);
    scores all[6];
    for (int seed = 0; seed < 200; ++seed) {
      auto const got = pathwise_of<T>(place, of.model(), {call},
                                      {.paths = antithetic ? 7'500U : 3'750U,
                                       .steps = 1,
                                       .seed = static_cast<std::uint64_t>(seed),
                                       .antithetic = antithetic});
      for (wanted const k : all_pathwise<black_scholes>()) all[k].add(got[k][0], exact[k]);
    }
    for (wanted const k : all_pathwise<black_scholes>()) {
      CAPTURE(names[k]);
      all[k].check();
    }
  }
}

FAST_EVERY_PLACE_OF("a call less a put is a forward, in every pathwise Greek", T, float, double) {
  std::vector<contract> book;
  for (auto const on : {measure::price, measure::arithmetic_average, measure::geometric_average,
                        measure::realized_variance})
    for (auto const kind : {settlement::call, settlement::put, settlement::forward})
      book.push_back({on == measure::realized_variance ? 0.05 : 101, 0.75, kind, on});
  for (bool const antithetic : {false, true}) {
    auto const got = pathwise_of<T>(place, ordinary, book,
                                    {.paths = 4096, .times = quarters, .antithetic = antithetic});
    double const unit = sizeof(T) == 4 ? 1e-6 : 1e-14;
    for (wanted const k : all_pathwise<heston>())
      for (std::size_t i = 0; i < book.size(); i += 3) {
        CAPTURE(names[k]);
        CAPTURE(i);
        double const call = got[k][i].value, put = got[k][i + 1].value;
        CHECK(std::abs(call - put - got[k][i + 2].value) <=
              unit * (std::abs(call) + std::abs(put) + 1));
      }
  }
}

EVERY_PLACE_OF("pathwise Greeks of what is certain", T, float, double) {
  double const near = sizeof(T) == 4 ? 1e-5 : 1e-12;
  auto const is = [&](estimate const& got, double exact) {
    CHECK(got.value == doctest::Approx(exact).epsilon(near));
    CHECK(got.standard_error <= 1e-7 * std::abs(exact)); // the root of a rounding
  };
  double const times[] = {0, 0.5};
  std::vector<contract> const book{{90, 0}, {90, 0.5}, {120, 0.5}, {120, 0.5, settlement::put}};
  auto const got = pathwise_of<T>(place, black_scholes{100, 0, 0.04, 0.02}, book,
                                  {.paths = 1000, .times = times});
  double const yielded = std::exp(-0.01), discount = std::exp(-0.02);
  double const of_0[] = {10, 1, 0, 0, 0, 0};
  double const of_call[] = {
      100 * yielded - 90 * discount, yielded, 0, 0, 45 * discount, -50 * yielded};
  double const of_put[] = {
      120 * discount - 100 * yielded, -yielded, 0, 0, -60 * discount, 50 * yielded};
  for (wanted const k : all_pathwise<black_scholes>()) {
    CAPTURE(names[k]);
    is(got[k][0], of_0[k]);
    is(got[k][2], 0);
    if (k == vega) continue; // the derivative of a price that spreads to both sides
    is(got[k][1], of_call[k]);
    is(got[k][3], of_put[k]);
  }
  CHECK(std::abs(z_score(got[vega][1], 0)) < 4.5);
  CHECK(got[vega][1].standard_error > 1);
}

// ---- bits ---------------------------------------------------------------------------------------

FAST_EVERY_PLACE_OF("pathwise values have the bits of prices", T, float, double) {
  for (auto const how : {&simulation_options::antithetic, &simulation_options::independent}) {
    auto const book = every_contract(how == &simulation_options::independent ? 3 : 70, quarters);
    auto options = with(ordinary_options, how);
    options.paths = 700;
    auto const check = [&](auto const& model) {
      auto const got = pathwise_of<T>(place, model, book, options);
      CHECK(same_estimates(got[value], contracts::simulated<T>(place, model, book, options)));
    };
    check(ordinary);
    check(formula{}.model());
  }
}

FAST_EVERY_PLACE_OF("pathwise Greeks have the same bits alone and in any book", T, float, double) {
  auto const book = every_contract(70, quarters);
  auto options = ordinary_options;
  options.paths = 700;
  auto const all = pathwise_of<T>(place, ordinary, book, options);
  for (wanted const which : all_pathwise<heston>())
    for (std::size_t const i : {4, 41, 69}) { // a price, averages
      CAPTURE(names[which]);
      auto const one = some_greeks<T>(place, ordinary, {book[i]}, options, {which}, pathwise);
      CHECK(same_estimate(one[which][0], all[which][i]));
    }
  auto const apart = pathwise_of<T>(place, ordinary, every_contract(5, quarters),
                                    with(options, &simulation_options::independent));
  options.stream += 4;
  auto const alone = pathwise_of<T>(place, ordinary, {book[4]}, options);
  for (wanted const which : all_pathwise<heston>())
    CHECK(same_estimate(alone[which][0], apart[which][4]));
  CHECK(pathwise_of<T>(place, ordinary, {}, options)[value].empty());
}

FAST_EVERY_PLACE_OF("pathwise Greeks have the same bits with and without a wait", T, float,
                    double) {
  auto const book = every_contract(20, quarters);
  auto const check = [&](auto const& model) {
    auto const expected = pathwise_of<T>(place, model, book, ordinary_options);
    std::vector<memory_of<Place, estimate>> memory;
    spans<view_t<Place, estimate>> to;
    auto const which = all_pathwise<std::remove_cvref_t<decltype(model)>>();
    for (std::size_t k = 0; k < which.size(); ++k)
      memory.emplace_back(place, std::vector<estimate>(book.size()));
    for (std::size_t k = 0; k < which.size(); ++k) member(to, which[k]) = memory[k].all();
    pricing::simulate_async<T>(place, model, book, to, ordinary_options, pathwise);
    for (std::size_t k = 0; k < which.size(); ++k)
      CHECK(same_estimates(contents(place, memory[k].all()), expected[which[k]]));
  };
  check(ordinary);
  check(formula{}.model());
}

TEST_SUITE("gpu") {
  TEST_CASE_TEMPLATE("fast: pathwise Greeks on a gpu are the host's", T, float, double) {
    wf::gpu place;
    wf::host other;
    auto const book = every_contract(30, quarters);
    auto const there = pathwise_of<T>(place, ordinary, book, ordinary_options);
    auto const here = pathwise_of<T>(other, ordinary, book, ordinary_options);
    for (wanted const which : all_pathwise<heston>()) {
      CAPTURE(names[which]);
      CHECK(same_estimates(there[which], here[which]));
    }
  }

  TEST_CASE("pathwise Greeks in a captured graph, with no more workspace than they say") {
    wf::gpu place;
    auto const book = every_contract(40, quarters);
    auto const expected = pathwise_of<float>(place, ordinary, book, ordinary_options);
    wf::device_buffer<estimate> deltas(place, book.size()), means(place, book.size());
    auto const call = [&](wf::gpu& on, simulation_options const& options) {
      pricing::simulate_async(on, ordinary, book, {.delta = deltas.span(), .mean = means.span()},
                              options, pathwise);
    };
    wf::gpu bare;
    simulation_options const large{.paths = 1 << 20, .times = quarters};
    CHECK(refused_by([&] { call(bare, large); }) == "place");
    bare.reserve(64 * 200'000 + 5000);
    call(bare, large);
    bare.synchronize();
    captured graph(place, [&] { call(place, ordinary_options); });
    for (int launch = 0; launch < 2; ++launch) {
      graph.launch();
      CHECK(same_estimates(wf::to_vector(place, deltas.span()), expected[delta]));
      CHECK(same_estimates(wf::to_vector(place, means.span()), expected[mean]));
    }
  }
}

} // namespace pathwise_test
