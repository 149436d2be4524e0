#pragma once
// The door of Poisson's solver: checks, chooses the engine, and puts boundary values and
// differences around its solve.

#include "backend.hpp"
#include "core/report.hpp"
#include "fields.hpp"
#include "instances.hpp"

#include <warpfold/buffer.hpp>
#include <warpfold/poisson.hpp>

#include <algorithm>
#include <limits>
#include <optional>
#include <string>
#include <utility>

namespace warpfold::inline v0::poisson {
namespace {

/// The memory that boundary values are brought into, where the right-hand side is not to be
/// touched.
template <class T>
void copy_values(gpu const& place, T const* from, T* to, std::size_t size) {
  check(cudaMemcpyAsync(to, from, size * sizeof(T), cudaMemcpyDeviceToDevice, place.stream()));
}
template <class T>
void copy_values(host const&, T const* from, T* to, std::size_t size) {
  std::copy_n(from, size, to);
}

/// That a right-hand side can have: on a gpu, whose fields may be in managed memory, any.
template <class Place>
std::size_t most_bytes() {
  return on_gpu<Place> ? std::numeric_limits<std::ptrdiff_t>::max() : host_memory();
}

} // namespace

template <class T>
engine<T> choose(gpu& place, plan const& of) {
  if (gpu_impl::prefers_fused(place, of, sizeof(T)))
    return {"fused", gpu_impl::make_fused<T>(place, of)};
  if (auto made = gpu_impl::make_vendor<T>(place, of)) return {"cuFFT", std::move(made)};
  if (auto made = gpu_impl::make_fused<T>(place, of)) return {"fused", std::move(made)};
  throw argument_error("of",
                       "it needs cuFFT (see can_fuse), and this library was built without it");
}

template <class T>
engine<T> choose(host& place, plan const& of) {
  if (auto made = host_impl::make_vendor<T>(place, of)) return {"FFTW", std::move(made)};
  throw argument_error("place", "a host needs FFTW, and this library was built without it");
}

template <class T, class Place>
struct solver<T, Place>::state {
  state(Place& on, poisson::problem const& of, solver_options const& options,
        detail::engine_maker<T, Place> make)
      : place{&on}, planned{make_plan(of, sizeof(T), most_bytes<Place>())},
        owns_workspace{options.own_workspace} {
    std::optional<device_guard> current;
    if constexpr (on_gpu<Place>) current.emplace(on.device());
    chosen = make(on, planned);
    needed = chosen.run->workspace_size();
    if constexpr (on_gpu<Place>)
      if (owns_workspace && needed > 0) {
        owned = device_allocation(on.memory(), needed, on.stream());
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

  void enqueue(fields<T, Place> const& of) {
    if (needed > 0 && !workspace)
      throw argument_error("memory", "no workspace was given: call use_workspace first");
    call<T> const checked = check_fields(of, planned, workspace, needed);
    std::optional<device_guard> current;
    if constexpr (on_gpu<Place>) current.emplace(place->device());
    using namespace gpu_impl;
    using namespace host_impl;
    arrays<T> solve{checked.rhs, checked.solution, {}, checked.removed_mean};
    if (checked.has_faces) {
      if (checked.rhs != checked.solution)
        copy_values(*place, checked.rhs, checked.solution, of.rhs.size());
      add_faces(*place, planned, checked.values, checked.solution);
      solve.rhs = checked.solution;
    }
    bool const is_spectral = planned.of.stands == symbol::spectral;
    if (is_spectral) std::copy_n(checked.gradient, 3, solve.gradient);
    chosen.run->solve(solve, workspace);
    if (is_spectral) return;
    for (std::size_t d = 0; d < planned.axes.size(); ++d)
      if (checked.gradient[d])
        difference(*place, planned, d, checked.values, static_cast<T const*>(checked.solution),
                   checked.gradient[d]);
  }

  Place* place;
  plan planned;
  bool owns_workspace;
  std::size_t needed = 0;
  device_allocation owned;
  std::byte* workspace = nullptr;
  engine<T> chosen;
};

template <class T, class Place>
solver<T, Place>::solver(Place& place, poisson::problem const& of, solver_options const& options)
    : solver(place, of, options, choose<T>) {}
template <class T, class Place>
solver<T, Place>::solver(Place& place, poisson::problem const& of, solver_options const& options,
                         detail::engine_maker<T, Place> make)
    : state_{std::make_unique<state>(place, of, options, make)} {}
template <class T, class Place>
solver<T, Place>::solver(solver&&) noexcept = default;
template <class T, class Place>
solver<T, Place>& solver<T, Place>::operator=(solver&&) noexcept = default;
template <class T, class Place>
solver<T, Place>::~solver() = default;

template <class T, class Place>
poisson::problem const& solver<T, Place>::problem() const noexcept {
  return state_->planned.of;
}
template <class T, class Place>
std::string_view solver<T, Place>::chosen() const noexcept {
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
void solver<T, Place>::use_workspace(device_span<std::byte> memory) requires on_gpu<Place> {
  constexpr std::size_t alignment = 256;
  if (state_->owns_workspace)
    throw argument_error("memory", "not wanted: the solver has a workspace of its own");
  if (memory.size() < state_->needed)
    throw argument_error("memory", std::to_string(memory.size()) + " bytes, and a solve needs " +
                                       std::to_string(state_->needed));
  if (!memory.data() && state_->needed > 0) throw argument_error("memory", "null");
  if (reinterpret_cast<std::uintptr_t>(memory.data()) % alignment != 0)
    throw argument_error("memory", "not aligned to " + std::to_string(alignment) + " bytes");
  state_->workspace = memory.data();
}

template <class T, class Place>
void solver<T, Place>::solve(fields<T, Place> const& of) {
  state_->enqueue(of);
  if constexpr (on_gpu<Place>) state_->place->synchronize();
}
template <class T, class Place>
void solver<T, Place>::solve_async(fields<T, Place> const& of) requires on_gpu<Place> {
  state_->enqueue(of);
}

} // namespace warpfold::inline v0::poisson

#define INSTANTIATE(T, Place)                                                                      \
  namespace warpfold::inline v0::poisson {                                                         \
  template engine<T> choose(Place&, plan const&);                                                  \
  template class solver<T, Place>;                                                                 \
  }
