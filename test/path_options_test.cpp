// Asian and barrier options by Monte Carlo, on either place, against published prices, closed forms
// and convolutions.

#include "gpu.hpp"

#include <warpfold/detail/path_shape.hpp>
#include <warpfold/pricing/path_options.hpp>

#include <numbers>
#include <numeric>

namespace {

using namespace test;
namespace wf = warpfold;
namespace pricing = warpfold::pricing;
using pricing::asian_option;
using pricing::average;
using pricing::barrier_kind;
using pricing::barrier_option;
using pricing::estimate;
using pricing::monitoring;
using pricing::option_kind;
using pricing::simulation_options;

template <class T, class Place, class Option>
std::vector<estimate> simulated(Place& place, std::vector<Option> const& book,
                                simulation_options const& options) {
  return pricing::simulate<T>(place, std::span<Option const>(book), options);
}

/// Standard errors from the price to the estimate.
double z_score(estimate const& of, double price) { return (of.value - price) / of.standard_error; }

/// 1/n, ..., 1.
std::vector<double> even_times(int n) {
  std::vector<double> times;
  for (int i = 1; i <= n; ++i) times.push_back(static_cast<double>(i) / n);
  return times;
}

// ---- references ---------------------------------------------------------------------------------

/// The price of an option on the arithmetic average at n times from 0 to expiry: A is
/// spot / n (1 + e^X (1 + e^X (...))), one convolution for each increment X (Carverhill and
/// Clewlow, Flexible convolution, 1990).
double convolved_asian(asian_option const& of, int n) {
  auto const& t = of.terms;
  double const dt = t.expiry / (n - 1);
  double const mean = (t.rate - t.dividend_yield - t.volatility * t.volatility / 2) * dt;
  double const deviation = t.volatility * std::sqrt(dt), reach = 8 * deviation;
  constexpr std::size_t points = 1501;
  std::vector<double> at{0}, weight{1};
  for (int i = 1; i < n; ++i) {
    double const low = at.front() + mean - reach, high = at.back() + mean + reach;
    double const step = (high - low) / (points - 1);
    std::vector<double> next(points), next_weight(points);
    for (std::size_t j = 0; j < points; ++j) {
      next[j] = low + step * static_cast<double>(j);
      double density = 0;
      for (std::size_t k = 0; k < at.size(); ++k) {
        double const x = (next[j] - mean - at[k]) / deviation;
        if (std::abs(x) < 8.5) density += weight[k] * std::exp(-x * x / 2);
      }
      next_weight[j] = step * density / (deviation * std::sqrt(2 * std::numbers::pi));
      next[j] = std::log1p(std::exp(next[j]));
    }
    at = next;
    weight = next_weight;
  }
  double const sign = of.kind == option_kind::call ? 1 : -1;
  double price = 0;
  for (std::size_t k = 0; k < at.size(); ++k)
    price += weight[k] * std::max(0., sign * (t.spot / n * std::exp(at[k]) - t.strike));
  return std::exp(-t.rate * t.expiry) * price;
}

struct barrier_row {
  barrier_kind type;
  option_kind kind;
  double strike, barrier, price_25, price_30;
};

constexpr auto call = option_kind::call, put = option_kind::put;
constexpr auto down_out = barrier_kind::down_and_out, down_in = barrier_kind::down_and_in;
constexpr auto up_out = barrier_kind::up_and_out, up_in = barrier_kind::up_and_in;

/// Haug, The complete guide to option pricing formulas (2007), table 4-13: spot 100, half a year,
/// rate 8 %, cost of carry 4 %, rebate 3, volatility 25 % and 30 %.
constexpr barrier_row haug[] = {
    {down_out, call, 90, 95, 9.0246, 8.8334},  {down_out, call, 100, 95, 6.7924, 7.0285},
    {down_out, call, 110, 95, 4.8759, 5.4137}, {up_out, call, 90, 105, 2.6789, 2.6341},
    {up_out, call, 100, 105, 2.3580, 2.4389},  {up_out, call, 110, 105, 2.3453, 2.4315},
    {down_in, call, 90, 95, 7.7627, 9.0093},   {down_in, call, 100, 95, 4.0109, 5.1370},
    {down_in, call, 110, 95, 2.0576, 2.8517},  {up_in, call, 90, 105, 14.1112, 15.2098},
    {up_in, call, 100, 105, 8.4482, 9.7278},   {up_in, call, 110, 105, 4.5910, 5.8350},
    {down_out, put, 90, 95, 2.2798, 2.4170},   {down_out, put, 100, 95, 2.2947, 2.4258},
    {down_out, put, 110, 95, 2.6252, 2.6246},  {up_out, put, 90, 105, 3.7760, 4.2293},
    {up_out, put, 100, 105, 5.4932, 5.8032},   {up_out, put, 110, 105, 7.5187, 7.5649},
    {down_in, put, 90, 95, 2.9586, 3.8769},    {down_in, put, 100, 95, 6.5677, 7.7989},
    {down_in, put, 110, 95, 11.9752, 13.3078}, {up_in, put, 90, 105, 1.4653, 2.0658},
    {up_in, put, 100, 105, 3.3721, 4.4226},    {up_in, put, 110, 105, 7.0846, 8.3686},
};

barrier_option option_of(barrier_row const& row, double volatility, double rebate = 3) {
  return {{100, row.strike, 0.5, volatility, 0.08, 0.04}, row.barrier, row.type, row.kind, rebate};
}

asian_option ordinary_asian(average over = average::arithmetic) {
  return {{100, 100, 1, 0.2, 0.06, 0.03}, call, over};
}

/// Ordinary options of every kind.
std::vector<asian_option> asian_book(std::size_t size) {
  std::vector<asian_option> book;
  for (std::size_t i = 0; i < size; ++i)
    book.push_back(
        {{100, 80 + 2. * static_cast<double>(i % 20), 0.5 + 0.1 * static_cast<double>(i % 7),
          0.1 + 0.03 * static_cast<double>(i % 9), 0.05, 0.01},
         i % 2 == 0 ? call : put,
         i % 5 == 0 ? average::geometric : average::arithmetic});
  return book;
}
std::vector<barrier_option> barrier_book(std::size_t size, double rebate) {
  std::vector<barrier_option> book;
  for (std::size_t i = 0; i < size; ++i) {
    book.push_back(
        option_of(haug[i % std::size(haug)], 0.2 + 0.01 * static_cast<double>(i % 11), rebate));
    if (i % 3 == 0) book.back().when = monitoring::discrete;
  }
  return book;
}

// ---- one body for both places -------------------------------------------------------------------

template <class Place>
constexpr std::uint64_t many = std::same_as<Place, wf::gpu> ? 1 << 20 : 1 << 16;

template <class T, class Place>
void check_published(Place& place) {
  auto const times = even_times(10);
  auto const geometric = simulated<T>(place, std::vector{ordinary_asian(average::geometric)},
                                      {.paths = many<Place>, .steps = 10, .control = false})[0];
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
      auto const one = simulated<T>(place, std::vector{levy},
                                    {.paths = many<Place>,
                                     .times = fixings,
                                     .antithetic = antithetic,
                                     .control = control})[0];
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
  auto const all = simulated<T>(place, book, {.paths = many<Place>, .steps = 64});
  for (std::size_t i = 0; i < all.size(); ++i) {
    CAPTURE(i);
    auto const& row = haug[i / 2];
    double const price = i % 2 == 0 ? row.price_25 : row.price_30;
    CHECK(std::abs(all[i].value - price) < 4.5 * all[i].standard_error + 1e-4);
    CHECK(all[i].standard_error < 15 / std::sqrt(many<Place>));
  }
}

template <class T, class Place>
void check_steps_of_barriers(Place& place) {
  // A bridge between start and end is enough; half of the book's times are odd.
  std::vector<barrier_option> book;
  for (auto const& row : haug) book.push_back(option_of(row, 0.25, 0));
  double const times[] = {0, 0.013, 0.4, 0.41, 1};
  for (auto const& options : {simulation_options{.paths = many<Place>, .steps = 1},
                              simulation_options{.paths = many<Place>, .times = times}}) {
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
  for (barrier_option& one : book) one.when = monitoring::discrete;
  auto const discrete = simulated<T>(place, book, {.paths = many<Place> / 2, .steps = 250});
  for (std::size_t i = 0; i < book.size(); ++i) {
    CAPTURE(i);
    auto moved = book[i];
    bool const up = moved.barrier > 100;
    moved.barrier *= std::exp((up ? 1 : -1) * 0.5826 * 0.25 * std::sqrt(0.5 / 250));
    CHECK(std::abs(discrete[i].value - pricing::barrier_price(moved)) <
          4.5 * discrete[i].standard_error + 0.01);
  }
}

template <class T, class Place>
void check_relations(Place& place) {
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
        auto const all = simulated<T>(place, std::vector{in, out, never},
                                      {.paths = 5000, .steps = 12, .control = false});
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
    auto const one = simulated<T>(place, std::vector{certain},
                                  {.paths = 1000, .steps = 7, .control = control})[0];
    CHECK(one.value == doctest::Approx(std::exp(-0.06) * (mean - 100)).epsilon(500 * unit));
    CHECK(one.standard_error <= 1e-6);
    CHECK(one.paying == 1000);
  }
  barrier_option quiet{{100, 95, 2, 0, 0.1, 0}, 110, up_out, call, 5, monitoring::discrete};
  auto const hit = simulated<T>(place, std::vector{quiet}, {.paths = 300, .steps = 4})[0];
  CHECK(hit.value == doctest::Approx(5 * std::exp(-0.1)).epsilon(20 * unit)); // at 1: e^0.1 > 1.1
  quiet.barrier = 123;
  auto const not_hit = simulated<T>(place, std::vector{quiet}, {.paths = 300, .steps = 4})[0];
  CHECK(not_hit.value == doctest::Approx(100 - 95 * std::exp(-0.2)).epsilon(500 * unit));
}

template <class T, class Place>
void check_bits(Place& place) {
  // An option has the same bits alone, first, last or in the middle of a book.
  simulation_options const options{.paths = 10'000, .steps = 9, .seed = 7, .stream = 3};
  auto const check_alone = [&](auto const& book) {
    auto const all = simulated<T>(place, book, options);
    for (std::size_t i = 0; i < book.size(); i += i % 3 + 1) {
      auto const one = simulated<T>(place, std::vector{book[i]}, options)[0];
      CHECK(same_bits(one.value, all[i].value));
      CHECK(same_bits(one.standard_error, all[i].standard_error));
      CHECK(one.paying == all[i].paying);
    }
  };
  check_alone(asian_book(37));
  check_alone(barrier_book(37, 0));
  check_alone(barrier_book(21, 2));
}

/// Where intervals of 95 % hold the price in 93 to 97 % of so many cases.
template <class T, class Place>
void check_coverage(Place& place, bool antithetic, bool control) {
  std::vector<asian_option> const book(
      1000, ordinary_asian(control ? average::arithmetic : average::geometric));
  unsigned const seed = 2026;
  CAPTURE(seed);
  auto const all = simulated<T>(place, book,
                                {.paths = 4096,
                                 .times = std::array<double, 5>{0, 0.25, 0.5, 0.75, 1},
                                 .seed = seed,
                                 .antithetic = antithetic,
                                 .control = control,
                                 .independent = true});
  double const price =
      control
          ? convolved_asian(book[0], 5)
          : pricing::geometric_asian_price(book[0], std::array<double, 5>{0, 0.25, 0.5, 0.75, 1});
  int inside = 0;
  double squares = 0;
  for (auto const& one : all) {
    inside += one.lower < price && price < one.upper;
    squares += z_score(one, price) * z_score(one, price);
  }
  CHECK(inside >= 930);
  CHECK(inside <= 970);
  CHECK(squares / 1000 == doctest::Approx(1).epsilon(0.14)); // 3 standard deviations
}

/// Sobol's sequence: right prices, honest errors, and small ones.
template <class T, class Place>
void check_quasi(Place& place) {
  using pricing::sampling;
  auto const book = asian_book(20);
  double const times[] = {0, 0.1, 0.25, 0.5, 0.6, 0.75, 0.9, 1};
  for (bool const control : {false, true}) {
    CAPTURE(control);
    simulation_options options{.paths = 1 << 15, .times = times, .seed = 5, .control = control};
    auto const random = simulated<T>(place, book, options);
    options.from = sampling::sobol;
    auto const quasi = simulated<T>(place, book, options);
    options.seed = 6;
    auto const other = simulated<T>(place, book, options);
    for (std::size_t i = 0; i < book.size(); ++i) {
      CAPTURE(i);
      double const price = book[i].over == average::geometric
                               ? pricing::geometric_asian_price(book[i], times)
                               : random[i].value;
      double const error = book[i].over == average::geometric ? 0 : random[i].standard_error;
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
    auto const of = simulated<T>(place, std::vector{one},
                                 {.paths = 1024,
                                  .steps = 4,
                                  .stream = stream,
                                  .from = sampling::sobol,
                                  .replicates = 8,
                                  .control = false})[0];
    inside += of.lower < price && price < of.upper;
  }
  CHECK(inside >= 930);
  CHECK(inside <= 970);
  // A barrier option, its sequence longer than a tile and no multiple of one.
  auto const barrier = option_of(haug[0], 0.25);
  auto const of =
      simulated<T>(place, std::vector{barrier},
                   {.paths = 16 * 1000, .steps = 64, .from = sampling::sobol, .replicates = 16})[0];
  CHECK(std::abs(z_score(of, haug[0].price_25)) < 5.5);
}

template <class Place>
void check_refusals(Place& place) {
  auto const refused = [&](auto option, simulation_options const& options) {
    std::vector<decltype(option)> const book{option, option};
    return refused_by([&] { simulated<float>(place, book, options); });
  };
  auto const asian = ordinary_asian();
  simulation_options const good{.paths = 100, .steps = 4};
  auto const with = [&](auto change) {
    auto options = good;
    change(options);
    return refused(asian, options);
  };
  double const nan = std::numeric_limits<double>::quiet_NaN();
  CHECK(refused(asian, good) == "(nothing)");
  CHECK(with([](auto& o) { o.paths = 0; }) == "options.paths");
  CHECK(with([](auto& o) { o.paths = (std::uint64_t{1} << 40) + 1; }) == "options.paths");
  CHECK(with([](auto& o) { o.paths = 7, o.antithetic = true; }) == "options.paths");
  CHECK(with([](auto& o) { o.steps = 0; }) == "options.steps");
  CHECK(with([](auto& o) { o.steps = -3; }) == "options.steps");
  CHECK(with([](auto& o) { o.horizon = 2; }) == "options.horizon");
  for (double const c : {0., 1., -1., 95., nan})
    CHECK(with([&](auto& o) { o.confidence = c; }) == "options.confidence");
  for (auto const& times : {std::vector{0.5, 0.25},
                            {0.5, 0.5},
                            {-0.1, 1},
                            {0.5, nan},
                            {0.5, 1.5},
                            {0.5, std::numeric_limits<double>::infinity()}}) {
    CHECK(with([&](auto& o) { o.steps = 0, o.times = times; }) == "options.times");
    CHECK(refused_by([&] { pricing::geometric_asian_price(asian, times); }) == "fixings");
  }
  double const both[] = {0.5, 1};
  CHECK(with([&](auto& o) { o.times = both; }) == "options.steps");

  auto const quasi = [&](auto change) {
    return with([&](auto& o) { o.from = pricing::sampling::sobol, o.paths = 320, change(o); });
  };
  CHECK(quasi([](auto&) {}) == "(nothing)");
  CHECK(quasi([](auto& o) { o.paths = 321; }) == "options.paths");
  CHECK(quasi([](auto& o) { o.paths = 1 << 28; }) == "options.paths");
  CHECK(quasi([](auto& o) { o.replicates = 1; }) == "options.replicates");
  CHECK(quasi([](auto& o) { o.replicates = 129; }) == "options.replicates");
  CHECK(quasi([](auto& o) { o.antithetic = true; }) == "options.antithetic");
  CHECK(quasi([](auto& o) { o.independent = true; }) == "options.independent");
  CHECK(quasi([](auto& o) { o.steps = 20'001; }) == "options.steps");

  auto const with_terms = [&](auto change) {
    auto option = asian;
    change(option.terms);
    return refused(option, good);
  };
  for (double const bad : {nan, -1., std::numeric_limits<double>::infinity()}) {
    CHECK(with_terms([&](auto& o) { o.spot = bad; }) == "book[0].terms.spot");
    CHECK(with_terms([&](auto& o) { o.strike = bad; }) == "book[0].terms.strike");
    CHECK(with_terms([&](auto& o) { o.expiry = bad; }) == "book[0].terms.expiry");
    CHECK(with_terms([&](auto& o) { o.volatility = bad; }) == "book[0].terms.volatility");
  }
  CHECK(with_terms([&](auto& o) { o.spot = 0; }) == "book[0].terms.spot");
  CHECK(with_terms([&](auto& o) { o.rate = nan; }) == "book[0].terms.rate");
  CHECK(with_terms([&](auto& o) { o.dividend_yield = nan; }) == "book[0].terms.dividend_yield");

  auto const with_barrier = [&](barrier_kind type, double barrier, double rebate) {
    auto option = option_of(haug[0], 0.25, rebate);
    option.type = type;
    option.barrier = barrier;
    auto const by = refused_by([&] { pricing::barrier_price(option); });
    auto const here = refused(option, good);
    CHECK(here == (by == "(nothing)" ? by : "book[0]" + by.substr(2)));
    return here;
  };
  CHECK(with_barrier(down_out, 95, 3) == "(nothing)");
  for (auto const type : {down_out, down_in})
    for (double const bad : {105., 100., 0., -5., nan})
      CHECK(with_barrier(type, bad, 3) == "book[0].barrier");
  for (auto const type : {up_out, up_in})
    for (double const bad : {95., 100., nan})
      CHECK(with_barrier(type, bad, 3) == "book[0].barrier");
  CHECK(with_barrier(down_out, 95, -1) == "book[0].rebate");
  CHECK(with_barrier(down_out, 95, nan) == "book[0].rebate");
  double const early[] = {0.5, 0.9};
  CHECK(refused(option_of(haug[0], 0.25), {.paths = 100, .times = early}) == "options.times");
}

template <class T, class Place>
void check_small(Place& place) {
  for (std::uint64_t const paths : {1, 2, 127, 128, 129, 1000}) {
    auto const one = simulated<T>(place, std::vector{ordinary_asian()},
                                  {.paths = paths, .steps = 3, .control = false})[0];
    CHECK(one.paths == paths);
    CHECK(one.paying <= paths);
    CHECK(std::isinf(one.standard_error) == (paths == 1));
    CHECK(one.too_few_paid == (one.paying < 100));
    CHECK(one.value >= 0);
  }
  auto const all = simulated<T>(place, std::vector{ordinary_asian()},
                                {.paths = 2000, .steps = 3, .confidence = 0.99})[0];
  CHECK(all.upper - all.value == doctest::Approx(2.5758293035489 * all.standard_error));
  CHECK(all.value - all.lower == doctest::Approx(2.5758293035489 * all.standard_error));
  CHECK(simulated<T>(place, std::vector<asian_option>{}, {.paths = 10, .steps = 3}).empty());
}

} // namespace

TEST_CASE("closed forms of path-dependent options have the published prices") {
  CHECK(pricing::geometric_asian_price(ordinary_asian(), even_times(10)) ==
        doctest::Approx(5.3425606635).epsilon(1e-11));
  for (auto const& row : haug) {
    // To one unit of the last digit: some of the table's are not rounded to nearest.
    CHECK(std::abs(pricing::barrier_price(option_of(row, 0.25)) - row.price_25) < 1e-4);
    CHECK(std::abs(pricing::barrier_price(option_of(row, 0.30)) - row.price_30) < 1e-4);
  }
}

TEST_CASE("which path is where depends on their number alone") {
  using wf::detail::path_shape_of;
  for (std::int64_t const samples : {1, 127, 128, 129, 524'287, 524'288, 524'289, 1 << 20}) {
    auto const shape = path_shape_of(samples);
    CHECK(shape.tiles() <= 4096);
    CHECK(shape.tiles() * shape.tile_samples() >= samples);
    CHECK((shape.tiles() - 1) * shape.tile_samples() < samples);
    CHECK(shape.rounds == (samples <= 524'288 ? 1 : 2));
  }
}

TEST_CASE_TEMPLATE("path-dependent options on the host", T, float, double) {
  wf::host place;
  SUBCASE("have the published prices") { check_published<T>(place); }
  SUBCASE("see barriers between steps") { check_steps_of_barriers<T>(place); }
  SUBCASE("in and out, and without volatility") { check_relations<T>(place); }
  SUBCASE("the same bits in any company") { check_bits<T>(place); }
  SUBCASE("few paths, and other intervals") { check_small<T>(place); }
  SUBCASE("by Sobol's sequence") { check_quasi<T>(place); }
  SUBCASE("intervals hold the price as often as they say") {
    check_coverage<T>(place, false, false);
    check_coverage<T>(place, true, false);
    check_coverage<T>(place, false, true);
  }
  SUBCASE("the same bits for any number of threads") {
    auto const book = asian_book(20);
    simulation_options const options{.paths = 3000, .steps = 5, .antithetic = true};
    wf::host one(1), three(3);
    auto const a = simulated<T>(one, book, options), b = simulated<T>(three, book, options);
    for (std::size_t i = 0; i < book.size(); ++i) CHECK(same_bits(a[i].value, b[i].value));
  }
}

TEST_CASE("what makes no path-dependent option is refused by name") {
  wf::host place;
  check_refusals(place);
}

TEST_SUITE("gpu") {
  TEST_CASE_TEMPLATE("path-dependent options", T, float, double) {
    wf::gpu place;
    SUBCASE("have the published prices") { check_published<T>(place); }
    SUBCASE("see barriers between steps") { check_steps_of_barriers<T>(place); }
    SUBCASE("in and out, and without volatility") { check_relations<T>(place); }
    SUBCASE("the same bits in any company") { check_bits<T>(place); }
    SUBCASE("few paths, and other intervals") { check_small<T>(place); }
    SUBCASE("by Sobol's sequence") { check_quasi<T>(place); }
    SUBCASE("by Sobol's sequence") { check_quasi<T>(place); }
    SUBCASE("intervals hold the price as often as they say") {
      check_coverage<T>(place, false, false);
      check_coverage<T>(place, true, false);
      check_coverage<T>(place, false, true);
    }
  }

  TEST_CASE_TEMPLATE("fast: path-dependent options are the host's", T, float, double) {
    wf::gpu place;
    wf::host other;
    auto const check = [&](auto const& book, simulation_options const& options) {
      auto const there = simulated<T>(place, book, options);
      auto const here = simulated<T>(other, book, options);
      // In double both compute the same operations; in float the exponential is the GPU's own.
      double const near = sizeof(T) == 4 ? 1e-6 : 1e-15;
      for (std::size_t i = 0; i < book.size(); ++i) {
        CAPTURE(i);
        CHECK(there[i].value == doctest::Approx(here[i].value).epsilon(near));
        CHECK(there[i].standard_error ==
              doctest::Approx(here[i].standard_error).epsilon(100 * near));
        auto const apart = static_cast<std::int64_t>(there[i].paying - here[i].paying);
        CHECK(std::abs(apart) <= (sizeof(T) == 4 ? 2 : 0));
      }
    };
    for (bool const antithetic : {false, true}) {
      simulation_options options{.paths = 3000, .steps = 7, .seed = 5, .antithetic = antithetic};
      check(asian_book(19), options);
      check(barrier_book(18, 0), options);
      check(barrier_book(17, 2), options);
      options.independent = true;
      check(asian_book(3), options);
      check(barrier_book(3, 0), options);
    }
    simulation_options const quasi{
        .paths = 16 * 150, .steps = 7, .from = pricing::sampling::sobol, .replicates = 16};
    check(asian_book(19), quasi);
    check(barrier_book(5, 2), quasi);
  }

  TEST_CASE("path-dependent options are refused on a GPU") {
    wf::gpu place;
    check_refusals(place);
    wf::device_buffer<estimate> room(place, 2);
    std::vector<asian_option> const book(3, ordinary_asian());
    std::span<asian_option const> const view(book);
    CHECK(refused_by([&] {
            pricing::simulate_async(place, view, {.paths = 10, .steps = 2}, room.span());
          }) == "results");
    // 4096 tiles of 16 options do not fit into what a place has at first.
    wf::device_buffer<estimate> ample(place, 16);
    std::vector<asian_option> const large(16, ordinary_asian());
    CHECK(refused_by([&] {
            pricing::simulate_async(place, std::span<asian_option const>(large),
                                    {.paths = 1 << 20, .steps = 2}, ample.span());
          }) == "place");
  }

  TEST_CASE("fast: a graph of a simulation, and books in pieces") {
    wf::gpu place;
    place.reserve(std::size_t{4} << 20);
    auto const book = barrier_book(100, 1);
    std::span<barrier_option const> const view(book);
    simulation_options const options{.paths = 20'000, .steps = 5};
    wf::device_buffer<estimate> results(place, book.size());
    wf::gpu roomy; // which takes the book as a whole
    roomy.reserve(std::size_t{64} << 20);
    auto const whole = simulated<float>(roomy, book, options);
    simulation_options const quasi{.paths = 1 << 15, .steps = 60, .from = pricing::sampling::sobol};
    auto const whole_quasi = simulated<float>(roomy, book, quasi);
    pricing::simulate_async(place, view, quasi, results.span()); // in strips of few tiles
    auto const in_strips = wf::to_vector(place, results.span());
    for (std::size_t k = 0; k < book.size(); ++k)
      CHECK(same_bits(in_strips[k].value, whole_quasi[k].value));
    captured graph(place, [&] { pricing::simulate_async(place, view, options, results.span()); });
    for (int i = 0; i < 2; ++i) {
      wf::check(
          cudaMemsetAsync(results.data(), 0xff, results.size() * sizeof(estimate), place.stream()));
      graph.launch();
      auto const got = wf::to_vector(place, results.span());
      for (std::size_t k = 0; k < book.size(); ++k) {
        CHECK(same_bits(got[k].value, whole[k].value));
        CHECK(same_bits(got[k].standard_error, whole[k].standard_error));
      }
    }
  }
}
