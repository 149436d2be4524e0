// Greeks by likelihood ratios, on either place, against closed forms, a quadrature and bumps, and
// how honest their errors are.

#include "pricing/greeks/greeks.hpp"
#include "pricing/paths/contracts_bits.hpp"

namespace likelihood_ratio_test {

using namespace test;
using namespace test::greeks;
namespace pricing = warpfold::pricing;

bumps const by_ratio{.method = pricing::greek_method::likelihood_ratio};

/// All that likelihood ratios give of a model's.
template <class Model>
std::vector<wanted> all_by_ratio() {
  if constexpr (std::same_as<Model, heston>) return {value, delta, spot_gamma, rho, dividend_rho};
  else return all_of<Model>();
}
template <class T, class Place, class Model>
estimates ratios_of(Place& place, Model const& model, std::vector<contract> const& book,
                    simulation_options const& options) {
  return some_greeks<T>(place, model, book, options, all_by_ratio<Model>(), by_ratio);
}

/// Contracts on the price of every settlement.
std::vector<contract> on_prices(std::size_t size) {
  std::vector<contract> book;
  for (std::size_t i = 0; i < size; ++i)
    book.push_back({80 + 3. * static_cast<double>(i % 14), quarters[(7 * i + 3) % 4],
                    static_cast<settlement>(i % 5)});
  return book;
}

EVERY_PLACE_OF("Greeks by likelihood ratios are Black and Scholes's", T, float, double) {
  std::vector<contract> book;
  for (double const t : {0.25, 1.})
    for (double const strike : {85., 100., 120.})
      for (int kind = 0; kind < 5; ++kind)
        book.push_back({strike, t, static_cast<settlement>(kind)});
  formula const of;
  double const times[] = {0.25, 1};
  for (bool const antithetic : {false, true}) {
    CAPTURE(antithetic);
    auto const got = ratios_of<T>(
        place, of.model(), book,
        {.paths = 2 * many<Place>, .times = times, .seed = 2, .antithetic = antithetic});
    for (std::size_t i = 0; i < book.size(); ++i) {
      check_all(got, i, derivatives(of, [&](formula const& moved) { return moved.price(book[i]); }),
                all_by_ratio<black_scholes>());
      for (wanted const k : all_by_ratio<black_scholes>()) {
        CHECK(got[k][i].paying == got[value][i].paying);
        CHECK(got[k][i].paths == 2 * many<Place>);
      }
    }
  }
  // So is Heston's model with a certain variance.
  auto const certain = ratios_of<T>(place, heston_of(0.04, 1, 0.04, 0, 1, 0.05, 0.02), book,
                                    {.paths = 2 * many<Place>, .times = times, .seed = 2});
  for (std::size_t i = 0; i < book.size(); ++i)
    check_all(certain, i,
              derivatives(of, [&](formula const& moved) { return moved.price(book[i]); }),
              all_by_ratio<heston>());
}

EVERY_PLACE_OF("Greeks by likelihood ratios with curves", T, float, double) {
  double const ends[] = {0.25, 0.75, 1.5}, volatilities[] = {0.3, 0.1, 0.25},
               rates[] = {0.02, 0.06, -0.01}, yields[] = {0.01, 0, 0.03};
  black_scholes const model{.spot = 100,
                            .volatility = {{.times = ends, .values = volatilities}},
                            .rate = {{.times = ends, .values = rates}},
                            .dividend_yield = {{.times = ends, .values = yields}}};
  std::vector<contract> const book{{98, 1}, {98, 1, settlement::digital_call}};
  for (double const step : {0., 0.1}) {
    auto const got =
        ratios_of<T>(place, model, book,
                     {.paths = 2 * many<Place>, .steps = 1, .longest_step = step, .seed = 3});
    // Parallel shifts, by hand.
    for (std::size_t i = 0; i < 2; ++i)
      check_all(got, i,
                derivatives({100, 0, 0, 0},
                            [&](formula const& by) {
                              auto const square = [&](double at) {
                                return (at + by.volatility) * (at + by.volatility);
                              };
                              double const total =
                                  0.25 * square(0.3) + 0.5 * square(0.1) + 0.25 * square(0.25);
                              return formula{by.spot, std::sqrt(total), 0.0325 + by.rate,
                                             0.01 + by.dividend_yield}
                                  .price(book[i]);
                            }),
                all_by_ratio<black_scholes>());
  }
}

// A quadrature over the characteristic function (S. Heston 1993), at 30 digits: the probability
// that the price ends above the strike, and its derivatives.
struct heston_digital {
  heston model;
  contract of;
  std::array<double, 6> exact;
};
std::vector<heston_digital> const by_quadrature{
    {ordinary,
     {100, 1, settlement::digital_call},
     {0.5429195327, 0.01728410181, -0.0006117512956, 0, 1.185490649, -1.728410181}},
    {ordinary,
     {120, 1, settlement::digital_call},
     {0.2000840858, 0.01675082962, 0.0004982539481, 0, 1.474998877, -1.675082962}},
    {ordinary,
     {90, 0.5, settlement::digital_call},
     {0.7632546651, 0.01483530486, -0.001023906826, 0, 0.3601379106, -0.7417652432}},
    // F. Fang, C. Oosterlee, A novel pricing method for European options (2008).
    {heston_of(0.0175, 1.5768, 0.0398, 0.5751, -0.5711),
     {100, 1, settlement::digital_call},
     {0.5670649413, 0.03055334182, -0.002188220639, 0, 2.48826924, -3.055334182}}};

EVERY_PLACE_OF("Greeks of digitals in Heston's model by likelihood ratios", T, float, double) {
  for (auto const& row : by_quadrature) {
    CAPTURE(row.of.strike);
    double const times[] = {row.of.expiry};
    auto const got = ratios_of<T>(
        place, row.model, {row.of},
        {.paths = 2 * many<Place>, .times = times, .longest_step = 1. / 32, .seed = 4});
    for (wanted const k : all_by_ratio<heston>()) {
      CAPTURE(names[k]);
      // The scheme's bias with such steps.
      double const bias = 3e-3 * std::abs(row.exact[k]) + (k == spot_gamma ? 3e-5 : 0);
      CHECK(std::abs(got[k][0].value - row.exact[k]) < 4 * got[k][0].standard_error + bias);
    }
  }
}

EVERY_PLACE_OF("likelihood ratios and bumps agree, and have smaller errors for digitals", T, float,
               double) {
  std::vector<contract> const book{{105, 1, settlement::digital_call}, {95, 0.5}};
  simulation_options const options{
      .paths = 2 * many<Place>, .times = quarters, .longest_step = 0.125, .seed = 8};
  auto const check = [&](auto const& model, char const* name) {
    auto const which = all_by_ratio<std::remove_cvref_t<decltype(model)>>();
    auto const got = ratios_of<T>(place, model, book, options);
    auto const bumped = some_greeks<T>(place, model, book, options, which);
    for (wanted const k : which)
      for (std::size_t i = 0; i < book.size(); ++i) {
        CAPTURE(names[k]);
        CAPTURE(i);
        auto const &a = got[k][i], &b = bumped[k][i];
        double const bias = 0.01 * std::abs(b.value) + 1e-4; // of bumps
        CHECK(std::abs(a.value - b.value) <
              4.5 * std::hypot(a.standard_error, b.standard_error) + bias);
      }
    double const ours = got[delta][0].standard_error, theirs = bumped[delta][0].standard_error;
    CHECK(ours < 0.8 * theirs);
    MESSAGE(name << ", a digital's delta: error " << ours << " by likelihood ratios, " << theirs
                 << " by bumps; gamma " << got[spot_gamma][0].standard_error << ", "
                 << bumped[spot_gamma][0].standard_error);
  };
  check(ordinary, "Heston");
  check(formula{}.model(), "Black and Scholes");
}

TEST_CASE_TEMPLATE("errors of likelihood ratios are honest", T, float, double) {
  wf::host place(1);
  formula const of;
  std::vector<contract> const book{{105, 1}, {105, 1, settlement::digital_put}};
  auto const which = all_by_ratio<black_scholes>();
  for (bool const antithetic : {false, true}) {
    CAPTURE(antithetic);
    scores all[2][6];
    for (int seed = 0; seed < 200; ++seed) {
      auto const got = ratios_of<T>(place, of.model(), book,
                                    {.paths = antithetic ? 7'500U : 3'750U,
                                     .steps = 1,
                                     .seed = static_cast<std::uint64_t>(seed),
                                     .antithetic = antithetic});
      for (std::size_t i = 0; i < book.size(); ++i) {
        auto const exact =
            derivatives(of, [&](formula const& moved) { return moved.price(book[i]); });
        for (wanted const k : which) all[i][k].add(got[k][i], exact[k]);
      }
    }
    for (auto const& of_contract : all)
      for (wanted const k : which) {
        CAPTURE(names[k]);
        of_contract[k].check();
      }
  }
}

// ---- bits ---------------------------------------------------------------------------------------

FAST_EVERY_PLACE_OF("values beside likelihood ratios have the bits of prices", T, float, double) {
  for (auto const how : {&simulation_options::antithetic, &simulation_options::independent}) {
    auto const book = on_prices(how == &simulation_options::independent ? 3 : 70);
    auto options = with(ordinary_options, how);
    options.paths = 700;
    auto const check = [&](auto const& model) {
      auto const got = ratios_of<T>(place, model, book, options);
      CHECK(same_estimates(got[value], contracts::simulated<T>(place, model, book, options)));
    };
    check(ordinary);
    check(formula{}.model());
  }
}

FAST_EVERY_PLACE_OF("likelihood ratios have the same bits alone and in any book", T, float,
                    double) {
  auto const book = on_prices(70);
  auto options = ordinary_options;
  options.paths = 700;
  auto const all = ratios_of<T>(place, ordinary, book, options);
  for (wanted const which : all_by_ratio<heston>())
    for (std::size_t const i : {4, 41, 69}) {
      CAPTURE(names[which]);
      auto const one = some_greeks<T>(place, ordinary, {book[i]}, options, {which}, by_ratio);
      CHECK(same_estimate(one[which][0], all[which][i]));
    }
  CHECK(ratios_of<T>(place, ordinary, {}, options)[value].empty());
}

FAST_EVERY_PLACE_OF("likelihood ratios have the same bits with and without a wait", T, float,
                    double) {
  auto const book = on_prices(20);
  auto const check = [&](auto const& model) {
    auto const expected = ratios_of<T>(place, model, book, ordinary_options);
    auto const which = all_by_ratio<std::remove_cvref_t<decltype(model)>>();
    std::vector<memory_of<Place, estimate>> memory;
    spans<view_t<Place, estimate>> to;
    for (std::size_t k = 0; k < which.size(); ++k)
      memory.emplace_back(place, std::vector<estimate>(book.size()));
    for (std::size_t k = 0; k < which.size(); ++k) member(to, which[k]) = memory[k].all();
    pricing::simulate_async<T>(place, model, book, to, ordinary_options, by_ratio);
    for (std::size_t k = 0; k < which.size(); ++k)
      CHECK(same_estimates(contents(place, memory[k].all()), expected[which[k]]));
  };
  check(ordinary);
  check(formula{}.model());
}

TEST_CASE_TEMPLATE("likelihood ratios have the same bits on any number of threads", T, float,
                   double) {
  auto const book = on_prices(10);
  wf::host one(1), five(5);
  auto const a = ratios_of<T>(one, ordinary, book, ordinary_options),
             b = ratios_of<T>(five, ordinary, book, ordinary_options);
  for (wanted const which : all_by_ratio<heston>()) CHECK(same_estimates(a[which], b[which]));
}

TEST_SUITE("gpu") {
  TEST_CASE_TEMPLATE("fast: likelihood ratios on a gpu are the host's", T, float, double) {
    wf::gpu place;
    wf::host other;
    auto const check = [&](auto const& model) {
      auto const book = on_prices(30);
      auto const there = ratios_of<T>(place, model, book, ordinary_options);
      auto const here = ratios_of<T>(other, model, book, ordinary_options);
      for (wanted const which : all_by_ratio<std::remove_cvref_t<decltype(model)>>()) {
        CAPTURE(names[which]);
        CHECK(same_estimates(there[which], here[which]));
      }
    };
    check(ordinary);
    check(formula{}.model());
  }

  TEST_CASE("likelihood ratios in a captured graph, with no more workspace than they say") {
    wf::gpu place;
    auto const book = on_prices(40);
    auto const expected = ratios_of<float>(place, ordinary, book, ordinary_options);
    wf::device_buffer<estimate> deltas(place, book.size()), gammas(place, book.size());
    auto const call = [&](wf::gpu& on, simulation_options const& options) {
      pricing::simulate_async(on, ordinary, book, {.delta = deltas.span(), .gamma = gammas.span()},
                              options, by_ratio);
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
      CHECK(same_estimates(wf::to_vector(place, gammas.span()), expected[spot_gamma]));
    }
  }
}

} // namespace likelihood_ratio_test
