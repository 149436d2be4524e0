// The door of contracts on a model's paths: checks the arguments, integrates curves into the
// constants of steps, forms groups of contracts, and chooses the backend.

#include "contract_backend.hpp"
#include "contract_checks.hpp"
#include "jump_steps.hpp"
#include "step_checks.hpp"

#include <warpfold/buffer.hpp>
#include <warpfold/detail/core/verb.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <string>
#include <type_traits>

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

/// Checks a model with its jumps; divides steps in which more than one is expected.
template <class Model>
void check_jumping(Model const& model, detail::path_plan& plan) {
  if constexpr (std::is_same_v<Model, local_volatility>) check_model(model);
  else {
    check_diffusion("model", model);
    check_jumps("model", model.jumps);
    double const intensity = model.jumps.intensity;
    if (intensity > 0)
      detail::divide_steps("model.jumps.intensity", intensity, 1 / intensity, plan);
  }
}

template <class Model, class Results>
contract_plan checked_plan(Model const& model, std::span<contract const> book, Results results,
                           simulation_options const& options) {
  if (options.sampling == sampling::sobol)
    refuse("options.sampling", "sobol with contracts", "philox");
  contract_plan plan{detail::plan_paths(options), {}, {}};
  check_jumping(model, plan.paths);
  check_steps<Model>(plan.paths, options);
  check_book(plan, "model.rate", model.rate, book, results,
             [&](std::size_t i, auto const& seen) { return checked_expiry(i, book[i], seen); });
  return plan;
}

/// Contracts first ... first + count - 1 of a book.
template <class T>
contract_group<T> group_of(double spot, std::span<contract const> book, contract_plan const& plan,
                           std::size_t first, std::size_t count) {
  contract_group<T> group{};
  group.count = static_cast<int>(count);
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
    group.sign[k] = one.settlement == settlement::put ? T{-1} : T{1};
    group.strike[k] = static_cast<T>(one.strike);
    group.least[k] =
        one.settlement == settlement::forward ? -std::numeric_limits<T>::infinity() : T{0};
  }
  return group;
}

/// Refuses jumps whose expected factor is not finite in T.
template <class T>
void check_jump_range(jumps const& of) {
  if (!(std::exp(of.mean + of.deviation * of.deviation / 2) <= most_of<T>))
    refuse(of.mean > 0 ? "model.jumps.mean" : "model.jumps.deviation",
           of.mean > 0 ? of.mean : of.deviation,
           text("jumps with an expected factor that is finite: ", numbers_of<T>));
}
/// Refuses what is finite in double but not in T.
template <class Model>
void check_range(double spot, std::span<contract const> book,
                 contract_problems<Model> const& problems) {
  using T = typename Model::value_type;
  check_spot_range<T>("model", spot);
  for (std::size_t i = 0; i < book.size(); ++i) check_strike_range<T>(i, book[i].strike);
  check_steps_range(spot, problems.model, problems.steps);
}

/// Writes estimates to memory of the place.
template <class T, class Place, class Model>
void simulate_paths(Place& place, Model const& model, std::span<contract const> book,
                    contract_plan const& plan, estimate* results, bool blocking,
                    path_sharing* sharing) {
  constexpr std::size_t size = contract_group<T>::size;
  contract_problems<decltype(paths_of<T>(model))> problems;
  problems.model = paths_of<T>(model);
  problems.steps = steps_of<T>(model, plan.paths);
  check_range(model.spot, book, problems);
  for_each_simulation(
      plan, [&](std::size_t first, std::size_t count, auto const& paths, auto const& finish) {
        problems.all.clear();
        for (std::size_t i = first; i < first + count; i += size)
          problems.all.push_back(
              group_of<T>(model.spot, book, plan, i, std::min(size, first + count - i)));
        simulate_contracts(place, paths, problems, finish, results + first, blocking, sharing);
      });
}

/// Chooses paths with or without jumps.
template <class T, class Place, class Model>
void simulate_checked(Place& place, Model const& model, std::span<contract const> book,
                      contract_plan const& plan, estimate* results, bool blocking,
                      path_sharing* sharing = nullptr) {
  if constexpr (!std::is_same_v<Model, local_volatility>)
    if (model.jumps.intensity > 0) {
      check_jump_range<T>(model.jumps);
      return simulate_paths<T>(place, jumping<Model>{model}, book, plan, results, blocking,
                               sharing);
    }
  simulate_paths<T>(place, model, book, plan, results, blocking, sharing);
}

} // namespace

template <class T, class Model>
void simulate_contract_book(gpu& place, Model const& model, std::span<contract const> book,
                            std::span<estimate> results, simulation_options const& options,
                            path_sharing* sharing) {
  auto const plan = checked_plan(model, book, results, options);
  device_buffer<estimate> there(place, book.size());
  simulate_checked<T>(place, model, book, plan, there.data(), true, sharing);
  copy(place, there.span(), results);
}
template <class T, class Model>
void simulate_contract_book(host const& place, Model const& model, std::span<contract const> book,
                            std::span<estimate> results, simulation_options const& options,
                            path_sharing* sharing) {
  auto const plan = checked_plan(model, book, results, options);
  simulate_checked<T>(place, model, book, plan, results.data(), true, sharing);
}

#define DEFINE_ON(Place, T, Model)                                                                 \
  template void simulate_contract_book<T>(Place&, Model const&, std::span<contract const>,         \
                                          std::span<estimate>, simulation_options const&,          \
                                          path_sharing*);                                          \
  template <>                                                                                      \
  void simulate<T>(Place & place, Model const& model, std::span<contract const> book,              \
                   std::span<estimate> results, simulation_options const& options) {               \
    detail::verb const scope("pricing::simulate");                                                 \
    simulate_contract_book<T>(place, model, book, results, options, nullptr);                      \
  }
#define DEFINE(T, Model)                                                                           \
  DEFINE_ON(gpu, T, Model)                                                                         \
  DEFINE_ON(host const, T, Model)                                                                  \
  template <>                                                                                      \
  void simulate_async<T>(gpu & place, Model const& model, std::span<contract const> book,          \
                         device_span<estimate> results, simulation_options const& options) {       \
    detail::verb const scope("pricing::simulate_async");                                           \
    auto const plan = checked_plan(model, book, results, options);                                 \
    simulate_checked<T>(place, model, book, plan, results.data(), false);                          \
  }
DEFINE(float, black_scholes)
DEFINE(double, black_scholes)
DEFINE(float, heston)
DEFINE(double, heston)
DEFINE(float, local_volatility)
DEFINE(double, local_volatility)

} // namespace warpfold::inline v0::pricing
