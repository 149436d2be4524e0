#pragma once
// The hand-written solver that takes a problem, and what solves on squares and cubes.

#include "fused_squares.hpp"
#include "poisson/cubes/fused_cubes.hpp"
#include "poisson/engine/engine.hpp"
#include "poisson/instances.hpp"

#include <algorithm>
#include <bit>
#include <cstdint>
#include <type_traits>
#include <utility>

namespace warpfold::inline v0::poisson::gpu_impl {
namespace {

/// How the passes between the rows of a cube are launched.
template <class T>
struct cube_launch {
  depth_launch<T> depths;
  cube_column_launch<T> columns;
};

/// Periodic axes. The spectra lie in the solution, or else in the workspace.
template <class T>
class periodic final : public backend<T> {
public:
  /// Squares and oblongs, all right-hand sides at once.
  periodic(gpu& place, plan const& of, row_launch<T> rows, column_launch<T> columns)
      : periodic(place, of, std::move(rows), std::move(columns.columns)) {
    solve_columns_ = columns.solve;
    at_once_ = batch_;
  }
  /// Cubes, in slices of box_slice bytes.
  periodic(gpu& place, plan const& of, row_launch<T> rows, cube_launch<T> launch)
      : periodic(place, of, std::move(rows), std::move(launch.columns.tables)) {
    double const largest = largest_eigenvalue(of);
    depth_eigenvalues_ = {place, depth_eigenvalues_of<T>(of, largest)};
    depth_launch_ = std::move(launch.depths);
    solve_cube_columns_ = launch.columns.solve;
    at_once_ = std::clamp(box_slice / (size_ * sizeof(T)), std::size_t{1}, batch_);
    int const width = columns_.pass.width,
              least = std::max(depth_launch_.columns, launch.columns.columns);
    slice_columns_ = width / 2;
    while (static_cast<std::size_t>(slice_columns_) * lines_ * sizeof(complex_pair<T>) >
               box_slice &&
           slice_columns_ > least)
      slice_columns_ /= 2;
    depths_ = {.spectra = nullptr,
               .factors = depth_launch_.factors.data(),
               .width = width,
               .lines_log2 = std::countr_zero(of.axes[1].points / 2),
               .range = {}};
    cube_columns_ = {.of = columns_.pass,
                     .depth_eigenvalues = depth_eigenvalues_.data(),
                     .depth_log2 = std::countr_zero(of.axes[0].points),
                     .range = {},
                     .blocks = 0};
  }

  std::size_t workspace_size() const override { return size_ * batch_ * sizeof(T); }

  void solve(arrays<T> const& of, std::byte* workspace) override {
    bool const in_solution =
        reinterpret_cast<std::uintptr_t>(of.solution) % alignof(complex_pair<T>) == 0;
    T* const spectra = in_solution ? of.solution : reinterpret_cast<T*>(workspace);
    for (std::size_t first = 0; first < batch_; first += at_once_)
      solve_some(of, spectra, first, std::min(at_once_, batch_ - first));
  }

private:
  periodic(gpu& place, plan const& of, row_launch<T> rows, placed_columns<T> columns)
      : place_{place}, rows_{std::move(rows)}, columns_{std::move(columns)},
        first_points_{place, of.problem.gauge == gauge::first_point ? of.problem.batch : 0},
        size_{of.size()}, lines_{size_ / of.axes.back().points / 2}, batch_{of.problem.batch},
        lambda_{of.problem.lambda} {
    columns_.pass.interleaved_log2 = rows_.interleaved_log2;
  }

  /// Solves for right-hand sides first ... first + batch - 1.
  void solve_some(arrays<T> const& of, T* all_spectra, std::size_t first, std::size_t batch) {
    std::size_t const lines = lines_ * batch;
    row_arrays<T> rows{of.rhs + first * size_,
                       reinterpret_cast<complex_pair<T>*>(all_spectra + first * size_),
                       of.solution + first * size_,
                       rows_.factors.data(),
                       first_points_.data() ? first_points_.data() + first : nullptr,
                       std::countr_zero(lines_)};
    rows_.forward(place_, rows, lines);
    column_arrays<T> columns = columns_.pass;
    columns.spectra = rows.spectra;
    columns.removed_mean = of.removed_mean ? of.removed_mean + first : nullptr;
    columns.lambda = of.lambda_or(lambda_).after(first);
    if (solve_columns_) solve_columns_(place_, columns, batch);
    else solve_slices(columns, batch);
    if (rows.first_point) rows_.probe(place_, rows, batch);
    rows_.back(place_, rows, lines);
  }
  void solve_slices(column_arrays<T> const& columns, std::size_t batch) {
    depths_.spectra = columns.spectra;
    cube_columns_.of = columns;
    for (int x = 0; x < columns.width / 2; x += slice_columns_) {
      depths_.range.first = cube_columns_.range.first = x;
      depth_launch_.forward(place_, depths_, slice_columns_, batch);
      solve_cube_columns_(place_, cube_columns_, slice_columns_, batch);
      depth_launch_.inverse(place_, depths_, slice_columns_, batch);
    }
  }

  gpu& place_;
  row_launch<T> rows_;
  placed_columns<T> columns_;
  device_buffer<T> first_points_;
  std::size_t size_, lines_; ///< of a right-hand side
  std::size_t batch_, at_once_ = 0;
  double lambda_;                                             ///< as planned
  decltype(column_launch<T>::solve) solve_columns_ = nullptr; ///< of squares
  // Of cubes.
  depth_launch<T> depth_launch_{};
  decltype(cube_column_launch<T>::solve) solve_cube_columns_ = nullptr;
  device_buffer<T> depth_eigenvalues_;
  int slice_columns_ = 0; ///< pairs of them
  depth_arrays<T> depths_{};
  cube_column_arrays<T> cube_columns_{};
};

} // namespace

template <class T>
std::unique_ptr<backend<T>> make_fused(gpu& place, plan const& of) {
  switch (form_of(place, of, sizeof(T))) {
  case fused_form::squares:
    return std::make_unique<periodic<T>>(place, of, make_row_launch<T>(place, of),
                                         make_column_launch<T>(place, of));
  case fused_form::cubes:
    if constexpr (std::is_same_v<T, float>)
      return std::make_unique<periodic<T>>(
          place, of, make_cube_row_launch<T>(place, of),
          cube_launch<T>{make_depth_launch<T>(place, of), make_cube_column_launch<T>(place, of)});
    return nullptr;
  case fused_form::units: return make_units<T>(place, of);
  case fused_form::lines: return make_lines<T>(place, of);
  default: return nullptr;
  }
}

} // namespace warpfold::inline v0::poisson::gpu_impl

#define INSTANTIATE(T)                                                                             \
  namespace warpfold::inline v0::poisson::gpu_impl {                                               \
  template std::unique_ptr<backend<T>> make_fused(gpu&, plan const&);                              \
  }
