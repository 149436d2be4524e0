#pragma once
// Kernels of lines and what launches them.

#include "lines_device.cuh"
#include "lines_first_point.hpp"
#include "poisson/backend.hpp"
#include "poisson/instances.hpp"

#include <warpfold/detail/core/cuda_block.cuh>
#include <warpfold/detail/core/launch.cuh>

#include <optional>

namespace warpfold::inline v0::poisson::gpu_impl {

namespace {

template <class T>
__global__ __launch_bounds__(first_point_threads) void first_point_kernel(
    first_points<T> const __grid_constant__ of) {
  __shared__ first_point_shared shared;
  detail::cuda_block const block;
  block.wait_for_previous_grid();
  sum_first_point(block, of, shared);
}

template <class T>
class lines_backend final : public backend<T> {
public:
  lines_backend(gpu& place, plan const& of)
      : place_{place}, batch_{of.problem.batch}, lambda_{of.problem.lambda} {
    std::vector<placed_line<T>> placed;
    for (std::size_t d = 0; d < of.axes.size(); ++d) {
      lines_.emplace_back(place, of.axes[d], line_shift<T>(of, d));
      placed.push_back(lines_.back().placed());
    }
    launches_ = make_passes<T>(of, placed);
    device_guard const current{place.device()};
    ahead_ = true;
    for (auto const& launch : launches_) {
      auto const kernel = kernel_for(launch);
      detail::allow_shared(kernel, most_line_shared);
      ahead_ = ahead_ && detail::facts_of(kernel, launch.threads, place.compute_capability())
                             .waits_for_previous_grid(place.compute_capability());
    }
    if (of.problem.gauge == gauge::first_point && of.axes.size() > 1)
      fixed_ = first_points_of(of, placed);
  }

  std::size_t workspace_size() const override { return fixed_ ? batch_ * sizeof(T) : 0; }
  bool takes_strides() const override { return true; }

  void solve(arrays<T> const& of, std::byte* workspace) override {
    device_guard const current{place_.device()};
    T* const constants = fixed_ ? reinterpret_cast<T*>(workspace) : nullptr;
    T const* in = of.rhs;
    field_layout const* layout = &of.rhs_layout;
    for (auto const& launch : launches_) {
      line_pass<T> pass =
          with_arrays(launch, launch.dense.between(*layout, of.solution_layout), in, of.solution);
      in = of.solution;
      layout = &of.solution_layout;
      if (pass.role == line_role::solve) {
        pass.removed_mean = of.removed_mean;
        pass.lambda = of.lambda_or(lambda_);
      }
      if (&launch == &launches_.back()) pass.subtracted = constants;
      detail::launch(place_.stream(), {launch.blocks, launch.threads, ahead_, launch.shared},
                     kernel_for(launch), pass);
      if (pass.role == line_role::solve && fixed_) {
        first_points<T> first = *fixed_;
        first.modes = of.solution;
        first.values = constants;
        first.entry = of.solution_layout.batch;
        first.row = of.solution_layout.strides[1];
        detail::launch(place_.stream(), {static_cast<int>(batch_), first_point_threads, ahead_},
                       first_point_kernel<T>, first);
      }
    }
  }

private:
  gpu& place_;
  std::size_t batch_;
  double lambda_; ///< as planned
  std::vector<device_line<T>> lines_;
  std::vector<line_launch<T>> launches_;
  std::optional<first_points<T>> fixed_;
  bool ahead_;
};

} // namespace

template <class T>
std::unique_ptr<backend<T>> make_lines(gpu& place, plan const& of) {
  return std::make_unique<lines_backend<T>>(place, of);
}

} // namespace warpfold::inline v0::poisson::gpu_impl

#define INSTANTIATE(T)                                                                             \
  namespace warpfold::inline v0::poisson::gpu_impl {                                               \
  template std::unique_ptr<backend<T>> make_lines(gpu&, plan const&);                              \
  }
