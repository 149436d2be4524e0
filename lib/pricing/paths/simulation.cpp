// Checks what simulations are told.

#include <warpfold/detail/core/arguments.hpp>
#include <warpfold/detail/core/refusal.hpp>
#include <warpfold/detail/pricing/path_plan.hpp>
#include <warpfold/error.hpp>
#include <warpfold/random/sobol.hpp>

#include <string>

namespace warpfold::inline v0::detail {
namespace {

constexpr std::uint64_t most_paths = std::uint64_t{1} << 40;
constexpr std::uint64_t most_quasi_paths = std::uint64_t{1} << 27;
constexpr std::size_t most_times = std::size_t{1} << 20;

std::vector<double> times_of(pricing::simulation_options const& options) {
  if (options.times.empty()) {
    if (options.steps < 1 || static_cast<std::size_t>(options.steps) > most_times)
      throw argument_error("options.steps", std::to_string(options.steps) + ", not 1 ... " +
                                                std::to_string(most_times));
    if (!(options.horizon >= 0) || !std::isfinite(options.horizon))
      throw argument_error("options.horizon", text(options.horizon));
    std::vector<double> times;
    for (int i = 1; i <= options.steps; ++i) times.push_back(options.horizon * i / options.steps);
    return times;
  }
  if (options.steps != 0)
    throw argument_error("options.steps", std::to_string(options.steps) + " beside times");
  if (options.times.size() > most_times)
    throw argument_error("options.times", std::to_string(options.times.size()) + ", more than " +
                                              std::to_string(most_times));
  check_elements("options.times", options.times.data(), options.times.size());
  for (std::size_t i = 0; i < options.times.size(); ++i) {
    double const now = options.times[i];
    std::string const which = "number " + std::to_string(i) + ", " + text(now);
    if (!std::isfinite(now) || now < 0)
      throw argument_error("options.times", which + ", is no time from 0 on");
    if (i > 0 && !(now > options.times[i - 1]))
      throw argument_error("options.times", which + ", does not come after the one before");
  }
  return {options.times.begin(), options.times.end()};
}

void check_quasi(pricing::simulation_options const& options) {
  if (options.replicates < 2 || options.replicates > most_replicates)
    throw argument_error("options.replicates", std::to_string(options.replicates) + ", not 2 ... " +
                                                   std::to_string(most_replicates));
  if (options.paths % static_cast<unsigned>(options.replicates) != 0 ||
      options.paths > most_quasi_paths)
    throw argument_error("options.paths", std::to_string(options.paths) + " cannot be dealt to " +
                                              std::to_string(options.replicates) +
                                              " replicates, or more than " +
                                              std::to_string(most_quasi_paths));
  if (options.antithetic)
    throw argument_error("options.antithetic", "Sobol's sequence has no antithetic paths");
  if (options.independent)
    throw argument_error("options.independent", "options share Sobol's sequence");
}

} // namespace

std::span<std::uint32_t const> sobol_directions(int dimensions) {
  using sequence = random::sobol_sequence<host>;
  static sequence const all(host{1}, sequence::max_dimensions);
  return all.directions().subspan(0, static_cast<std::size_t>(dimensions) * sobol_bits);
}

path_plan plan_paths(pricing::simulation_options const& options) {
  if (options.paths == 0 || options.paths > most_paths)
    throw argument_error("options.paths", std::to_string(options.paths) + ", not 1 ... " +
                                              std::to_string(most_paths));
  if (options.antithetic && options.paths % 2 != 0)
    throw argument_error("options.paths",
                         std::to_string(options.paths) + ": antithetic paths come in pairs");
  if (!(options.confidence > 0 && options.confidence < 1))
    throw argument_error("options.confidence", text(options.confidence) + ", not between 0 and 1");
  bool const quasi = options.from == pricing::sampling::sobol;
  if (quasi) check_quasi(options);
  else if (options.from != pricing::sampling::philox)
    throw argument_error("options.from", "not a sampling");
  path_plan plan{};
  plan.times = times_of(options);
  if (quasi && plan.times.size() > random::sobol_sequence<host>::max_dimensions)
    throw argument_error(options.times.empty() ? "options.steps" : "options.times",
                         std::to_string(plan.times.size()) + ", more than Sobol's dimensions");
  plan.antithetic = options.antithetic;
  plan.quasi = quasi;
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

} // namespace warpfold::inline v0::detail
