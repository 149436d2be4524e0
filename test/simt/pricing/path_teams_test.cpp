// The body of simulations by teams, in every order of lanes and blocks: bit for bit the host's.

#include "pricing/one_option.hpp"
#include "pricing/paths/path_payoffs.hpp"
#include "pricing/paths/team_body.hpp"
#include "simt/simt.hpp"

#include <warpfold/detail/pricing/path_host.hpp>

namespace simt_path_teams_test {
namespace {

namespace detail = warpfold::detail;
namespace pricing = warpfold::pricing;
using pricing::estimate;
using test::same_estimates;

/// Option number i of a group; any one.
template <class T, int size>
void put(pricing::asian_group<T, size>& group, int k, int i) {
  T const x = static_cast<T>(i);
  group.deviation[k] = T(0.3) + T(0.01) * x;
  group.drift[k] = T(0.02) * x;
  group.spot[k] = 100;
  group.strike[k] = 90 + 2 * x;
  group.sign[k] = i % 3 == 1 ? -1 : 1;
  group.geometric[k] = i % 5 == 2 ? 1 : 0;
  group.per_fixing = T(1) / 3;
  group.mean_time = T(2) / 3;
}
template <class T, int size, bool rebates>
void put(pricing::barrier_group<T, size, rebates>& group, int k, int i) {
  T const x = static_cast<T>(i);
  group.deviation[k] = 1 + T(0.1) * x;
  group.drift[k] = T(0.02) * x;
  group.growth[k] = T(0.05);
  group.middle[k] = T(0.5);
  group.distance[k] = T(0.5) + T(0.1) * x;
  group.unit[k] = T(0.2);
  group.spot[k] = 100;
  group.strike[k] = 90 + 2 * x;
  group.sign[k] = i % 3 == 1 ? -1 : 1;
  group.knocks_out[k] = i % 2 == 0 ? 1 : 0;
  group.at_expiry[k] = i % 2 == 0 ? 0 : T(1);
  group.at_hit[k] = i % 2 == 0 ? T(1) : 0;
}

template <class Group>
std::vector<Group> groups(int count) {
  std::vector<Group> all(static_cast<std::size_t>(count));
  for (int g = 0; g < count; ++g)
    for (int k = 0; k < Group::results; ++k)
      put(all[static_cast<std::size_t>(g)], k, g * Group::results + k);
  return all;
}

/// Part: what a lane has of Whole.
template <class Whole, class Part>
struct team_simulation {
  using T = typename Whole::element;
  using model = pricing::brownian_motion<T>;
  static constexpr int values = Whole::results;
  static_assert(values == Part::results * detail::path_team);

  int group_count;
  std::size_t wanted;
  detail::path_plan plan;
  std::vector<detail::path_finish> finish;

  team_simulation(std::uint64_t paths, int steps, std::int64_t rounds, bool antithetic, int count,
                  std::size_t options)
      : group_count{count}, wanted{options}, plan{detail::plan_paths({.paths = paths,
                                                                      .steps = steps,
                                                                      .seed = simt::seed(),
                                                                      .antithetic = antithetic,
                                                                      .control_variate = true})} {
    plan.run.shape.rounds = rounds;
    for (int v = 0; v < count * values; ++v) finish.push_back({0.9, 1. * v});
  }
  std::vector<estimate> on_host() const {
    std::vector<estimate> results(wanted);
    detail::book_path_problems<model, Whole> const problems{{}, groups<Whole>(group_count)};
    detail::simulate_host(1, plan, problems, finish, results.data(), wanted);
    return results;
  }
  /// By several launches one after the other, which share tickets and memory.
  std::vector<estimate> emulated(simt::options const& how, int grid, int launches = 1) const {
    constexpr std::size_t most_pieces = 512;
    using round = detail::path_round<T, values>;
    struct shared_type {
      detail::team_shared<round> of;
      detail::table_piece tables[most_pieces + 1]; // steps are aligned to 32 bytes
    };
    using step = pricing::path_step<T>;
    detail::table_piece tables[most_pieces]{};
    int pieces = 0;
    auto const add = [&](auto const& all) {
      int const first = pieces;
      std::size_t const bytes = all.size() * sizeof(all[0]);
      std::memcpy(tables + pieces, all.data(), bytes);
      pieces += static_cast<int>((bytes + 15) / 16);
      return first;
    };
    add(detail::steps_of<T>(plan.times));
    int const at_finish = add(finish);
    int const at_groups = add(groups<Part>(group_count * detail::path_team));
    int const tiles = static_cast<int>(plan.run.shape.tiles());
    simt::poisoned<detail::path_sums> partials(finish.size() * static_cast<std::size_t>(tiles));
    std::vector<unsigned> tickets(static_cast<std::size_t>(group_count));
    std::vector<estimate> results(wanted);
    detail::team_work<model> const work{plan.run,
                                        {},
                                        tiles,
                                        group_count,
                                        partials.data(),
                                        tickets.data(),
                                        plan.ending,
                                        results.data(),
                                        static_cast<int>(wanted),
                                        pieces,
                                        at_finish,
                                        at_groups};
    auto const launch = [&](auto source) {
      simt::launch<shared_type>(grid, detail::path_threads * detail::path_team, how,
                                [&](simt::block const& block, shared_type& shared) {
                                  auto const odd =
                                      reinterpret_cast<std::uintptr_t>(shared.tables) / 16 % 2;
                                  detail::simulate_teams<decltype(source)::antithetic, Part, step>(
                                      block, work, tables, shared.tables + odd, shared.of);
                                });
    };
    for (int i = 0; i < launches; ++i) {
      results.assign(wanted, {});
      detail::with_random_source(plan, launch);
      for (unsigned const ticket : tickets) CHECK(ticket == 0);
    }
    return results;
  }
};

template <class Whole, class Part>
void check_teams() {
  struct row {
    std::uint64_t paths;
    int steps;
    std::int64_t rounds;
    bool antithetic;
    int groups;
    std::size_t missing; ///< options of the last group that are not wanted
  };
  for (row const& r :
       {row{1, 1, 1, false, 1, 0}, row{254, 4, 1, true, 1, 3}, row{300, 3, 2, false, 1, 0},
        row{700, 16, 1, false, 2, 1}, row{514, 37, 1, true, 1, 0}}) {
    CAPTURE(r.paths);
    team_simulation<Whole, Part> const all(r.paths, r.steps, r.rounds, r.antithetic, r.groups,
                                           static_cast<std::size_t>(r.groups) * Whole::results -
                                               r.missing);
    auto const expected = all.on_host();
    simt::in_every_order([&](simt::options const& how) {
      for (int const grid : {1, 20})
        CHECK(same_estimates(all.emulated(how, grid, grid == 1 ? 2 : 1), expected));
    });
  }
}

} // namespace

TEST_CASE("simt path teams: the host's bits on every grid") {
  using namespace pricing;
  check_teams<asian_group<float, 16>, asian_group<float, 4>>();
  check_teams<asian_group<double, 8>, asian_group<double, 2>>();
  check_teams<barrier_group<float, 8, true>, barrier_group<float, 2, true>>();
  check_teams<barrier_group<double, 4, false>, barrier_group<double, 1, false>>();
}

// More tiles than a warp's lanes add at once.
TEST_CASE("simt path teams: many tiles") {
  using namespace pricing;
  team_simulation<asian_group<float, 16>, asian_group<float, 4>> const all(40'000, 1, 1, false, 1,
                                                                           16);
  CHECK(same_estimates(all.emulated({}, 64), all.on_host()));
}

} // namespace simt_path_teams_test
