#pragma once
// Books of products on a model's paths: what their doors share, and the door for communicators.

#include <warpfold/buffer.hpp>
#include <warpfold/detail/core/tile_sharing.hpp>
#include <warpfold/detail/core/verb.hpp>
#include <warpfold/execution.hpp>
#include <warpfold/pricing/simulation.hpp>
#include <warpfold/span.hpp>

#include <span>

namespace warpfold::inline v0::pricing {

/// simulate(), to the same bits; `sharing` is null where nobody else takes part. There is one for
/// each model, product and result of simulate().
template <class T, class Model, class Product, class Result>
void simulate_model_book(gpu& place, Model const& model, std::span<Product const> book,
                         std::span<Result> results, simulation_options const& options,
                         path_sharing* sharing);
template <class T, class Model, class Product, class Result>
void simulate_model_book(host const& place, Model const& model, std::span<Product const> book,
                         std::span<Result> results, simulation_options const& options,
                         path_sharing* sharing);

} // namespace warpfold::inline v0::pricing

/// Defines that, simulate() and simulate_async(), given checked_plan<T>(model, book, results,
/// options) and simulate_checked<T>(place, model, book, plan, results, blocking, sharing), which
/// writes to memory of the place.
#define WARPFOLD_DEFINE_MODEL_BOOK(T, Model, Product, Result)                                      \
  template <>                                                                                      \
  void simulate_model_book<T>(gpu & place, Model const& model, std::span<Product const> book,      \
                              std::span<Result> results, simulation_options const& options,        \
                              path_sharing* sharing) {                                             \
    auto plan = checked_plan<T>(model, book, results, options);                                    \
    device_buffer<Result> there(place, book.size());                                               \
    simulate_checked<T>(place, model, book, plan, there.data(), true, sharing);                    \
    copy(place, there.span(), results);                                                            \
  }                                                                                                \
  template <>                                                                                      \
  void simulate_model_book<T>(host const& place, Model const& model,                               \
                              std::span<Product const> book, std::span<Result> results,            \
                              simulation_options const& options, path_sharing* sharing) {          \
    auto plan = checked_plan<T>(model, book, results, options);                                    \
    simulate_checked<T>(place, model, book, plan, results.data(), true, sharing);                  \
  }                                                                                                \
  WARPFOLD_DEFINE_MODEL_BOOK_ON(gpu, T, Model, Product, Result)                                    \
  WARPFOLD_DEFINE_MODEL_BOOK_ON(host const, T, Model, Product, Result)                             \
  template <>                                                                                      \
  void simulate_async<T>(gpu & place, Model const& model, std::span<Product const> book,           \
                         device_span<Result> results, simulation_options const& options) {         \
    detail::verb const scope("pricing::simulate_async");                                           \
    auto plan = checked_plan<T>(model, book, results, options);                                    \
    simulate_checked<T>(place, model, book, plan, results.data(), false, nullptr);                 \
  }
#define WARPFOLD_DEFINE_MODEL_BOOK_ON(Place, T, Model, Product, Result)                            \
  template <>                                                                                      \
  void simulate<T>(Place & place, Model const& model, std::span<Product const> book,               \
                   std::span<Result> results, simulation_options const& options) {                 \
    detail::verb const scope("pricing::simulate");                                                 \
    simulate_model_book<T>(place, model, book, results, options, nullptr);                         \
  }
