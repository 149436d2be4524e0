// The bodies of simulations of contracts, in every order of lanes and blocks: bit for bit the
// host's.

#include "pricing/paths/contract_backend.hpp"
#include "pricing/paths/contract_checks.hpp"
#include "pricing/paths/jump_steps.hpp"
#include "pricing/paths/jumps.hpp"
#include "pricing/paths/local_steps.hpp"
#include "pricing/paths/local_volatility.hpp"
#include "pricing/paths/variance_steps.hpp"
#include "simt/pricing/early_paths.hpp"

namespace {

namespace detail = warpfold::detail;
namespace pricing = warpfold::pricing;
using pricing::estimate;
using test::same_estimates;

template <class T>
using heston_paths = pricing::variance_model<T>;
template <class T>
using local_paths = pricing::local_model<T>;
template <class T>
using jump_paths = pricing::jump_model<T>;

/// Two groups, one of them full and one of three contracts.
template <class Model>
struct contracts_simulation {
  using T = typename Model::value_type;
  using problems_type = pricing::contract_problems<Model>;
  static constexpr std::size_t size = pricing::contract_group<T>::size, wanted = size + 3;

  problems_type problems;
  detail::path_plan plan;
  std::vector<detail::path_finish> finish;

  contracts_simulation(std::uint64_t paths, std::int64_t rounds, bool antithetic)
      : plan{detail::plan_paths({.paths = paths,
                                 .steps = 3,
                                 .longest_step = 0.2,
                                 .seed = simt::seed(),
                                 .antithetic = antithetic})} {
    plan.run.shape.rounds = rounds;
    auto const walk_on = [&](auto const& model) {
      problems.model = pricing::paths_of<T>(model);
      problems.steps = pricing::steps_of<T>(model, plan);
    };
    if constexpr (std::same_as<Model, local_paths<T>>) walk_on(test::contracts::ordinary_local());
    else if constexpr (std::same_as<Model, jump_paths<T>>)
      walk_on(pricing::jumping<pricing::heston>{test::contracts::frequent});
    else walk_on(test::contracts::lewis);
    for (std::size_t first = 0; first < wanted; first += size) {
      pricing::contract_group<T> group{};
      group.count = static_cast<int>(std::min(size, wanted - first));
      group.averages = true;
      group.spot = 100;
      for (int k = 0; k < group.count; ++k) {
        group.expiry[k] = 3 * k / group.count;
        group.place[k] = (7 * k + 1) % group.count; // every place, as neither size is a multiple
        group.on[k] = static_cast<pricing::measure>(k % 4);
        group.scale[k] = static_cast<T>(k % 4 == 1 ? 100 : 1) / static_cast<T>(1 + group.expiry[k]);
        group.strike[k] = static_cast<T>(k % 4 == 3 ? 0.1 : 90 + k);
        pricing::settle(group, static_cast<std::size_t>(k),
                        static_cast<pricing::settlement>(k % 5));
      }
      problems.all.push_back(group);
    }
    for (std::size_t v = 0; v < wanted; ++v) finish.push_back({0.9, 0});
  }
  std::vector<estimate> on_host() const { return simt::paths_on_host(problems, plan, finish); }
  std::vector<detail::path_sums> emulated_sums(simt::options const& how, int grid) const {
    return simt::emulated_sums(problems, plan, finish, how, grid);
  }
  std::vector<estimate> emulated(simt::options const& how, int grid) const {
    return simt::emulated_paths(problems, plan, finish, how, grid);
  }
};

} // namespace

TEST_CASE_TEMPLATE("simt contracts: the host's bits on every grid", Model, heston_paths<float>,
                   heston_paths<double>, local_paths<float>, local_paths<double>, jump_paths<float>,
                   jump_paths<double>) {
  struct row {
    std::uint64_t paths;
    std::int64_t rounds;
    bool antithetic;
  };
  for (row const& r :
       {row{1, 1, false}, row{129, 1, false}, row{400, 2, false}, row{300, 1, true}}) {
    CAPTURE(r.paths);
    contracts_simulation<Model> const all(r.paths, r.rounds, r.antithetic);
    auto const expected = all.on_host();
    simt::in_every_order([&](simt::options const& how) {
      for (int const grid : {1, 3}) CHECK(same_estimates(all.emulated(how, grid), expected));
    });
  }
}

// The last of a block's barriers are for those that have another tile.
TEST_CASE("simt contracts: every barrier but the last is needed") {
  contracts_simulation<heston_paths<float>> const all(300, 2, true);
  auto const expected = all.emulated_sums({}, 1);
  CHECK(simt::unneeded_barriers([&](simt::options const& how) {
          auto const got = all.emulated_sums(how, 1);
          return std::memcmp(got.data(), expected.data(), got.size() * sizeof(got[0])) == 0;
        }) == "11 simulate_tiles, ");
}
