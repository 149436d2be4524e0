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
      CHECK(all.resident(how, 2, expected, 2) == expected);
    });
  }
}

// What blocks send has room for that of three dates.
TEST_CASE("simt early exercise: blocks that stay, at many dates") {
  auto const all = simulation<float>(520, 1, 2, 11);
  auto const expected = all.on_host();
  simt::in_every_order([&](simt::options const& how) {
    for (int const tiles : {1, 2}) CHECK(all.resident(how, tiles, expected) == expected);
    CHECK(all.resident(how, 1, expected, 2) == expected); // two blocks factor
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
    CHECK(all.emulated(how, 2, -1, 4) == expected);
  });
}

TEST_CASE("simt early exercise: several options on one price") {
  using exercise = pricing::lognormal_exercise<float>;
  pricing::black_scholes const model{.spot = 100, .volatility = 0.3, .rate = 0.05};
  auto const plan = detail::plan_paths({.paths = 8, .steps = dates, .seed = simt::seed()});
  // Threads take four paths at a time, then two, then one.
  exercise all{{}, pricing::lognormal_steps<float>(model, plan), {}, {}, 256 * 9 - 7};
  for (int j = 0; j < dates; ++j) {
    float const time = 0.3F + 0.3F * static_cast<float>(j);
    all.dates.push_back({1 - 0.05F * time, 1 + 0.05F * time, 4 - time, 0, 0});
  }
  // The last ones are exercised from the second date on, or never: then no date has sums.
  for (int i = 0; i < 10; ++i)
    all.rights.push_back({i % 2 == 0 ? -1.F : 1.F,
                          i % 2 == 0 ? 0.8F + 0.05F * static_cast<float>(i) : -1.1F, 100,
                          i < 8 ? 0 : i - 7, i == 9 ? 0 : dates - 1, pricing::bits::portable});
  test::early_simt::exercise_simulation<exercise> const simulated{plan, std::move(all), 7};
  REQUIRE(simulated.shape.tiles == 2);
  auto const expected = simulated.on_host();
  CHECK(expected.rules[0].rank == 4);
  CHECK(expected.rules[9].rank == 0);
  simt::in_every_order([&](simt::options const& how) {
    for (int const grid : {1, 4}) CHECK(simulated.emulated(how, grid) == expected);
    for (int const each : {1, 3}) CHECK(simulated.emulated(how, 3, -1, each) == expected);
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

// Paths that go on close up: four times here, and then there is a rest of steps.
constexpr int many_dates = 4 * detail::steps_together + 5;

/// One option on pricing paths, by rules that are given: of `samples` paths, in three rounds.
template <class Exercise>
struct lone_simulation {
  using right_type = typename Exercise::right_type;
  using rule = detail::exercise_rule<detail::value_of_model<typename Exercise::model_type>,
                                     right_type::basis>;

  Exercise const& all;
  std::vector<rule> rules;
  detail::path_plan plan;
  std::vector<detail::path_finish> finish{{1, 0}};
  detail::exercised_problems<Exercise, detail::lone_payoff> alone;

  lone_simulation(Exercise const& of, std::vector<rule> by, std::int64_t samples)
      : all{of}, rules{std::move(by)},
        plan{detail::pricing_plan(
            detail::plan_paths({.paths = 600, .steps = many_dates, .seed = simt::seed()}))},
        alone{all, {all.rights.data(), all.dates.data(), {rules.data(), 1}, many_dates}} {
    plan.run.shape = {samples, 3, 1};
    plan.ending.samples = samples;
  }
  std::vector<pricing::estimate> on_host() const {
    detail::exercised_problems<Exercise> const book{all, alone.rules};
    return simt::paths_on_host(book, plan, finish);
  }
  bool is_emulated(simt::options const& how, int grid) const {
    return same_estimates(simt::emulated_paths(alone, plan, finish, how, grid), on_host());
  }
};

TEST_CASE_TEMPLATE("simt early exercise: paths that are over, and those that close up", T, float,
                   double) {
  using exercise = pricing::variance_exercise<T>;
  using one = lone_simulation<exercise>;
  auto learned = simulation<T>(400, 1, 1, many_dates);
  auto const check = [&](std::vector<typename one::rule> const& rules, std::int64_t samples) {
    one const option(learned.all, rules, samples);
    simt::in_every_order([&](simt::options const& how) {
      for (int const grid : {1, 2}) CHECK(option.is_emulated(how, grid));
    });
    return option.on_host()[0].paying;
  };
  std::vector const never(many_dates, one::rule::never());
  for (std::int64_t const samples : {1, 130, 500}) {
    CAPTURE(samples);
    std::uint64_t const paying = check(learned.on_host().rules, samples);
    if (samples > 1) CHECK(paying > 0);
    CHECK(paying <= static_cast<std::uint64_t>(samples));
    CHECK(check(never, samples) == 0);
    // Those that pay go at once: in a leg's last step, a leg's first, or at the end.
    constexpr int leg = detail::steps_together;
    for (int const last : {0, leg - 1, leg, 3 * leg - 1, many_dates - 1})
      for (double const constant : {0.95, 50.}) { // some pay, or all do
        CAPTURE(last);
        learned.all.rights[0].constant = T(constant);
        auto rules = never;
        rules[static_cast<std::size_t>(last)] = one::rule::wherever_it_pays();
        std::uint64_t const gone = check(rules, samples);
        if (constant > 1) CHECK(gone == static_cast<std::uint64_t>(samples));
      }
    learned.all.rights[0].constant = T(0.95);
  }
}

/// A right that remembers the lowest price, without choices of bits.
struct lookback_right {
  using model = pricing::variance_model<float>;
  static constexpr int basis = 2;
  struct kept {
    float lowest;
  };
  struct date {
    float discount;
  };
  float strike, unit;

  detail::exercise_decision when(int j, int dates) const {
    return j == dates - 1 ? detail::exercise_decision::wherever_it_pays
                          : detail::exercise_decision::regression;
  }
  float start(model::state const&) const { return 1; }
  template <class Step>
  void observe(float& lowest, model::state const& path, Step const&) const {
    lowest = std::min(lowest, 1 + path.log_price);
  }
  template <class Step>
  kept keep(float lowest, model::state const&, Step const&) const {
    return {lowest};
  }
  float exercise(kept const& of) const { return strike - of.lowest; }
  void regressors(kept const& of, date const&, float (&to)[basis]) const {
    to[0] = 1;
    to[1] = of.lowest;
  }
};

TEST_CASE("simt early exercise: a right with a memory of its own, and no bits to choose") {
  using exercise = detail::exercise_problem<lookback_right::model, lookback_right,
                                            pricing::variance_step<float>, 1>;
  auto const steps = simulation<float>(1, 1, 1, many_dates).all;
  exercise all{steps.model, steps.steps, {}, {{0.9F, 100}}, 500};
  for (int j = 0; j < many_dates; ++j) all.dates.push_back({1 - 0.01F * static_cast<float>(j)});
  auto const plan = detail::plan_paths({.paths = 8, .steps = many_dates, .seed = simt::seed()});
  test::early_simt::exercise_simulation<exercise> const learned{plan, all, 1};
  auto const expected = learned.on_host();
  simt::in_every_order(
      [&](simt::options const& how) { CHECK(learned.resident(how, 1, expected, 2) == expected); });
  lone_simulation<exercise> const option(all, expected.rules, 300);
  CHECK(option.on_host()[0].paying > 20);
  CHECK(option.on_host()[0].paying < 280);
  simt::in_every_order([&](simt::options const& how) { CHECK(option.is_emulated(how, 2)); });
}

TEST_CASE("simt early exercise: every barrier of paths that close up is needed") {
  auto learned = simulation<float>(400, 1, 1, many_dates);
  auto rules = learned.on_host().rules;
  // Without one a path may meet more dates than there are.
  learned.all.dates.resize(4 * many_dates);
  rules.resize(4 * many_dates);
  lone_simulation<pricing::variance_exercise<float>> const option(learned.all, rules, 500);
  CHECK(simt::unneeded_barriers(
            [&](simt::options const& how) { return option.is_emulated(how, 1); }) == "");
}

namespace {

/// The barriers that are not needed but for those of sum_over_rows: a shuffle comes before each
/// second one of them, which orders no memory on a GPU, but does here.
std::string unneeded_but_of_rows(test::function_ref<bool(simt::options const&)> run) {
  std::string const all = simt::unneeded_barriers(run);
  std::string others;
  for (std::size_t at = 0, end; at < all.size(); at = end + 2) {
    end = all.find(", ", at);
    if (auto const one = all.substr(at, end + 2 - at); one.find("sum_over_rows") == one.npos)
      others += one;
  }
  return others;
}

} // namespace

TEST_CASE("simt early exercise: every barrier is needed") {
  auto const all = simulation<float>(300, 1, 1);
  auto const expected = all.on_host(dates - 2);
  // The barrier between the sums of a tile and its ticket orders them for another block. With one
  // block nobody misses it.
  CHECK(unneeded_but_of_rows([&](simt::options const& how) {
          return all.emulated(how, 1, dates - 2, 1) == expected;
        }) == "7 regress_date, 16 regress_date, ");
  // The same options come to lie where they were for a second tile.
  auto const book = simulation<float>(300, 1);
  auto const of_book = book.on_host(dates - 2);
  CHECK(unneeded_but_of_rows([&](simt::options const& how) {
          return book.emulated(how, 1, dates - 2) == of_book;
        }) == "14 regress_date, 16 take_options, 30 regress_date, ");
}

TEST_CASE("simt early exercise: each second barrier of a warp's sums by rows is needed") {
  constexpr int size = 36;
  CHECK(simt::unneeded_barriers([&](simt::options const& how) {
          float sums[2][size] = {};
          simt::launch<detail::warp_rows<float>>(
              1, 32, how, [&](simt::block const& block, auto& shared) {
                for (int turn = 0; turn < 2; ++turn) {
                  float own[size];
                  for (int s = 0; s < size; ++s)
                    own[s] = static_cast<float>((turn + 1) * (s + 1) * (block.lane() + 1));
                  detail::sum_over_rows(block, own, shared,
                                        [&](int s, float sum) { sums[turn][s] = sum; });
                }
              });
          for (int s = 0; s < size; ++s)
            for (int turn = 0; turn < 2; ++turn)
              if (sums[turn][s] != static_cast<float>((turn + 1) * (s + 1) * 528)) return false;
          return true;
        }) == "0 sum_over_rows, 2 sum_over_rows, 4 sum_over_rows, 6 sum_over_rows, "
              "8 sum_over_rows, 10 sum_over_rows, ");
}
