// The bodies of simulations of contracts that pay several results each, in every order of lanes and
// blocks: bit for bit the host's.

#include "pricing/greeks/row_backend.hpp"
#include "pricing/greeks/tangent_steps.hpp"
#include "pricing/paths/contract_checks.hpp"
#include "pricing/paths/contracts.hpp"
#include "simt/pricing/early_paths.hpp"

namespace {

namespace detail = warpfold::detail;
namespace pricing = warpfold::pricing;
using pricing::estimate;
using test::same_estimates;

/// Two groups, of as many contracts as have room with all results.
template <class Model, class Group>
struct row_simulation {
  using T = typename Group::element;
  using rows = pricing::result_rows;
  static constexpr bool is_pathwise = std::same_as<Model, pricing::tangent_model<T>>;
  static constexpr bool averages = std::same_as<Group, pricing::pathwise_group<T, true>>;
  static constexpr int contracts = pricing::contract_group<T>::size / rows::count;

  std::vector<typename Model::own_step> steps;
  pricing::row_problems<Model, Group> problems;
  detail::path_plan plan;
  std::vector<detail::path_finish> finish;

  row_simulation(std::uint64_t paths, std::int64_t rounds, bool antithetic)
      : plan{detail::plan_paths({.paths = paths,
                                 .steps = 3,
                                 .longest_step = 0.2,
                                 .seed = simt::seed(),
                                 .antithetic = antithetic})} {
    plan.run.shape.rounds = rounds;
    auto const& model = test::contracts::lewis;
    if constexpr (is_pathwise) {
      steps = pricing::tangent_steps<T>(model, plan);
      problems.model = pricing::tangents_of<T>(model);
    } else {
      steps = pricing::steps_of<T>(model, plan);
      problems.model = {pricing::paths_of<T>(model)};
    }
    problems.steps = steps;
    Group group{};
    group.book.count = contracts;
    group.book.averages = averages;
    group.book.spot = 100;
    group.inverse_spot = T(0.01);
    for (int row = 0; row < rows::count; ++row) {
      bool const has = is_pathwise ? row != rows::gamma : row == 0 || row >= rows::rate;
      group.first[row] = has ? group.values : -1;
      if (has) group.values += contracts;
    }
    for (int k = 0; k < contracts; ++k) {
      auto const at = static_cast<std::size_t>(k);
      group.book.expiry[k] = 3 * k / contracts;
      group.book.place[k] = contracts - 1 - k;
      group.book.on[k] = static_cast<pricing::measure>(averages ? k % 4 : 0);
      group.book.scale[k] = T(0.5);
      group.book.strike[k] = static_cast<T>(90 + 4 * k);
      pricing::settle(group.book, at, static_cast<pricing::settlement>(k % (is_pathwise ? 3 : 5)));
      group.years[k] = static_cast<T>(1 + group.book.expiry[k]) / 3;
      if constexpr (!is_pathwise) group.volatility[k] = T(0.2) * group.years[k];
    }
    problems.all = {group, group};
    for (int v = 0; v < pricing::contract_group<T>::size + group.values; ++v)
      finish.push_back({0.9, 0});
  }
  std::vector<estimate> on_host() const { return simt::paths_on_host(problems, plan, finish); }
  std::vector<estimate> emulated(simt::options const& how, int grid) const {
    return simt::emulated_paths(problems, plan, finish, how, grid);
  }
};
template <class T>
using of_prices = row_simulation<pricing::tangent_model<T>, pricing::pathwise_group<T, false>>;
template <class T>
using of_averages = row_simulation<pricing::tangent_model<T>, pricing::pathwise_group<T, true>>;
template <class T>
using of_scores = row_simulation<pricing::score_model<T>, pricing::score_group<T>>;

} // namespace

TEST_CASE_TEMPLATE("simt rows of Greeks: the host's bits on every grid", Simulation,
                   of_prices<float>, of_averages<float>, of_averages<double>, of_scores<float>,
                   of_scores<double>) {
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
