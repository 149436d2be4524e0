// The bodies of simulations, in every order of lanes and blocks: bit for bit the host's.

#include "pricing/one_option.hpp"
#include "pricing/paths/path_payoffs.hpp"
#include "simt/simt.hpp"

#include <warpfold/detail/pricing/path_host.hpp>

namespace {

namespace detail = warpfold::detail;
namespace pricing = warpfold::pricing;
using pricing::estimate;
using test::same_estimates;
using group = pricing::asian_group<float, 3>;
using problem_type = detail::book_path_problem<pricing::brownian_motion<float>, group>;
using problems_type = detail::book_path_problems<pricing::brownian_motion<float>, group>;

/// Any options.
std::vector<group> groups(int count) {
  std::vector<group> all;
  for (int g = 0; g < count; ++g) {
    group one{};
    for (int k = 0; k < 3; ++k) {
      auto const x = static_cast<float>(3 * g + k);
      one.deviation[k] = 0.3F + 0.01F * x;
      one.drift[k] = 0.02F * x;
      one.spot[k] = 100;
      one.strike[k] = 90 + 5 * x;
      one.sign[k] = k == 1 ? -1.F : 1.F;
      one.geometric[k] = k == 2 ? 1.F : 0.F;
    }
    one.per_fixing = 1.F / 3;
    one.mean_time = 2.F / 3;
    all.push_back(one);
  }
  return all;
}

struct simulation {
  problems_type problems;
  detail::path_plan plan;
  std::vector<detail::path_finish> finish;

  simulation(std::uint64_t paths, std::int64_t rounds, bool antithetic, bool independent,
             bool quasi = false)
      : problems{{}, groups(2)}, plan{detail::plan_paths(
                                     {.paths = paths,
                                      .steps = 3,
                                      .seed = simt::seed(),
                                      .independent = independent,
                                      .antithetic = antithetic,
                                      .control_variate = true,
                                      .sampling = quasi ? pricing::sampling::sobol
                                                        : pricing::sampling::philox,
                                      .replicates = 4})} {
    plan.run.shape.rounds = rounds;
    for (int v = 0; v < 6; ++v) finish.push_back({0.9, 1. * v});
  }
  std::vector<estimate> on_host() const {
    std::vector<estimate> results(6);
    detail::simulate_host(1, plan, problems, finish, results.data(), 6);
    return results;
  }
  /// Sums of all values' tiles, those of a rank's after the other's, as many ranks as are asked
  /// for.
  struct gathered {
    std::vector<detail::path_sums> sums;
    std::uint32_t width;

    gathered(int values, int tiles, int ranks)
        : sums(static_cast<std::size_t>((values * ((tiles + ranks - 1) / ranks) + 5) * ranks)),
          width{static_cast<std::uint32_t>((tiles + ranks - 1) / ranks)} {}
    pricing::sum_places places(int ranks) {
      return {reinterpret_cast<std::byte*>(sums.data()),
              sums.size() / static_cast<std::size_t>(ranks) * sizeof(sums[0]), width};
    }
  };
  int tiles() const { return static_cast<int>(plan.run.shape.tiles()); }
  /// The sums of all ranks' tiles, by grids of `grid` blocks.
  gathered emulated_sums(simt::options const& how, int grid, int ranks = 1) const {
    auto const steps = detail::steps_of<float>(plan.times);
    auto const problem = problems.at(problems.data(), 0);
    gathered to(6, tiles(), ranks);
    auto const width = static_cast<int>(to.width);
    auto const simulate = [&](auto const& source, detail::tile_range range) {
      auto* const partials =
          to.places(ranks).at<detail::path_sums>(0, static_cast<std::uint32_t>(range.first));
      simt::launch<detail::path_shared<detail::round_of_problems<problems_type>>>(
          grid, detail::path_threads, how, [&](simt::block const& block, auto& shared) {
            detail::simulate_tiles(block, plan.run, problem, source, steps.data(), finish.data(),
                                   range, 2, partials, width, shared);
          });
    };
    for (int first = 0; first < tiles(); first += width) {
      detail::tile_range const range{first, std::min(width, tiles() - first)};
      if (plan.quasi) {
        detail::quasi_memory<float> const memory(plan);
        std::int64_t const columns = range.count * plan.run.shape.tile_samples();
        std::vector<float> motions(plan.times.size() * static_cast<std::size_t>(columns));
        for (std::int64_t c = 0; c < columns; ++c)
          detail::make_column(plan.run.shape, memory.tables(), first, c, motions.data(), columns);
        simulate(detail::stored_source<float>{motions.data(), columns}, range);
      } else {
        detail::with_random_source(plan, [&](auto source) { simulate(source, range); });
      }
    }
    return to;
  }
  std::vector<estimate> emulated(simt::options const& how, int grid, int ranks = 1) const {
    auto sums = emulated_sums(how, grid, ranks);
    return finished(how, grid, sums.places(ranks), tiles(), 6);
  }

  /// Estimates of `values` values from their sums over tiles.
  std::vector<estimate> finished(simt::options const& how, int grid, pricing::sum_places partials,
                                 int all_tiles, int values) const {
    std::vector<estimate> results(static_cast<std::size_t>(values));
    struct sums {
      detail::path_sums of[detail::path_threads];
    };
    simt::launch<sums>(grid, detail::path_threads, how,
                       [&](simt::block const& block, sums& shared) {
                         detail::finish_values(block, partials, all_tiles, values, finish.data(),
                                               plan.ending, results.data(), shared.of);
                       });
    return results;
  }
};

} // namespace

TEST_CASE("simt paths: the host's bits on every grid") {
  struct row {
    std::uint64_t paths;
    std::int64_t rounds;
    bool antithetic, independent, quasi;
  };
  for (row const& r : {row{1, 1, false, false, false}, row{127, 1, false, true, false},
                       row{128, 2, false, false, false}, row{700, 1, true, false, false},
                       row{900, 3, false, true, false}, row{900, 1, false, false, true},
                       row{1200, 2, false, false, true}}) {
    CAPTURE(r.paths);
    simulation const all(r.paths, r.rounds, r.antithetic, r.independent, r.quasi);
    auto const expected = all.on_host();
    simt::in_every_order([&](simt::options const& how) {
      for (int const grid : {1, 3, 20})
        for (int const ranks : {1, 3})
          CHECK(same_estimates(all.emulated(how, grid, ranks), expected));
    });
  }
}

// The last of a block's barriers are for those that have another tile or value.
TEST_CASE("simt paths: every barrier but the last is needed") {
  simulation const all(600, 2, false, false);
  auto const expected = all.emulated_sums({}, 1).sums;
  auto const same_sums = [&](std::vector<detail::path_sums> const& got) {
    return std::memcmp(got.data(), expected.data(), got.size() * sizeof(got[0])) == 0;
  };
  CHECK(simt::unneeded_barriers([&](simt::options const& how) {
          return same_sums(all.emulated_sums(how, 1).sums);
        }) == "31 simulate_tiles, ");

  int const tiles = 300;
  std::mt19937 random(simt::seed());
  std::vector<detail::path_sums> partials(2 * tiles);
  for (auto& one : partials)
    one = {static_cast<double>(random() % 1000), 1e7, 0, 0, 0, random() % 100};
  auto const places =
      pricing::sum_places::whole(partials.data(), static_cast<std::uint32_t>(tiles));
  std::vector<estimate> estimates;
  for (int v = 0; v < 2; ++v)
    estimates.push_back(
        detail::finish_value_host(places, v, tiles, all.finish[0], all.plan.ending));
  CHECK(simt::unneeded_barriers([&](simt::options const& how) {
          return same_estimates(all.finished(how, 1, places, tiles, 2), estimates);
        }) == "15 finish_values, ");
}
