// Greeks of products with a schedule.

#include "greek_backend.hpp"
#include "greek_door.hpp"
#include "pricing/schedules/schedule_run.hpp"

#include <warpfold/detail/core/verb.hpp>

#include <vector>

namespace warpfold::inline v0::pricing {
namespace {

/// Products' references do not move with the spot, which is not rounded to T.
template <class T, class Place, class Model, class Span>
void simulate_held(Place& place, Model const& model, std::span<schedule const> book,
                   greek_spans<Span> const& results, simulation_options const& options,
                   bumps const& by, path_sharing* sharing) {
  detail::check_elements("book", book.data(), book.size());
  std::vector<schedule> held(book.begin(), book.end());
  for (schedule& one : held)
    if (one.reference == 0) one.reference = model.spot;
  simulate_greeks<double, schedule_run<T, Model>>(place, model, std::span<schedule const>(held),
                                                  results, options, by, sharing);
}

} // namespace

template <class T, class Place, class Model>
void simulate_model_greeks(Place& place, Model const& model, std::span<schedule const> book,
                           greeks const& results, simulation_options const& options,
                           bumps const& by, path_sharing* sharing) {
  simulate_held<T>(place, model, book, results, options, by, sharing);
}

template <class T, contract_model Model>
void simulate(gpu& place, Model const& model, std::span<schedule const> book, greeks const& results,
              simulation_options const& options, bumps const& by) {
  detail::verb const scope("pricing::simulate");
  simulate_model_greeks<T>(place, model, book, results, options, by, nullptr);
}
template <class T, contract_model Model>
void simulate(host const& place, Model const& model, std::span<schedule const> book,
              greeks const& results, simulation_options const& options, bumps const& by) {
  detail::verb const scope("pricing::simulate");
  simulate_model_greeks<T>(place, model, book, results, options, by, nullptr);
}
template <class T, contract_model Model>
void simulate_async(gpu& place, Model const& model, std::span<schedule const> book,
                    device_greeks const& results, simulation_options const& options,
                    bumps const& by) {
  detail::verb const scope("pricing::simulate_async");
  simulate_held<T>(place, model, book, results, options, by, nullptr);
}

#define INSTANTIATE_ON(Place, T, Model)                                                            \
  template void simulate_model_greeks<T>(Place&, Model const&, std::span<schedule const>,          \
                                         greeks const&, simulation_options const&, bumps const&,   \
                                         path_sharing*);                                           \
  template void simulate<T>(Place&, Model const&, std::span<schedule const>, greeks const&,        \
                            simulation_options const&, bumps const&);
#define INSTANTIATE(T, Model)                                                                      \
  INSTANTIATE_ON(gpu, T, Model)                                                                    \
  INSTANTIATE_ON(host const, T, Model)                                                             \
  template void simulate_async<T>(gpu&, Model const&, std::span<schedule const>,                   \
                                  device_greeks const&, simulation_options const&, bumps const&);
INSTANTIATE(float, black_scholes)
INSTANTIATE(double, black_scholes)
INSTANTIATE(float, heston)
INSTANTIATE(double, heston)
INSTANTIATE(float, local_volatility)
INSTANTIATE(double, local_volatility)

} // namespace warpfold::inline v0::pricing
