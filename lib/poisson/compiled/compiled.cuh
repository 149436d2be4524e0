#pragma once
// The engine of kernels that are compiled when a solver is made.

#include "code.hpp"
#include "poisson/backend.hpp"
#include "poisson/engine/engine.hpp"
#include "poisson/engine/launch.cuh"
#include "poisson/engine/mixed/mixed_plan.hpp"
#include "poisson/instances.hpp"

#include <warpfold/compiled.hpp>
#include <warpfold/detail/core/refusal.hpp>
#include <warpfold/detail/core/verb.hpp>

#include <algorithm>
#include <bit>
#include <cstddef>
#include <future>
#include <initializer_list>
#include <memory>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

namespace warpfold::inline v0::poisson {
namespace gpu_impl {
namespace {

/// A mixed_shape that is known only now.
template <class T>
struct compiled_shape {
  mixed_plan plan;
  unit_kind kind;
  int beside, tile_rows;

  [[nodiscard]] std::size_t shared() const { return plan.shared<T>(beside); }
  [[nodiscard]] std::vector<std::string> macros() const {
    constexpr char const* kinds[] = {"fourier", "first", "second", "third", "fourth"};
    auto const macro = [](char const* name, std::initializer_list<std::string> parts) {
      std::string made("WARPFOLD_");
      made.append(name);
      char before = '=';
      for (std::string const& part : parts) {
        made.push_back(before);
        made.append(part);
        before = ',';
      }
      return made;
    };
    std::vector<std::string> made{
        macro("ELEMENT", {sizeof(T) == sizeof(float) ? "float" : "double"}),
        macro("KIND", {kinds[static_cast<int>(kind)]}),
        macro("LAYOUT", {std::to_string(plan.units), std::to_string(beside),
                         std::to_string(plan.blocks), std::to_string(tile_rows)}),
        macro("THREADS", {std::to_string(plan.threads())}),
        macro("SHARED", {std::to_string(shared())})};
    std::string radices = macro("RADICES", {std::to_string(plan.radices.front())});
    for (std::size_t i = 1; i < plan.radices.size(); ++i)
      radices.append(",").append(std::to_string(plan.radices[i]));
    made.push_back(std::move(radices));
    return made;
  }
  /// Like launch_pass.
  template <class Kernel, class Pass, class... Args>
  void launch(gpu& place, Kernel kernel, bool ahead, std::size_t blocks, Pass const& pass,
              Args const&... args) const {
    device_guard const current{place.device()};
    detail::launch(place.stream(),
                   {.blocks = static_cast<int>(blocks),
                    .threads = plan.threads(),
                    .ahead = ahead,
                    .shared = shared()},
                   kernel, touched_if_few(place, pass, blocks), args...);
  }
};

template <class T>
compiled_shape<T> shape_of(axis_plan const& of, mixed_plan const& plan, int beside, int tile_rows) {
  return {plan, kind_of(of), std::min(beside, plan.units), tile_rows};
}

/// A loaded kernel, and what launches have to know of it.
template <class... Params>
struct loaded_kernel {
  void (*kernel)(Params...);
  bool ahead;  ///< of its turn
  int at_work; ///< blocks that the GPU has room for
};
template <class... Params, class T>
loaded_kernel<Params...> load(gpu const& place, cudaLibrary_t library, char const* name,
                              compiled_shape<T> const& shape) {
  auto* const kernel = kernel_of<Params...>(library, name);
  int const threads = shape.plan.threads(), capability = place.compute_capability();
  detail::allow_shared(kernel, shape.shared());
  return {kernel, detail::facts_of(kernel, threads, capability).waits_for_previous_grid(capability),
          place.multiprocessors() *
              detail::blocks_per_multiprocessor(kernel, threads, shape.shared())};
}

/// Units of a tile.
constexpr int compiled_beside = 2;
/// Halves of the units at work by which rows are fetched ahead.
constexpr unsigned compiled_fetches = 1;

template <class T>
row_launcher<T> compiled_rows(gpu& place, axis_plan const& of, mixed_plan const& plan) {
  auto const shape = shape_of<T>(of, plan, compiled_beside, 2 * compiled_beside);
  auto macros = shape.macros();
  bool const streams = of.points * of.points * sizeof(T) >= std::size_t{2} << 20;
  macros.emplace_back(streams ? "WARPFOLD_STREAMS=true" : "WARPFOLD_STREAMS=false");
  device_guard const current{place.device()};
  auto* const library = compiled_kernels(macros, place.compute_capability());
  auto const leave = load<unit_rows<T>, unsigned, bool>(place, library, "leave_rows", shape);
  auto const come_back =
      load<unit_rows<T>, unsigned, bool>(place, library, "come_back_to_rows", shape);
  auto const units = static_cast<unsigned>(plan.units);
  auto const launch = [shape](gpu& where, auto const& kernel, unit_rows<T> const& pass,
                              unsigned apart, bool probes) {
    shape.launch(where, kernel.kernel, kernel.ahead, (pass.units + apart - 1) / apart, pass, apart,
                 probes);
  };
  return {mixed_tables_of<T>(of, plan),
          compiled_beside,
          plan.units,
          static_cast<unsigned>(come_back.at_work) * units * compiled_fetches / 2,
          [=](gpu& where, unit_rows<T> const& pass) { launch(where, leave, pass, units, false); },
          [=](gpu& where, unit_rows<T> const& pass, bool probes) {
            launch(where, come_back, pass, probes ? pass.pairs.by * pass.planes.by : units, probes);
          }};
}

/// `rows` are those of a tile.
template <class T>
column_launcher<T> compiled_columns(gpu& place, axis_plan const& of, mixed_plan const& plan,
                                    double share, int rows) {
  auto const shape = shape_of<T>(of, plan, plan.units, rows);
  device_guard const current{place.device()};
  auto* const library = compiled_kernels(shape.macros(), place.compute_capability());
  auto const solve = load<unit_columns<T>, unsigned>(place, library, "solve_columns", shape);
  auto const units = static_cast<unsigned>(plan.units);
  // Points of periodic columns go to neighbours one by one, those of others two at a time.
  int const most_beside = std::countr_zero(static_cast<unsigned>(plan.per_line()));
  bool const is_periodic = of.forward == transform::fourier;
  return {{mixed_tables_of<T>(of, plan), mixed_along_of<T>(of, plan, share), plan.per_line()},
          0,
          [=](gpu& where, unit_columns<T> const& given, std::size_t batch) {
            unit_columns<T> pass = given;
            if (is_periodic) pass.beside_log2 = std::min(pass.tile_log2, most_beside);
            unsigned const of_entry = (static_cast<unsigned>(pass.slots) + units - 1) / units;
            shape.launch(where, solve.kernel, solve.ahead, batch * of_entry, pass, of_entry);
          }};
}

/// How an axis is divided for kernels to be compiled; nothing if it is none for them.
inline std::optional<mixed_plan> compiled_plan_of(gpu const& place, axis_plan const& of,
                                                  std::size_t element) {
  if (of.forward != transform::fourier && kind_of(of) != unit_kind::second && !is_fourth_type(of))
    return std::nullopt;
  auto plan = mixed_plan_of(of.points, element);
  if (!plan) return std::nullopt;
  std::size_t const shared = element == sizeof(float) ? plan->shared<float>(plan->units)
                                                      : plan->shared<double>(plan->units);
  if (shared > most_shared(place)) return std::nullopt;
  return plan;
}

/// Of two axes, one at least without kernels of its own.
inline bool can_compile_plan(gpu const& place, plan const& of, std::size_t element) {
  if (of.axes.size() != 2 || (of.problem.gradient && of.problem.symbol == symbol::spectral) ||
      !are_moderate_in_units(of, element))
    return false;
  bool needs = false;
  std::size_t most = 0;
  for (axis_plan const& axis : of.axes) {
    most = std::max(most, axis.points);
    if (has_unit_axis(place, axis, element)) continue;
    if (!compiled_plan_of(place, axis, element)) return false;
    needs = true;
  }
  // Blocks are counted in an int.
  return needs && of.problem.batch <= (std::size_t{1} << 29) / most;
}

/// The axes' plans are empty where kernels were built for them. Both axes are compiled at once.
template <class T>
std::unique_ptr<backend<T>> make_compiled(gpu& place, plan const& of,
                                          std::optional<mixed_plan> const& y_plan,
                                          std::optional<mixed_plan> const& x_plan) {
  axis_plan const &y = of.axes[0], &x = of.axes[1];
  double const share = unit_share(of);
  auto const make_rows = [&] {
    return x_plan ? compiled_rows<T>(place, x, *x_plan) : unit_rows_of<T>(place, x);
  };
  auto const make_columns = [&](int tile_rows) {
    return y_plan ? compiled_columns<T>(place, y, *y_plan, share, tile_rows)
                  : unit_columns_of<T>(place, y, share);
  };
  if (!x_plan || !y_plan) {
    row_launcher<T> const rows = make_rows();
    return make_units<T>(place, of, rows, make_columns(2 * rows.beside));
  }
  auto columns = std::async(std::launch::async, make_columns, 2 * compiled_beside);
  row_launcher<T> const rows = make_rows();
  return make_units<T>(place, of, rows, columns.get());
}

} // namespace
} // namespace gpu_impl

template <class T>
bool can_compile(gpu const& place, problem const& problem) {
  detail::verb const scope("poisson::can_compile");
  bool const is_single = problem.precision == precision::single;
  return gpu_impl::can_compile_plan(place, make_plan(problem, sizeof(T)),
                                    is_single ? sizeof(float) : sizeof(T));
}

template <class T>
detail::engine_maker<T, gpu> maker_of(compiled_engine, gpu&, std::type_identity<T>) noexcept {
  return [](gpu& place, plan const& of) -> engine<T> {
    if (!gpu_impl::can_compile_plan(place, of, sizeof(T)))
      detail::refuse("engine", "poisson::compiled for a problem that it does not take",
                     "problems that can_compile knows");
    auto const plan_of = [&](axis_plan const& axis) {
      return gpu_impl::has_unit_axis(place, axis, sizeof(T))
                 ? std::nullopt
                 : gpu_impl::compiled_plan_of(place, axis, sizeof(T));
    };
    return {"compiled",
            gpu_impl::make_compiled<T>(place, of, plan_of(of.axes[0]), plan_of(of.axes[1]))};
  };
}

} // namespace warpfold::inline v0::poisson

#define INSTANTIATE(T)                                                                             \
  namespace warpfold::inline v0::poisson {                                                         \
  template bool can_compile<T>(gpu const&, problem const&);                                        \
  template detail::engine_maker<T, gpu> maker_of(compiled_engine, gpu&,                            \
                                                 std::type_identity<T>) noexcept;                  \
  }
