// The bodies of early exercise, in every order of lanes and blocks: bit for bit the host's.

#include "pricing/paths/early_exercise.hpp"
#include "pricing/paths/exercise_rights.hpp"
#include "pricing/paths/variance_steps.hpp"
#include "simt/simt.hpp"

#include <warpfold/detail/pricing/exercise_host.hpp>

namespace {

namespace detail = warpfold::detail;
namespace pricing = warpfold::pricing;

/// Three puts in Heston's model.
template <class T>
struct exercise_simulation {
  using exercise_type = pricing::variance_exercise<T>;
  using right = typename exercise_type::right_type;
  using rule = detail::exercise_rule<T, right::basis>;
  using sums_type = detail::regression_sums<T, right::basis>;
  static constexpr int dates = 3, options = 3;

  detail::path_plan plan;
  detail::exercise_shape shape;
  exercise_type all;
  std::vector<std::uint32_t> words;
  detail::kept_paths<typename right::kept> kept{};

  exercise_simulation(std::int64_t paths, std::int64_t rounds)
      : plan{detail::plan_paths({.paths = 8, .steps = dates, .seed = simt::seed()})} {
    shape = detail::exercise_shape::of(paths, rounds);
    auto const& model = test::contracts::lewis;
    all.model = {static_cast<T>(model.variance)};
    all.steps = pricing::steps_of<T>(model, plan);
    for (int j = 0; j < dates; ++j)
      all.dates.push_back({T(0.99) - T(j) / 100, T{1}, T{4}, T(0.1), T{10}});
    for (int i = 0; i < options; ++i)
      all.rights.push_back({T{100}, T{-1}, T(0.95 + 0.1 * i), i == 1 ? 1 : 0, dates - 1 - i % 2});
    words.resize(detail::kept_paths<typename right::kept>::bytes(paths, dates) / 4);
    kept = {words.data(), paths};
    for (std::int64_t p = 0; p < paths; ++p)
      detail::keep_path(all.model, all.rights[0], detail::prepared(plan.numbers), all.steps.data(),
                        dates, kept, p);
  }

  /// All rules' bytes, and the means.
  struct outcome {
    std::vector<rule> rules;
    std::vector<double> in_sample;
    std::vector<T> worth;

    outcome(std::int64_t paths)
        : rules(options * dates), in_sample(options),
          worth(static_cast<std::size_t>(options * paths)) {}
    bool operator==(outcome const& other) const {
      return rules == other.rules && in_sample == other.in_sample && worth == other.worth;
    }
  };
  detail::exercise_memory<T, right> memory_of(outcome& to, double* partials, int option) const {
    return {&all.rights[static_cast<std::size_t>(option)],
            all.dates.data(),
            dates,
            kept,
            to.worth.data() + option * shape.paths,
            partials,
            to.rules.data() + option * dates,
            to.in_sample.data() + option};
  }
  outcome on_host(int last_date = -1) const {
    outcome to(shape.paths);
    std::vector<double> partials(sums_type::size * static_cast<std::size_t>(shape.tiles));
    for (int option = 0; option < options; ++option) {
      auto const memory = memory_of(to, partials.data(), option);
      for (int date = dates - 2; date >= last_date; --date) {
        for (int tile = 0; tile < shape.tiles; ++tile)
          detail::exercise_loops{}.regress(shape, memory, date, tile);
        detail::finish_date_host(shape, memory, date);
      }
    }
    return to;
  }
  outcome emulated(simt::options const& how, int grid, int last_date = -1) const {
    outcome to(shape.paths);
    simt::poisoned<double> partials(options * sums_type::size *
                                    static_cast<std::size_t>(shape.tiles));
    unsigned tickets[options]{};
    auto const memory = memory_of(to, partials.data(), 0);
    for (int date = dates - 2; date >= last_date; --date)
      simt::launch<detail::exercise_shared<sums_type::size>>(
          grid, detail::exercise_threads, how, [&](simt::block const& block, auto& shared) {
            detail::regress_date(block, shape, memory, date, options, tickets, shared);
          });
    for (unsigned const ticket : tickets) CHECK(ticket == 0);
    return to;
  }
};

} // namespace

TEST_CASE_TEMPLATE("simt early exercise: the host's bits on every grid", T, float, double) {
  struct row {
    std::int64_t paths, rounds;
  };
  for (row const& r : {row{1, 1}, row{255, 1}, row{1100, 2}}) {
    CAPTURE(r.paths);
    exercise_simulation<T> const all(r.paths, r.rounds);
    auto const expected = all.on_host();
    simt::in_every_order([&](simt::options const& how) {
      for (int const grid : {1, 4}) CHECK(all.emulated(how, grid) == expected);
    });
  }
}

TEST_CASE("simt early exercise: every barrier is needed") {
  exercise_simulation<float> const all(300, 1);
  auto const expected = all.on_host(exercise_simulation<float>::dates - 2);
  // The barrier between the sums of a tile and its ticket orders them for another block. With one
  // block nobody misses it.
  CHECK(simt::unneeded_barriers([&](simt::options const& how) {
          return all.emulated(how, 1, exercise_simulation<float>::dates - 2) == expected;
        }) == "1 regress_date, 4 regress_date, 9 regress_date, 12 regress_date, ");
}
