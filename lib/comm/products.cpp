// Products on paths, simulated by all ranks.

#include "book_digests.hpp"
#include "pricing/book_calls.hpp"
#include "pricing/greeks/greek_backend.hpp"
#include "pricing/model_books.hpp"
#include "pricing/paths/path_backend.hpp"
#include "shared_tiles.hpp"

#include <warpfold/comm/pricing.hpp>
#include <warpfold/detail/core/verb.hpp>
#include <warpfold/detail/pricing/exercise/exercise_plan.hpp>

#include <type_traits>

namespace warpfold::inline v0::pricing {
namespace {

using comm::digest, detail::collective;

/// Simulates by simulate_all(sharing), which checks the arguments, and does nothing for an empty
/// book. `add_book` becomes a std::function where a failing allocation aborts the group.
template <class T, class Place, class AddBook, class Simulate>
void simulate_together(communicator<Place>& comm, bool empty, simulation_options const& options,
                       AddBook const& add_book, Simulate simulate_all) {
  detail::verb const scope("pricing::simulate");
  collective(comm).guarded([&] {
    shared_tiles<Place> sharing(comm, digest(), add_book);
    simulate_all(&sharing);
    if (!empty) return;
    sharing.begin(detail::plan_paths(options), {}, sizeof(T));
    sharing.share_nothing();
    sharing.settle();
  });
}
template <class T, class Place, class Option>
void simulate_options(communicator<Place>& comm, std::span<Option const> book,
                      std::span<estimate> results, simulation_options const& options) {
  simulate_together<T>(
      comm, book.empty(), options, [&](digest& all) { add_all(all, book); },
      [&](path_sharing* sharing) {
        simulate_book<T>(comm.place(), book, results, options, sharing);
      });
}
template <class T, class Place, class Model, class Product, class Result>
void simulate_on_model(communicator<Place>& comm, Model const& model, std::span<Product const> book,
                       std::span<Result> results, simulation_options const& options) {
  simulate_together<T>(
      comm, book.empty(), options,
      [&](digest& all) {
        add_all(all, model, book);
        if constexpr (std::is_same_v<Result, exercise_estimate>)
          all.add(detail::regression_paths_of(options));
      },
      [&](path_sharing* sharing) {
        simulate_model_book<T>(comm.place(), model, book, results, options, sharing);
      });
}
template <class T, class Place, class Model, class Product>
void simulate_greeks_on_model(communicator<Place>& comm, Model const& model,
                              std::span<Product const> book, greeks const& results,
                              simulation_options const& options, bumps const& sizes) {
  using place_type = std::conditional_t<std::is_same_v<Place, host>, host const, gpu>;
  simulate_together<T>(
      comm, book.empty(), options, [&](digest& all) { add_all(all, model, book, results, sizes); },
      [&](path_sharing* sharing) {
        simulate_model_greeks<T, place_type>(comm.place(), model, book, results, options, sizes,
                                             sharing);
      });
}

} // namespace

template <class T, class Place>
void simulate(communicator<Place>& comm, std::span<asian_option const> book,
              std::span<estimate> results, simulation_options const& options) {
  simulate_options<T>(comm, book, results, options);
}
template <class T, class Place>
void simulate(communicator<Place>& comm, std::span<barrier_option const> book,
              std::span<estimate> results, simulation_options const& options) {
  simulate_options<T>(comm, book, results, options);
}

/// The last arguments are further parameters of the template.
#define DEFINE_PRODUCTS(Model, Product, Result, ...)                                               \
  template <class T, class Place __VA_OPT__(, ) __VA_ARGS__>                                       \
  void simulate(communicator<Place>& comm, Model const& model, std::span<Product const> book,      \
                std::span<Result> results, simulation_options const& options) {                    \
    simulate_on_model<T>(comm, model, book, results, options);                                     \
  }
DEFINE_PRODUCTS(Model, contract, estimate, contract_model Model)
DEFINE_PRODUCTS(basket, basket_contract, estimate)
DEFINE_PRODUCTS(Model, schedule, estimate, schedule_model Model)
DEFINE_PRODUCTS(Model, bermudan_option, exercise_estimate, exercise_model Model)
DEFINE_PRODUCTS(basket, bermudan_basket_option, exercise_estimate)

#define DEFINE_GREEKS(Product)                                                                     \
  template <class T, class Place, contract_model Model>                                            \
  void simulate(communicator<Place>& comm, Model const& model, std::span<Product const> book,      \
                greeks const& results, simulation_options const& options, bumps const& sizes) {    \
    simulate_greeks_on_model<T>(comm, model, book, results, options, sizes);                       \
  }
DEFINE_GREEKS(contract)
DEFINE_GREEKS(schedule)

#define INSTANTIATE_PRODUCTS(Place, T, Model, Product, Result)                                     \
  template void simulate<T>(communicator<Place>&, Model const&, std::span<Product const>,          \
                            std::span<Result>, simulation_options const&);
#define INSTANTIATE_GREEKS(Place, T, Model, Product)                                               \
  template void simulate<T>(communicator<Place>&, Model const&, std::span<Product const>,          \
                            greeks const&, simulation_options const&, bumps const&);
#define INSTANTIATE_ON(Place, T)                                                                   \
  template void simulate<T>(communicator<Place>&, std::span<asian_option const>,                   \
                            std::span<estimate>, simulation_options const&);                       \
  template void simulate<T>(communicator<Place>&, std::span<barrier_option const>,                 \
                            std::span<estimate>, simulation_options const&);                       \
  INSTANTIATE_PRODUCTS(Place, T, black_scholes, contract, estimate)                                \
  INSTANTIATE_PRODUCTS(Place, T, heston, contract, estimate)                                       \
  INSTANTIATE_PRODUCTS(Place, T, local_volatility, contract, estimate)                             \
  INSTANTIATE_PRODUCTS(Place, T, basket, basket_contract, estimate)                                \
  INSTANTIATE_PRODUCTS(Place, T, black_scholes, schedule, estimate)                                \
  INSTANTIATE_PRODUCTS(Place, T, heston, schedule, estimate)                                       \
  INSTANTIATE_PRODUCTS(Place, T, local_volatility, schedule, estimate)                             \
  INSTANTIATE_PRODUCTS(Place, T, basket_index, schedule, estimate)                                 \
  INSTANTIATE_PRODUCTS(Place, T, black_scholes, bermudan_option, exercise_estimate)                \
  INSTANTIATE_PRODUCTS(Place, T, heston, bermudan_option, exercise_estimate)                       \
  INSTANTIATE_PRODUCTS(Place, T, basket, bermudan_basket_option, exercise_estimate)                \
  INSTANTIATE_GREEKS(Place, T, black_scholes, contract)                                            \
  INSTANTIATE_GREEKS(Place, T, heston, contract)                                                   \
  INSTANTIATE_GREEKS(Place, T, local_volatility, contract)                                         \
  INSTANTIATE_GREEKS(Place, T, black_scholes, schedule)                                            \
  INSTANTIATE_GREEKS(Place, T, heston, schedule)                                                   \
  INSTANTIATE_GREEKS(Place, T, local_volatility, schedule)
#define INSTANTIATE(T)                                                                             \
  INSTANTIATE_ON(gpu, T)                                                                           \
  INSTANTIATE_ON(host, T)
WARPFOLD_FOR_EACH_PRICED(INSTANTIATE)

} // namespace warpfold::inline v0::pricing
