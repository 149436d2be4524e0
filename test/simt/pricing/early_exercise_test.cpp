// The bodies of early exercise, in every order of lanes and blocks: bit for bit the host's.

#include "pricing/exercise/early_exercise.hpp"
#include "pricing/paths/variance_steps.hpp"
#include "simt/pricing/early_exercise.hpp"
#include "simt/pricing/early_paths.hpp"

namespace {

namespace detail = warpfold::detail;
namespace pricing = warpfold::pricing;
using test::same_estimates;

constexpr int dates = 3;

/// Puts in Heston's model.
template <class T>
test::early_simt::exercise_simulation<pricing::variance_exercise<T>>
simulation(std::int64_t paths, std::int64_t rounds, int rights = 3, int times = dates) {
  auto const plan = detail::plan_paths({.paths = 8, .steps = times, .seed = simt::seed()});
  auto const& model = test::contracts::lewis;
  pricing::variance_exercise<T> all{
      {static_cast<T>(model.variance)}, pricing::steps_of<T>(model, plan), {}, {}, paths};
  for (int j = 0; j < times; ++j)
    all.dates.push_back({T(0.99) - T(j) / 100, T{1}, T{4}, T(0.1), T{10}});
  for (int i = 0; i < rights; ++i)
    all.rights.push_back({T{-1}, T(0.95 + 0.1 * i), T{100}, i == 1 ? 1 : 0, times - 1 - i % 2,
                          pricing::bits::portable});
  return {plan, std::move(all), rounds};
}

} // namespace

TEST_CASE_TEMPLATE("simt early exercise: the host's bits on every grid", T, float, double) {
  struct row {
    std::int64_t paths, rounds;
  };
  for (row const& r : {row{1, 1}, row{255, 1}, row{1100, 2}}) {
    CAPTURE(r.paths);
    auto const all = simulation<T>(r.paths, r.rounds);
    auto const expected = all.on_host();
    simt::in_every_order([&](simt::options const& how) {
      for (int const grid : {1, 4}) CHECK(all.emulated(how, grid) == expected);
      CHECK(all.emulated(how, 4, -1, 1) == expected); // options one by one
      for (int const tiles : {1, 2, 3}) CHECK(all.resident(how, tiles, expected) == expected);
    });
  }
}

// What blocks send has room for that of three dates.
TEST_CASE("simt early exercise: blocks that stay, at many dates") {
  auto const all = simulation<float>(520, 1, 2, 11);
  auto const expected = all.on_host();
  simt::in_every_order([&](simt::options const& how) {
    for (int const tiles : {1, 2}) CHECK(all.resident(how, tiles, expected) == expected);
  });
}

// They add up 104 tiles at a time of these sums.
TEST_CASE("simt early exercise: blocks that stay, with many tiles") {
  auto const all = simulation<float>(256 * 107 - 3, 1, 1);
  REQUIRE(all.shape.tiles == 107);
  CHECK(all.resident({}, 54, all.on_host()) == all.on_host());
}

TEST_CASE("simt early exercise: more options than a block takes together") {
  auto const all = simulation<float>(300, 1, 9);
  auto const expected = all.on_host();
  simt::in_every_order([&](simt::options const& how) {
    for (int const grid : {1, 3}) CHECK(all.emulated(how, grid) == expected);
  });
}

// One option has a payoff of its own on a GPU.
TEST_CASE_TEMPLATE("simt early exercise: one option, alone and as one of a book", T, float,
                   double) {
  using exercise = pricing::variance_exercise<T>;
  auto const learned = simulation<T>(700, 1, 1);
  auto const rules = learned.on_host().rules;
  detail::exercise_rules<T, typename exercise::right_type> const known{
      learned.all.rights.data(), learned.all.dates.data(), {rules.data(), 1}, dates};
  std::vector<detail::path_finish> const finish{{1, 0}};
  for (bool const pairs : {false, true}) {
    CAPTURE(pairs);
    auto const plan = detail::pricing_plan(detail::plan_paths(
        {.paths = 600, .steps = dates, .seed = simt::seed(), .antithetic = pairs}));
    detail::exercised_problems<exercise> const book{learned.all, known};
    detail::exercised_problems<exercise, detail::lone_payoff> const alone{learned.all, known};
    auto const expected = simt::paths_on_host(book, plan, finish);
    CHECK(expected[0].paying > 0);
    CHECK(expected[0].paying < 600);
    CHECK(same_estimates(simt::paths_on_host(alone, plan, finish), expected));
    simt::in_every_order([&](simt::options const& how) {
      for (int const grid : {1, 3})
        CHECK(same_estimates(simt::emulated_paths(alone, plan, finish, how, grid), expected));
    });
  }
}

TEST_CASE("simt early exercise: every barrier is needed") {
  auto const all = simulation<float>(300, 1);
  auto const expected = all.on_host(dates - 2);
  // The barrier between the sums of a tile and its ticket orders them for another block. With one
  // block nobody misses it.
  CHECK(simt::unneeded_barriers([&](simt::options const& how) {
          return all.emulated(how, 1, dates - 2) == expected;
        }) == "1 regress_date, 4 regress_date, ");
}
