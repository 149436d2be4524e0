// Checks what simulations are told.

#include <warpfold/detail/path_plan.hpp>
#include <warpfold/error.hpp>

#include <cstdio>
#include <string>

namespace warpfold::detail {
namespace {

constexpr std::uint64_t most_paths = std::uint64_t{1} << 40;
constexpr std::size_t most_times = std::size_t{1} << 20;

std::string text(double x) {
  char digits[32];
  std::snprintf(digits, sizeof digits, "%.17g", x);
  return digits;
}

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

} // namespace

path_plan plan_paths(pricing::simulation_options const& options) {
  if (options.paths == 0 || options.paths > most_paths)
    throw argument_error("options.paths", std::to_string(options.paths) + ", not 1 ... " +
                                              std::to_string(most_paths));
  if (options.antithetic && options.paths % 2 != 0)
    throw argument_error("options.paths",
                         std::to_string(options.paths) + ": antithetic paths come in pairs");
  if (!(options.confidence > 0 && options.confidence < 1))
    throw argument_error("options.confidence", text(options.confidence) + ", not between 0 and 1");
  path_plan plan;
  plan.times = times_of(options);
  plan.antithetic = options.antithetic;
  int const of_sample = options.antithetic ? 2 : 1;
  auto const samples = static_cast<std::int64_t>(options.paths) / of_sample;
  plan.run = {path_shape_of(samples), prepared({options.seed, options.stream}),
              static_cast<int>(plan.times.size()), options.independent};
  plan.ending = {samples, two_sided_quantile(options.confidence), options.control, of_sample};
  return plan;
}

} // namespace warpfold::detail
