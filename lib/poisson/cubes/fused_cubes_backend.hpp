#pragma once
// What solves on cubes.

#include "fused_cubes.hpp"
#include "poisson/instances.hpp"
#include "poisson/squares/fused_tables.hpp"

#include <warpfold/buffer.hpp>

#include <algorithm>
#include <bit>

namespace warpfold::inline v0::poisson::gpu_impl {
namespace {

int log2_of(std::size_t power) { return std::countr_zero(power); }

/// The spectra lie in the solution, or in the workspace if that is not aligned for them.
template <class T>
class cubes final : public backend<T> {
public:
  cubes(gpu& place, plan const& of, cube_passes<T> const& passes, std::size_t slice)
      : place_{place}, forward_{passes.rows.forward}, probe_{passes.rows.probe},
        back_{passes.rows.back}, depths_forward_{passes.depths.forward},
        depths_inverse_{passes.depths.inverse}, solve_columns_{passes.columns.solve},
        row_factors_{place, std::span<complex<T> const>(passes.rows.factors)},
        depth_factors_{place, std::span<complex<T> const>(passes.depths.factors)},
        column_factors_{place, std::span<complex<T> const>(passes.columns.factors)},
        roots_{place, std::span<complex<T> const>(passes.columns.roots)},
        modes_{place, std::span<complex<T> const>(passes.columns.modes)},
        eigenvalues_{place, std::span<T const>(row_eigenvalues_of<T>(of, largest_eigenvalue(of)))},
        depth_eigenvalues_{place,
                           std::span<T const>(depth_eigenvalues_of<T>(of, largest_eigenvalue(of)))},
        first_points_{place, of.problem.gauge == gauge::first_point ? of.problem.batch : 0},
        lines_{of.axes[0].points * of.axes[1].points / 2}, size_{of.size()},
        batch_{of.problem.batch}, lambda_{of.problem.lambda} {
    std::size_t const bytes = size_ * sizeof(T);
    auto const width = static_cast<int>(of.axes[2].points);
    at_once_ = std::clamp(slice / bytes, std::size_t{1}, batch_);
    slice_columns_ = width / 2;
    int const least = std::max(passes.depths.columns, passes.columns.columns);
    while (static_cast<std::size_t>(slice_columns_) * lines_ * sizeof(complex_pair<T>) > slice &&
           slice_columns_ > least)
      slice_columns_ /= 2;
    double const share = .5 / static_cast<double>(size_), unit = 1 / largest_eigenvalue(of);
    depths_ = {.spectra = nullptr,
               .factors = depth_factors_.data(),
               .width = width,
               .lines_log2 = log2_of(of.axes[1].points / 2),
               .range = {}};
    columns_ = {.of = {.spectra = nullptr,
                       .removed_mean = nullptr,
                       .factors = column_factors_.data(),
                       .roots = roots_.data(),
                       .modes = modes_.data(),
                       .eigenvalues = eigenvalues_.data(),
                       .lambda = {},
                       .lambda_unit = static_cast<T>(unit),
                       .scale = static_cast<T>(share * unit),
                       .mean_scale = static_cast<T>(share),
                       .width = width,
                       .interleaved_log2 = 0,
                       .ahead = 0},
                .depth_eigenvalues = depth_eigenvalues_.data(),
                .depth_log2 = log2_of(of.axes[0].points),
                .range = {},
                .blocks = 0};
  }

  std::size_t workspace_size() const override { return size_ * batch_ * sizeof(T); }

  void solve(arrays<T> const& of, std::byte* workspace) override {
    bool const is_aligned =
        reinterpret_cast<std::uintptr_t>(of.solution) % alignof(complex_pair<T>) == 0;
    T* const spectra = is_aligned ? of.solution : reinterpret_cast<T*>(workspace);
    for (std::size_t first = 0; first < batch_; first += at_once_)
      solve_some(of, spectra, first, std::min(at_once_, batch_ - first));
  }

private:
  /// Solves for right-hand sides first ... first + batch - 1.
  void solve_some(arrays<T> const& of, T* all_spectra, std::size_t first, std::size_t batch) {
    auto* const spectra = reinterpret_cast<complex_pair<T>*>(all_spectra + first * size_);
    std::size_t const lines = lines_ * batch;
    row_arrays<T> const rows{of.rhs + first * size_,
                             spectra,
                             of.solution + first * size_,
                             row_factors_.data(),
                             first_points_.data() ? first_points_.data() + first : nullptr,
                             log2_of(lines_),
                             lines,
                             0};
    depths_.spectra = columns_.of.spectra = spectra;
    columns_.of.removed_mean = of.removed_mean ? of.removed_mean + first : nullptr;
    columns_.of.lambda = of.lambda_or(lambda_).after(first);
    forward_(place_, rows, lines);
    for (int x = 0; x < depths_.width / 2; x += slice_columns_) {
      depths_.range.first = columns_.range.first = x;
      depths_forward_(place_, depths_, slice_columns_, batch);
      solve_columns_(place_, columns_, slice_columns_, batch);
      depths_inverse_(place_, depths_, slice_columns_, batch);
    }
    if (rows.first_point) probe_(place_, rows, batch);
    back_(place_, rows, lines);
  }

  gpu& place_;
  decltype(row_launch<T>::forward) forward_;
  decltype(row_launch<T>::probe) probe_;
  decltype(row_launch<T>::back) back_;
  typename depth_launch<T>::pass depths_forward_, depths_inverse_;
  decltype(cube_column_launch<T>::solve) solve_columns_;
  device_buffer<complex<T>> row_factors_, depth_factors_, column_factors_, roots_, modes_;
  device_buffer<T> eigenvalues_, depth_eigenvalues_, first_points_;
  std::size_t lines_, size_, batch_;
  double lambda_;       ///< as planned
  std::size_t at_once_; ///< problems
  int slice_columns_;   ///< pairs of them
  depth_arrays<T> depths_;
  cube_column_arrays<T> columns_;
};

} // namespace

template <class T>
std::unique_ptr<backend<T>> make_cubes_of(gpu& place, plan const& of, cube_passes<T> const& passes,
                                          std::size_t slice) {
  return std::make_unique<cubes<T>>(place, of, passes, slice);
}

template <class T>
std::unique_ptr<backend<T>> make_cubes(gpu& place, plan const& of) {
  if (!has_cubes(place, of, sizeof(T))) return nullptr;
  return make_cubes_of<T>(place, of,
                          {make_cube_row_launch<T>(place, of), make_depth_launch<T>(place, of),
                           make_cube_column_launch<T>(place, of)},
                          box_slice);
}

} // namespace warpfold::inline v0::poisson::gpu_impl

#define INSTANTIATE(T)                                                                             \
  namespace warpfold::inline v0::poisson::gpu_impl {                                               \
  template std::unique_ptr<backend<T>> make_cubes(gpu&, plan const&);                              \
  template std::unique_ptr<backend<T>> make_cubes_of(gpu&, plan const&, cube_passes<T> const&,     \
                                                     std::size_t);                                 \
  }
