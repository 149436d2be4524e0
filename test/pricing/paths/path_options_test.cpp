// Asian and barrier options by Monte Carlo, on either place, against published prices, closed forms
// and convolutions.

#include "pricing/paths/path_options.hpp"

namespace path_options_test {

using namespace test;
using namespace test::paths;
namespace pricing = warpfold::pricing;

template <class Place>
constexpr std::uint64_t many = std::same_as<Place, wf::gpu> ? 1 << 20 : 1 << 16;

EVERY_PLACE_OF("path-dependent options have the published prices", T, float, double) {
  auto const times = even_times(10);
  auto const geometric =
      simulated<T>(place, ordinary_asian(average::geometric), {.paths = many<Place>, .steps = 10});
  CHECK(std::abs(z_score(geometric, 5.3425606635)) < 4.5);
  CHECK(geometric.standard_error < 10 / std::sqrt(many<Place>));

  // QuantLib's test suite has this from Levy (1997), and allows for 2 %.
  asian_option const levy{{90, 87, 11. / 12, 0.13, 0.025, 0.06}, put};
  std::vector<double> fixings;
  for (int i = 0; i < 12; ++i) fixings.push_back(i / 11.);
  double const reference = convolved_asian(levy, 12);
  CHECK(reference == doctest::Approx(1.6980019214).epsilon(0.001));
  for (bool const antithetic : {false, true})
    for (bool const control : {false, true}) {
      CAPTURE(antithetic);
      CAPTURE(control);
      auto const one = simulated<T>(place, levy,
                                    {.paths = many<Place>,
                                     .times = fixings,
                                     .antithetic = antithetic,
                                     .control_variate = control});
      CHECK(std::abs(z_score(one, reference)) < 4.5);
      CHECK(one.paths == many<Place>);
      if (control) CHECK(one.standard_error < 0.2 / std::sqrt(many<Place>));
      else CHECK(one.standard_error > 0.2 / std::sqrt(many<Place>));
    }

  std::vector<barrier_option> book;
  for (auto const& row : haug) {
    book.push_back(option_of(row, 0.25));
    book.push_back(option_of(row, 0.30));
  }
  auto const all =
      simulated<T>(place, book, {.paths = many<Place>, .steps = 64, .control_variate = true});
  for (std::size_t i = 0; i < all.size(); ++i) {
    CAPTURE(i);
    auto const& row = haug[i / 2];
    double const price = i % 2 == 0 ? row.price_25 : row.price_30;
    CHECK(std::abs(all[i].value - price) < 4.5 * all[i].standard_error + 1e-4);
    CHECK(all[i].standard_error < 15 / std::sqrt(many<Place>));
  }
}

EVERY_PLACE_OF("barriers between steps", T, float, double) {
  // A bridge between start and end is enough; half of the book's times are odd.
  std::vector<barrier_option> book;
  for (auto const& row : haug) book.push_back(option_of(row, 0.25, 0));
  double const times[] = {0, 0.013, 0.4, 0.41, 1};
  for (auto const& options :
       {simulation_options{.paths = many<Place>, .steps = 1, .control_variate = true},
        {.paths = many<Place>, .times = times, .control_variate = true}}) {
    auto const all = simulated<T>(place, book, options);
    for (std::size_t i = 0; i < book.size(); ++i) {
      CAPTURE(i);
      // Some are worth nothing, or what their control variate is.
      CHECK(std::abs(all[i].value - pricing::barrier_price(book[i])) <
            4.5 * all[i].standard_error + 1e-5);
    }
  }
  // Looked at on 250 days only, a barrier is as if it were further away (Broadie, Glasserman and
  // Kou, A continuity correction for discrete barrier options, 1997).
  for (barrier_option& one : book) one.monitoring = monitoring::discrete;
  auto const discrete =
      simulated<T>(place, book, {.paths = many<Place> / 2, .steps = 250, .control_variate = true});
  for (std::size_t i = 0; i < book.size(); ++i) {
    CAPTURE(i);
    auto moved = book[i];
    bool const up = moved.barrier > 100;
    moved.barrier *= std::exp((up ? 1 : -1) * 0.5826 * 0.25 * std::sqrt(0.5 / 250));
    CHECK(std::abs(discrete[i].value - pricing::barrier_price(moved)) <
          4.5 * discrete[i].standard_error + 0.01);
  }
}

EVERY_PLACE_OF("options that knock in and out, and without volatility", T, float, double) {
  double const unit = std::numeric_limits<T>::epsilon();
  // in + out is the option without barrier, path by path.
  for (auto const when : {monitoring::continuous, monitoring::discrete})
    for (auto const kind : {call, put})
      for (bool const up : {false, true}) {
        barrier_option in{
            {100, 101, 0.7, 0.3, 0.03, 0.01}, up ? 112. : 88., up ? up_in : down_in, kind, 0, when};
        auto out = in, never = in;
        out.type = never.type = up ? up_out : down_out;
        never.barrier = up ? 5000 : 2; // 16 standard deviations away
        auto const all =
            simulated<T>(place, std::vector{in, out, never}, {.paths = 5000, .steps = 12});
        CHECK(all[0].value + all[1].value == doctest::Approx(all[2].value).epsilon(100 * unit));
        CHECK(all[2].value > 1);
      }
  // Without volatility there is one path.
  asian_option certain = ordinary_asian();
  certain.terms.volatility = 0;
  std::vector<double> const times = even_times(7);
  double mean = 0;
  for (double const t : times) mean += 100 * std::exp(0.03 * t) / 7;
  for (bool const control : {false, true}) {
    auto const one =
        simulated<T>(place, certain, {.paths = 1000, .steps = 7, .control_variate = control});
    CHECK(one.value == doctest::Approx(std::exp(-0.06) * (mean - 100)).epsilon(500 * unit));
    CHECK(one.standard_error <= 1e-6);
    CHECK(one.paying == 1000);
  }
  barrier_option quiet{{100, 95, 2, 0, 0.1, 0}, 110, up_out, call, 5, monitoring::discrete};
  simulation_options const few{.paths = 300, .steps = 4, .control_variate = true};
  auto const hit = simulated<T>(place, quiet, few);
  CHECK(hit.value == doctest::Approx(5 * std::exp(-0.1)).epsilon(20 * unit)); // at 1: e^0.1 > 1.1
  quiet.barrier = 123;
  auto const not_hit = simulated<T>(place, quiet, few);
  CHECK(not_hit.value == doctest::Approx(100 - 95 * std::exp(-0.2)).epsilon(500 * unit));
}

// "Never" as people write it: beyond what floats can tell from the spot, and what divides to 0.
EVERY_PLACE_OF("barriers out of reach", T, float, double) {
  double const tiny = std::numeric_limits<double>::min(), huge = std::numeric_limits<double>::max();
  for (double const volatility : {0.2, 0.02}) {
    barrier_option of{{100, 100, 1. / 365, volatility, 0.05, 0}, 1, down_out};
    double const price = pricing::barrier_price(of);
    std::vector<barrier_option> book;
    for (double const barrier : {1., 1e-6, 1e-20, 1e-300, tiny}) {
      of.barrier = barrier;
      book.push_back(of);
    }
    of.type = up_out;
    for (double const barrier : {1e6, 1e300, huge}) {
      of.barrier = barrier;
      book.push_back(of);
    }
    of.type = up_in;
    book.push_back(of);
    for (auto const when : {monitoring::continuous, monitoring::discrete}) {
      for (barrier_option& one : book) one.monitoring = when;
      auto const all = simulated<T>(place, book, {.paths = many<Place>, .steps = 1});
      for (std::size_t i = 0; i + 1 < book.size(); ++i) {
        CAPTURE(i);
        CHECK(std::abs(z_score(all[i], price)) < 4.5);
        CHECK(all[i].value == doctest::Approx(all[0].value).epsilon(1e-3));
      }
      CHECK(all.back().value == 0);
    }
  }
  // A spot so small that it is 0 over the barrier.
  barrier_option const small{{1e-30, 1e-30, 1, 0.2, 0.05, 0}, huge, up_out};
  auto const one = simulated<T>(place, small, {.paths = many<Place>, .steps = 1});
  CHECK(one.value == doctest::Approx(1.04505e-31).epsilon(0.03));
}

// A barrier option's path keeps its drift, however many steps it has.
EVERY_PLACE_OF("barriers with many steps", T, float, double) {
  barrier_option const certain{{100, 50, 1, 0, 0.05, 0.02}, 60, down_out, call, 0,
                               monitoring::discrete};
  auto const one =
      simulated<T>(place, certain, {.paths = 2, .steps = 10'000, .control_variate = true});
  double const price = 100 * std::exp(-0.02) - 50 * std::exp(-0.05);
  CHECK(one.value == doctest::Approx(price).epsilon(1e-5));

  barrier_option const far{{100, 100, 1, 0.2, 0.05, 0.02}, 1, down_out, call};
  auto const all = simulated<T>(place, far, {.paths = many<Place> / 8, .steps = 2000});
  CHECK(std::abs(z_score(all, pricing::barrier_price(far))) < 4.5);
}

template <class T, class Place>
void check_intervals(Place& place, bool antithetic, bool control) {
  std::vector<asian_option> const book(
      1000, ordinary_asian(control ? average::arithmetic : average::geometric));
  unsigned const seed = 2026;
  CAPTURE(seed);
  double const times[] = {0, 0.25, 0.5, 0.75, 1};
  auto const all = simulated<T>(place, book,
                                {.paths = 4096,
                                 .times = times,
                                 .seed = seed,
                                 .independent = true,
                                 .antithetic = antithetic,
                                 .control_variate = control});
  double const price =
      control ? convolved_asian(book[0], 5) : pricing::geometric_asian_price(book[0], times);
  int inside = 0;
  double squares = 0;
  for (auto const& one : all) {
    inside += holds(one, price);
    squares += z_score(one, price) * z_score(one, price);
  }
  check_coverage_of_95(inside);
  CHECK(squares / 1000 == doctest::Approx(1).epsilon(0.14)); // 3 standard deviations
}

EVERY_PLACE_OF("intervals of path-dependent options hold the price as often as they say", T, float,
               double) {
  check_intervals<T>(place, false, false);
  check_intervals<T>(place, true, false);
  check_intervals<T>(place, false, true);
}

// Sobol's sequence: right prices, honest errors, and small ones.
EVERY_PLACE_OF("path-dependent options by Sobol's sequence", T, float, double) {
  using pricing::sampling;
  auto const book = asian_book(20);
  double const times[] = {0, 0.1, 0.25, 0.5, 0.6, 0.75, 0.9, 1};
  for (bool const control : {false, true}) {
    CAPTURE(control);
    simulation_options options{
        .paths = 1 << 15, .times = times, .seed = 5, .control_variate = control};
    auto const random = simulated<T>(place, book, options);
    options.sampling = sampling::sobol;
    auto const quasi = simulated<T>(place, book, options);
    options.seed = 6;
    auto const other = simulated<T>(place, book, options);
    for (std::size_t i = 0; i < book.size(); ++i) {
      CAPTURE(i);
      double const price = book[i].average == average::geometric
                               ? pricing::geometric_asian_price(book[i], times)
                               : random[i].value;
      double const error = book[i].average == average::geometric ? 0 : random[i].standard_error;
      double const allowed = 5.5 * std::hypot(quasi[i].standard_error, error) + 1e-5; // Student's
      CHECK(std::abs(quasi[i].value - price) < allowed);
      CHECK(quasi[i].paths == 1 << 15);
      if (!control) CHECK(!same_bits(quasi[i].value, other[i].value));
      if (!control && quasi[i].paying > 3000)
        CHECK(quasi[i].standard_error < 0.2 * random[i].standard_error);
      // 31 degrees of freedom
      CHECK(quasi[i].upper - quasi[i].value ==
            doctest::Approx(2.0395134464 * quasi[i].standard_error).epsilon(1e-9));
    }
  }
  // 1000 intervals of few replicates, each with a stream of its own.
  asian_option const one = ordinary_asian(average::geometric);
  double const price = pricing::geometric_asian_price(one, even_times(4));
  int inside = 0;
  for (unsigned stream = 0; stream < 1000; ++stream) {
    inside += holds(simulated<T>(place, one,
                                 {.paths = 1024,
                                  .steps = 4,
                                  .stream = stream,
                                  .sampling = sampling::sobol,
                                  .replicates = 8}),
                    price);
  }
  check_coverage_of_95(inside);
  // A barrier option, its sequence longer than a tile and no multiple of one.
  auto const got = simulated<T>(place, option_of(haug[0], 0.25),
                                {.paths = 16 * 1000,
                                 .steps = 64,
                                 .control_variate = true,
                                 .sampling = sampling::sobol,
                                 .replicates = 16});
  CHECK(std::abs(z_score(got, haug[0].price_25)) < 5.5);
}

TEST_CASE("closed forms of path-dependent options have the published prices") {
  CHECK(pricing::geometric_asian_price(ordinary_asian(), even_times(10)) ==
        doctest::Approx(5.3425606635).epsilon(1e-11));
  for (auto const& row : haug) {
    // To one unit of the last digit: some of the table's are not rounded to nearest.
    CHECK(std::abs(pricing::barrier_price(option_of(row, 0.25)) - row.price_25) < 1e-4);
    CHECK(std::abs(pricing::barrier_price(option_of(row, 0.30)) - row.price_30) < 1e-4);
  }
}

TEST_CASE("closed forms of barrier options hold at small volatilities") {
  // The forward is where the option is sure to pay, and far from the barrier.
  double const paid = 100 - 100 * std::exp(-0.05);
  for (double const rebate : {0., 3.}) {
    barrier_option const up{{100, 100, 1, 0.003, 0.05, 0}, 120, up_out, call, rebate};
    CHECK(pricing::barrier_price(up) == doctest::Approx(paid).epsilon(1e-12));
    barrier_option const down{{100, 100, 1, 0.002, 0, 0.05}, 90, down_out, put, rebate};
    CHECK(pricing::barrier_price(down) == doctest::Approx(paid).epsilon(1e-12));
  }
  // The forward is at the barrier, 20 standard deviations from the spot: an in-option out of the
  // money is a rebate if the path stays below. Half of the paths do, but for Mills' ratio at 40.
  double const v = 0.01, rate = 20 * v + v * v / 2;
  barrier_option const at{{100, 200, 1, v, rate, 0}, 100 * std::exp(0.2), up_in, call, 3};
  double const ratio = (1 - (1 - 3 / 1600.) / 1600) / 40;
  double const stays = 0.5 - ratio / std::sqrt(2 * std::numbers::pi);
  CHECK(pricing::barrier_price(at) == doctest::Approx(3 * std::exp(-rate) * stays).epsilon(1e-9));
}

TEST_CASE("closed forms of rebates tend to those of sure paths") {
  struct row {
    double rate, yield, barrier;
    barrier_type type;
  };
  for (double const v : {1e-5, 1e-6, 1e-7, 1e-8, 1e-9, 1e-12, 1e-50})
    for (row const& one : {row{0.03, 0.01, 101, up_out},
                           {-0.05, -0.08, 101, up_out},
                           {0.03, 0.05, 99, down_out},
                           {-0.05, -0.01, 99, down_out}}) {
      CAPTURE(v);
      CAPTURE(one.rate);
      CAPTURE(one.barrier);
      barrier_option const of{
          {100, 100, 1, v, one.rate, one.yield}, one.barrier, one.type, call, 2};
      double const hit = std::log(one.barrier / 100) / (one.rate - one.yield);
      CHECK(pricing::barrier_price(of) ==
            doctest::Approx(2 * std::exp(-one.rate * hit)).epsilon(1e-9));
    }
}

TEST_CASE("closed forms of barrier options hold at negative rates") {
  // Where 2 rate = -(drift / volatility)^2 the formula for the rebate turns into another one.
  double const turn = -0.1 * 0.1 / 8;
  wf::host place;
  for (barrier_option of : {barrier_option{{100, 100, 1, 0.1, 0, 0}, 90, down_out, call, 1},
                            {{100, 95, 1, 0.1, 0, 0}, 100.001, up_out, put, 1},
                            {{100, 100, 1, 0.1, 0, 0}, 115, up_out, call, 1}}) {
    auto const at = [&](double rate) {
      of.terms.rate = of.terms.dividend_yield = rate;
      return pricing::barrier_price(of);
    };
    CHECK(at(turn * (1 + 1e-9)) == doctest::Approx(at(turn * (1 - 1e-9))).epsilon(1e-10));
    for (double const rate : {-0.005, -0.1}) {
      CAPTURE(rate);
      double const price = at(rate);
      auto const got =
          simulated<double>(place, of, {.paths = 20'000, .steps = 100, .control_variate = true});
      CHECK(std::abs(got.value - price) < 4 * got.standard_error + 1e-3);
    }
  }
}

} // namespace path_options_test
