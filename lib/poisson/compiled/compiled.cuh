#pragma once
// The engine of kernels that are compiled when a solver is made.

#include "code.hpp"
#include "poisson/backend.hpp"
#include "poisson/engine/engine.hpp"
#include "poisson/engine/launch.cuh"
#include "poisson/engine/mixed/mixed_plan.hpp"
#include "poisson/instances.hpp"

#include <warpfold/compiled.hpp>
#include <warpfold/detail/core/verb.hpp>

#include <algorithm>
#include <cstddef>
#include <memory>
#include <optional>
#include <type_traits>

namespace warpfold::inline v0::poisson {
namespace gpu_impl {
namespace {

/// Units of a tile.
constexpr int compiled_beside = 2;
/// True if half of the units at work are fetched ahead. NVIDIA H200, 2026-11-28, us of periodic
/// squares: rows, N = 3000 97.9 with and 97.2 without, N = 9000 927 and 935; columns of doubles, N
/// = 3000 187 and 194, N = 4096 287 and 295; of floats, N = 4096 150 and 141.
constexpr bool fetches_rows(std::size_t length) { return length >= 4096; }
constexpr bool fetches_columns(std::size_t length, std::size_t element) {
  return length * element >= 24000;
}

/// Compiles or finds a kernel, and loads it.
template <class... Params>
unit_kernel<Params...> load_kernel(gpu const& place, kernel_parameters const& of,
                                   char const* name) {
  auto* const library = compiled_kernels(of, place.compute_capability());
  return {place, kernel_of<Params...>(library, name), of.plan.threads(), of.shared()};
}

template <class T>
kernel_parameters rows_of(axis_plan const& of, mixed_plan const& plan) {
  return {.is_float = sizeof(T) == sizeof(float),
          .kind = kind_of(of),
          .plan = plan,
          .beside = std::min(compiled_beside, plan.units),
          .tile_rows = 2 * compiled_beside,
          .streams = of.points * of.points * sizeof(T) >= std::size_t{2} << 20};
}
template <class T>
kernel_parameters columns_of(axis_plan const& of, mixed_plan const& plan, int tile_rows) {
  return {.is_float = sizeof(T) == sizeof(float),
          .kind = kind_of(of),
          .plan = plan,
          .beside = plan.units,
          .tile_rows = tile_rows};
}

template <class T>
row_launcher<T> compiled_rows(gpu& place, axis_plan const& of, kernel_parameters const& wanted) {
  auto const load = [&](char const* name) {
    return load_kernel<unit_rows<T>, unsigned, bool>(place, wanted, name);
  };
  return row_launcher_of<T>({{load("leave_rows"), load("come_back_to_rows")},
                             {},
                             static_cast<unsigned>(wanted.plan.units),
                             1},
                            mixed_tables_of<T>(of, wanted.plan), compiled_beside,
                            fetches_rows(of.points));
}

template <class T>
column_launcher<T> compiled_columns(gpu& place, axis_plan const& of,
                                    kernel_parameters const& wanted, double share) {
  mixed_plan const& plan = wanted.plan;
  bool const takes_single_rows = of.forward == transform::fourier;
  return column_launcher_of<T>(
      {load_kernel<unit_columns<T>, unsigned>(place, wanted, "solve_columns"),
       {},
       plan.units,
       takes_single_rows ? plan.per_line() : 0},
      {mixed_tables_of<T>(of, plan), mixed_along_of<T>(of, plan, share), plan.per_line()},
      fetches_columns(of.points, sizeof(T)));
}

/// How two axes are divided for kernels to be compiled; an empty one has kernels that were built.
struct compiled_plans {
  std::optional<mixed_plan> y, x;
};
/// Nothing if kernels cannot be compiled for the problem, or were built for both axes.
inline std::optional<compiled_plans> compiled_plans_of(gpu const& place, plan const& of,
                                                       std::size_t element) {
  if (of.axes.size() != 2 || (of.problem.gradient && of.problem.symbol == symbol::spectral) ||
      !are_moderate_in_units(of, element))
    return std::nullopt;
  // Blocks are counted in an int.
  axis_plan const &y = of.axes[0], &x = of.axes[1];
  if (of.problem.batch > (std::size_t{1} << 29) / std::max(y.points, x.points)) return std::nullopt;

  compiled_plans made;
  auto const divide = [&](axis_plan const& axis, bool of_rows, std::optional<mixed_plan>& plan) {
    if (has_unit_axis(place, axis, element)) return true;
    bool const is_kind = axis.forward == transform::fourier || kind_of(axis) == unit_kind::second ||
                         is_fourth_type(axis);
    if (is_kind) plan = mixed_plan_of(axis.points, element, of_rows, most_shared(place));
    return plan.has_value();
  };
  if (!divide(y, false, made.y) || !divide(x, true, made.x) || !(made.y || made.x))
    return std::nullopt;
  return made;
}

template <class T>
std::unique_ptr<backend<T>> make_compiled(gpu& place, plan const& of, compiled_plans const& plans) {
  axis_plan const &y = of.axes[0], &x = of.axes[1];
  double const share = unit_share(of);
  if (plans.x && plans.y)
    prepare_kernels(rows_of<T>(x, *plans.x), columns_of<T>(y, *plans.y, 2 * compiled_beside),
                    place.compute_capability());
  row_launcher<T> const rows =
      plans.x ? compiled_rows<T>(place, x, rows_of<T>(x, *plans.x)) : unit_rows_of<T>(place, x);
  column_launcher<T> const columns =
      plans.y ? compiled_columns<T>(place, y, columns_of<T>(y, *plans.y, 2 * rows.beside), share)
              : unit_columns_of<T>(place, y, share);
  return make_units<T>(place, of, rows, columns);
}

} // namespace
} // namespace gpu_impl

template <class T>
bool can_compile(gpu const& place, problem const& problem) {
  detail::verb const scope("poisson::can_compile");
  bool const is_single = problem.precision == precision::single;
  return gpu_impl::compiled_plans_of(place, make_plan(problem, sizeof(T)),
                                     is_single ? sizeof(float) : sizeof(T))
      .has_value();
}

template <class T>
engine<T> make_or_choose(gpu& place, plan const& of) {
  auto const plans = gpu_impl::compiled_plans_of(place, of, sizeof(T));
  if (!plans) return choose<T>(place, of);
  return {"compiled", gpu_impl::make_compiled<T>(place, of, *plans)};
}

template <class T, class Place>
detail::engine_maker<T, Place> maker_of(compiled_engine, Place&, std::type_identity<T>) noexcept {
  if constexpr (on_gpu<Place>) return make_or_choose<T>;
  else return choose<T>;
}

} // namespace warpfold::inline v0::poisson

#define INSTANTIATE(T)                                                                             \
  namespace warpfold::inline v0::poisson {                                                         \
  template bool can_compile<T>(gpu const&, problem const&);                                        \
  template detail::engine_maker<T, gpu> maker_of(compiled_engine, gpu&,                            \
                                                 std::type_identity<T>) noexcept;                  \
  template detail::engine_maker<T, host> maker_of(compiled_engine, host&,                          \
                                                  std::type_identity<T>) noexcept;                 \
  }
