#pragma once
// Slabs on GPUs: the passes of lines, with an exchange between them.

#include "poisson/backend.hpp"
#include "poisson/instances.hpp"
#include "poisson/lines/lines_device.cuh"
#include "slab_passes.hpp"

#include <warpfold/detail/core/launch.cuh>

#include <vector>

namespace warpfold::inline v0::poisson::gpu_impl {

namespace {

template <class T>
class line_slabs final : public slab_passes<T> {
public:
  line_slabs(gpu& place, plan const& of, slab_part const& part) : place_{place} {
    plan const own = narrowed(of, 0, part.rows), across = narrowed(of, 1, part.columns);
    // Tables are of whole axes; how many lines are beside each other is the part's own.
    std::vector<placed_line<T>> placed;
    for (std::size_t d = 0; d < of.axes.size(); ++d) {
      lines_.emplace_back(place, of.axes[d], line_shift<T>(d == 0 ? across : own, d));
      placed.push_back(lines_.back().placed());
    }
    if (part.rows > 0)
      for (auto const& launch : make_passes<T>(own, placed)) {
        if (launch.pass.role == line_role::forward) forward_.push_back(launch);
        if (launch.pass.role == line_role::backward) backward_.push_back(launch);
      }
    if (part.columns > 0) {
      placed[1].axis.eigenvalues += part.first_column;
      for (auto& launch : make_passes<T>(across, placed))
        if (launch.pass.role == line_role::solve) solve_.push_back(launch);
      has_constant_ = part.first_column == 0;
      solve_[0].pass.is_singular = of.singular && has_constant_;
    }
    device_guard const current{place.device()};
    for (auto const* launches : {&forward_, &solve_, &backward_})
      for (auto const& launch : *launches)
        detail::allow_shared(kernel_for(launch), most_line_shared);
  }

  void forward(T const* rhs, T* modes) override {
    for (auto const& launch : forward_) {
      run(launch, with_arrays(launch, rhs, modes));
      rhs = modes;
    }
  }
  void solve(T* modes, T* mean) override {
    for (auto const& launch : solve_) {
      line_pass<T> pass = with_arrays<T>(launch, modes, modes);
      if (has_constant_) pass.removed_mean = mean;
      run(launch, pass);
    }
  }
  void backward(T* modes) override {
    for (auto const& launch : backward_) run(launch, with_arrays<T>(launch, modes, modes));
  }

private:
  /// Not ahead of its turn: exchanges come between passes.
  void run(line_launch<T> const& launch, line_pass<T> const& pass) {
    device_guard const current{place_.device()};
    detail::launch(place_.stream(), {launch.blocks, launch.threads, false, launch.shared},
                   kernel_for(launch), pass);
  }

  gpu& place_;
  std::vector<device_line<T>> lines_;
  std::vector<line_launch<T>> forward_, solve_, backward_;
  bool has_constant_ = false;
};

} // namespace

template <class T>
std::unique_ptr<slab_passes<T>> make_line_slabs(gpu& place, plan const& of, slab_part const& part) {
  if (!has_lines(place, of, sizeof(T))) return nullptr;
  return std::make_unique<line_slabs<T>>(place, of, part);
}

} // namespace warpfold::inline v0::poisson::gpu_impl

#define INSTANTIATE(T)                                                                             \
  namespace warpfold::inline v0::poisson::gpu_impl {                                               \
  template std::unique_ptr<slab_passes<T>> make_line_slabs(gpu&, plan const&, slab_part const&);   \
  }
