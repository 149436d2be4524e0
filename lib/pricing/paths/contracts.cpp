// The door of contracts on a model's paths: checks the arguments, integrates curves into the
// constants of steps, forms groups of contracts, and chooses the backend.

#include "contract_backend.hpp"
#include "variance_steps.hpp"

#include <warpfold/buffer.hpp>
#include <warpfold/detail/core/arguments.hpp>
#include <warpfold/detail/core/refusal.hpp>
#include <warpfold/detail/core/verb.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <numeric>
#include <string>

namespace warpfold::inline v0::pricing {
namespace {

using detail::refuse, detail::text;

// ---- checks -------------------------------------------------------------------------------------

void check_number(char const* which, double value, double least) {
  if (!std::isfinite(value) || value < least)
    refuse(which, value, least == 0 ? "finite numbers from 0 on" : "finite numbers");
}
void check_spot(double spot) {
  if (!(spot > 0) || !std::isfinite(spot)) refuse("model.spot", spot, "finite numbers above 0");
}
void check_curve(char const* which, curve const& of, double least) {
  for (double const value : of.values()) check_number(which, value, least);
}

constexpr double any_sign = -std::numeric_limits<double>::max();

template <class Model>
void check_rates(Model const& model) {
  check_spot(model.spot);
  check_curve("model.rate", model.rate, any_sign);
  check_curve("model.dividend_yield", model.dividend_yield, any_sign);
}
void check_model(black_scholes const& model) {
  check_rates(model);
  check_curve("model.volatility", model.volatility, 0);
}
void check_model(heston const& model) {
  check_rates(model);
  check_number("model.variance", model.variance, 0);
  check_number("model.reversion", model.reversion, 0);
  check_number("model.mean", model.mean, 0);
  check_number("model.vol_of_vol", model.vol_of_vol, 0);
  if (!(std::abs(model.correlation) <= 1))
    refuse("model.correlation", model.correlation, "numbers from -1 to 1");
}

// ---- contracts ----------------------------------------------------------------------------------

/// The number of the contract's expiry among these times; refuses one that is none of them, and
/// what else makes no contract.
int checked_expiry(std::size_t i, contract const& of, std::vector<double> const& seen) {
  auto const bad = [i](char const* member, auto value, char const* accepted) {
    refuse(std::string(text("book[", i, "].", member)), value, accepted);
  };
  if (of.settlement > settlement::forward)
    bad("settlement", static_cast<int>(of.settlement), "call, put or forward");
  if (of.measure > measure::realized_variance)
    bad("measure", static_cast<int>(of.measure), "a measure");
  if (!std::isfinite(of.strike) || of.strike < 0)
    bad("strike", of.strike, "finite numbers from 0 on");
  auto const apart = [&](auto time) { return std::abs(*time - of.expiry); };
  auto found = std::lower_bound(seen.begin(), seen.end(), of.expiry);
  if (found == seen.end() || (found != seen.begin() && apart(found - 1) < apart(found))) --found;
  if (!std::isfinite(of.expiry) || !(apart(found) <= 1e-9 * of.expiry))
    bad("expiry", of.expiry, "one of the simulation's times");
  if (of.measure == measure::realized_variance && of.expiry == 0)
    bad("expiry", of.expiry, "a time above 0 for a variance");
  return static_cast<int>(found - seen.begin());
}

/// What makes a contract's measure of its sum over the times.
double scale_of(contract const& of, int expiry, double spot) {
  constexpr double ln2 = std::numbers::ln2;
  if (of.measure == measure::realized_variance) return ln2 * ln2 / of.expiry;
  return (of.measure == measure::arithmetic_average ? spot : 1) / (expiry + 1);
}

/// A checked simulation.
struct contract_plan {
  detail::path_plan paths;
  std::vector<int> expiries;
  std::vector<detail::path_finish> finish;
};

template <class Model, class Results>
contract_plan checked_plan(Model const& model, std::span<contract const> book, Results results,
                           simulation_options const& options) {
  if (options.sampling == sampling::sobol)
    refuse("options.sampling", "sobol with a normal and a uniform number a step", "philox");
  contract_plan plan{detail::plan_paths(options), {}, {}};
  plan.paths.ending.control = false;
  check_model(model);
  detail::check_elements("book", book.data(), book.size());
  auto const seen = detail::observed_times(plan.paths);
  for (std::size_t i = 0; i < book.size(); ++i) {
    plan.expiries.push_back(checked_expiry(i, book[i], seen));
    double const time = seen[static_cast<std::size_t>(plan.expiries[i])];
    double const discount = std::exp(-model.rate.integral(time));
    if (!std::isfinite(discount)) refuse("model.rate", "an infinite discount", "higher rates");
    plan.finish.push_back({discount, 0});
  }
  if (results.size() != book.size())
    refuse("results", text(results.size(), " elements"), text(book.size(), ", as the book has"));
  detail::check_elements("results", results.data(), results.size());
  return plan;
}

/// Contracts first ... first + count - 1 of a book.
template <class T>
contract_group<T> group_of(double spot, std::span<contract const> book, contract_plan const& plan,
                           std::size_t first, std::size_t count) {
  contract_group<T> group{};
  group.count = static_cast<int>(count);
  group.spot = static_cast<T>(spot);
  std::vector<int> order(count);
  std::iota(order.begin(), order.end(), 0);
  auto const expiry = [&](int i) { return plan.expiries[first + static_cast<std::size_t>(i)]; };
  std::stable_sort(order.begin(), order.end(), [&](int i, int j) { return expiry(i) < expiry(j); });
  for (std::size_t k = 0; k < count; ++k) {
    int const i = order[k];
    contract const& one = book[first + static_cast<std::size_t>(i)];
    group.expiry[k] = expiry(i);
    group.place[k] = i;
    group.on[k] = one.measure;
    group.averages = group.averages || one.measure != measure::price;
    group.scale[k] = static_cast<T>(scale_of(one, expiry(i), spot));
    group.sign[k] = one.settlement == settlement::put ? T{-1} : T{1};
    group.strike[k] = static_cast<T>(one.strike);
    group.least[k] =
        one.settlement == settlement::forward ? -std::numeric_limits<T>::infinity() : T{0};
  }
  return group;
}

/// Refuses what is finite in double but not in T.
template <class T>
void check_range(double spot, std::span<contract const> book, variance_model<T> const& model,
                 std::vector<variance_step<T>> const& steps) {
  constexpr auto most = static_cast<double>(std::numeric_limits<T>::max());
  constexpr char const* accepted = sizeof(T) == 4 ? "numbers of float" : "numbers of double";
  if (!(spot <= most) || !(static_cast<T>(spot) > 0)) refuse("model.spot", spot, accepted);
  for (std::size_t i = 0; i < book.size(); ++i)
    if (!(book[i].strike <= most))
      refuse(std::string(text("book[", i, "].strike")), book[i].strike, accepted);
  for (variance_step<T> const& step : steps) {
    if (!(step.growth + std::log2(spot) < std::numeric_limits<T>::max_exponent) ||
        !(step.growth <= contract_group<T>::most_growth))
      refuse("model", text("a forward of spot 2^", step.growth), accepted);
    T const constants[] = {model.variance, step.decay, step.pull,  step.spread, step.spread_0,
                           step.k0,        step.k1,    step.k2,    step.k3,     step.k4,
                           step.k5,        step.a,     step.growth};
    for (T const x : constants)
      if (!std::isfinite(x)) refuse("model", "infinite constants of a step", accepted);
  }
}

/// Writes estimates to memory of the place. Contracts with numbers of their own are simulated one
/// by one.
template <class T, class Place, class Model>
void simulate_checked(Place& place, Model const& model, std::span<contract const> book,
                      contract_plan const& plan, estimate* results, bool blocking) {
  bool const independent = plan.paths.run.independent;
  auto const size = static_cast<std::size_t>(independent ? 1 : contract_group<T>::size);
  contract_problems<T> problems;
  problems.model = {static_cast<T>(start_variance(model))};
  problems.steps = steps_of<T>(model, plan.paths);
  check_range<T>(model.spot, book, problems.model, problems.steps);
  for (std::size_t first = 0; first < book.size(); first += size) {
    problems.all.push_back(
        group_of<T>(model.spot, book, plan, first, std::min(size, book.size() - first)));
    if (!independent) continue;
    detail::path_plan own = plan.paths;
    own.run.independent = false;
    own.numbers.stream += first;
    own.run.numbers = detail::prepared(own.numbers);
    simulate_contracts(place, own, problems, {plan.finish[first]}, results + first, blocking);
    problems.all.clear();
  }
  if (!problems.all.empty())
    simulate_contracts(place, plan.paths, problems, plan.finish, results, blocking);
}

} // namespace

#define DEFINE(T, Model)                                                                           \
  template <>                                                                                      \
  void simulate<T>(gpu & place, Model const& model, std::span<contract const> book,                \
                   std::span<estimate> results, simulation_options const& options) {               \
    detail::verb const scope("pricing::simulate");                                                 \
    auto const plan = checked_plan(model, book, results, options);                                 \
    device_buffer<estimate> there(place, book.size());                                             \
    simulate_checked<T>(place, model, book, plan, there.data(), true);                             \
    copy(place, there.span(), results);                                                            \
  }                                                                                                \
  template <>                                                                                      \
  void simulate<T>(host const& place, Model const& model, std::span<contract const> book,          \
                   std::span<estimate> results, simulation_options const& options) {               \
    detail::verb const scope("pricing::simulate");                                                 \
    auto const plan = checked_plan(model, book, results, options);                                 \
    simulate_checked<T>(place, model, book, plan, results.data(), true);                           \
  }                                                                                                \
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

} // namespace warpfold::inline v0::pricing
