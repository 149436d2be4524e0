#pragma once
// The backends that solve problems of one to three axes in units, and the choice between them and
// lines.

#include "engine.hpp"
#include "lengths.hpp"
#include "placed_tables.hpp"
#include "poisson/engine/long/long_backend.hpp"
#include "poisson/instances.hpp"
#include "poisson/layout.hpp"

#include <warpfold/buffer.hpp>

#include <algorithm>
#include <bit>
#include <cstdint>
#include <span>
#include <type_traits>

namespace warpfold::inline v0::poisson::gpu_impl {
namespace {

/// Launchers of the two axes that a box has besides its rows.
template <class T>
struct box_axes {
  box_launcher<T> columns, planes;
};

/// The modes lie in the solution where they fit and a block writes none that another one is still
/// to read; else in the workspace.
template <class T>
class units final : public backend<T> {
public:
  units(gpu& place, plan const& of, row_launcher<T> const& rows, column_launcher<T> const& columns)
      : units(place, of, rows, columns.axis) {
    launch_columns_ = columns.launch;
    box_.ahead = columns.ahead;
  }
  units(gpu& place, plan const& of, row_launcher<T> const& rows, box_axes<T> const& box)
      : units(place, of, rows, box.columns.axis) {
    planes_ = placed_tables<T>(place, box.planes.axis.tables);
    auto const& axis = of.axes[0];
    plane_eigenvalues_ = {place, std::span<T const>(plane_eigenvalues_of<T>(axis, unit_share(of)))};
    box_.plane_eigenvalues = plane_eigenvalues_.data();
    box_.planes = row_pass_.planes = divider(static_cast<unsigned>(axis.points));
    box_.rows = row_pass_.rows + row_pass_.rows % 2;
    box_.tiles = divider(static_cast<unsigned>(((box_.rows - 1) >> box_.tile_log2) + 1));
    launch_box_ = box.columns.launch;
    launch_planes_ = box.planes.launch;
    column_units_ = box.columns.units;
    plane_units_ = box.planes.units;
    planes_beside_log2_ = std::min(
        box_.beside_log2, std::countr_zero(static_cast<unsigned>(box.planes.axis.per_line)));
    std::size_t const bytes = 2 * entry_ * axis.points * sizeof(complex<T>);
    at_once_ = std::clamp(box_slice / bytes, std::size_t{1}, batch_);
    int const least = std::max(column_units_, plane_units_);
    auto const slices = static_cast<int>((bytes + box_slice - 1) / box_slice);
    slice_ = std::max(least, (box_.slots / slices + least - 1) / least * least);
  }

  std::size_t workspace_size() const override {
    return entry_ * row_pass_.planes.by * batch_ * sizeof(complex_pair<T>);
  }

  bool takes_strides() const override { return true; }

  void solve(arrays<T> const& of, std::byte* workspace) override {
    bool const is_aligned =
        reinterpret_cast<std::uintptr_t>(of.solution) % alignof(complex_pair<T>) == 0;
    bool const holds_modes = in_place_ && is_aligned && is_dense(problem_, of.solution_layout);
    void* const modes = holds_modes ? static_cast<void*>(of.solution) : workspace;
    for (std::size_t first = 0; first < batch_; first += at_once_)
      solve_some(of, static_cast<complex_pair<T>*>(modes), first,
                 std::min(at_once_, batch_ - first));
  }

private:
  units(gpu& place, plan const& of, row_launcher<T> const& rows, divided_axis<T> const& columns)
      : place_{place}, leave_{rows.leave}, come_back_{rows.come_back}, rows_{place, rows.tables},
        columns_{place, columns.tables}, across_{place, std::span<complex<T> const>(across_of<T>(
                                                            of.axes.back(), unit_share(of)))},
        along_{place, std::span<complex<T> const>(columns.along)},
        first_points_{place, of.problem.gauge == gauge::first_point ? of.problem.batch : 0},
        problem_{of.problem}, batch_{of.problem.batch}, at_once_{batch_}, ahead_{rows.ahead},
        lambda_{of.problem.lambda} {
    auto const& y = of.axes[of.axes.size() - 2];
    std::size_t const height = y.points, width = of.axes.back().points;
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
    row_pass_.pairs = divider(static_cast<unsigned>(pairs));
    double const share = unit_share(of);
    box_.axis = columns_.axis();
    box_.symbol = {.across = across_.data(),
                   .along = along_.data(),
                   .lambda = {},
                   .lambda_unit = static_cast<T>(1 / share),
                   .mean_scale = static_cast<T>(of.has_constant() ? share : 0),
                   .removed_mean = nullptr};
    box_.slots = static_cast<int>(slots);
    box_.tile_log2 = std::countr_zero(2 * beside);
    box_.beside_log2 = std::min(std::countr_zero(beside),
                                std::countr_zero(static_cast<unsigned>(columns.per_line)));
    box_.entry = 2 * entry_;
    box_.rows_are_periodic = of.axes.back().forward == transform::fourier;
  }

  /// Solves for right-hand sides first ... first + batch - 1.
  void solve_some(arrays<T> const& of, complex_pair<T>* modes, std::size_t first,
                  std::size_t batch) {
    std::size_t const planes = row_pass_.planes.by, pairs = row_pass_.pairs.by;
    unit_rows<T> rows = row_pass_;
    rows.in = of.rhs + first * of.rhs_layout.batch;
    rows.out = of.solution + first * of.solution_layout.batch;
    rows.slots = modes + first * planes * entry_;
    rows.units = static_cast<unsigned>(pairs * planes * batch);
    rows.strides = strides_of(of.rhs_layout);
    rows.ahead = is_dense(problem_, of.rhs_layout) ? ahead_ : 0;
    rows.fetchable =
        static_cast<unsigned>(static_cast<std::size_t>(row_pass_.rows) * planes * batch / 2);
    leave_(place_, rows);

    unit_boxes<T> box = box_;
    box.entries = reinterpret_cast<complex<T>*>(rows.slots);
    box.symbol.removed_mean = of.removed_mean ? of.removed_mean + first : nullptr;
    box.symbol.lambda = of.lambda_or(lambda_).after(first);
    if (launch_columns_) launch_columns_(place_, box, batch);
    else
      for (box.first = 0; box.first < box.slots; box.first += slice_) {
        box.last = std::min(box.slots, box.first + slice_);
        solve_slice(box, batch);
      }

    rows.strides = strides_of(of.solution_layout);
    rows.ahead = ahead_;
    rows.fetchable = rows.units;
    rows.first_point = first_points_.data() ? first_points_.data() + first : nullptr;
    if (rows.first_point) come_back_(place_, rows, true);
    come_back_(place_, rows, false);
  }
  row_strides strides_of(field_layout const& layout) const {
    std::size_t const y = problem_.axes.size() - 2, row = layout.strides[y],
                      plane = y == 0 ? 0 : layout.strides[0];
    return {row, plane, layout.batch, (row | plane | layout.batch) % 2 == 0};
  }
  void solve_slice(unit_boxes<T> box, std::size_t batch) {
    int const slots = box.last - box.first;
    auto const blocks_of = [](int count, int of_block) {
      return divider(static_cast<unsigned>((count + of_block - 1) / of_block));
    };
    unit_boxes<T> planes = box;
    planes.axis = planes_.axis();
    planes.beside_log2 = planes_beside_log2_;
    planes.blocks = blocks_of(slots << box.tile_log2, plane_units_);
    planes.role = box_role::leave;
    launch_planes_(place_, planes, batch * box.tiles.by * planes.blocks.by);
    box.role = box_role::solve;
    box.blocks = blocks_of(slots, column_units_);
    launch_box_(place_, box, batch * box.planes.by * box.blocks.by);
    planes.role = box_role::come_back;
    launch_planes_(place_, planes, batch * box.tiles.by * planes.blocks.by);
  }

  gpu& place_;
  decltype(row_launcher<T>::leave) leave_;
  decltype(row_launcher<T>::come_back) come_back_;
  decltype(column_launcher<T>::launch) launch_columns_; ///< of two axes
  decltype(box_launcher<T>::launch) launch_box_, launch_planes_;
  placed_tables<T> rows_, columns_, planes_;
  device_buffer<complex<T>> across_, along_;
  device_buffer<T> first_points_, plane_eigenvalues_;
  problem problem_;
  std::size_t batch_, at_once_, entry_;
  unsigned ahead_;
  double lambda_; ///< as planned
  bool in_place_;
  int column_units_ = 0, plane_units_ = 0, planes_beside_log2_ = 0, slice_ = 0;
  unit_rows<T> row_pass_{};
  unit_boxes<T> box_{};
};

/// One axis, all right-hand sides in one pass.
template <class T>
class packed final : public backend<T> {
public:
  packed(gpu& place, plan const& of, packed_launcher<T> const& lines)
      : place_{place}, launch_{lines.launch}, tables_{place, lines.tables},
        along_{place, std::span<complex<T> const>(lines.along)}, points_{of.size()},
        lambda_{of.problem.lambda} {
    double const share = unit_share(of);
    pass_.axis = tables_.axis();
    pass_.symbol.along = along_.data();
    pass_.symbol.lambda_unit = static_cast<T>(1 / share);
    pass_.symbol.mean_scale = static_cast<T>(of.has_constant() ? share : 0);
    pass_.lines = static_cast<unsigned>(of.problem.batch);
    pass_.ahead = lines.ahead;
    pass_.fixes_first_point = of.problem.gauge == gauge::first_point;
  }

  std::size_t workspace_size() const override { return 0; }
  bool takes_strides() const override { return true; }

  void solve(arrays<T> const& of, std::byte*) override {
    packed_pass<T> pass = pass_;
    pass.in = of.rhs;
    pass.out = of.solution;
    pass.from = of.rhs_layout.batch;
    pass.to = of.solution_layout.batch;
    if (pass.from != points_) pass.ahead = 0;
    pass.symbol.removed_mean = of.removed_mean;
    pass.symbol.lambda = of.lambda_or(lambda_);
    launch_(place_, pass);
  }

private:
  gpu& place_;
  decltype(packed_launcher<T>::launch) launch_;
  placed_tables<T> tables_;
  device_buffer<complex<T>> along_;
  std::size_t points_;
  double lambda_; ///< as planned
  packed_pass<T> pass_{};
};

template <class Use>
auto with_kind(axis_plan const& of, Use use) {
  using enum unit_kind;
  if constexpr (has_all_units) {
    switch (kind_of(of)) {
    case first: return use(std::integral_constant<unit_kind, first>{});
    case second: return use(std::integral_constant<unit_kind, second>{});
    case third: return use(std::integral_constant<unit_kind, third>{});
    case fourth: return use(std::integral_constant<unit_kind, fourth>{});
    default: break;
    }
  }
  return use(std::integral_constant<unit_kind, fourier>{});
}

} // namespace

template <class T>
row_launcher<T> unit_rows_of(gpu& place, axis_plan const& of) {
  return with_kind(of, [&](auto kind) { return make_unit_rows<T, kind>(place, of, false); });
}
template <class T>
column_launcher<T> unit_columns_of(gpu& place, axis_plan const& of, double share) {
  return with_kind(of, [&](auto kind) { return make_unit_columns<T, kind>(place, of, share); });
}
template <class T>
std::unique_ptr<backend<T>> make_units(gpu& place, plan const& of, row_launcher<T> const& rows,
                                       column_launcher<T> const& columns) {
  return std::make_unique<units<T>>(place, of, rows, columns);
}

template <class T>
std::unique_ptr<backend<T>> make_units(gpu& place, plan const& of) {
  if (!has_units(place, of, sizeof(T))) return nullptr;
  double const share = unit_share(of);
  if constexpr (has_all_units)
    if (of.axes.size() == 1)
      return std::make_unique<packed<T>>(place, of, with_kind(of.axes[0], [&](auto kind) {
                                           return make_packed<T, kind>(place, of.axes[0], share);
                                         }));
  axis_plan const &x = of.axes.back(), &y = of.axes[of.axes.size() - 2];
  bool const many = of.axes.size() == 3;
  if (!many)
    return make_units<T>(place, of, unit_rows_of<T>(place, x), unit_columns_of<T>(place, y, share));
  if constexpr (has_all_units) {
    auto const rows =
        with_kind(x, [&](auto kind) { return make_unit_rows<T, kind>(place, x, many); });
    auto const along = [&](axis_plan const& axis, bool across_planes) {
      return with_kind(axis, [&](auto kind) {
        return make_unit_boxes<T, kind>(place, axis, share, across_planes);
      });
    };
    return std::make_unique<units<T>>(place, of, rows,
                                      box_axes<T>{along(y, false), along(of.axes[0], true)});
  }
  return nullptr;
}

template <class T>
std::unique_ptr<backend<T>> make_long_units(gpu& place, plan const& of) {
  if constexpr (has_all_units)
    if (has_long_units(place, of, sizeof(T)))
      return std::make_unique<long_units<T>>(
          place, of, make_long_rows<T>(place, of.axes[1]),
          make_long_columns<T>(place, of.axes[0], long_share(of)));
  return nullptr;
}

template <class T>
std::unique_ptr<backend<T>> make_fused(gpu& place, plan const& of) {
  switch (form_of(place, of, sizeof(T))) {
  case fused_form::units: return make_units<T>(place, of);
  case fused_form::long_units: return make_long_units<T>(place, of);
  case fused_form::lines: return make_lines<T>(place, of);
  default: return nullptr;
  }
}

} // namespace warpfold::inline v0::poisson::gpu_impl

#define INSTANTIATE(T)                                                                             \
  namespace warpfold::inline v0::poisson::gpu_impl {                                               \
  template std::unique_ptr<backend<T>> make_fused(gpu&, plan const&);                              \
  template row_launcher<T> unit_rows_of(gpu&, axis_plan const&);                                   \
  template column_launcher<T> unit_columns_of(gpu&, axis_plan const&, double);                     \
  template std::unique_ptr<backend<T>> make_units(gpu&, plan const&, row_launcher<T> const&,       \
                                                  column_launcher<T> const&);                      \
  }
