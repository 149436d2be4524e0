#pragma once
// Transforms on a GPU of contiguous lines whose transforms are powers of two.

#include "backend.hpp"
#include "poisson/engine/launch.cuh"
#include "poisson/engine/placed_tables.hpp"
#include "poisson/instances.hpp"
#include "unit_layout.hpp"
#include "unit_tables.hpp"

#include <warpfold/detail/core/cuda_block.cuh>

#include <memory>

namespace warpfold::inline v0::transforms {
namespace {

template <class Core, bool Inverse>
__global__
__launch_bounds__(Core::shape::threads, poisson::packed_blocks_wanted<Core>) void transform_kernel(
    unit_pass<typename Core::T> const __grid_constant__ pass) {
  extern __shared__ __align__(16) unsigned char shared[];
  detail::cuda_block const block;
  transform_units<Core, Inverse>(block, pass,
                                 blockIdx.x * (Core::shape::units * lines_of_unit<Core>),
                                 reinterpret_cast<poisson::complex<typename Core::T>*>(shared));
}

/// A kernel and its tables.
template <class T>
struct unit_launcher {
  poisson::unit_tables<T> tables;
  poisson::gpu_impl::unit_kernel<unit_pass<T>> kernel;
  unsigned lines; ///< of a block
};

template <class Core, bool Inverse>
unit_launcher<typename Core::T> launcher_of(gpu& place, checked_problem const& of) {
  using shape = typename Core::shape;
  return {unit_tables_of<Core>(of),
          poisson::gpu_impl::kernel_of_shape<shape>(place, transform_kernel<Core, Inverse>),
          shape::units * lines_of_unit<Core>};
}

template <class T>
class unit_backend final : public backend<T> {
public:
  unit_backend(gpu& place, checked_problem const& of, unit_launcher<T> const& by)
      : place_{place}, tables_{place, by.tables}, kernel_{by.kernel}, lines_{by.lines} {
    pass_ = {.axis = tables_.axis(),
             .in = nullptr,
             .out = nullptr,
             .lines = static_cast<unsigned>(of.slower),
             .points = static_cast<int>(of.points),
             .ahead = static_cast<unsigned>(kernel_.at_work()) * lines_ / 2,
             .maps = unit_maps_of<T>(of)};
  }

  void run(T const* input, T* output) override {
    unit_pass<T> pass = pass_;
    pass.in = input;
    pass.out = output;
    kernel_.launch(place_, (pass.lines - 1) / lines_ + 1, pass);
  }

private:
  gpu& place_;
  poisson::gpu_impl::placed_tables<T> tables_;
  poisson::gpu_impl::unit_kernel<unit_pass<T>> kernel_;
  unsigned lines_;
  unit_pass<T> pass_;
};

} // namespace

template <class T>
std::unique_ptr<backend<T>> gpu_impl::make_units(gpu& place, checked_problem const& of) {
  auto const by = with_unit_core<T>(of, [&](auto core, auto inverse) {
    return launcher_of<typename decltype(core)::type, inverse>(place, of);
  });
  return std::make_unique<unit_backend<T>>(place, of, by);
}

} // namespace warpfold::inline v0::transforms

#define INSTANTIATE(T)                                                                             \
  namespace warpfold::inline v0::transforms {                                                      \
  template std::unique_ptr<backend<T>> gpu_impl::make_units(gpu&, checked_problem const&);         \
  }
