// Simulations of Asian and barrier options: the same bits everywhere, few paths, and what is
// refused.

#include "contents.hpp"
#include "pricing/paths/path_options.hpp"

#include <warpfold/detail/pricing/path_body.hpp>

namespace path_options_bits_test {

using namespace test;
using namespace test::paths;
namespace pricing = warpfold::pricing;

EVERY_PLACE_OF("an option has the same bits alone, first, last or in the middle of a book", T,
               float, double) {
  simulation_options const options{
      .paths = 10'000, .steps = 9, .seed = 7, .stream = 3, .control_variate = true};
  auto const check_alone = [&](auto const& book) {
    auto const all = simulated<T>(place, book, options);
    for (std::size_t i = 0; i < book.size(); i += i % 3 + 1)
      CHECK(same_estimate(simulated<T>(place, book[i], options), all[i]));
  };
  check_alone(asian_book(37));
  check_alone(barrier_book(37, 0));
  check_alone(barrier_book(21, 2));
}

EVERY_PLACE_OF("estimates of few paths, and other intervals", T, float, double) {
  for (std::uint64_t const paths : {1, 2, 127, 128, 129, 1000}) {
    auto const one = simulated<T>(place, ordinary_asian(), {.paths = paths, .steps = 3});
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
        simulated<T>(place, certain_to_pay, {.paths = paths, .steps = 3, .control_variate = true});
    CHECK(std::isinf(one.standard_error) == (paths <= 2));
  }
  auto const one =
      simulated<T>(place, ordinary_asian(),
                   {.paths = 2000, .steps = 3, .confidence = 0.99, .control_variate = true});
  CHECK(one.upper - one.value == doctest::Approx(2.5758293035489 * one.standard_error));
  CHECK(one.value - one.lower == doctest::Approx(2.5758293035489 * one.standard_error));
  CHECK(simulated<T>(place, std::vector<asian_option>{}, {.paths = 10, .steps = 3}).empty());
}

// The rest stands in refusals_pricing_test.cpp.
EVERY_PLACE("what makes no path-dependent option is refused by name") {
  auto const refuses = [&](std::string const& argument, auto const& option,
                           simulation_options const& options) {
    CHECK(refused_by([&] {
            simulated<float>(place, std::vector{option, option}, options);
          }) == argument);
  };
  double const nan = std::nan(""), infinite = HUGE_VAL;
  auto const asian = ordinary_asian();
  simulation_options const quasi{.paths = 320, .steps = 4, .sampling = pricing::sampling::sobol};
  auto const refuses_quasi = [&](char const* argument, auto simulation_options::*member,
                                 auto value) {
    auto options = quasi;
    options.*member = value;
    refuses(argument, asian, options);
  };
  refuses_quasi("(nothing)", &simulation_options::paths, 320u);
  refuses_quasi("options.paths", &simulation_options::paths, 321u);
  refuses_quasi("options.paths", &simulation_options::paths, 1u << 28);
  refuses_quasi("options.antithetic", &simulation_options::antithetic, true);
  refuses_quasi("options.independent", &simulation_options::independent, true);
  refuses_quasi("options.steps", &simulation_options::steps, 20'001);

  simulation_options const good{.paths = 100, .steps = 4};
  for (std::size_t k = 0; k < 6; ++k)
    for (double const bad : {nan, infinite, -1., 0.}) {
      if ((k > 0 && bad == 0) || (k >= 4 && bad == -1)) continue;
      auto option = asian;
      *members(option.terms)[k] = bad;
      refuses("book[0].terms." + std::string(term_names[k]), option, good);
    }

  auto const refuses_barrier = [&](std::string const& member, barrier_type type, double barrier,
                                   double rebate) {
    auto option = option_of(haug[0], 0.25, rebate);
    option.type = type;
    option.barrier = barrier;
    bool const fine = member.empty();
    refuses(fine ? "(nothing)" : "book[0]." + member, option, good);
    CHECK(refused_by([&] { pricing::barrier_price(option); }) ==
          (fine ? "(nothing)" : "contract." + member));
  };
  refuses_barrier("", down_out, 95, 3);
  for (auto const type : {down_out, down_in})
    for (double const bad : {105., 100., 0., -5., nan}) refuses_barrier("barrier", type, bad, 3);
  for (auto const type : {up_out, up_in})
    for (double const bad : {95., 100., nan}) refuses_barrier("barrier", type, bad, 3);
  refuses_barrier("rebate", down_out, 95, -1);
  refuses_barrier("rebate", down_out, 95, nan);

  std::vector<asian_option> const book(3, asian);
  memory_of<Place, estimate> room(place, std::vector<estimate>(2));
  std::span<asian_option const> const view(book);
  CHECK(refused_by([&] { pricing::simulate_async(place, view, room.all(), good); }) == "results");
  if constexpr (std::same_as<Place, wf::gpu>) {
    // 4096 tiles of 16 options do not fit into what a place has at first.
    wf::device_buffer<estimate> ample(place, 16);
    std::vector<asian_option> const large(16, asian);
    CHECK(refused_by([&] {
            pricing::simulate_async(place, std::span<asian_option const>(large), ample.span(),
                                    {.paths = 1 << 20, .steps = 2});
          }) == "place");
  }
}

EVERY_PLACE_OF("a simulation has the same bits with and without a wait", T, float, double) {
  simulation_options const options{.paths = 3000, .steps = 5, .antithetic = true};
  auto const check = [&](auto const& book) {
    memory_of<Place, estimate> results(place, std::vector<estimate>(book.size()));
    pricing::simulate_async<T>(place, std::span(book), results.all(), options);
    CHECK(same_estimates(contents(place, results.all()), simulated<T>(place, book, options)));
  };
  check(asian_book(5));
  check(barrier_book(5, 2));
}

TEST_CASE_TEMPLATE("simulations on the host have the same bits for any number of threads", T, float,
                   double) {
  auto const book = asian_book(20);
  simulation_options const options{
      .paths = 3000, .steps = 5, .antithetic = true, .control_variate = true};
  wf::host one(1), three(3);
  CHECK(same_estimates(simulated<T>(one, book, options), simulated<T>(three, book, options)));
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

TEST_CASE("what a control variate leaves is divided by n - 2") {
  // (x, y) is (0, 0), (1, 2), (2, 1) and (3, 3): the slope is 0.8, and the squares left are 1.8.
  wf::detail::path_sums sums{};
  for (auto const& [x, y] : {std::pair{0, 0}, {1, 2}, {2, 1}, {3, 3}}) sums.add(y, x, 1);
  wf::detail::path_ending const ending{4, 1, 2, true, 1};
  auto const one = ending(sums, {0.5, 1.5});
  CHECK(one.standard_error == doctest::Approx(0.5 * std::sqrt(1.8 / 2 / 4)));
  CHECK(one.upper - one.value == doctest::Approx(2 * one.standard_error));
}

TEST_SUITE("gpu") {
  TEST_CASE_TEMPLATE("fast: path-dependent options are the host's", T, float, double) {
    wf::gpu place;
    wf::host other;
    auto const check = [&](auto const& book, simulation_options options) {
      auto const there = simulated<T>(place, book, options);
      auto const here = simulated<T>(other, book, options);
      CHECK(same_estimates(there, here) == (sizeof(T) == 8));
      options.bits = warpfold::pricing::bits::portable;
      CHECK(same_estimates(simulated<T>(place, book, options), here));
      CHECK(same_estimates(simulated<T>(other, book, options), here));
      // Native: in float the exponential is the GPU's own.
      double const near = sizeof(T) == 4 ? 1e-6 : 1e-15;
      for (std::size_t i = 0; i < book.size(); ++i) {
        CAPTURE(i);
        CHECK(there[i].value == doctest::Approx(here[i].value).epsilon(near));
        CHECK(there[i].standard_error ==
              doctest::Approx(here[i].standard_error).epsilon(100 * near));
        CHECK(paying_apart(there[i], here[i]) <= (sizeof(T) == 4 ? 2 : 0));
      }
    };
    for (bool const antithetic : {false, true}) {
      simulation_options options{
          .paths = 3000, .steps = 7, .seed = 5, .antithetic = antithetic, .control_variate = true};
      check(asian_book(19), options);
      check(barrier_book(18, 0), options);
      check(barrier_book(17, 2), options);
      options.independent = true;
      check(asian_book(3), options);
      check(barrier_book(3, 0), options);
    }
    simulation_options const quasi{.paths = 16 * 150,
                                   .steps = 7,
                                   .control_variate = true,
                                   .sampling = pricing::sampling::sobol,
                                   .replicates = 16};
    check(asian_book(19), quasi);
    check(barrier_book(5, 2), quasi);
  }

  TEST_CASE("fast: a graph of a simulation, and books in pieces") {
    wf::gpu place, roomy; // which takes the book as a whole
    place.reserve(std::size_t{4} << 20);
    roomy.reserve(std::size_t{64} << 20);
    auto const book = barrier_book(100, 1);
    std::span<barrier_option const> const view(book);
    wf::device_buffer<estimate> results(place, book.size());
    auto const check = [&](std::vector<estimate> const& expected) {
      CHECK(same_estimates(wf::to_vector(place, results.span()), expected));
    };
    simulation_options const quasi{.paths = 1 << 15,
                                   .steps = 60,
                                   .control_variate = true,
                                   .sampling = pricing::sampling::sobol};
    pricing::simulate_async(place, view, results.span(), quasi); // in strips of few tiles
    check(simulated<float>(roomy, book, quasi));
    simulation_options const options{.paths = 20'000, .steps = 5, .control_variate = true};
    captured graph(place, [&] { pricing::simulate_async(place, view, results.span(), options); });
    auto const expected = simulated<float>(roomy, book, options);
    for (int i = 0; i < 2; ++i) {
      wf::check(
          cudaMemsetAsync(results.data(), 0xff, results.size() * sizeof(estimate), place.stream()));
      graph.launch();
      check(expected);
    }
  }
} // TEST_SUITE

} // namespace path_options_bits_test
