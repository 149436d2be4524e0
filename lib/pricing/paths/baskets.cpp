// The door of contracts on correlated assets: checks the arguments, forms groups of contracts, and
// chooses the backend.

#include "basket_backend.hpp"
#include "basket_steps.hpp"
#include "contract_checks.hpp"

#include <warpfold/buffer.hpp>
#include <warpfold/detail/core/verb.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>

namespace warpfold::inline v0::pricing {

using detail::refuse, detail::text;

void divide_at_volatilities(basket const& model, detail::path_plan& plan) {
  constexpr std::size_t most_steps = std::size_t{1} << 20; // as plan_paths has
  std::vector<double> changes;
  for (black_scholes const& asset : model.assets) {
    auto const times = asset.volatility.times(), values = asset.volatility.values();
    for (std::size_t i = 0; i + 1 < times.size(); ++i)
      if (values[i] != values[i + 1]) changes.push_back(times[i]);
  }
  std::sort(changes.begin(), changes.end());
  std::vector<double> times;
  std::vector<int> observations;
  auto change = changes.begin();
  for (std::size_t j = 0; j < plan.times.size(); ++j) {
    double const end = plan.times[j];
    for (; change != changes.end() && *change < end; ++change) {
      double const near = 1e-12 * end, before = times.empty() ? 0 : times.back();
      if (*change - before <= near || end - *change <= near) continue;
      times.push_back(*change);
      observations.push_back(-1);
    }
    times.push_back(end);
    observations.push_back(plan.observations[j]);
  }
  if (times.size() > most_steps)
    refuse("model.assets", text("volatilities that make ", times.size(), " steps"),
           text("what makes up to ", most_steps));
  plan.times = std::move(times);
  plan.observations = std::move(observations);
  plan.run.steps = static_cast<int>(plan.times.size());
}

namespace {

// ---- checks -------------------------------------------------------------------------------------

constexpr std::size_t most_assets = 16;

std::string name_of(std::size_t asset) { return text("model.assets[", asset, "]"); }

bool same_curve(curve const& a, curve const& b) {
  return std::ranges::equal(a.times(), b.times()) && std::ranges::equal(a.values(), b.values());
}

/// Returns the factor of the assets' correlations.
correlation_factor checked_model(basket const& model) {
  std::size_t const n = model.assets.size();
  detail::check_elements("model.assets", model.assets.data(), n);
  if (n < 2 || n > most_assets)
    refuse("model.assets", text(n, " elements"), text("2 to ", most_assets));
  for (std::size_t i = 0; i < n; ++i) {
    check_black_scholes(name_of(i), model.assets[i]);
    if (!same_curve(model.assets[i].rate, model.assets[0].rate))
      refuse(name_of(i) + ".rate", "another than the first asset's", "the same for all assets");
  }
  return factor_of("model.correlation", model.correlation, static_cast<int>(n));
}

void check_weights(std::size_t i, basket_contract const& of, std::size_t assets) {
  std::string const name = text("book[", i, "].weights");
  detail::check_elements(name.c_str(), of.weights.data(), of.weights.size());
  if (of.weights.size() != assets)
    refuse(name, text(of.weights.size(), " elements"), text(assets, ", as there are assets"));
  bool const selects = of.selection != selection::weighted_sum;
  bool any = false;
  for (std::size_t k = 0; k < assets; ++k) {
    double const weight = of.weights[k];
    if (!std::isfinite(weight) || (selects && weight < 0))
      refuse(name, text("element ", k, " is ", weight),
             selects ? "finite numbers from 0 on" : "finite numbers");
    any = any || weight != 0;
  }
  if (selects && !any) refuse(name, "zeros alone", "a weight above 0");
}

int checked_expiry(std::size_t i, basket_contract const& of, std::size_t assets,
                   std::vector<double> const& seen) {
  check_settlement(i, of.settlement);
  if (of.selection > selection::worst_of)
    refuse_contract(i, "selection", static_cast<int>(of.selection), "a selection");
  if (of.measure != measure::price && of.measure != measure::arithmetic_average)
    refuse_contract(i, "measure", static_cast<int>(of.measure), "price or arithmetic_average");
  check_weights(i, of, assets);
  if (!std::isfinite(of.strike)) refuse_contract(i, "strike", of.strike, "finite numbers");
  return checked_time(i, of.expiry, seen);
}

struct basket_plan {
  correlation_factor factor;
  contract_plan contracts;
};

template <class Results>
basket_plan checked_plan(basket const& model, std::span<basket_contract const> book,
                         Results results, simulation_options const& options) {
  if (options.sampling == sampling::sobol)
    refuse("options.sampling", "sobol with several normals a step", "philox");
  basket_plan plan{{}, {detail::plan_paths(options), {}, {}}};
  plan.factor = checked_model(model);
  divide_at_volatilities(model, plan.contracts.paths);
  check_book(plan.contracts, "model.assets[0].rate", model.assets[0].rate, book, results,
             [&](std::size_t i, auto const& seen) {
               return checked_expiry(i, book[i], model.assets.size(), seen);
             });
  return plan;
}

// ---- contracts ----------------------------------------------------------------------------------

/// Contracts first ... first + count - 1 of a book.
template <class T, int capacity>
basket_group<T, capacity> group_of(basket const& model, std::span<basket_contract const> book,
                                   basket_plan const& plan, std::size_t first, std::size_t count) {
  basket_group<T, capacity> group{};
  group.count = static_cast<int>(count);
  auto const& expiries = plan.contracts.expiries;
  auto const order = order_of_expiries(std::span(expiries).subspan(first, count));
  for (std::size_t k = 0; k < count; ++k) {
    auto const number = first + static_cast<std::size_t>(order[k]);
    basket_contract const& one = book[number];
    group.expiry[k] = expiries[number];
    group.place[k] = order[k];
    group.on[k] = one.selection;
    group.averaged[k] = one.measure == measure::arithmetic_average;
    group.averages = group.averages || group.averaged[k];
    group.sign[k] = one.settlement == settlement::put ? T{-1} : T{1};
    group.strike[k] = static_cast<T>(one.strike);
    group.least[k] =
        one.settlement == settlement::forward ? -std::numeric_limits<T>::infinity() : T{0};
    int const fixings = group.averaged[k] ? expiries[number] + 1 : 1;
    for (std::size_t i = 0; i < plan.factor.order.size(); ++i) {
      auto const asset = static_cast<std::size_t>(plan.factor.order[i]);
      double const of_price = one.weights[asset] * model.assets[asset].spot;
      group.weights[k][i] = static_cast<T>(of_price / fixings);
    }
  }
  return group;
}

/// Refuses what is finite in double but not in T.
template <class T, int capacity>
void check_range(basket const& model, std::span<basket_contract const> book,
                 correlation_factor const& factor,
                 std::vector<basket_step<T, capacity>> const& steps) {
  for (std::size_t i = 0; i < factor.order.size(); ++i) {
    auto const asset = static_cast<std::size_t>(factor.order[i]);
    double const spot = model.assets[asset].spot;
    check_spot_range<T>(name_of(asset), spot);
    for (basket_step<T, capacity> const& step : steps) {
      if (!(step.growth[i] + std::log2(spot) < std::numeric_limits<T>::max_exponent) ||
          !(step.growth[i] <= basket_group<T, capacity>::most_growth))
        refuse(name_of(asset), text("a forward of spot 2^", step.growth[i]), numbers_of<T>);
      if (!std::isfinite(step.deviation[i]) || !std::isfinite(step.drift[i]))
        refuse(name_of(asset) + ".volatility", "an infinite variance of a step", numbers_of<T>);
    }
  }
  for (std::size_t i = 0; i < book.size(); ++i) {
    check_strike_range<T>(i, book[i].strike);
    for (std::size_t asset = 0; asset < model.assets.size(); ++asset)
      if (double const weight = book[i].weights[asset], of = weight * model.assets[asset].spot;
          !(std::abs(of) <= most_of<T>) || (weight != 0 && !(std::abs(static_cast<T>(of)) > 0)))
        refuse_contract(i, "weights", text("weight times spot ", of), numbers_of<T>);
  }
}

/// Writes estimates to memory of the place.
template <class T, int capacity, class Place>
void simulate_on(Place& place, basket const& model, std::span<basket_contract const> book,
                 basket_plan const& plan, estimate* results, bool blocking) {
  constexpr std::size_t size = basket_group<T, capacity>::size;
  basket_problems<T, capacity> problems;
  problems.model = model_of<T, capacity>(plan.factor);
  problems.steps = steps_of<T, capacity>(model, plan.factor.order, plan.contracts.paths);
  check_range<T, capacity>(model, book, plan.factor, problems.steps);
  for_each_simulation(plan.contracts, [&](std::size_t first, std::size_t count, auto const& paths,
                                          auto const& finish) {
    problems.all.clear();
    for (std::size_t i = first; i < first + count; i += size)
      problems.all.push_back(
          group_of<T, capacity>(model, book, plan, i, std::min(size, first + count - i)));
    simulate_baskets(place, paths, problems, finish, results + first, blocking);
  });
}
template <class T, class Place>
void simulate_checked(Place& place, basket const& model, std::span<basket_contract const> book,
                      basket_plan const& plan, estimate* results, bool blocking) {
  std::size_t const n = model.assets.size();
  if (n <= 2) simulate_on<T, 2>(place, model, book, plan, results, blocking);
  else if (n <= 4) simulate_on<T, 4>(place, model, book, plan, results, blocking);
  else if (n <= 8) simulate_on<T, 8>(place, model, book, plan, results, blocking);
  else simulate_on<T, most_assets>(place, model, book, plan, results, blocking);
}

} // namespace

#define DEFINE(T)                                                                                  \
  template <>                                                                                      \
  void simulate<T>(gpu & place, basket const& model, std::span<basket_contract const> book,        \
                   std::span<estimate> results, simulation_options const& options) {               \
    detail::verb const scope("pricing::simulate");                                                 \
    auto const plan = checked_plan(model, book, results, options);                                 \
    device_buffer<estimate> there(place, book.size());                                             \
    simulate_checked<T>(place, model, book, plan, there.data(), true);                             \
    copy(place, there.span(), results);                                                            \
  }                                                                                                \
  template <>                                                                                      \
  void simulate<T>(host const& place, basket const& model, std::span<basket_contract const> book,  \
                   std::span<estimate> results, simulation_options const& options) {               \
    detail::verb const scope("pricing::simulate");                                                 \
    auto const plan = checked_plan(model, book, results, options);                                 \
    simulate_checked<T>(place, model, book, plan, results.data(), true);                           \
  }                                                                                                \
  template <>                                                                                      \
  void simulate_async<T>(gpu & place, basket const& model, std::span<basket_contract const> book,  \
                         device_span<estimate> results, simulation_options const& options) {       \
    detail::verb const scope("pricing::simulate_async");                                           \
    auto const plan = checked_plan(model, book, results, options);                                 \
    simulate_checked<T>(place, model, book, plan, results.data(), false);                          \
  }
DEFINE(float)
DEFINE(double)

} // namespace warpfold::inline v0::pricing
