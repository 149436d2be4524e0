// Simulations by all twins: values and errors of one kind, and every path counted once.

#include "monte_carlo.hpp"

#include <string>

namespace monte_carlo_twins_test {

using namespace test;
using namespace test::pricing;

/// Everyone's values are Black and Scholes's, with errors of one size.
template <class T, class Place>
void check_simulations(Place& place, std::uint64_t paths) {
  auto const options = random_europeans<T>(6, 2);
  simulated<Place, T> book(place, options);
  european_simulation_options const how{.paths = paths, .seed = 4, .confidence = 0.9};
  auto const fused = book.values(how);
  for (simulation const by : simulations<Place>()) {
    CAPTURE(std::string(to_string(by)));
    auto const got = book.values(how, by);
    CHECK(same_estimates(book.values(how, by), got));
    for (std::size_t i = 0; i < options.size(); ++i) {
      double const error = got[i].standard_error;
      CHECK(std::abs(got[i].value - exact_of(options[i]).mean) < 4.5 * error);
      CHECK(error == doctest::Approx(fused[i].standard_error).epsilon(0.03));
      CHECK(got[i].upper - got[i].lower == doctest::Approx(2 * 1.6448536269514729 * error));
      CHECK(got[i].paths == paths);
      CHECK(static_cast<double>(got[i].paying) ==
            doctest::Approx(static_cast<double>(fused[i].paying)).epsilon(0.03));
    }
  }
}

/// Without randomness all paths pay the same, and here what sums up without rounding: each is
/// counted, and once.
template <class T, class Place>
void check_path_counts(Place& place, std::uint64_t most) {
  europeans<T> few{{option_kind::call, {200, 100, 1, 0, 0, 0}},
                   {option_kind::put, {50, 100, 1, 0, 0, 0}},
                   {option_kind::put, {200, 100, 1, 0, 0, 0}}};
  double const values[] = {100, 50, 0};
  europeans<T> many;
  for (int i = 0; i < 300; ++i) many.insert(many.end(), few.begin(), few.end());
  for (auto const& options : {few, many})
    for (std::uint64_t const paths :
         {1, 2, 3, 4, 5, 31, 255, 256, 257, 1023, 1025, 4097, 32'771, 1'000'003}) {
      if (paths > most) break;
      CAPTURE(paths);
      simulated<Place, T> book(place, options);
      for (simulation const by : simulations<Place>()) {
        CAPTURE(std::string(to_string(by)));
        auto const got = book.values({.paths = paths}, by);
        int wrong = 0;
        for (std::size_t i = 0; i < options.size(); ++i) {
          bool const pays = i % 3 < 2;
          wrong += !(std::abs(got[i].value - values[i % 3]) < 1e-5) || got[i].paths != paths ||
                   got[i].paying != (pays ? paths : 0) ||
                   std::isinf(got[i].standard_error) != (paths == 1);
        }
        CHECK(wrong == 0);
      }
    }
}

TEST_CASE("host: the names of simulations") {
  CHECK(to_string(simulation::blocks_reduce) == std::string("blocks_reduce"));
  CHECK(to_string(static_cast<simulation>(9)) == std::string("unknown"));
}

FAST_EVERY_PLACE_OF("everyone's simulations agree", T, float, double) {
  check_simulations<T>(place, 1 << 18);
  check_path_counts<T>(place, on<Place>(32'771, 257));
}

TEST_SUITE("gpu") {
  TEST_CASE_TEMPLATE("everyone's long simulations agree", T, float, double) {
    gpu place;
    check_simulations<T>(place, 1 << 24);
    check_path_counts<T>(place, 1'000'003);
  }

  TEST_CASE_TEMPLATE("fast: one block and several have the same paths", T, float, double) {
    gpu place;
    simulated<gpu, T> book(place, random_europeans<T>(5, 3));
    for (std::uint64_t const stream : {0, 1}) {
      european_simulation_options const how{.paths = 300'001, .seed = 7, .stream = stream};
      auto const one = book.values(how, simulation::block_reduce);
      auto const several = book.values(how, simulation::blocks_reduce);
      auto const others = book.values({.paths = 300'001, .seed = 7, .stream = 1 - stream},
                                      simulation::block_reduce);
      for (std::size_t i = 0; i < one.size(); ++i) {
        CHECK(one[i].paying == several[i].paying);
        CHECK(std::abs(one[i].value - several[i].value) < 1e-3 * one[i].standard_error);
        CHECK(std::abs(one[i].value - others[i].value) > 1e-3 * one[i].standard_error);
      }
    }
  }
} // TEST_SUITE

} // namespace monte_carlo_twins_test
