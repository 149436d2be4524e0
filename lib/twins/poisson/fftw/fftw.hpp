#pragma once
// FFTW, for hosts.

#include "fftw_backend.hpp"
#include "fftw_lines.hpp"
#include "poisson/instances.hpp"
#include "poisson/real_lines.hpp"

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

namespace warpfold::inline v0::poisson {
namespace {

template <class T>
class axis_derivative {
public:
  axis_derivative(plan const& of, std::size_t number)
      : shape_{shape_of(of, number)}, all_{of.size()},
        rule_{derivative_of(of.axes[number].forward,
                            static_cast<std::int64_t>(of.axes[number].points))},
        is_fourier_{rule_.kind == transform::fourier} {
    // For fourier, a mode's opposite is its other part.
    int const sign = is_fourier_ ? -1 : rule_.sign;
    for (double const k : of.axes[number].wavenumbers) factors_.push_back(static_cast<T>(sign * k));
    if (rule_.size > 0)
      line_ = lines_transform<T>(kind_of(rule_.kind, is_fourier_),
                                 static_cast<std::size_t>(rule_.size), 1, 1, 1);
  }

  /// Modes along the axis to derivatives, in place.
  void operator()(host const& place, T* values, std::size_t batch) const {
    for_each_part(place, shape_, values, all_, batch, shape_.lines, shape_.distance,
                  [&](T* first, std::size_t) { differentiate(first); });
  }

private:
  void differentiate(T* first) const {
    auto const n = static_cast<std::ptrdiff_t>(shape_.points),
               step = static_cast<std::ptrdiff_t>(shape_.stride);
    std::vector<T> line(static_cast<std::size_t>(std::max<std::ptrdiff_t>(rule_.size, 1)));
    for (std::ptrdiff_t m = 0; m < n; ++m) {
      std::ptrdiff_t const to = m + rule_.in, from = is_fourier_ && m > 0 ? n - m : m;
      if (to >= 0 && to < rule_.size)
        line[static_cast<std::size_t>(to)] =
            factors_[static_cast<std::size_t>(m)] * first[from * step];
    }
    if (rule_.size > 0) line_(line.data());
    for (std::ptrdiff_t j = 0; j < n; ++j) {
      std::ptrdiff_t const from = j + rule_.out;
      bool const is_there = from >= 0 && from < rule_.size;
      first[j * step] = is_there ? line[static_cast<std::size_t>(from)] : T{0};
    }
  }

  lines_shape shape_;
  std::size_t all_;
  derivative_rule rule_;
  bool is_fourier_;
  std::vector<T> factors_;
  lines_transform<T> line_;
};

template <class T>
class fftw_backend final : public backend<T> {
public:
  fftw_backend(host const& place, plan const& of)
      : place_{place}, size_{of.size()}, batch_{of.problem.batch},
        scale_{static_cast<T>(of.scale())}, lambda_{of.problem.lambda},
        has_constant_{of.has_constant()}, has_first_point_{of.problem.gauge == gauge::first_point} {
    for (std::size_t d = 0; d < of.axes.size(); ++d) {
      forward_.emplace_back(of, d, false);
      inverse_.emplace_back(of, d, true);
      if (of.problem.gradient && of.problem.symbol == symbol::spectral)
        derivative_.emplace_back(of, d);
      auto const& values = of.axes[d].eigenvalues;
      eigenvalues_.emplace_back(values.begin(), values.end());
    }
    while (eigenvalues_.size() < 3) eigenvalues_.insert(eigenvalues_.begin(), {T{0}});
  }

  std::size_t workspace_size() const override { return 0; }

  void solve(arrays<T> const& of, std::byte*) override {
    if (of.rhs != of.solution) std::copy_n(of.rhs, batch_ * size_, of.solution);
    for (auto const& along : forward_) along(place_, of.solution, batch_);
    auto const lambda = of.lambda_or(lambda_);
    if (of.removed_mean)
      for (std::size_t b = 0; b < batch_; ++b)
        of.removed_mean[b] =
            has_constant_ && lambda.of(b) == 0 ? of.solution[b * size_] * scale_ : T{0};
    divide(of.solution, lambda);
    for (std::size_t d = 0; d < derivative_.size(); ++d)
      if (of.gradient[d]) {
        std::copy_n(of.solution, batch_ * size_, of.gradient[d]);
        for (std::size_t e = 0; e < inverse_.size(); ++e)
          if (e != d) inverse_[e](place_, of.gradient[d], batch_);
        derivative_[d](place_, of.gradient[d], batch_);
      }
    for (auto const& along : inverse_) along(place_, of.solution, batch_);
    if (has_first_point_) fix_first_points(of.solution);
  }

private:
  void divide(T* modes, entry_lambda<T> const& lambda) const {
    auto const &a = eigenvalues_[0], &b = eigenvalues_[1], &c = eigenvalues_[2];
    auto const rows = static_cast<std::int64_t>(batch_ * a.size() * b.size());
    detail::parallel_for(threads_for(place_, batch_ * size_), rows, [&](std::int64_t number) {
      auto const row = static_cast<std::size_t>(number);
      T* const first = modes + row * c.size();
      std::size_t const i = row / b.size() % a.size(), j = row % b.size();
      T const shift = lambda.of(row / b.size() / a.size()), others = a[i] + b[j] - shift;
      bool const removes = has_constant_ && shift == 0 && i == 0 && j == 0;
      if (removes) first[0] = T{0};
      for (std::size_t k = removes; k < c.size(); ++k) first[k] *= scale_ / (others + c[k]);
    });
  }

  void fix_first_points(T* solutions) const {
    detail::parallel_for(threads_for(place_, batch_ * size_), static_cast<std::int64_t>(batch_),
                         [&](std::int64_t b) {
                           T* const first = solutions + static_cast<std::size_t>(b) * size_;
                           T const constant = first[0];
                           for (std::size_t i = 0; i < size_; ++i) first[i] -= constant;
                         });
  }

  host place_;
  std::size_t size_, batch_;
  T scale_;
  double lambda_; ///< as planned
  bool has_constant_, has_first_point_;
  std::vector<axis_transform<T>> forward_, inverse_;
  std::vector<axis_derivative<T>> derivative_;
  std::vector<std::vector<T>> eigenvalues_; ///< of three axes
};

} // namespace

namespace host_impl {

template <class T>
std::unique_ptr<backend<T>> make_fftw(host const& place, plan const& of) {
  return std::make_unique<fftw_backend<T>>(place, of);
}

} // namespace host_impl
} // namespace warpfold::inline v0::poisson

#define INSTANTIATE(T)                                                                             \
  namespace warpfold::inline v0::poisson {                                                         \
  template std::unique_ptr<backend<T>> host_impl::make_fftw(host const&, plan const&);             \
  }
