// The host's backend: FFTW's real-to-real transforms along each axis, in place, a few lines at a
// time. A periodic axis' modes stay in FFTW's half-complex order, real parts upwards and imaginary
// parts downwards: both parts of a mode then have the eigenvalue of their place, as the modes of
// cosines and sines do.

#include "backend.hpp"
#include "host_threads.hpp"

#include <warpfold/detail/parallel.hpp>

#include <fftw3.h>

#include <algorithm>
#include <cstdint>
#include <mutex>
#include <new>
#include <type_traits>
#include <utility>
#include <vector>

namespace warpfold::poisson {
namespace {

template <class T>
struct calls;
#define CALLS(T, prefix)                                                                           \
  template <>                                                                                      \
  struct calls<T> {                                                                                \
    using plan = prefix##_plan;                                                                    \
    static constexpr auto make = prefix##_plan_guru64_r2r;                                         \
    static constexpr auto execute = prefix##_execute_r2r;                                          \
    static constexpr auto destroy = prefix##_destroy_plan;                                         \
  };
CALLS(float, fftwf)
CALLS(double, fftw)
#undef CALLS

/// FFTW's planner serves one thread at a time. (A program that plans by itself, too, calls
/// fftw_make_planner_thread_safe and fftwf_make_planner_thread_safe.)
std::mutex planner;

/// `count` transforms in place, elements `stride` and lines `distance` apart. The planner measures
/// nothing and assumes no alignment, so it makes the same plan every time, for every array, unless
/// the program gives it wisdom.
template <class T>
class lines_transform {
public:
  lines_transform() = default;
  lines_transform(fftw_r2r_kind kind, std::size_t points, std::size_t stride, std::size_t count,
                  std::size_t distance) {
    auto const n = static_cast<std::ptrdiff_t>(points), step = static_cast<std::ptrdiff_t>(stride),
               apart = static_cast<std::ptrdiff_t>(distance);
    fftw_iodim64 const along{n, step, step};
    fftw_iodim64 const lines{static_cast<std::ptrdiff_t>(count), apart, apart};
    static T never_touched; // by FFTW_ESTIMATE
    std::lock_guard const lock{planner};
    plan_.reset(calls<T>::make(1, &along, 1, &lines, &never_touched, &never_touched, &kind,
                               FFTW_ESTIMATE | FFTW_UNALIGNED));
    if (!plan_) throw std::bad_alloc();
  }
  void operator()(T* first) const { calls<T>::execute(plan_.get(), first, first); }

private:
  using handle = typename calls<T>::plan;
  struct destroy {
    void operator()(handle plan) const {
      std::lock_guard const lock{planner};
      calls<T>::destroy(plan);
    }
  };
  std::unique_ptr<std::remove_pointer_t<handle>, destroy> plan_;
};

fftw_r2r_kind kind_of(transform of, bool is_inverse) {
  switch (is_inverse ? inverse_of(of) : of) {
  case transform::fourier: return is_inverse ? FFTW_HC2R : FFTW_R2HC;
  case transform::cosine_1: return FFTW_REDFT00;
  case transform::cosine_2: return FFTW_REDFT10;
  case transform::cosine_3: return FFTW_REDFT01;
  case transform::cosine_4: return FFTW_REDFT11;
  case transform::sine_1: return FFTW_RODFT00;
  case transform::sine_2: return FFTW_RODFT10;
  case transform::sine_3: return FFTW_RODFT01;
  case transform::sine_4: return FFTW_RODFT11;
  }
  std::abort();
}

/// How the sum of modes along an axis is differentiated: cosines become sines and the other way
/// round. Mode m times its wavenumber and sign is input m + in; output j + out is the derivative at
/// point j; what has no such input or output is 0.
struct derivative_rule {
  fftw_r2r_kind kind;
  std::ptrdiff_t size, in, out;
  int sign;
};

derivative_rule derivative_of(axis_plan const& of) {
  auto const n = static_cast<std::ptrdiff_t>(of.points);
  switch (of.forward) {
  case transform::fourier: return {FFTW_HC2R, n, 0, 0, -1}; // of the mode's other part
  case transform::cosine_1: return {FFTW_RODFT00, n - 2, -1, -1, -1};
  case transform::cosine_2: return {FFTW_RODFT01, n, -1, 0, -1};
  case transform::cosine_3: return {FFTW_RODFT10, n, 0, -1, -1};
  case transform::cosine_4: return {FFTW_RODFT11, n, 0, 0, -1};
  case transform::sine_1: return {FFTW_REDFT00, n + 2, 1, 1, 1};
  case transform::sine_2: return {FFTW_REDFT01, n, 1, 0, 1};
  case transform::sine_3: return {FFTW_REDFT10, n, 0, 1, 1};
  case transform::sine_4: return {FFTW_REDFT11, n, 0, 0, 1};
  }
  std::abort();
}

/// The lines along one axis of one right-hand side, in groups of lines that are `distance` apart.
struct lines_shape {
  std::size_t points, stride, groups, group_stride, lines, distance;
};

lines_shape shape_of(plan const& of, std::size_t number) {
  std::size_t outer = 1, inner = 1;
  for (std::size_t d = 0; d < of.axes.size(); ++d)
    (d < number ? outer : inner) *= d == number ? 1 : of.axes[d].points;
  std::size_t const n = of.axes[number].points;
  if (inner == 1) return {n, 1, 1, 0, outer, n};
  return {n, inner, outer, n * inner, inner, 1};
}

constexpr std::size_t lines_at_a_time = 16;

/// Along one axis of all right-hand sides. Which lines go together depends on the axes alone.
template <class T>
class axis_transform {
public:
  axis_transform(plan const& of, std::size_t number, bool is_inverse)
      : shape_{shape_of(of, number)}, all_{of.size()} {
    auto const kind = kind_of(of.axes[number].forward, is_inverse);
    auto const make = [&](std::size_t count) {
      return lines_transform<T>(kind, shape_.points, shape_.stride, count, shape_.distance);
    };
    if (shape_.lines >= lines_at_a_time) whole_ = make(lines_at_a_time);
    if (std::size_t const rest = shape_.lines % lines_at_a_time; rest > 0) rest_ = make(rest);
  }

  void operator()(host const& place, T* values, std::size_t batch) const {
    std::size_t const parts = (shape_.lines + lines_at_a_time - 1) / lines_at_a_time;
    auto const work = static_cast<std::int64_t>(batch * shape_.groups * parts);
    detail::parallel_for(threads_for(place, all_ * batch), work, [&](std::int64_t number) {
      auto const i = static_cast<std::size_t>(number);
      std::size_t const part = i % parts, group = i / parts % shape_.groups,
                        which = i / parts / shape_.groups;
      bool const is_whole = (part + 1) * lines_at_a_time <= shape_.lines;
      (is_whole ? whole_ : rest_)(values + which * all_ + group * shape_.group_stride +
                                  part * lines_at_a_time * shape_.distance);
    });
  }

private:
  lines_shape shape_;
  std::size_t all_;
  lines_transform<T> whole_, rest_;
};

template <class T>
class axis_derivative {
public:
  axis_derivative(plan const& of, std::size_t number)
      : shape_{shape_of(of, number)}, all_{of.size()}, rule_{derivative_of(of.axes[number])},
        is_fourier_{of.axes[number].forward == transform::fourier} {
    for (double const k : of.axes[number].wavenumbers)
      factors_.push_back(static_cast<T>(rule_.sign * k));
    if (rule_.size > 0)
      line_ = lines_transform<T>(rule_.kind, static_cast<std::size_t>(rule_.size), 1, 1, 1);
  }

  /// Modes along the axis to derivatives, in place.
  void operator()(host const& place, T* values, std::size_t batch) const {
    auto const work = static_cast<std::int64_t>(batch * shape_.groups * shape_.lines);
    detail::parallel_for(threads_for(place, all_ * batch), work, [&](std::int64_t number) {
      auto const i = static_cast<std::size_t>(number);
      std::size_t const line = i % shape_.lines, group = i / shape_.lines % shape_.groups,
                        which = i / shape_.lines / shape_.groups;
      differentiate(values + which * all_ + group * shape_.group_stride + line * shape_.distance);
    });
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
      : place_{place}, size_{of.size()}, batch_{of.of.batch}, scale_{static_cast<T>(of.scale())},
        lambda_{static_cast<T>(of.of.lambda)}, is_singular_{of.singular}, has_first_point_{
                                                                              of.of.fixed_by ==
                                                                              gauge::first_point} {
    for (std::size_t d = 0; d < of.axes.size(); ++d) {
      forward_.emplace_back(of, d, false);
      inverse_.emplace_back(of, d, true);
      if (of.of.gradient && of.of.stands == symbol::spectral) derivative_.emplace_back(of, d);
      auto const& values = of.axes[d].eigenvalues;
      eigenvalues_.emplace_back(values.begin(), values.end());
    }
    while (eigenvalues_.size() < 3) eigenvalues_.insert(eigenvalues_.begin(), {T{0}});
  }

  std::size_t workspace_size() const override { return 0; }

  void solve(arrays<T> const& of, std::byte*) override {
    if (of.rhs != of.solution) std::copy_n(of.rhs, batch_ * size_, of.solution);
    for (auto const& along : forward_) along(place_, of.solution, batch_);
    if (of.removed_mean)
      for (std::size_t b = 0; b < batch_; ++b)
        of.removed_mean[b] = is_singular_ ? of.solution[b * size_] * scale_ : T{0};
    divide(of.solution);
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
  void divide(T* modes) const {
    auto const &a = eigenvalues_[0], &b = eigenvalues_[1], &c = eigenvalues_[2];
    auto const rows = static_cast<std::int64_t>(batch_ * a.size() * b.size());
    detail::parallel_for(threads_for(place_, batch_ * size_), rows, [&](std::int64_t number) {
      auto const row = static_cast<std::size_t>(number);
      T* const first = modes + row * c.size();
      std::size_t const i = row / b.size() % a.size(), j = row % b.size();
      T const others = a[i] + b[j] - lambda_;
      bool const has_constant = is_singular_ && i == 0 && j == 0;
      if (has_constant) first[0] = T{0};
      for (std::size_t k = has_constant; k < c.size(); ++k) first[k] *= scale_ / (others + c[k]);
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
  T scale_, lambda_;
  bool is_singular_, has_first_point_;
  std::vector<axis_transform<T>> forward_, inverse_;
  std::vector<axis_derivative<T>> derivative_;
  std::vector<std::vector<T>> eigenvalues_; ///< of three axes
};

} // namespace

namespace host_impl {

template <class T>
std::unique_ptr<backend<T>> make_vendor(host const& place, plan const& of) {
  return std::make_unique<fftw_backend<T>>(place, of);
}

template std::unique_ptr<backend<float>> make_vendor(host const&, plan const&);
template std::unique_ptr<backend<double>> make_vendor(host const&, plan const&);

} // namespace host_impl
} // namespace warpfold::poisson
