// Greeks of contracts and of products with a schedule, and differences on a host.

#include "greek_backend.hpp"
#include "greek_door.hpp"
#include "pricing/paths/contract_run.hpp"
#include "pricing/schedules/schedule_run.hpp"
#include "row_greeks.hpp"

#include <warpfold/detail/core/parallel.hpp>
#include <warpfold/detail/core/verb.hpp>

#include <span>
#include <vector>

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

namespace {

[[noreturn]] void refuse_method(greek_method method, char const* whose) {
  char const* const name = method == greek_method::pathwise ? "pathwise, " : "likelihood_ratio, ";
  detail::refuse("sizes.method", detail::text(name, whose), "bumps");
}
/// True for methods that are means over the paths of one simulation.
bool has_rows(greek_method method) {
  return method == greek_method::pathwise || method == greek_method::likelihood_ratio;
}

template <class T, class Place, class Model, class Span>
void simulate_checked(Place& place, Model const& model, std::span<contract const> book,
                      greek_spans<Span> const& results, simulation_options const& options,
                      bumps const& sizes, path_sharing* sharing) {
  if (has_rows(sizes.method)) {
    if constexpr (std::is_same_v<Model, local_volatility>)
      refuse_method(sizes.method, "a local volatility's");
    else return simulate_row_greeks<T>(place, model, book, results, options, sizes, sharing);
  }
  simulate_greeks<T, contract_run<T, Model>>(place, model, book, results, options, sizes, sharing);
}
/// Products' references do not move with the spot, which is not rounded to T.
template <class T, class Place, class Model, class Span>
void simulate_checked(Place& place, Model const& model, std::span<schedule const> book,
                      greek_spans<Span> const& results, simulation_options const& options,
                      bumps const& sizes, path_sharing* sharing) {
  if (has_rows(sizes.method)) refuse_method(sizes.method, "of products with a schedule");
  detail::check_elements("book", book.data(), book.size());
  std::vector<schedule> held(book.begin(), book.end());
  for (schedule& one : held)
    if (one.reference == 0) one.reference = model.spot;
  simulate_greeks<double, schedule_run<T, Model>>(place, model, std::span<schedule const>(held),
                                                  results, options, sizes, sharing);
}

} // namespace

#define DEFINE_ON(Place, Product)                                                                  \
  template <class T, contract_model Model>                                                         \
  void simulate(Place& place, Model const& model, std::span<Product const> book,                   \
                greeks const& results, simulation_options const& options, bumps const& sizes) {    \
    detail::verb const scope("pricing::simulate");                                                 \
    simulate_checked<T>(place, model, book, results, options, sizes, nullptr);                     \
  }
#define DEFINE(Product)                                                                            \
  template <class T, class Place, class Model>                                                     \
  void simulate_model_greeks(Place& place, Model const& model, std::span<Product const> book,      \
                             greeks const& results, simulation_options const& options,             \
                             bumps const& sizes, path_sharing* sharing) {                          \
    simulate_checked<T>(place, model, book, results, options, sizes, sharing);                     \
  }                                                                                                \
  DEFINE_ON(gpu, Product)                                                                          \
  DEFINE_ON(host const, Product)                                                                   \
  template <class T, contract_model Model>                                                         \
  void simulate_async(gpu& place, Model const& model, std::span<Product const> book,               \
                      device_greeks const& results, simulation_options const& options,             \
                      bumps const& sizes) {                                                        \
    detail::verb const scope("pricing::simulate_async");                                           \
    simulate_checked<T>(place, model, book, results, options, sizes, nullptr);                     \
  }
DEFINE(contract)
DEFINE(schedule)

#define INSTANTIATE_ON(Place, T, Model, Product)                                                   \
  template void simulate_model_greeks<T>(Place&, Model const&, std::span<Product const>,           \
                                         greeks const&, simulation_options const&, bumps const&,   \
                                         path_sharing*);                                           \
  template void simulate<T>(Place&, Model const&, std::span<Product const>, greeks const&,         \
                            simulation_options const&, bumps const&);
#define INSTANTIATE_OF(T, Model, Product)                                                          \
  INSTANTIATE_ON(gpu, T, Model, Product)                                                           \
  INSTANTIATE_ON(host const, T, Model, Product)                                                    \
  template void simulate_async<T>(gpu&, Model const&, std::span<Product const>,                    \
                                  device_greeks const&, simulation_options const&, bumps const&);
#define INSTANTIATE(T, Model)                                                                      \
  INSTANTIATE_OF(T, Model, contract)                                                               \
  INSTANTIATE_OF(T, Model, schedule)
INSTANTIATE(float, black_scholes)
INSTANTIATE(double, black_scholes)
INSTANTIATE(float, heston)
INSTANTIATE(double, heston)
INSTANTIATE(float, local_volatility)
INSTANTIATE(double, local_volatility)

} // namespace warpfold::inline v0::pricing
