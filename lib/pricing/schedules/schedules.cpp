// The door of products with a schedule: checks the arguments, makes programs, and chooses the
// backend.

#include "pricing/baskets/basket_checks.hpp"
#include "pricing/baskets/basket_steps.hpp"
#include "pricing/paths/contract_checks.hpp"
#include "pricing/paths/step_checks.hpp"
#include "schedule_book.hpp"

#include <warpfold/buffer.hpp>
#include <warpfold/detail/core/verb.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <utility>

namespace warpfold::inline v0::pricing {
namespace {

using detail::refuse, detail::text;

constexpr std::size_t most_assets = 8;

/// A model as schedules see it, checked.
struct view {
  double start = 0; ///< the price that paths start at
  curve const* rate = nullptr;
  char const* rate_name = "model.rate";
  correlation_factor factor{};   ///< of a basket
  std::vector<double> weights{}; ///< of a basket's prices over spots; the index starts at 1
};

template <class Model>
view checked_view(Model const& model, detail::path_plan& plan, simulation_options const& options) {
  check_model(model);
  check_steps<Model>(plan, options);
  return {.start = model.spot, .rate = &model.rate};
}
basket assets_of(basket_index const& model) { return {model.assets, model.correlation}; }

/// The price that the selection makes of the assets' spots.
double start_of(selection of, std::span<double const> weights) {
  if (of == selection::weighted_sum) return std::accumulate(weights.begin(), weights.end(), 0.);
  double least = std::numeric_limits<double>::infinity(), most = 0;
  for (double const weight : weights) {
    most = std::max(most, weight);
    if (weight > 0) least = std::min(least, weight);
  }
  return of == selection::best_of ? most : least;
}
template <>
view checked_view(basket_index const& model, detail::path_plan& plan, simulation_options const&) {
  view of{.rate_name = "model.assets[0].rate",
          .factor = checked_basket(assets_of(model), most_assets)};
  of.rate = &model.assets[0].rate;
  if (model.selection > selection::worst_of)
    refuse("model.selection", static_cast<int>(model.selection), "a selection");
  of.weights.assign(model.assets.size(), 1);
  if (!model.weights.empty()) {
    check_weights("model.weights", selection::worst_of, model.weights, model.assets.size());
    of.weights.assign(model.weights.begin(), model.weights.end());
  }
  of.start = start_of(model.selection, of.weights);
  for (double& weight : of.weights) weight /= of.start;
  divide_at_volatilities(assets_of(model), plan);
  return of;
}

struct schedule_plan {
  contract_plan simulation; ///< its expiries are not used
  view model;
  std::vector<schedule_program> programs;
};

template <class Model, class Results>
schedule_plan checked_plan(Model const& model, std::span<schedule const> book, Results results,
                           simulation_options const& options) {
  if (options.sampling == sampling::sobol)
    refuse("options.sampling", "sobol with schedules", "philox");
  schedule_plan plan{{detail::plan_paths(options), {}, {}}, {}, {}};
  detail::path_plan& paths = plan.simulation.paths;
  paths.ending.control = false;
  plan.model = checked_view(model, paths, options);
  detail::check_elements("book", book.data(), book.size());
  auto const seen = detail::observed_times(paths);
  for (std::size_t i = 0; i < book.size(); ++i)
    plan.programs.push_back(
        program_of(i, book[i], plan.model.start, *plan.model.rate, plan.model.rate_name, seen));
  plan.simulation.finish.assign(book.size(), {1, 0}); // payments are discounted
  check_results(book.size(), results);
  return plan;
}

// ---- models as paths ----------------------------------------------------------------------------

template <class T>
auto problems_of(black_scholes const& model, schedule_plan const& plan) {
  lognormal_schedules<T> of;
  of.steps = lognormal_steps<T>(model, plan.simulation.paths);
  for (auto const& step : of.steps)
    if (!std::isfinite(step.deviation) || !std::isfinite(step.drift))
      refuse("model", "infinite constants of a step", numbers_of<T>);
  return of;
}
template <class T, class Problems, class Model>
Problems problems_with_forwards(Model const& model, schedule_plan const& plan) {
  Problems of;
  of.model = paths_of<T>(model);
  of.steps = steps_of<T>(model, plan.simulation.paths);
  check_steps_range(model.spot, of.model, of.steps);
  return of;
}
template <class T>
auto problems_of(heston const& model, schedule_plan const& plan) {
  return problems_with_forwards<T, variance_schedules<T>>(model, plan);
}
template <class T>
auto problems_of(local_volatility const& model, schedule_plan const& plan) {
  return problems_with_forwards<T, local_schedules<T>>(model, plan);
}
template <class T, int capacity>
auto basket_problems_of(basket_index const& model, schedule_plan const& plan) {
  basket_schedules<T, capacity> of;
  auto const& factor = plan.model.factor;
  of.model = model_of<T, capacity>(factor);
  of.steps = steps_of<T, capacity>(assets_of(model), factor.order, plan.simulation.paths);
  check_assets_range(assets_of(model), factor, of.steps);
  of.index.on = model.selection;
  for (std::size_t k = 0; k < factor.order.size(); ++k)
    of.index.weights[k] =
        static_cast<T>(plan.model.weights[static_cast<std::size_t>(factor.order[k])]);
  return of;
}

// ---- simulations --------------------------------------------------------------------------------

/// Writes estimates to memory of the place.
template <class Place, class Problems>
void simulate_programs(Place& place, Problems problems, schedule_plan const& plan,
                       estimate* results, bool blocking, path_sharing* sharing) {
  using group_type = typename Problems::group_type;
  constexpr std::size_t size = group_type::size, unit = sizeof(typename Problems::chunk);
  if constexpr (sizeof(typename group_type::element) == 4)
    for (std::size_t i = 0; i < plan.programs.size(); ++i) check_floats(i, plan.programs[i]);
  for_each_simulation(plan.simulation, [&](std::size_t first, std::size_t count, auto const& paths,
                                           auto const& finish) {
    std::span<schedule_program const> const book(plan.programs.data() + first, count);
    std::size_t const groups = (count + size - 1) / size;
    std::vector<schedule_layout<group_type>> layouts;
    problems.chunks = 0;
    for (std::size_t g = 0; g < groups; ++g) {
      layouts.emplace_back(book.subspan(g * size, std::min(size, count - g * size)));
      problems.chunks = std::max(problems.chunks, (layouts[g].bytes() + unit - 1) / unit);
    }
    problems.all.assign(groups * problems.chunks, {});
    for (std::size_t g = 0; g < groups; ++g)
      layouts[g].write(problems.index, problems.all.data() + g * problems.chunks);
    simulate_schedules(place, paths, problems, finish, results + first, blocking, sharing);
  });
}

template <class T, class Place, class Model>
void simulate_checked(Place& place, Model const& model, schedule_plan const& plan,
                      estimate* results, bool blocking, path_sharing* sharing) {
  auto const simulate = [&](auto problems) {
    simulate_programs(place, std::move(problems), plan, results, blocking, sharing);
  };
  if constexpr (std::is_same_v<Model, basket_index>) {
    std::size_t const n = model.assets.size();
    if (n <= 2) simulate(basket_problems_of<T, 2>(model, plan));
    else if (n <= 4) simulate(basket_problems_of<T, 4>(model, plan));
    else simulate(basket_problems_of<T, most_assets>(model, plan));
  } else {
    check_spot_range<T>("model", model.spot);
    simulate(problems_of<T>(model, plan));
  }
}

} // namespace

template <class T, schedule_model Model>
void simulate_schedule_book(gpu& place, Model const& model, std::span<schedule const> book,
                            std::span<estimate> results, simulation_options const& options,
                            path_sharing* sharing) {
  auto const plan = checked_plan(model, book, results, options);
  device_buffer<estimate> there(place, book.size());
  simulate_checked<T>(place, model, plan, there.data(), true, sharing);
  copy(place, there.span(), results);
}
template <class T, schedule_model Model>
void simulate_schedule_book(host const& place, Model const& model, std::span<schedule const> book,
                            std::span<estimate> results, simulation_options const& options,
                            path_sharing* sharing) {
  auto const plan = checked_plan(model, book, results, options);
  simulate_checked<T>(place, model, plan, results.data(), true, sharing);
}

#define DEFINE_ON(Place, T, Model)                                                                 \
  template void simulate_schedule_book<T>(Place&, Model const&, std::span<schedule const>,         \
                                          std::span<estimate>, simulation_options const&,          \
                                          path_sharing*);                                          \
  template <>                                                                                      \
  void simulate<T>(Place & place, Model const& model, std::span<schedule const> book,              \
                   std::span<estimate> results, simulation_options const& options) {               \
    detail::verb const scope("pricing::simulate");                                                 \
    simulate_schedule_book<T>(place, model, book, results, options, nullptr);                      \
  }
#define DEFINE_FOR(T, Model)                                                                       \
  DEFINE_ON(gpu, T, Model)                                                                         \
  DEFINE_ON(host const, T, Model)                                                                  \
  template <>                                                                                      \
  void simulate_async<T>(gpu & place, Model const& model, std::span<schedule const> book,          \
                         device_span<estimate> results, simulation_options const& options) {       \
    detail::verb const scope("pricing::simulate_async");                                           \
    auto const plan = checked_plan(model, book, results, options);                                 \
    simulate_checked<T>(place, model, plan, results.data(), false, nullptr);                       \
  }
#define DEFINE(T)                                                                                  \
  DEFINE_FOR(T, black_scholes)                                                                     \
  DEFINE_FOR(T, heston)                                                                            \
  DEFINE_FOR(T, local_volatility)                                                                  \
  DEFINE_FOR(T, basket_index)
DEFINE(float)
DEFINE(double)

} // namespace warpfold::inline v0::pricing
