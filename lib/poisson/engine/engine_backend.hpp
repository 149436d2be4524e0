#pragma once
// What solves problems of two axes in units.

#include "engine.hpp"
#include "poisson/instances.hpp"
#include "poisson/squares/fused_squares.hpp"

#include <warpfold/buffer.hpp>

#include <algorithm>
#include <bit>
#include <cstdint>
#include <span>
#include <type_traits>

namespace warpfold::inline v0::poisson::gpu_impl {
namespace {

/// An axis' tables in GPU memory.
template <class T>
class placed_tables {
public:
  placed_tables(gpu& place, unit_tables<T> const& of)
      : factors_{place, std::span<complex<T> const>(of.factors)},
        turns_{place, std::span<complex<T> const>(of.turns)},
        tilts_{place, std::span<complex<T> const>(of.tilts)}, axis_{of.at(factors_.data(),
                                                                          turns_.data(),
                                                                          tilts_.data())} {}
  [[nodiscard]] unit_axis<T> const& axis() const { return axis_; }

private:
  device_buffer<complex<T>> factors_, turns_, tilts_;
  unit_axis<T> axis_;
};

/// The modes lie in the solution where they fit and a block writes none that another one is still
/// to read; else in the workspace.
template <class T>
class units final : public backend<T> {
public:
  units(gpu& place, plan const& of, row_launcher<T> const& rows, column_launcher<T> const& columns,
        double share)
      : place_{place}, leave_{rows.leave}, come_back_{rows.come_back},
        launch_columns_{columns.launch}, rows_{place, rows.tables}, columns_{place, columns.tables},
        across_{place, std::span<complex<T> const>(across_of<T>(of.axes[1], share))},
        along_{place, std::span<complex<T> const>(columns.along)},
        first_points_{place, of.problem.gauge == gauge::first_point ? of.problem.batch : 0},
        batch_{of.problem.batch}, ahead_{rows.ahead}, lambda_{of.problem.lambda} {
    std::size_t const height = of.axes[0].points, width = of.axes[1].points;
    std::size_t const pairs = (height + 1) / 2, slots = (width + 1) / 2;
    auto const beside = static_cast<std::size_t>(rows.beside);
    entry_ = (pairs + beside - 1) / beside * beside * slots;
    in_place_ =
        height % 2 == 0 && width % 2 == 0 && pairs % beside == 0 && rows.units >= rows.beside;
    row_pass_.axis = rows_.axis();
    row_pass_.rows = static_cast<int>(height);
    row_pass_.width = static_cast<int>(width);
    row_pass_.slots_of_row = static_cast<int>(slots);
    row_pass_.entry = entry_;
    row_pass_.units = pairs * batch_;
    bool const takes_two = !is_first_type(of.axes[0]) && !is_third_type(of.axes[0]);
    column_pass_.axis = columns_.axis();
    column_pass_.symbol = {.across = across_.data(),
                           .along = along_.data(),
                           .lambda = {},
                           .lambda_unit = static_cast<T>(1 / share),
                           .mean_scale = static_cast<T>(of.has_constant() ? share : 0),
                           .removed_mean = nullptr};
    column_pass_.slots = static_cast<int>(slots);
    column_pass_.tile_log2 = std::countr_zero(2 * beside);
    column_pass_.beside_log2 = std::min(std::countr_zero((takes_two ? 1 : 2) * beside),
                                        std::countr_zero(static_cast<unsigned>(columns.per_line)));
    column_pass_.entry = 2 * entry_;
    column_pass_.ahead = columns.ahead;
  }

  std::size_t workspace_size() const override { return entry_ * batch_ * sizeof(complex_pair<T>); }

  void solve(arrays<T> const& of, std::byte* workspace) override {
    bool const is_aligned =
        reinterpret_cast<std::uintptr_t>(of.solution) % alignof(complex_pair<T>) == 0;
    void* const modes = in_place_ && is_aligned ? static_cast<void*>(of.solution) : workspace;
    unit_rows<T> rows = row_pass_;
    rows.in = of.rhs;
    rows.out = of.solution;
    rows.slots = static_cast<complex_pair<T>*>(modes);
    rows.ahead = ahead_;
    leave_(place_, rows);

    unit_columns<T> columns = column_pass_;
    columns.entries = static_cast<complex<T>*>(modes);
    columns.symbol.removed_mean = of.removed_mean;
    columns.symbol.lambda = of.lambda_or(lambda_);
    launch_columns_(place_, columns, batch_);

    rows.first_point = first_points_.data();
    if (rows.first_point) come_back_(place_, rows, true);
    come_back_(place_, rows, false);
  }

private:
  gpu& place_;
  decltype(row_launcher<T>::leave) leave_;
  decltype(row_launcher<T>::come_back) come_back_;
  decltype(column_launcher<T>::launch) launch_columns_;
  placed_tables<T> rows_, columns_;
  device_buffer<complex<T>> across_, along_;
  device_buffer<T> first_points_;
  std::size_t batch_, entry_, ahead_;
  double lambda_; ///< as planned
  bool in_place_;
  unit_rows<T> row_pass_{};
  unit_columns<T> column_pass_{};
};

template <class Use>
auto with_kind(axis_plan const& of, Use use) {
  using enum unit_kind;
  switch (kind_of(of)) {
  case fourier: return use(std::integral_constant<unit_kind, fourier>{});
  case second: return use(std::integral_constant<unit_kind, second>{});
  case third: return use(std::integral_constant<unit_kind, third>{});
  default: return use(std::integral_constant<unit_kind, fourth>{});
  }
}

} // namespace

template <class T>
std::unique_ptr<backend<T>> make_units(gpu& place, plan const& of) {
  if (!has_units(place, of, sizeof(T))) return nullptr;
  double const share = 1 / unit_period(of.axes[0]) / unit_period(of.axes[1]);
  axis_plan const &y = of.axes[0], &x = of.axes[1];
  auto const rows = is_first_type(x) ? make_pruned_rows<T>(place, x) : with_kind(x, [&](auto kind) {
    return make_paired_rows<T, kind>(place, x);
  });
  auto const columns =
      is_first_type(y)
          ? make_pruned_columns<T>(place, y, share)
          : with_kind(y, [&](auto kind) { return make_paired_columns<T, kind>(place, y, share); });
  return std::make_unique<units<T>>(place, of, rows, columns, share);
}

} // namespace warpfold::inline v0::poisson::gpu_impl

#define INSTANTIATE(T)                                                                             \
  namespace warpfold::inline v0::poisson::gpu_impl {                                               \
  template std::unique_ptr<backend<T>> make_units(gpu&, plan const&);                              \
  }
