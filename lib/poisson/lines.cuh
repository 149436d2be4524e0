#pragma once
// Kernels of lines and what launches them.

#include "lines.hpp"
#include "lines_first_point.hpp"
#include "lines_passes.hpp"

#include <warpfold/buffer.hpp>
#include <warpfold/detail/cuda_block.cuh>
#include <warpfold/detail/launch.cuh>

#include <algorithm>
#include <optional>
#include <span>

namespace warpfold::poisson::gpu_impl {

namespace {

template <class T, bool Strided, line_kind Kind>
__global__ __launch_bounds__(most_line_threads<T>) void line_kernel(
    line_pass<T> const __grid_constant__ pass) {
  extern __shared__ __align__(16) unsigned char shared[];
  detail::cuda_block const block;
  block.wait_for_previous_grid();
  work_on_lines<T, Strided, Kind>(block, pass, reinterpret_cast<complex<T>*>(shared));
}

template <class T, bool Strided>
auto kernel_for(line_kind kind) {
  switch (kind) {
  case line_kind::fourier: return line_kernel<T, Strided, line_kind::fourier>;
  case line_kind::second: return line_kernel<T, Strided, line_kind::second>;
  case line_kind::third: return line_kernel<T, Strided, line_kind::third>;
  case line_kind::fourth: return line_kernel<T, Strided, line_kind::fourth>;
  default: return line_kernel<T, Strided, line_kind::first>;
  }
}
template <class T>
auto kernel_for(line_launch<T> const& launch) {
  line_kind const kind = launch.pass.axis.kind;
  return launch.is_strided ? kernel_for<T, true>(kind) : kernel_for<T, false>(kind);
}

template <class T>
__global__ __launch_bounds__(first_point_threads) void first_point_kernel(
    first_points<T> const __grid_constant__ of) {
  __shared__ first_point_shared shared;
  detail::cuda_block const block;
  block.wait_for_previous_grid();
  sum_first_point(block, of, shared);
}

/// An axis' tables in GPU memory.
template <class T>
class device_line {
public:
  device_line(gpu& place, axis_plan const& of, int shift)
      : device_line{place, make_line<T>(of, shift)} {}

  placed_line<T> placed() const {
    return {tables_.at(complexes_.data(), eigenvalues_.data(), places_.data()), first_point_.data(),
            tables_.period};
  }

private:
  device_line(gpu& place, line_tables<T> tables)
      : tables_{std::move(tables)}, complexes_{place,
                                               std::span<complex<T> const>{tables_.complexes}},
        eigenvalues_{place, std::span<T const>{tables_.eigenvalues}},
        first_point_{place, std::span<T const>{tables_.first_point}},
        places_{place, std::span<slot_places const>{tables_.places}} {}

  line_tables<T> tables_;
  device_buffer<complex<T>> complexes_;
  device_buffer<T> eigenvalues_, first_point_;
  device_buffer<slot_places> places_;
};

constexpr std::size_t bytes_at_once = 24 << 20;

template <class T>
class lines_backend final : public backend<T> {
public:
  lines_backend(gpu& place, plan const& of) : place_{place}, batch_{of.of.batch} {
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
      detail::allow_shared(kernel, launch.shared);
      ahead_ = ahead_ && detail::facts_of(kernel, launch.threads, place.compute_capability())
                             .waits_for_previous_grid(place.compute_capability());
    }
    if (of.axes.size() == 3) {
      std::size_t const plane = of.axes[1].points * of.axes[2].points * sizeof(T);
      planes_at_once_ =
          static_cast<int>(std::clamp<std::size_t>(bytes_at_once / plane, 1, 1 << 20));
    }
    if (of.of.fixed_by == gauge::first_point && of.axes.size() > 1)
      fixed_ = first_points_of(of, placed);
  }

  std::size_t workspace_size() const override { return fixed_ ? batch_ * sizeof(T) : 0; }

  void solve(arrays<T> const& of, std::byte* workspace) override {
    device_guard const current{place_.device()};
    T* const constants = fixed_ ? reinterpret_cast<T*>(workspace) : nullptr;
    bool const has_planes = lines_.size() == 3;
    if (has_planes) run_planes(0, of.rhs, of.solution, nullptr);
    else if (lines_.size() == 2) run(0, of.rhs, of.solution);
    std::size_t const solving = lines_.size() - 1;
    line_pass<T> pass =
        with_arrays(launches_[solving], solving == 0 ? of.rhs : of.solution, of.solution);
    pass.removed_mean = of.removed_mean;
    launch(launches_[solving], pass, 0, launches_[solving].blocks);
    if (fixed_) {
      first_points<T> first = *fixed_;
      first.modes = of.solution;
      first.values = constants;
      detail::launch(place_.stream(), {static_cast<int>(batch_), first_point_threads, ahead_},
                     first_point_kernel<T>, first);
    }
    if (has_planes) run_planes(3, of.solution, of.solution, constants);
    else if (lines_.size() == 2) run(2, of.solution, of.solution, constants);
  }

private:
  void launch(line_launch<T> const& how, line_pass<T> pass, int first_block, int blocks) const {
    pass.first_block = first_block;
    detail::launch(place_.stream(), {blocks, how.threads, ahead_, how.shared}, kernel_for(how),
                   pass);
  }
  void run(std::size_t at, T const* in, T* out, T const* subtracted = nullptr) const {
    auto const& how = launches_[at];
    line_pass<T> pass = with_arrays(how, in, out);
    pass.subtracted = subtracted;
    launch(how, pass, 0, how.blocks);
  }
  /// Two passes, some planes after the others: the second one finds in the L2 cache what the first
  /// one wrote.
  void run_planes(std::size_t at, T const* in, T* out, T const* subtracted) const {
    auto const &first = launches_[at], &second = launches_[at + 1];
    line_pass<T> const ahead = with_arrays(first, in, out);
    line_pass<T> after = with_arrays(second, static_cast<T const*>(out), out);
    after.subtracted = subtracted;
    int const planes = first.blocks / first.pass.blocks;
    for (int done = 0; done < planes; done += planes_at_once_) {
      int const now = std::min(planes_at_once_, planes - done);
      launch(first, ahead, done * first.pass.blocks, now * first.pass.blocks);
      launch(second, after, done * second.pass.blocks, now * second.pass.blocks);
    }
  }

  gpu& place_;
  std::size_t batch_;
  int planes_at_once_ = 1;
  std::vector<device_line<T>> lines_;
  std::vector<line_launch<T>> launches_;
  std::optional<first_points<T>> fixed_;
  bool ahead_;
};

} // namespace

template <class T>
std::unique_ptr<backend<T>> make_lines(gpu& place, plan const& of) {
  if (!fits_lines(of, sizeof(T))) return nullptr;
  return std::make_unique<lines_backend<T>>(place, of);
}

} // namespace warpfold::poisson::gpu_impl
