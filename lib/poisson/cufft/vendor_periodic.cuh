#pragma once
// Periodic problems by cuFFT's real transforms of one to three dimensions and one kernel between
// them.

#include "core/rows.hpp"
#include "vendor.hpp"

#include <warpfold/detail/core/launch.cuh>

#include <algorithm>
#include <cstdint>

namespace warpfold::inline v0::poisson::gpu_impl {
namespace {

/// The modes' derivatives along an axis: `inner` modes in memory share one of its `points`
/// wavenumbers.
template <class T>
__global__ void differentiate_kernel(complex<T> const* modes, complex<T>* derivatives,
                                     T const* wavenumbers, std::int64_t points, std::int64_t inner,
                                     std::int64_t count) {
  std::int64_t const all = std::int64_t{gridDim.x} * blockDim.x;
  for (std::int64_t i = std::int64_t{blockIdx.x} * blockDim.x + threadIdx.x; i < count; i += all) {
    complex<T> const mode = modes[i];
    T const k = wavenumbers[i / inner % points];
    derivatives[i] = {-k * mode.im, k * mode.re};
  }
}

/// The plan without axes of one point, along which nothing changes, and which of its axes are left.
struct reduced {
  explicit reduced(plan const& whole) : of{whole} {
    of.axes.clear();
    for (std::size_t d = 0; d < whole.axes.size(); ++d)
      if (whole.axes[d].points > 1) {
        of.axes.push_back(whole.axes[d]);
        left.push_back(d);
      }
  }
  std::vector<long long> extents() const {
    std::vector<long long> points;
    for (auto const& along : of.axes) points.push_back(static_cast<long long>(along.points));
    return points;
  }
  plan of;
  std::vector<std::size_t> left;
};

template <class T>
class vendor_periodic final : public backend<T> {
public:
  vendor_periodic(gpu& place, reduced const& problem)
      : place_{place}, points_{static_cast<std::int64_t>(problem.of.size())},
        batch_{static_cast<std::int64_t>(problem.of.problem.batch)}, left_{problem.left},
        from_first_{problem.of.problem.gauge == gauge::first_point}, tables_{place, problem.of},
        by_{tables_.get()}, forward_{place, fourier::from_real, problem.extents(), batch_},
        inverse_{place, fourier::to_real, problem.extents(), batch_} {
    width_ = by_.extents[2];
    by_.extents[2] = width_ / 2 + 1;
    modes_ = points_ / width_ * by_.extents[2] * batch_;
    auto const bytes = static_cast<std::size_t>(modes_) * sizeof(complex<T>);
    shape_.add(bytes);
    if (makes_derivatives(problem.of)) {
      derivatives_at_ = shape_.add(bytes);
      for (auto const& along : problem.of.axes)
        wavenumbers_.push_back(upload<T>(place, along.wavenumbers));
    }
    firsts_at_ = shape_.add(static_cast<std::size_t>(from_first_ ? batch_ : 0) * sizeof(T));
    work_at_ = shape_.add(std::max(forward_.work_size(), inverse_.work_size()));
  }

  std::size_t workspace_size() const override { return shape_.size(); }

  void solve(arrays<T> const& of, std::byte* workspace) override {
    auto* const modes = reinterpret_cast<complex<T>*>(workspace);
    forward_.use(workspace + work_at_, place_.stream());
    inverse_.use(workspace + work_at_, place_.stream());
    if (is_aligned(of.rhs)) forward_.forward(of.rhs, modes);
    else {
      auto* const padded = reinterpret_cast<T*>(modes);
      copy_rows(of.rhs, width_, padded, 2 * by_.extents[2]);
      clear_ends(padded, 2 * by_.extents[2]);
      forward_.forward(padded, modes);
    }
    divisors<T> by = tables_.of(of);
    by.extents[2] = by_.extents[2];
    divide(place_, by, modes, of.removed_mean);
    for (std::size_t d = 0; d < 3; ++d)
      if (of.gradient[d]) gradient(d, modes, of.gradient[d], workspace);
    invert(modes, of.solution);
    if (from_first_)
      fix_first_points(place_, of.solution, points_, batch_,
                       reinterpret_cast<T*>(workspace + firsts_at_));
  }

private:
  void gradient(std::size_t axis, complex<T> const* modes, T* derivative, std::byte* workspace) {
    auto const found = std::find(left_.begin(), left_.end(), axis);
    if (found == left_.end()) {
      check(cudaMemsetAsync(derivative, 0, static_cast<std::size_t>(points_ * batch_) * sizeof(T),
                            place_.stream()));
      return;
    }
    auto const number = static_cast<std::size_t>(found - left_.begin());
    std::int64_t inner = 1;
    for (std::size_t d = number + 4 - left_.size(); d < 3; ++d) inner *= by_.extents[d];
    auto* const derivatives = reinterpret_cast<complex<T>*>(workspace + derivatives_at_);
    detail::launch(place_.stream(), {blocks_for(modes_, 256), 256}, differentiate_kernel<T>, modes,
                   derivatives, wavenumbers_[number].data(), by_.extents[number + 3 - left_.size()],
                   inner, modes_);
    invert(derivatives, derivative);
  }

  void invert(complex<T>* modes, T* real) {
    if (is_aligned(real)) inverse_.inverse(modes, real);
    else {
      auto* const padded = reinterpret_cast<T*>(modes);
      inverse_.inverse(modes, padded);
      copy_rows(padded, 2 * by_.extents[2], real, width_);
    }
  }

  /// As cuFFT wants real arrays to be.
  static bool is_aligned(T const* real) {
    return reinterpret_cast<std::uintptr_t>(real) % alignof(complex<T>) == 0;
  }

  /// Between the caller's rows and padded ones.
  void copy_rows(T const* from, std::int64_t from_width, T* to, std::int64_t to_width) {
    detail::copy_rows(to, static_cast<std::size_t>(to_width), from,
                      static_cast<std::size_t>(from_width), static_cast<std::size_t>(width_),
                      rows(), place_.stream());
  }

  /// What is behind the points of rows: cuFFT reads it, too.
  void clear_ends(T* padded, std::int64_t width) {
    detail::clear_rows(padded + width_, static_cast<std::size_t>(width),
                       static_cast<std::size_t>(width - width_), rows(), place_.stream());
  }

  [[nodiscard]] std::size_t rows() const {
    return static_cast<std::size_t>(points_ / width_ * batch_);
  }

  gpu& place_;
  std::int64_t points_, batch_;
  std::vector<std::size_t> left_;
  bool from_first_;
  divisor_tables<T> tables_;
  divisors<T> by_;
  fourier_plan<T> forward_, inverse_;
  std::int64_t width_ = 0; ///< of a row of points
  std::int64_t modes_ = 0; ///< of all right-hand sides
  std::vector<device_buffer<T>> wavenumbers_;
  workspace_shape shape_; ///< begins with the modes
  std::size_t derivatives_at_ = 0, firsts_at_ = 0, work_at_ = 0;
};

} // namespace

template <class T>
std::unique_ptr<backend<T>> make_vendor_periodic(gpu& place, plan const& of) {
  return std::make_unique<vendor_periodic<T>>(place, reduced(of));
}

} // namespace warpfold::inline v0::poisson::gpu_impl
