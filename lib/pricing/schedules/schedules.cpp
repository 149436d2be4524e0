// The door of products with a schedule: checks the arguments, makes programs, and chooses the
// backend.

#include "pricing/baskets/basket_checks.hpp"
#include "pricing/baskets/basket_steps.hpp"
#include "pricing/model_books.hpp"
#include "pricing/paths/contract_checks.hpp"
#include "pricing/paths/step_checks.hpp"
#include "schedule_run.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <variant>
#include <vector>

namespace warpfold::inline v0::pricing {
namespace {

using detail::refuse;

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
    refuse("model.selection", static_cast<int>(model.selection),
           "weighted_sum, best_of or worst_of");
  double const equal =
      model.selection == selection::weighted_sum ? 1 / static_cast<double>(model.assets.size()) : 1;
  of.weights.assign(model.assets.size(), equal);
  if (!model.weights.empty()) {
    check_weights("model.weights", selection::worst_of, model.weights, model.assets.size());
    of.weights.assign(model.weights.begin(), model.weights.end());
  }
  of.start = start_of(model.selection, of.weights);
  if (!std::isfinite(of.start)) refuse("model.weights", of.start, "weights with a finite sum");
  for (double& weight : of.weights) weight /= of.start;
  divide_at_volatilities(assets_of(model), plan);
  return of;
}

// ---- models as paths ----------------------------------------------------------------------------

template <class T>
auto problems_of(black_scholes const& model, detail::path_plan const& plan) {
  lognormal_schedules<T> of;
  of.steps = lognormal_steps<T>(model, plan);
  for (auto const& step : of.steps)
    if (!std::isfinite(step.deviation) || !std::isfinite(step.drift))
      refuse("model", "infinite constants of a step", numbers_of<T>);
  for (double const time : plan.times) check_forward<T>(model.spot, growth_until<T>(model, time));
  return of;
}
template <class T, class Problems, class Model>
Problems problems_with_forwards(Model const& model, detail::path_plan const& plan) {
  Problems of;
  of.model = paths_of<T>(model);
  of.steps = steps_of<T>(model, plan);
  check_steps_range(model.spot, of.model, of.steps);
  return of;
}
template <class T>
auto problems_of(heston const& model, detail::path_plan const& plan) {
  return problems_with_forwards<T, variance_schedules<T>>(model, plan);
}
template <class T>
auto problems_of(local_volatility const& model, detail::path_plan const& plan) {
  return problems_with_forwards<T, local_schedules<T>>(model, plan);
}
/// Moves one of the weights, by about their rounding errors, so that they add up to 1 one after the
/// other: an index starts there to the bit, as levels may be.
template <class T>
void make_sum_one(std::span<T> weights) {
  auto const missing = [&] {
    T sum{0};
    for (T const weight : weights) sum += weight;
    return T{1} - sum;
  };
  for (T const times : {T{1}, T{2}})
    for (T& weight : weights) {
      T const before = weight;
      for (int i = 0; i < 2 && weight != 0 && missing() != 0; ++i) weight += times * missing();
      if (missing() != 0) weight = before;
    }
}

template <class T, int capacity>
auto basket_problems_of(basket_index const& model, view const& seen,
                        detail::path_plan const& plan) {
  basket_schedules<T, capacity> of;
  auto const& factor = seen.factor;
  of.model = model_of<T, capacity>(factor);
  of.steps = steps_of<T, capacity>(assets_of(model), factor.order, plan);
  check_assets_range(assets_of(model), factor, of.steps);
  of.index.on = model.selection;
  bool const sum = model.selection == selection::weighted_sum;
  constexpr T never = std::numeric_limits<T>::infinity();
  std::ranges::fill(of.index.weights, sum                                     ? T{0}
                                      : model.selection == selection::best_of ? -never
                                                                              : never);
  for (std::size_t k = 0; k < factor.order.size(); ++k) {
    double const weight = seen.weights[static_cast<std::size_t>(factor.order[k])];
    if (sum || weight > 0) of.index.weights[k] = static_cast<T>(sum ? weight : std::log2(weight));
  }
  if (sum) make_sum_one(std::span<T>(of.index.weights));
  return of;
}

/// The problems of a checked model.
template <class T, class Model>
schedule_paths<T, Model> paths_to_walk(Model const& model, view const& seen,
                                       detail::path_plan const& plan) {
  if constexpr (std::is_same_v<Model, basket_index>) {
    std::size_t const n = model.assets.size();
    if (n <= 2) return basket_problems_of<T, 2>(model, seen, plan);
    if (n <= 4) return basket_problems_of<T, 4>(model, seen, plan);
    return basket_problems_of<T, most_assets>(model, seen, plan);
  } else {
    check_spot_range<T>("model", model.spot);
    return problems_of<T>(model, plan);
  }
}

} // namespace

// ---- simulations --------------------------------------------------------------------------------

/// Groups of up to `part` programs.
template <class Group>
std::vector<schedule_layout<Group>> layouts_of(std::span<schedule_program const> programs,
                                               std::size_t part) {
  std::vector<schedule_layout<Group>> all;
  for (std::size_t i = 0; i < programs.size(); i += part)
    all.emplace_back(programs.subspan(i, std::min(part, programs.size() - i)));
  return all;
}

template <class T, class Model>
schedule_run<T, Model>::schedule_run(Model const& model, std::span<schedule const> of,
                                     simulation_options const& options)
    : book{of} {
  if (options.sampling == sampling::sobol)
    refuse("options.sampling", "sobol with schedules", "philox");
  plan.paths = detail::plan_paths(options);
  plan.paths.ending.control = false;
  view const seen = checked_view(model, plan.paths, options);
  detail::check_elements("book", book.data(), book.size());
  auto const times = detail::observed_times(plan.paths);
  for (std::size_t i = 0; i < book.size(); ++i)
    programs.push_back(program_of(i, book[i], seen.start, *seen.rate, seen.rate_name, times));
  plan.finish.assign(book.size(), {1, 0}); // payments are discounted
  problems = paths_to_walk<T>(model, seen, plan.paths);
  // Groups are of one size, so that a workspace for some is one for all.
  auto const set_size = [&]<class Problems>(Problems& walked) {
    using group_type = typename Problems::group_type;
    constexpr std::size_t unit = sizeof(typename Problems::chunk);
    for (auto const& one :
         layouts_of<group_type>(std::span(programs), plan.paths.run.independent ? 1 : part))
      walked.chunks = std::max(walked.chunks, (one.bytes() + unit - 1) / unit);
  };
  std::visit(set_size, problems);
  if constexpr (sizeof(T) == 4)
    for (std::size_t i = 0; i < programs.size(); ++i) check_floats(i, programs[i]);
}

template <class T, class Model>
template <class Place>
void schedule_run<T, Model>::simulate(Place& place, detail::path_plan const& paths,
                                      std::size_t first, std::size_t count, estimate* results,
                                      bool blocking, path_sharing* sharing) {
  std::span<schedule_program const> const some(programs.data() + first, count);
  auto const finish = finish_of(plan, first, count);
  auto const simulate_on = [&]<class Problems>(Problems& walked) {
    using group_type = typename Problems::group_type;
    auto const layouts = layouts_of<group_type>(some, part);
    walked.all.assign(layouts.size() * walked.chunks, {});
    for (std::size_t g = 0; g < layouts.size(); ++g)
      layouts[g].write(walked.index, walked.all.data() + g * walked.chunks);
    simulate_schedules(place, paths, walked, finish, results, blocking, sharing);
  };
  std::visit(simulate_on, problems);
}

namespace {

template <class T, class Model, class Results>
schedule_run<T, Model> checked_plan(Model const& model, std::span<schedule const> book,
                                    Results results, simulation_options const& options) {
  schedule_run<T, Model> run(model, book, options);
  check_results(book.size(), results);
  return run;
}
template <class T, class Place, class Model>
void simulate_checked(Place& place, Model const&, std::span<schedule const>,
                      schedule_run<T, Model>& run, estimate* results, bool blocking,
                      path_sharing* sharing) {
  simulate_all(place, run, results, blocking, sharing);
}

} // namespace

#define DEFINE_ON(T, Model)                                                                        \
  template schedule_run<T, Model>::schedule_run(Model const&, std::span<schedule const>,           \
                                                simulation_options const&);                        \
  template void schedule_run<T, Model>::simulate(gpu&, detail::path_plan const&, std::size_t,      \
                                                 std::size_t, estimate*, bool, path_sharing*);     \
  template void schedule_run<T, Model>::simulate(host const&, detail::path_plan const&,            \
                                                 std::size_t, std::size_t, estimate*, bool,        \
                                                 path_sharing*);                                   \
  WARPFOLD_DEFINE_MODEL_BOOK(T, Model, schedule, estimate)
#define DEFINE(T)                                                                                  \
  DEFINE_ON(T, black_scholes)                                                                      \
  DEFINE_ON(T, heston)                                                                             \
  DEFINE_ON(T, local_volatility)                                                                   \
  DEFINE_ON(T, basket_index)
DEFINE(float)
DEFINE(double)

} // namespace warpfold::inline v0::pricing
