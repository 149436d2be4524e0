// The door of contracts on a model's paths: checks the arguments, integrates curves into the
// constants of steps, forms groups of contracts, and chooses the backend.

#include "contract_backend.hpp"
#include "contract_checks.hpp"
#include "contract_run.hpp"
#include "jump_steps.hpp"
#include "pricing/model_books.hpp"
#include "step_checks.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <string>
#include <type_traits>
#include <utility>
#include <variant>

namespace warpfold::inline v0::pricing {
namespace {

using detail::refuse, detail::text;

// ---- checks -------------------------------------------------------------------------------------

/// The number of the contract's expiry among these times; refuses what makes no contract.
int checked_expiry(std::size_t i, contract const& of, std::vector<double> const& seen) {
  check_settlement(i, of.settlement);
  if (of.measure > measure::realized_variance)
    refuse_contract(i, "measure", static_cast<int>(of.measure), "a measure");
  if (!std::isfinite(of.strike) || of.strike < 0)
    refuse_contract(i, "strike", of.strike, "finite numbers from 0 on");
  int const time = checked_time(i, of.expiry, seen);
  if (of.measure == measure::realized_variance && of.expiry == 0)
    refuse_contract(i, "expiry", of.expiry, "a time above 0 for a variance");
  return time;
}

// ---- contracts ----------------------------------------------------------------------------------

/// The factor from a contract's sum over the times to its measure.
double scale_of(contract const& of, int expiry, double spot) {
  constexpr double ln2 = std::numbers::ln2;
  if (of.measure == measure::realized_variance) return ln2 * ln2 / of.expiry;
  return (of.measure == measure::arithmetic_average ? spot : 1) / (expiry + 1);
}

/// The expected factor of a jump.
double factor_of(jumps const& of) { return std::exp(of.mean + of.deviation * of.deviation / 2); }

/// Refuses jumps for whose factors the words of a step are too few.
void check_factor(jumps const& of) {
  constexpr double most = 100;
  if (!(factor_of(of) <= most))
    refuse(of.mean > 0 ? "model.jumps.mean" : "model.jumps.deviation",
           of.mean > 0 ? of.mean : of.deviation,
           text("jumps with an expected factor of up to ", most));
}

/// Checks a model with its jumps. Divides steps in which more than one is expected, also weighted
/// by its factor: or too few words would be left for numbers of jumps that matter.
template <class Model>
void check_jumping(Model const& model, detail::path_plan& plan) {
  if constexpr (std::is_same_v<Model, local_volatility>) check_model(model);
  else {
    check_diffusion("model", model);
    check_jumps("model", model.jumps);
    double const intensity = model.jumps.intensity;
    if (intensity > 0) {
      check_factor(model.jumps);
      double const weighted = intensity * std::max(1., factor_of(model.jumps));
      detail::divide_steps("model.jumps.intensity", intensity, 1 / weighted, plan);
    }
  }
}

template <class Model>
contract_plan checked_plan(Model const& model, std::span<contract const> book,
                           simulation_options const& options) {
  if (options.sampling == sampling::sobol)
    refuse("options.sampling", "sobol with contracts", "philox");
  contract_plan plan{detail::plan_paths(options), {}, {}};
  check_jumping(model, plan.paths);
  check_steps<Model>(plan.paths, options);
  check_book(plan, "model.rate", model.rate, book,
             [&](std::size_t i, auto const& seen) { return checked_expiry(i, book[i], seen); });
  return plan;
}

} // namespace

template <class T>
contract_group<T> contracts_of(double spot, std::span<contract const> book,
                               contract_plan const& plan, std::size_t first, std::size_t count) {
  contract_group<T> group{};
  group.count = static_cast<int>(count);
  group.how = plan.paths.how;
  group.spot = static_cast<T>(spot);
  auto const order = order_of_expiries(std::span(plan.expiries).subspan(first, count));
  for (std::size_t k = 0; k < count; ++k) {
    int const i = order[k];
    auto const number = first + static_cast<std::size_t>(i);
    contract const& one = book[number];
    int const expiry = plan.expiries[number];
    group.expiry[k] = expiry;
    group.place[k] = i;
    group.on[k] = one.measure;
    group.averages = group.averages || one.measure != measure::price;
    group.scale[k] = static_cast<T>(scale_of(one, expiry, spot));
    group.strike[k] = static_cast<T>(one.strike);
    settle(group, k, one.settlement);
  }
  return group;
}
template contract_group<float> contracts_of(double, std::span<contract const>, contract_plan const&,
                                            std::size_t, std::size_t);
template contract_group<double> contracts_of(double, std::span<contract const>,
                                             contract_plan const&, std::size_t, std::size_t);

namespace {

/// Refuses what is finite in double but not in T.
template <class Model>
void check_range(double spot, std::span<contract const> book,
                 contract_problems<Model> const& problems) {
  using T = typename Model::value_type;
  check_spot_range<T>("model", spot);
  for (std::size_t i = 0; i < book.size(); ++i) check_strike_range<T>(i, book[i].strike);
  check_steps_range(spot, problems.model, problems.steps);
}

} // namespace

template <class T, class Model>
contract_run<T, Model>::contract_run(Model const& model, std::span<contract const> of,
                                     simulation_options const& options)
    : plan(checked_plan(model, of, options)), book{of}, spot{model.spot} {
  auto const walk_on = [&](auto const& walked) {
    contract_problems<decltype(paths_of<T>(walked))> made;
    made.model = paths_of<T>(walked);
    made.steps = steps_of<T>(walked, plan.paths);
    check_range(spot, book, made);
    problems = std::move(made);
  };
  if constexpr (!std::is_same_v<Model, local_volatility>)
    if (model.jumps.intensity > 0) {
      walk_on(jumping<Model>{model});
      return;
    }
  walk_on(model);
}

template <class T, class Model>
template <class Place>
void contract_run<T, Model>::simulate(Place& place, detail::path_plan const& paths,
                                      std::size_t first, std::size_t count, estimate* results,
                                      bool blocking, path_sharing* sharing) {
  auto const finish = finish_of(plan, first, count);
  std::visit(
      [&](auto& walked) {
        walked.all.clear();
        for (std::size_t i = first; i < first + count; i += part)
          walked.all.push_back(
              contracts_of<T>(spot, book, plan, i, std::min(part, first + count - i)));
        simulate_contracts(place, paths, walked, finish, results, blocking, sharing);
      },
      problems);
}

namespace {

template <class T, class Model, class Results>
contract_run<T, Model> checked_plan(Model const& model, std::span<contract const> book,
                                    Results results, simulation_options const& options) {
  contract_run<T, Model> run(model, book, options);
  check_results(book.size(), results);
  return run;
}
template <class T, class Place, class Model>
void simulate_checked(Place& place, Model const&, std::span<contract const>,
                      contract_run<T, Model>& run, estimate* results, bool blocking,
                      path_sharing* sharing) {
  simulate_all(place, run, results, blocking, sharing);
}

} // namespace

#define DEFINE(T, Model)                                                                           \
  template contract_run<T, Model>::contract_run(Model const&, std::span<contract const>,           \
                                                simulation_options const&);                        \
  template void contract_run<T, Model>::simulate(gpu&, detail::path_plan const&, std::size_t,      \
                                                 std::size_t, estimate*, bool, path_sharing*);     \
  template void contract_run<T, Model>::simulate(host const&, detail::path_plan const&,            \
                                                 std::size_t, std::size_t, estimate*, bool,        \
                                                 path_sharing*);                                   \
  WARPFOLD_DEFINE_MODEL_BOOK(T, Model, contract, estimate)
DEFINE(float, black_scholes)
DEFINE(double, black_scholes)
DEFINE(float, heston)
DEFINE(double, heston)
DEFINE(float, local_volatility)
DEFINE(double, local_volatility)

} // namespace warpfold::inline v0::pricing
