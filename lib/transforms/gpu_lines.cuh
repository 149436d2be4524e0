#pragma once
// Transforms on a GPU, by the passes of Poisson's solver along lines in shared memory.

#include "backend.hpp"
#include "poisson/engine/engine.hpp"
#include "poisson/instances.hpp"
#include "poisson/lines/lines_device.cuh"
#include "shared_transform.hpp"

#include <warpfold/buffer.hpp>
#include <warpfold/detail/core/cuda_block.cuh>
#include <warpfold/detail/core/launch.cuh>

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace warpfold::inline v0::transforms {
namespace {

template <class T, bool Strided>
__global__ __launch_bounds__(poisson::most_line_threads<T>) void transform_kernel(
    poisson::line_pass<T> const __grid_constant__ pass, real_maps<T> const __grid_constant__ maps) {
  extern __shared__ __align__(16) unsigned char shared[];
  detail::cuda_block const block;
  block.wait_for_previous_grid();
  transform_lines<T, Strided>(block, pass, maps, reinterpret_cast<poisson::complex<T>*>(shared));
}

template <class T>
class gpu_backend final : public backend<T> {
public:
  gpu_backend(gpu& place, checked_problem const& of)
      : gpu_backend{place, of, of.folded(), make_tables<T>(of)} {}

  void run(T const* input, T* output) override {
    device_guard const current{place_.device()};
    detail::launch(place_.stream(), {launch_.blocks, launch_.threads, ahead_, launch_.shared},
                   kernel_, with_arrays(launch_, input, output), maps_);
  }

private:
  gpu_backend(gpu& place, checked_problem const& of, poisson::plan const& folded,
              real_tables<T> const& tables)
      : place_{place}, line_{place, folded.axes[of.folded_axis()],
                             poisson::line_shift<T>(folded, of.folded_axis())},
        modes_{place, std::span<mode_pair<T> const>{tables.modes}},
        places_{place, std::span<poisson::slot_places const>{places_of(line_.placed().axis,
                                                                       tables.frequencies)}},
        maps_{tables.maps} {
    std::vector<poisson::placed_line<T>> lines(2);
    lines[of.folded_axis()] = line_.placed();
    launch_ = make_pass(folded, lines, of.folded_axis(), poisson::line_role::forward);
    launch_.pass.axis.places = places_.data();
    maps_.modes = modes_.data();
    maps_.tilts = launch_.pass.axis.tilts;
    kernel_ = launch_.is_strided ? transform_kernel<T, true> : transform_kernel<T, false>;
    device_guard const current{place.device()};
    detail::allow_shared(kernel_, poisson::most_line_shared);
    int const capability = place.compute_capability();
    ahead_ =
        detail::facts_of(kernel_, launch_.threads, capability).waits_for_previous_grid(capability);
  }

  gpu& place_;
  poisson::gpu_impl::device_line<T> line_;
  device_buffer<mode_pair<T>> modes_;
  device_buffer<poisson::slot_places> places_;
  real_maps<T> maps_;
  poisson::line_launch<T> launch_;
  void (*kernel_)(poisson::line_pass<T>, real_maps<T>);
  bool ahead_;
};

} // namespace

template <class T>
std::unique_ptr<backend<T>> gpu_impl::make_backend(gpu& place, checked_problem const& of) {
  if constexpr (poisson::gpu_impl::has_all_units)
    if (has_units(place, of, sizeof(T))) return make_units<T>(place, of);
  return std::make_unique<gpu_backend<T>>(place, of);
}

} // namespace warpfold::inline v0::transforms

#define INSTANTIATE(T)                                                                             \
  namespace warpfold::inline v0::transforms {                                                      \
  template std::unique_ptr<backend<T>> gpu_impl::make_backend(gpu&, checked_problem const&);       \
  }
