#pragma once
// The host's own engine, of any problem: passes along its axes, for solvers and for slabs.

#include "host_pass.hpp"
#include "host_threads.hpp"
#include "poisson/backend.hpp"
#include "poisson/instances.hpp"
#include "poisson/slabs/slab_passes.hpp"

#include <warpfold/detail/core/parallel.hpp>

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

namespace warpfold::inline v0::poisson {
namespace {

template <class T>
using host_axes = std::vector<host_axis<T>>;

template <class T>
host_axes<T> axes_of(plan const& of) {
  host_axes<T> axes;
  for (std::size_t d = 0; d < of.axes.size(); ++d) axes.emplace_back(of, d);
  return axes;
}

template <class T>
host_pass<T> pass_along(plan const& of, host_axes<T> const& axes, std::size_t d, line_role role,
                        bool derives = false) {
  host_pass<T> made{};
  made.axis = &axes[d];
  made.shape = geometry_of(of, d);
  made.role = role;
  made.derives = derives;
  if (role != line_role::solve) return made;
  double scale = 1;
  for (auto const& axis : axes) scale /= axis.period();
  set_division(made, of, scale, [&](std::size_t other) { return axes[other].maps().eigenvalues; });
  return made;
}

/// Along all axes but the first; backward the derivative along `derivative`, if it is one of them.
template <class T>
std::vector<host_pass<T>> passes_forward(plan const& of, host_axes<T> const& axes) {
  std::vector<host_pass<T>> passes;
  for (std::size_t d = axes.size(); d-- > 1;)
    passes.push_back(pass_along(of, axes, d, line_role::forward));
  return passes;
}
template <class T>
std::vector<host_pass<T>> passes_backward(plan const& of, host_axes<T> const& axes,
                                          std::size_t derivative = 0) {
  std::vector<host_pass<T>> passes;
  for (std::size_t d = 1; d < axes.size(); ++d)
    passes.push_back(pass_along(of, axes, d, line_role::backward, d == derivative));
  return passes;
}

template <class T>
struct placed_field {
  T* data;
  field_layout const* layout = nullptr; ///< complete; null is dense, as the passes were planned
};

template <class T>
class pass_team {
public:
  pass_team(host const& place, std::size_t points) : threads_{place, points} {}

  /// Before passes run.
  void make_room(std::span<host_pass<T> const> passes) {
    for (auto const& pass : passes) threads_.make_room(room_of(pass));
  }

  /// One after the other, the first one from `in`; of two axes of three plane by plane, while the
  /// planes are in a cache.
  void run(std::span<host_pass<T> const> passes, placed_field<T const> in, placed_field<T> out) {
    if (passes.empty()) return;
    auto const run_one = [&](host_pass<T> pass, std::size_t first, std::size_t last,
                             std::byte* room) {
      bool const is_first = pass.axis == passes[0].axis;
      if (out.layout)
        pass.shape = pass.shape.between(is_first ? *in.layout : *out.layout, *out.layout);
      pass.in = is_first ? in.data : out.data;
      pass.out = out.data;
      run_pairs(pass, first, last, room);
    };
    std::size_t const groups = passes[0].shape.groups;
    if (passes.size() > 1 && groups >= few_groups * threads_.size())
      return threads_.share(groups, [&](std::size_t first, std::size_t last, std::byte* room) {
        auto const points = static_cast<std::size_t>(passes[0].axis->maps().points);
        std::size_t const at_once = 1 + points_at_once / (passes[0].shape.lines * points + 1);
        for (; first < last; first += at_once)
          for (auto const& pass : passes)
            run_one(pass, first * pass.pairs(), std::min(first + at_once, last) * pass.pairs(),
                    room);
      });
    for (auto const& pass : passes)
      threads_.share(groups * pass.pairs(),
                     [&](std::size_t first, std::size_t last, std::byte* room) {
                       run_one(pass, first, last, room);
                     });
  }

private:
  static constexpr std::size_t few_groups = 4;
  /// Small planes go together, so that there are packs of their lines.
  static constexpr std::size_t points_at_once = 4096;

  thread_team threads_;
};

template <class T>
class host_backend final : public backend<T> {
public:
  host_backend(host const& place, plan const& of)
      : place_{place}, size_{of.size()}, batch_{of.problem.batch}, lambda_{of.problem.lambda},
        has_first_point_{of.problem.gauge == gauge::first_point}, axes_{axes_of<T>(of)},
        forward_{passes_forward(of, axes_)}, solve_{pass_along(of, axes_, 0, line_role::solve)},
        backward_{passes_backward(of, axes_)}, team_{place, size_ * batch_} {
    if (of.problem.gradient && of.problem.symbol == symbol::spectral)
      for (std::size_t d = 0; d < axes_.size(); ++d)
        derivative_.push_back(d == 0 ? std::vector{pass_along(of, axes_, 0, line_role::solve, true)}
                                     : passes_backward(of, axes_, d));
    team_.make_room(backward_);
    team_.make_room({&solve_, 1});
  }

  std::size_t workspace_size() const override { return 0; }
  bool takes_strides() const override { return true; }

  void solve(arrays<T> const& of, std::byte*) override {
    placed_field<T const> const rhs{of.rhs, &of.rhs_layout},
        solved{of.solution, &of.solution_layout};
    placed_field<T> const solution{of.solution, &of.solution_layout};
    auto const gradient = [&](std::size_t d) {
      return placed_field<T>{of.gradient[d], &of.gradient_layout[d]};
    };
    team_.run(forward_, rhs, solution);
    placed_field<T const> const modes = forward_.empty() ? rhs : solved;
    solve_.lambda = of.lambda_or(lambda_);
    if (of.gradient[0]) {
      derivative_[0][0].lambda = solve_.lambda;
      team_.run(derivative_[0], modes, gradient(0));
      team_.run(backward_, {of.gradient[0], &of.gradient_layout[0]}, gradient(0));
    }
    solve_.removed_mean = of.removed_mean;
    team_.run({&solve_, 1}, modes, solution);
    for (std::size_t d = 1; d < axes_.size(); ++d)
      if (of.gradient[d]) team_.run(derivative_[d], solved, gradient(d));
    team_.run(backward_, solved, solution);
    if (has_first_point_) fix_first_points(solution);
  }

private:
  void fix_first_points(placed_field<T> solutions) const {
    auto const& along_rows = backward_.empty() ? solve_ : backward_.back();
    line_geometry const shape = along_rows.shape.between(*solutions.layout, *solutions.layout);
    detail::parallel_for(threads_for(place_, batch_ * size_), static_cast<std::int64_t>(batch_),
                         [&](std::int64_t b) {
                           std::size_t const first = static_cast<std::size_t>(b) * shape.planes;
                           T const constant = solutions.data[shape.begin(shape.out, first)];
                           for (std::size_t g = first; g < first + shape.planes; ++g)
                             for (std::size_t line = 0; line < shape.lines; ++line) {
                               T* const row = solutions.data + shape.begin(shape.out, g) +
                                              shape.begin_in_group(shape.out, line);
                               for (std::size_t x = 0; x < shape.width; ++x) row[x] -= constant;
                             }
                         });
  }

  host place_;
  std::size_t size_, batch_;
  double lambda_; ///< as planned
  bool has_first_point_;
  host_axes<T> axes_;
  std::vector<host_pass<T>> forward_;
  host_pass<T> solve_;
  std::vector<host_pass<T>> backward_;
  std::vector<std::vector<host_pass<T>>> derivative_; ///< by axis: with what comes after it
  pass_team<T> team_;
};

template <class T>
class host_slabs final : public slab_passes<T> {
public:
  host_slabs(host const& place, plan const& of, slab_part const& part)
      : axes_{axes_of<T>(of)}, team_{place, of.size()}, has_constant_{part.first_column == 0} {
    if (part.rows > 0) {
      plan const own = narrowed(of, 0, part.rows);
      forward_ = passes_forward(own, axes_);
      backward_ = passes_backward(own, axes_);
      team_.make_room(forward_);
    }
    if (part.columns == 0) return;
    solve_.push_back(pass_along(narrowed(of, 1, part.columns), axes_, 0, line_role::solve));
    auto& pass = solve_[0];
    (pass.slower ? pass.slower : pass.faster) += part.first_column;
    pass.is_singular = of.singular && has_constant_;
    team_.make_room(solve_);
  }

  void forward(T const* rhs, T* modes) override { team_.run(forward_, {rhs}, {modes}); }
  void solve(T* modes, T* mean) override {
    if (solve_.empty()) return;
    if (has_constant_) solve_[0].removed_mean = mean;
    team_.run(solve_, {modes}, {modes});
  }
  void backward(T* modes) override { team_.run(backward_, {modes}, {modes}); }

private:
  host_axes<T> axes_; ///< whole
  pass_team<T> team_;
  bool has_constant_;
  std::vector<host_pass<T>> forward_, solve_, backward_;
};

} // namespace

namespace host_impl {

template <class T>
std::unique_ptr<backend<T>> make_fused(host const& place, plan const& of) {
  return std::make_unique<host_backend<T>>(place, of);
}
template <class T>
std::unique_ptr<slab_passes<T>> make_slabs(host const& place, plan const& of,
                                           slab_part const& part) {
  return std::make_unique<host_slabs<T>>(place, of, part);
}

} // namespace host_impl
} // namespace warpfold::inline v0::poisson

#define INSTANTIATE(T)                                                                             \
  namespace warpfold::inline v0::poisson::host_impl {                                              \
  template std::unique_ptr<backend<T>> make_fused(host const&, plan const&);                       \
  template std::unique_ptr<slab_passes<T>> make_slabs(host const&, plan const&, slab_part const&); \
  }
