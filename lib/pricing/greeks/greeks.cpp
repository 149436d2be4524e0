// Greeks of contracts on a model's paths, and differences on a host.

#include "greek_backend.hpp"
#include "greek_door.hpp"
#include "pricing/paths/contract_run.hpp"

#include <warpfold/detail/core/parallel.hpp>
#include <warpfold/detail/core/verb.hpp>

namespace warpfold::inline v0::pricing {

void finish_differences(host const& place, run_recorder<host const> const& runs,
                        std::vector<difference> const& all, std::vector<estimate*> const& to,
                        difference_ending const& ending) {
  run_sums const recorded = runs.recorded();
  detail::parallel_for(place.threads(), static_cast<std::int64_t>(all.size()) * recorded.values,
                       [&](std::int64_t unit) {
                         auto const d = static_cast<std::size_t>(unit / recorded.values);
                         int const value = static_cast<int>(unit % recorded.values);
                         to[d][value] = estimate_difference(recorded, all[d], value, ending);
                       });
}

template <class T, class Place, class Model>
void simulate_model_greeks(Place& place, Model const& model, std::span<contract const> book,
                           greeks const& results, simulation_options const& options,
                           bumps const& by, path_sharing* sharing) {
  simulate_greeks<T, contract_run<T, Model>>(place, model, book, results, options, by, sharing);
}

template <class T, contract_model Model>
void simulate(gpu& place, Model const& model, std::span<contract const> book, greeks const& results,
              simulation_options const& options, bumps const& by) {
  detail::verb const scope("pricing::simulate");
  simulate_model_greeks<T>(place, model, book, results, options, by, nullptr);
}
template <class T, contract_model Model>
void simulate(host const& place, Model const& model, std::span<contract const> book,
              greeks const& results, simulation_options const& options, bumps const& by) {
  detail::verb const scope("pricing::simulate");
  simulate_model_greeks<T>(place, model, book, results, options, by, nullptr);
}
template <class T, contract_model Model>
void simulate_async(gpu& place, Model const& model, std::span<contract const> book,
                    device_greeks const& results, simulation_options const& options,
                    bumps const& by) {
  detail::verb const scope("pricing::simulate_async");
  simulate_greeks<T, contract_run<T, Model>>(place, model, book, results, options, by, nullptr);
}

#define INSTANTIATE_ON(Place, T, Model)                                                            \
  template void simulate_model_greeks<T>(Place&, Model const&, std::span<contract const>,          \
                                         greeks const&, simulation_options const&, bumps const&,   \
                                         path_sharing*);                                           \
  template void simulate<T>(Place&, Model const&, std::span<contract const>, greeks const&,        \
                            simulation_options const&, bumps const&);
#define INSTANTIATE(T, Model)                                                                      \
  INSTANTIATE_ON(gpu, T, Model)                                                                    \
  INSTANTIATE_ON(host const, T, Model)                                                             \
  template void simulate_async<T>(gpu&, Model const&, std::span<contract const>,                   \
                                  device_greeks const&, simulation_options const&, bumps const&);
INSTANTIATE(float, black_scholes)
INSTANTIATE(double, black_scholes)
INSTANTIATE(float, heston)
INSTANTIATE(double, heston)
INSTANTIATE(float, local_volatility)
INSTANTIATE(double, local_volatility)

} // namespace warpfold::inline v0::pricing
