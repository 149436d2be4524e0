// Checks what simulations are told.

#include "pricing/door.hpp"

#include <warpfold/detail/core/arguments.hpp>
#include <warpfold/detail/core/refusal.hpp>
#include <warpfold/detail/core/verb.hpp>
#include <warpfold/detail/pricing/exercise/exercise_plan.hpp>
#include <warpfold/detail/pricing/path_plan.hpp>
#include <warpfold/pricing/curve.hpp>
#include <warpfold/random/sobol.hpp>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

namespace warpfold::inline v0::detail {
namespace {

constexpr std::uint64_t most_paths = std::uint64_t{1} << 40;
constexpr std::uint64_t most_quasi_paths = std::uint64_t{1} << 27;
constexpr std::size_t most_times = std::size_t{1} << 20;

std::vector<double> times_of(pricing::simulation_options const& options) {
  int const steps = options.steps;
  std::span<double const> const times = options.times;
  if (times.empty()) {
    if (steps < 1 || static_cast<std::size_t>(steps) > most_times)
      refuse("options.steps", steps, text("1 to ", most_times, ", or times"));
    if (!(options.horizon >= 0) || !std::isfinite(options.horizon))
      refuse("options.horizon", options.horizon, "a finite time, at least 0");
    if (options.horizon == 0 && steps > 1)
      refuse("options.horizon", 0, text("a time above 0 with ", steps, " steps"));
    std::vector<double> even;
    for (int i = 1; i <= steps; ++i) even.push_back(options.horizon * i / steps);
    return even;
  }
  if (steps != 0) refuse("options.steps", text(steps, " beside times"), "0, or no times");
  if (times.size() > most_times)
    refuse("options.times", text(times.size(), " elements"), text("up to ", most_times));
  check_elements("options.times", times.data(), times.size());
  for (std::size_t i = 0; i < times.size(); ++i)
    if (!std::isfinite(times[i]) || times[i] < 0 || (i > 0 && !(times[i] > times[i - 1])))
      refuse("options.times", text("element ", i, " is ", times[i]),
             "finite times from 0 on, each after the one before");
  return {times.begin(), times.end()};
}

void divide_steps(pricing::simulation_options const& options, path_plan& plan) {
  double const longest = options.longest_step;
  if (!(longest >= 0) || !std::isfinite(longest))
    refuse("options.longest_step", longest, "a finite time, at least 0");
  if (longest > 0) divide_steps("options.longest_step", longest, longest, plan);
}

void check_quasi(pricing::simulation_options const& options) {
  if (options.replicates < 2 || options.replicates > most_replicates)
    refuse("options.replicates", options.replicates, text("2 to ", most_replicates));
  if (options.paths % static_cast<unsigned>(options.replicates) != 0 ||
      options.paths > most_quasi_paths)
    refuse("options.paths", options.paths,
           text("multiples of ", options.replicates, " replicates, up to ", most_quasi_paths));
  if (options.independent) refuse("options.independent", "true", "false with Sobol's sequence");
}

} // namespace

std::span<std::uint32_t const> sobol_directions(int dimensions) {
  using sequence = random::sobol_sequence<host>;
  static sequence const all(host{1}, sequence::max_dimensions);
  return all.directions().subspan(0, static_cast<std::size_t>(dimensions) * sobol_bits);
}

void divide_steps(std::string_view argument, double value, double longest, path_plan& plan) {
  std::vector<double> const ends = std::move(plan.times);
  std::vector<int> const seen = std::move(plan.observations);
  plan.times.clear();
  plan.observations.clear();
  double before = 0;
  for (std::size_t i = 0; i < ends.size(); ++i) {
    double const length = ends[i] - before;
    // An even division is one, however its length was rounded.
    double const parts = std::max(std::ceil(length / longest - 1e-9), 1.);
    if (parts + static_cast<double>(plan.times.size()) > static_cast<double>(most_times))
      refuse(argument, value, text("what makes up to ", most_times, " steps"));
    for (int part = 1; part < static_cast<int>(parts); ++part) {
      plan.times.push_back(before + length * part / parts);
      plan.observations.push_back(-1);
    }
    plan.times.push_back(ends[i]);
    plan.observations.push_back(seen[i]);
    before = ends[i];
  }
  plan.run.steps = static_cast<int>(plan.times.size());
}

path_plan plan_paths(pricing::simulation_options const& options, pricing::bits usual) {
  pricing::check_shared_options(options, most_paths);
  bool const quasi = options.sampling == pricing::sampling::sobol;
  if (quasi) check_quasi(options);
  path_plan plan{};
  plan.times = times_of(options);
  plan.observations.resize(plan.times.size());
  std::iota(plan.observations.begin(), plan.observations.end(), 0);
  divide_steps(options, plan);
  constexpr int most_dimensions = random::sobol_sequence<host>::max_dimensions;
  if (quasi && plan.times.size() > most_dimensions)
    refuse(options.longest_step > 0 ? "options.longest_step"
           : options.times.empty()  ? "options.steps"
                                    : "options.times",
           plan.times.size(), text("up to ", most_dimensions, " dimensions of Sobol's sequence"));
  plan.antithetic = options.antithetic;
  plan.quasi = quasi;
  plan.how = options.bits.value_or(usual);
  plan.numbers = {options.seed, options.stream};
  int const of_sample = options.antithetic ? 2 : 1, replicates = quasi ? options.replicates : 1;
  auto const samples = static_cast<std::int64_t>(options.paths) / of_sample / replicates;
  plan.run = {path_shape_of(samples, replicates), prepared(plan.numbers),
              static_cast<int>(plan.times.size()), options.independent};
  plan.ending = {samples, replicates,
                 quasi ? student_quantile(options.confidence, replicates - 1)
                       : two_sided_quantile(options.confidence),
                 options.control_variate, of_sample};
  return plan;
}

path_plan plan_own_paths(pricing::simulation_options const& options) {
  if (options.bits)
    refuse("options.bits", *options.bits == pricing::bits::native ? "native" : "portable",
           "none: models and payoffs of your own call functions of their own");
  return plan_paths(options);
}

std::int64_t regression_paths_of(pricing::simulation_options const& options) {
  // More paths lose hardly less: docs/monte-carlo.md.
  constexpr std::uint64_t enough = std::uint64_t{1} << 18, most = std::uint64_t{1} << 31;
  if (options.sampling == pricing::sampling::sobol)
    refuse("options.sampling", "sobol with early exercise", "philox");
  if (options.regression_paths > most)
    refuse("options.regression_paths", options.regression_paths, text("up to ", most));
  std::uint64_t const wanted = options.regression_paths;
  return static_cast<std::int64_t>(wanted > 0 ? wanted : std::min(options.paths, enough));
}

} // namespace warpfold::inline v0::detail

namespace warpfold::inline v0::pricing {

curve::curve(curve_pieces const& pieces) {
  using detail::refuse, detail::text;
  detail::verb const scope("pricing::curve");
  auto const [times, values] = pieces;
  detail::check_elements("pieces.times", times.data(), times.size());
  detail::check_elements("pieces.values", values.data(), values.size());
  if (times.empty()) refuse("pieces.times", "0 elements", "1 or more");
  if (times.size() != values.size())
    refuse("pieces.values", text(values.size(), " elements"),
           text(times.size(), ", as pieces.times has"));
  for (std::size_t i = 0; i < times.size(); ++i) {
    if (!std::isfinite(times[i]) || !(times[i] > (i > 0 ? times[i - 1] : 0)))
      refuse("pieces.times", text("element ", i, " is ", times[i]),
             "finite times above 0, each after the one before");
    if (!std::isfinite(values[i]))
      refuse("pieces.values", text("element ", i, " is ", values[i]), "finite numbers");
  }
  times_.assign(times.begin(), times.end());
  values_.assign(values.begin(), values.end());
}

} // namespace warpfold::inline v0::pricing
