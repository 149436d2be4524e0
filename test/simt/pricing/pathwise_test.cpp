// The bodies of simulations with pathwise derivatives, in every order of lanes and blocks: bit for
// bit the host's.

#include "pricing/greeks/pathwise_backend.hpp"
#include "pricing/greeks/tangent_steps.hpp"
#include "pricing/paths/contracts.hpp"
#include "simt/pricing/early_paths.hpp"

namespace {

namespace detail = warpfold::detail;
namespace pricing = warpfold::pricing;
using pricing::estimate;
using test::same_estimates;

/// Two groups of seven contracts, in double of three, with all results.
template <class Element, bool averages>
struct pathwise_simulation {
  using T = Element;
  using rows = pricing::pathwise_rows;
  static constexpr int contracts = pricing::contract_group<T>::size / rows::count;
  static constexpr std::size_t values = contracts * rows::count,
                               wanted = pricing::contract_group<T>::size + values;

  std::vector<pricing::tangent_step<T>> steps;
  pricing::pathwise_problems<T, averages> problems;
  detail::path_plan plan;
  std::vector<detail::path_finish> finish;

  pathwise_simulation(std::uint64_t paths, std::int64_t rounds, bool antithetic)
      : plan{detail::plan_paths({.paths = paths,
                                 .steps = 3,
                                 .longest_step = 0.2,
                                 .seed = simt::seed(),
                                 .antithetic = antithetic})} {
    plan.run.shape.rounds = rounds;
    auto const& model = test::contracts::lewis;
    steps = pricing::tangent_steps<T>(model, plan);
    problems.model = pricing::tangents_of<T>(model);
    problems.steps = steps;
    pricing::pathwise_group<T, averages> group{};
    group.book.count = contracts;
    group.book.averages = averages;
    group.book.spot = 100;
    group.values = values;
    group.inverse_spot = T(0.01);
    for (int row = 0; row < rows::count; ++row) group.first[row] = row * contracts;
    for (int k = 0; k < contracts; ++k) {
      group.book.expiry[k] = 3 * k / contracts;
      group.book.place[k] = (2 * k + 1) % contracts; // every place, as the numbers are odd
      group.book.on[k] = static_cast<pricing::measure>(averages ? k % 4 : 0);
      group.book.scale[k] = T(0.5);
      group.book.sign[k] = k % 2 == 0 ? T{1} : T{-1};
      group.book.strike[k] = static_cast<T>(90 + 4 * k);
      group.years[k] = static_cast<T>(1 + group.book.expiry[k]) / 3;
    }
    problems.all = {group, group};
    for (std::size_t v = 0; v < wanted; ++v) finish.push_back({0.9, 0});
  }
  std::vector<estimate> on_host() const { return simt::paths_on_host(problems, plan, finish); }
  std::vector<estimate> emulated(simt::options const& how, int grid) const {
    return simt::emulated_paths(problems, plan, finish, how, grid);
  }
};
template <class T>
using of_prices = pathwise_simulation<T, false>;
template <class T>
using of_averages = pathwise_simulation<T, true>;

} // namespace

TEST_CASE_TEMPLATE("simt pathwise: the host's bits on every grid", Simulation, of_prices<float>,
                   of_averages<float>, of_averages<double>) {
  struct row {
    std::uint64_t paths;
    std::int64_t rounds;
    bool antithetic;
  };
  for (row const& r : {row{129, 1, false}, row{300, 2, true}}) {
    CAPTURE(r.paths);
    Simulation const all(r.paths, r.rounds, r.antithetic);
    auto const expected = all.on_host();
    simt::in_every_order([&](simt::options const& how) {
      for (int const grid : {1, 3}) CHECK(same_estimates(all.emulated(how, grid), expected));
    });
  }
}
