#pragma once
// What solves on squares and oblongs.

#include "fused_squares.hpp"
#include "fused_tables.hpp"
#include "poisson/instances.hpp"

#include <warpfold/buffer.hpp>

#include <bit>
#include <cstdint>

namespace warpfold::inline v0::poisson::gpu_impl {
namespace {

/// The spectra lie in the solution, or else in the workspace.
template <class T>
class squares final : public backend<T> {
public:
  squares(gpu& place, plan const& of, row_launch<T> const& rows, column_launch<T> const& columns)
      : place_{place}, in_place_{rows.in_place}, ahead_forward_{rows.ahead_forward},
        ahead_back_{rows.ahead_back}, forward_{rows.forward}, probe_{rows.probe}, back_{rows.back},
        solve_columns_{columns.solve}, row_factors_{place,
                                                    std::span<complex<T> const>(rows.factors)},
        column_factors_{place, std::span<complex<T> const>(columns.factors)},
        roots_{place, std::span<complex<T> const>(columns.roots)},
        modes_{place, std::span<complex<T> const>(columns.modes)},
        eigenvalues_{place, std::span<T const>(columns.eigenvalues)},
        first_points_{place, of.problem.gauge == gauge::first_point ? of.problem.batch : 0},
        height_{of.axes[0].points}, batch_{of.problem.batch}, size_{of.size()},
        lambda_{of.problem.lambda} {
    double const share = .5 / static_cast<double>(size_), unit = 1 / largest_eigenvalue(of);
    shape_ = {.spectra = nullptr,
              .removed_mean = nullptr,
              .factors = column_factors_.data(),
              .roots = roots_.data(),
              .modes = modes_.data(),
              .eigenvalues = eigenvalues_.data(),
              .lambda = {},
              .lambda_unit = static_cast<T>(unit),
              .scale = static_cast<T>(share * unit),
              .mean_scale = static_cast<T>(share),
              .width = static_cast<int>(of.axes[1].points),
              .interleaved_log2 = rows.interleaved_log2,
              .ahead = columns.ahead};
  }

  std::size_t workspace_size() const override { return size_ * batch_ * sizeof(T); }

  void solve(arrays<T> const& of, std::byte* workspace) override {
    bool const is_aligned =
        reinterpret_cast<std::uintptr_t>(of.solution) % alignof(complex_pair<T>) == 0;
    void* const spectra = in_place_ && is_aligned ? static_cast<void*>(of.solution) : workspace;
    std::size_t const lines = height_ / 2 * batch_;
    row_arrays<T> const rows{of.rhs,
                             static_cast<complex_pair<T>*>(spectra),
                             of.solution,
                             row_factors_.data(),
                             first_points_.data(),
                             std::countr_zero(height_ / 2),
                             lines,
                             ahead_back_};
    column_arrays<T> columns = shape_;
    columns.spectra = rows.spectra;
    columns.removed_mean = of.removed_mean;
    columns.lambda = of.lambda_or(lambda_);
    row_arrays<T> first = rows;
    first.ahead = ahead_forward_;
    forward_(place_, first, lines);
    solve_columns_(place_, columns, batch_);
    if (rows.first_point) probe_(place_, rows, batch_);
    back_(place_, rows, lines);
  }

private:
  gpu& place_;
  bool in_place_;
  std::size_t ahead_forward_, ahead_back_;
  decltype(row_launch<T>::forward) forward_;
  decltype(row_launch<T>::probe) probe_;
  decltype(row_launch<T>::back) back_;
  decltype(column_launch<T>::solve) solve_columns_;
  device_buffer<complex<T>> row_factors_, column_factors_, roots_, modes_;
  device_buffer<T> eigenvalues_, first_points_;
  std::size_t height_, batch_, size_;
  double lambda_;          ///< as planned
  column_arrays<T> shape_; ///< of columns, but for the arrays of a solve
};

} // namespace

template <class T>
std::unique_ptr<backend<T>> make_squares(gpu& place, plan const& of) {
  if (!has_squares(place, of, sizeof(T))) return nullptr;
  return std::make_unique<squares<T>>(place, of, make_row_launch<T>(place, of),
                                      make_column_launch<T>(place, of));
}

} // namespace warpfold::inline v0::poisson::gpu_impl

#define INSTANTIATE(T)                                                                             \
  namespace warpfold::inline v0::poisson::gpu_impl {                                               \
  template std::unique_ptr<backend<T>> make_squares(gpu&, plan const&);                            \
  }
