// The bodies of early exercise, in every order of lanes and blocks: bit for bit the host's.

#include "pricing/exercise/early_exercise.hpp"
#include "pricing/paths/variance_steps.hpp"
#include "simt/pricing/early_exercise.hpp"

namespace {

namespace detail = warpfold::detail;
namespace pricing = warpfold::pricing;

constexpr int dates = 3;

/// Puts in Heston's model.
template <class T>
test::early_simt::exercise_simulation<pricing::variance_exercise<T>>
simulation(std::int64_t paths, std::int64_t rounds, int rights = 3) {
  auto const plan = detail::plan_paths({.paths = 8, .steps = dates, .seed = simt::seed()});
  auto const& model = test::contracts::lewis;
  pricing::variance_exercise<T> all{
      {static_cast<T>(model.variance)}, pricing::steps_of<T>(model, plan), {}, {}, paths};
  for (int j = 0; j < dates; ++j)
    all.dates.push_back({T(0.99) - T(j) / 100, T{1}, T{4}, T(0.1), T{10}});
  for (int i = 0; i < rights; ++i)
    all.rights.push_back({T{-1}, T(0.95 + 0.1 * i), T{100}, i == 1 ? 1 : 0, dates - 1 - i % 2,
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
    });
  }
}

TEST_CASE("simt early exercise: more options than a block takes together") {
  auto const all = simulation<float>(300, 1, 9);
  auto const expected = all.on_host();
  simt::in_every_order([&](simt::options const& how) {
    for (int const grid : {1, 3}) CHECK(all.emulated(how, grid) == expected);
  });
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
