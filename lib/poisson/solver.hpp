#pragma once
// Poisson's solver: checks, chooses the engine, and puts boundary values and differences around the
// engine's solve.

#include "copied_fields.hpp"
#include "core/report.hpp"
#include "fields.hpp"
#include "instances.hpp"

#include <warpfold/buffer.hpp>
#include <warpfold/detail/core/verb.hpp>
#include <warpfold/poisson.hpp>

#include <algorithm>
#include <limits>
#include <optional>
#include <utility>

namespace warpfold::inline v0::poisson {
namespace {

/// On a gpu fields may be in managed memory.
template <class Place>
plan_bounds bounds_of([[maybe_unused]] Place const& place) {
  plan_bounds bounds{.points = most_points<on_gpu<Place>>};
  if constexpr (!on_gpu<Place>) {
    bounds.memory = host_memory();
    bounds.transforms = &place;
  }
  return bounds;
}

} // namespace

template <class T>
engine<T> choose(gpu& place, plan const& plan) {
  if (gpu_impl::prefers_fused(place, plan, sizeof(T)))
    return {"fused", gpu_impl::make_fused<T>(place, plan)};
  if (auto made = gpu_impl::make_vendor<T>(place, plan)) return {"cuFFT", std::move(made)};
  if (auto made = gpu_impl::make_fused<T>(place, plan)) return {"fused", std::move(made)};
  detail::refuse("problem", "one for cuFFT, without which this library was built",
                 "problems that can_fuse knows");
}

template <class T>
engine<T> choose(host& place, plan const& plan) {
  return {"fused", host_impl::make_fused<T>(place, plan)};
}

/// The engine for the precision of the problem.
template <class T, class Place>
engine<T> make_engine(Place& place, plan const& plan,
                      detail::engine_makers<T, Place> const& makers) {
  if constexpr (std::is_same_v<T, double>)
    if (plan.problem.precision == precision::single) {
      engine<float> made = makers.single(place, plan);
      return {made.name, std::make_unique<copied_fields<double, float, Place>>(
                             place, plan, std::move(made.run))};
    }
  return makers.full(place, plan);
}

template <class T, class Place>
struct solver<T, Place>::state {
  state(Place& where, poisson::problem const& problem, solver_options const& options,
        detail::engine_makers<T, Place> const& makers)
      : place{&where}, planned{make_plan(problem, sizeof(T), bounds_of(where))},
        accepted_lambda{problem.lambda}, owns_workspace{options.own_workspace},
        allows_gaps{options.strided_fields} {
    std::optional<device_guard> current;
    if constexpr (on_gpu<Place>) current.emplace(where.device());
    chosen = make_engine(where, planned, makers);
    if (allows_gaps && !chosen.run->takes_strides())
      chosen.run =
          std::make_unique<copied_fields<T, T, Place>>(where, planned, std::move(chosen.run));
    needed = chosen.run->workspace_size();
    if constexpr (on_gpu<Place>)
      if (owns_workspace && needed > 0) {
        owned = device_allocation(where.memory(), needed, where.stream());
        workspace = static_cast<std::byte*>(owned.data());
      }
  }
  state(state const&) = delete;
  state& operator=(state const&) = delete;
  ~state() {
    if constexpr (on_gpu<Place>) {
      // A device_guard may throw.
      int const device = place->device();
      int previous = device;
      detail::report(cudaGetDevice(&previous), "cudaGetDevice");
      if (previous != device) detail::report(cudaSetDevice(device), "cudaSetDevice");
      chosen.run.reset();
      if (previous != device) detail::report(cudaSetDevice(previous), "cudaSetDevice");
    }
  }

  /// `lambda` of all right-hand sides, or the planned one.
  void enqueue(fields<T, Place> const& fields, std::optional<double> lambda = {}) {
    if (needed > 0 && !workspace)
      detail::refuse("memory", "no workspace was given", "a call of set_workspace before");
    call<T> const checked = check_fields(fields, planned, allows_gaps, workspace, needed);
    if (lambda && checked.of.lambdas)
      detail::refuse("lambda", "a number beside fields.lambda", "one of them");
    if (lambda && lambda != planned.problem.lambda && lambda != accepted_lambda) {
      check_lambda(planned, *lambda, sizeof(T));
      accepted_lambda = *lambda;
    }
    std::optional<device_guard> current;
    if constexpr (on_gpu<Place>) current.emplace(place->device());
    using namespace gpu_impl;
    using namespace host_impl;
    arrays<T> solve = checked.of;
    solve.lambda = lambda;
    if (checked.has_faces) {
      // Boundary values are brought into a copy, where the right-hand side is not to be touched.
      if (solve.rhs != solve.solution)
        convert_field(*place, planned, solve.rhs, solve.rhs_layout, solve.solution,
                      solve.solution_layout);
      add_faces(*place, planned, checked.values, solve.solution, solve.solution_layout);
      solve.rhs = solve.solution;
      solve.rhs_layout = solve.solution_layout;
    }
    bool const is_spectral = planned.problem.symbol == symbol::spectral;
    if (!is_spectral) std::fill_n(solve.gradient, 3, nullptr);
    chosen.run->solve(solve, workspace);
    if (is_spectral) return;
    auto const& of = checked.of;
    for (std::size_t d = 0; d < planned.axes.size(); ++d)
      if (of.gradient[d])
        difference(*place, planned, d, checked.values, static_cast<T const*>(of.solution),
                   of.solution_layout, of.gradient[d], of.gradient_layout[d]);
  }

  Place* place;
  plan planned;
  double accepted_lambda; ///< the last one that was checked
  bool owns_workspace, allows_gaps;
  std::size_t needed = 0;
  device_allocation owned;
  std::byte* workspace = nullptr;
  engine<T> chosen;
};

template <class T, class Place>
solver<T, Place>::solver(Place& place, poisson::problem const& problem,
                         solver_options const& options)
    : solver(place, problem, options, {choose<T>, choose<float>}) {}
template <class T, class Place>
solver<T, Place>::solver(Place& place, poisson::problem const& problem,
                         solver_options const& options,
                         detail::engine_makers<T, Place> const& makers)
    : state_{[&] {
        detail::verb const scope("poisson::solver");
        return std::make_unique<state>(place, problem, options, makers);
      }()} {}
template <class T, class Place>
solver<T, Place>::solver(solver&&) noexcept = default;
template <class T, class Place>
solver<T, Place>& solver<T, Place>::operator=(solver&&) noexcept = default;
template <class T, class Place>
solver<T, Place>::~solver() = default;

template <class T, class Place>
poisson::problem const& solver<T, Place>::problem() const noexcept {
  return state_->planned.problem;
}
template <class T, class Place>
std::string_view solver<T, Place>::engine_name() const noexcept {
  return state_->chosen.name;
}
template <class T, class Place>
std::size_t solver<T, Place>::size() const noexcept {
  return state_->planned.size();
}
template <class T, class Place>
std::size_t solver<T, Place>::workspace_size() const noexcept {
  return state_->needed;
}

template <class T, class Place>
void solver<T, Place>::set_workspace(device_span<std::byte> memory) requires on_gpu<Place> {
  detail::verb const scope("poisson::solver::set_workspace");
  std::size_t const needed = state_->needed;
  constexpr std::size_t alignment = 256;
  auto const address = reinterpret_cast<std::uintptr_t>(memory.data());
  if (state_->owns_workspace)
    detail::refuse("memory", "a workspace", "none: the solver has its own");
  if (memory.size() < needed)
    detail::refuse("memory", detail::text(memory.size(), " bytes"),
                   detail::text("at least ", needed));
  if (address % alignment != 0 || (address == 0 && needed > 0))
    detail::refuse("memory", address == 0 ? "null" : detail::text("at address ", address),
                   detail::text("multiples of ", alignment));
  state_->workspace = memory.data();
}

template <class T, class Place>
void solver<T, Place>::solve(poisson::fields<T, Place> const& fields) {
  detail::verb const scope("poisson::solver::solve");
  state_->enqueue(fields);
  if constexpr (on_gpu<Place>) state_->place->synchronize();
}
template <class T, class Place>
void solver<T, Place>::solve_async(poisson::fields<T, Place> const& fields) {
  detail::verb const scope("poisson::solver::solve_async");
  state_->enqueue(fields);
}
template <class T, class Place>
void solver<T, Place>::solve(poisson::fields<T, Place> const& fields, double lambda) {
  detail::verb const scope("poisson::solver::solve");
  state_->enqueue(fields, lambda);
  if constexpr (on_gpu<Place>) state_->place->synchronize();
}
template <class T, class Place>
void solver<T, Place>::solve_async(poisson::fields<T, Place> const& fields, double lambda) {
  detail::verb const scope("poisson::solver::solve_async");
  state_->enqueue(fields, lambda);
}

} // namespace warpfold::inline v0::poisson

#define INSTANTIATE(T, Place)                                                                      \
  namespace warpfold::inline v0::poisson {                                                         \
  template engine<T> choose(Place&, plan const&);                                                  \
  template class solver<T, Place>;                                                                 \
  }
