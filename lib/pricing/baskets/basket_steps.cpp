// Steps that end where a volatility changes.

#include "basket_steps.hpp"

#include <warpfold/detail/core/refusal.hpp>

#include <algorithm>
#include <utility>

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

} // namespace warpfold::inline v0::pricing
