// Simulations of Asian and barrier options: the same bits everywhere, few paths, and what is
// refused.

#include "path_options.hpp"

#include <warpfold/detail/pricing/path_body.hpp>

namespace {

using namespace test;
using namespace test::paths;

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
                                  {.paths = paths, .steps = 3, .control_variate = false})[0];
    CHECK(one.paths == paths);
    CHECK(one.paying <= paths);
    CHECK(std::isinf(one.standard_error) == (paths == 1));
    CHECK(one.too_few_paid == (one.paying < 100));
    CHECK(one.value >= 0);
  }
  // A line through two samples misses neither: what it leaves says nothing about the error.
  asian_option certain_to_pay = ordinary_asian();
  certain_to_pay.terms.strike = 20;
  for (std::uint64_t const paths : {1, 2, 3, 4}) {
    auto const one =
        simulated<T>(place, std::vector{certain_to_pay}, {.paths = paths, .steps = 3})[0];
    CHECK(std::isinf(one.standard_error) == (paths <= 2));
  }
  auto const all = simulated<T>(place, std::vector{ordinary_asian()},
                                {.paths = 2000, .steps = 3, .confidence = 0.99})[0];
  CHECK(all.upper - all.value == doctest::Approx(2.5758293035489 * all.standard_error));
  CHECK(all.value - all.lower == doctest::Approx(2.5758293035489 * all.standard_error));
  CHECK(simulated<T>(place, std::vector<asian_option>{}, {.paths = 10, .steps = 3}).empty());
}

} // namespace

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

TEST_CASE("what a control variate leaves is divided by n - 2") {
  // (x, y) is (0, 0), (1, 2), (2, 1) and (3, 3): the slope is 0.8, and the squares left are 1.8.
  wf::detail::path_sums sums{};
  for (auto const& [x, y] : {std::pair{0, 0}, {1, 2}, {2, 1}, {3, 3}}) sums.add(y, x, 1);
  wf::detail::path_ending const ending{4, 1, 2, true, 1};
  auto const one = ending(sums, {0.5, 1.5});
  CHECK(one.standard_error == doctest::Approx(0.5 * std::sqrt(1.8 / 2 / 4)));
  CHECK(one.upper - one.value == doctest::Approx(2 * one.standard_error));
}

TEST_CASE_TEMPLATE("simulations on the host", T, float, double) {
  wf::host place;
  SUBCASE("the same bits in any company") { check_bits<T>(place); }
  SUBCASE("few paths, and other intervals") { check_small<T>(place); }
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
  TEST_CASE_TEMPLATE("simulations", T, float, double) {
    wf::gpu place;
    SUBCASE("the same bits in any company") { check_bits<T>(place); }
    SUBCASE("few paths, and other intervals") { check_small<T>(place); }
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
