#pragma once
// Any problem axis by axis: real transforms of lines by complex ones of cuFFT, kernels before and
// after each, and one that divides in the middle.

#include "poisson/real_lines.hpp"
#include "vendor.hpp"

#include <warpfold/detail/core/launch.cuh>

#include <algorithm>

namespace warpfold::inline v0::poisson::gpu_impl {
namespace {

/// The lines along an axis of real arrays, and where they lie as complex ones.
struct bundle {
  std::int64_t points;   ///< of a line of the arrays
  std::int64_t stride;   ///< from point to point of a line
  std::int64_t lines;    ///< of one right-hand side
  std::int64_t length;   ///< of a complex line
  std::int64_t together; ///< real lines in a complex one
  std::int64_t per_side; ///< complex lines of one right-hand side
  std::int64_t complex_lines;

  /// Lines that are neighbours in memory are so as complex ones, too.
  __host__ __device__ bool across() const { return stride > 1; }

  struct place {
    std::int64_t line, point;
  };
  /// The i-th point of complex lines of so many points, in the order of memory.
  __device__ place place_of(std::int64_t i, std::int64_t size) const {
    std::int64_t const inner = across() ? complex_lines : size, outer = i / inner;
    std::int64_t const rest = i - outer * inner;
    return across() ? place{rest, outer} : place{outer, rest};
  }
  __device__ std::int64_t at(place of) const {
    return across() ? of.point * complex_lines + of.line : of.line * length + of.point;
  }
  /// Point 0 of the first real line of a complex one.
  __device__ std::int64_t first(std::int64_t complex_line) const {
    std::int64_t const side = complex_line / per_side;
    return start(side, (complex_line - side * per_side) * together);
  }
  /// Point 0 of the second, or -1.
  __device__ std::int64_t second(std::int64_t complex_line) const {
    std::int64_t const side = complex_line / per_side;
    std::int64_t const line = (complex_line - side * per_side) * together + 1;
    return together > 1 && line < lines ? start(side, line) : -1;
  }

private:
  __device__ std::int64_t start(std::int64_t side, std::int64_t line) const {
    std::int64_t const outer = line / stride;
    return (side * lines + outer * stride) * points + (line - outer * stride);
  }
};

/// A transform of the lines, and how their numbers become its own: it may have some more or fewer,
/// which are 0, and they may be multiplied by weights, and come in the order 0, last, ... 1.
template <class T>
struct pass {
  bundle of;
  real_line line;
  std::int64_t from = 0; ///< which number its first one is
  std::int64_t to = 0;   ///< which one of its results is the first
  bool reversed = false;
  T const* weights = nullptr;
  complex<T> const* before = nullptr; ///< as of real_line; null is 1
  complex<T> const* after = nullptr;
};

template <class T>
__device__ complex<T> factor_of(complex<T> const* factors, std::int64_t i) {
  return factors ? factors[i] : complex<T>{T{1}, T{0}};
}

template <class T>
__global__ void before_kernel(pass<T> by, T const* values, complex<T>* lines, std::int64_t count) {
  bundle const& of = by.of;
  std::int64_t const all = std::int64_t{gridDim.x} * blockDim.x;
  for (std::int64_t i = std::int64_t{blockIdx.x} * blockDim.x + threadIdx.x; i < count; i += all) {
    auto const place = of.place_of(i, of.length);
    std::int64_t const first = of.first(place.line), second = of.second(place.line);
    auto const x = [&](std::int64_t k) {
      k += by.from;
      if (k < 0 || k >= of.points) return complex<T>{T{0}, T{0}};
      if (by.reversed && k > 0) k = of.points - k;
      T const weight = by.weights ? by.weights[k] : T{1};
      std::int64_t const at = k * of.stride;
      return complex<T>{weight * values[first + at],
                        second < 0 ? T{0} : weight * values[second + at]};
    };
    lines[of.at(place)] = by.line.before(place.point, factor_of(by.before, place.point), x);
  }
}

template <class T>
__global__ void after_kernel(pass<T> by, complex<T> const* lines, T* values, std::int64_t count) {
  bundle const& of = by.of;
  std::int64_t const all = std::int64_t{gridDim.x} * blockDim.x;
  for (std::int64_t i = std::int64_t{blockIdx.x} * blockDim.x + threadIdx.x; i < count; i += all) {
    auto const place = of.place_of(i, of.points);
    std::int64_t const first = of.first(place.line), second = of.second(place.line);
    std::int64_t const k = place.point + by.to, at = place.point * of.stride;
    auto const z = [&](std::int64_t j) { return lines[of.at({place.line, j})]; };
    complex<T> result{T{0}, T{0}};
    if (k >= 0 && k < by.line.size) result = by.line.after(k, factor_of(by.after, k), z);
    values[first + at] = result.re;
    if (second >= 0) values[second + at] = result.im;
  }
}

/// A pass and its tables.
template <class T>
class prepared_pass {
public:
  prepared_pass(gpu const& place, bundle const& of, real_line line)
      : before_{place, line.factors_before<T>()}, after_{place, line.factors_after<T>()},
        pass_{of, line} {
    if (before_.size() > 0) pass_.before = before_.data();
    if (after_.size() > 0) pass_.after = after_.data();
  }

  /// From modes to derivatives of what they stand for: each mode times its wavenumber, with the
  /// sign of its own derivative, is a mode of the other parity at the same points.
  static prepared_pass derivative(gpu const& place, bundle const& of, axis_plan const& along) {
    auto const rule = derivative_of(along.forward, static_cast<std::int64_t>(along.points));
    prepared_pass made(place, of, {rule.kind, rule.size});
    pass<T>& p = made.pass_;
    p.from = -rule.in;
    p.to = rule.out;
    p.reversed = rule.kind == transform::fourier;
    std::vector<double> weights = along.wavenumbers;
    for (double& weight : weights) weight *= rule.sign;
    made.weights_ = upload<T>(place, weights);
    p.weights = made.weights_.data();
    return made;
  }

  /// Its complex lines are those of `lines`, which has room for them.
  void run(gpu const& place, fourier_plan<T>& plan, T const* from, T* to, complex<T>* lines) const {
    bundle const& of = pass_.of;
    std::int64_t const entering = of.complex_lines * of.length;
    std::int64_t const leaving = of.complex_lines * of.points;
    detail::launch(place.stream(), {blocks_for(entering, vendor_threads), vendor_threads},
                   before_kernel<T>, pass_, from, lines, entering);
    if (of.length > 1) plan.forward(lines);
    detail::launch(place.stream(), {blocks_for(leaving, vendor_threads), vendor_threads},
                   after_kernel<T>, pass_, lines, to, leaving);
  }

private:
  device_buffer<complex<T>> before_, after_;
  device_buffer<T> weights_;
  pass<T> pass_;
};

/// All that is done along one axis.
template <class T>
struct passes {
  fourier_plan<T> plan;
  prepared_pass<T> forward, inverse;
  std::vector<prepared_pass<T>> derivative; ///< one or none
};

template <class T>
class vendor_lines final : public backend<T> {
public:
  vendor_lines(gpu& place, plan const& of)
      : place_{place}, points_{static_cast<std::int64_t>(of.size())},
        batch_{static_cast<std::int64_t>(of.problem.batch)},
        from_first_{of.problem.gauge == gauge::first_point}, tables_{place, of} {
    std::int64_t stride = points_, room = 0;
    std::size_t work = 0;
    for (auto const& along : of.axes) {
      auto const n = static_cast<std::int64_t>(along.points);
      stride /= n;
      real_line const forward{along.forward, n}, inverse{inverse_of(along.forward), n};
      std::int64_t const lines = points_ / n, together = forward.together();
      std::int64_t const per_side = (lines + together - 1) / together;
      bundle const all{n, stride, lines, forward.length(), together, per_side, per_side * batch_};
      room = std::max(room, all.complex_lines * all.length);
      fourier_plan<T> plan;
      if (all.length > 1)
        plan = {place,
                fourier::complex,
                {all.length},
                all.complex_lines,
                all.across() ? all.complex_lines : 0,
                all.across()};
      work = std::max(work, plan.work_size());
      axes_.push_back({std::move(plan), {place, all, forward}, {place, all, inverse}, {}});
      if (makes_derivatives(of))
        axes_.back().derivative.push_back(prepared_pass<T>::derivative(place, all, along));
    }
    shape_.add(static_cast<std::size_t>(room) * sizeof(complex<T>));
    firsts_at_ = shape_.add(static_cast<std::size_t>(from_first_ ? batch_ : 0) * sizeof(T));
    work_at_ = shape_.add(work);
  }

  std::size_t workspace_size() const override { return shape_.size(); }

  void solve(arrays<T> const& of, std::byte* workspace) override {
    auto* const lines = reinterpret_cast<complex<T>*>(workspace);
    for (auto& along : axes_) along.plan.use(workspace + work_at_, place_.stream());
    T const* from = of.rhs;
    for (auto& along : axes_) {
      along.forward.run(place_, along.plan, from, of.solution, lines);
      from = of.solution;
    }
    divide(place_, tables_.of(of), of.solution, of.removed_mean);
    for (std::size_t d = 0; d < axes_.size(); ++d)
      if (of.gradient[d]) invert(of.solution, of.gradient[d], d, lines);
    invert(of.solution, of.solution, axes_.size(), lines);
    if (from_first_)
      fix_first_points(place_, of.solution, points_, batch_,
                       reinterpret_cast<T*>(workspace + firsts_at_));
  }

private:
  void invert(T const* modes, T* values, std::size_t differentiated, complex<T>* lines) {
    for (std::size_t d = 0; d < axes_.size(); ++d) {
      auto& along = axes_[d];
      auto const& one = d == differentiated ? along.derivative[0] : along.inverse;
      one.run(place_, along.plan, modes, values, lines);
      modes = values;
    }
  }

  gpu& place_;
  std::int64_t points_, batch_;
  bool from_first_;
  divisor_tables<T> tables_;
  std::vector<passes<T>> axes_;
  workspace_shape shape_; ///< begins with complex lines
  std::size_t firsts_at_ = 0, work_at_ = 0;
};

} // namespace

template <class T>
std::unique_ptr<backend<T>> make_vendor_lines(gpu& place, plan const& of) {
  return std::make_unique<vendor_lines<T>>(place, of);
}

} // namespace warpfold::inline v0::poisson::gpu_impl
