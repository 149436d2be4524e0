#pragma once
// The kernels of rows.

#include "engine.hpp"
#include "launch.cuh"
#include "poisson/instances.hpp"
#include "tuning.hpp"

#include <warpfold/detail/core/cuda_block.cuh>

#include <type_traits>

namespace warpfold::inline v0::poisson::gpu_impl {
namespace {

/// `apart` is how many units are between the first ones of two blocks.
template <class Core, int Beside, int Cluster, bool Streams, bool Leaves>
__global__
__launch_bounds__(Core::shape::threads, unit_blocks_wanted<Core, true>) void unit_rows_kernel(
    unit_rows<typename Core::T> const __grid_constant__ pass, unsigned apart, bool probes) {
  extern __shared__ __align__(16) unsigned char shared[];
  detail::cuda_block const block;
  transform_rows<Core, Beside, Cluster, Streams, Leaves>(
      block, pass, blockIdx.x * apart, probes,
      reinterpret_cast<complex<typename Core::T>*>(shared));
}

/// The kernels of a core. Layout says which of them stream.
template <class Core, class Tuning, class Layout>
row_kernels<typename Core::T> row_kernels_of(gpu& place) {
  using shape = typename Core::shape;
  constexpr int beside = Tuning::beside, cluster = Tuning::cluster;
  constexpr auto kernel = [](auto leaves) {
    return unit_rows_kernel<Core, beside, cluster, Layout::template streams<shape::kind, leaves>,
                            leaves>;
  };
  return {kernel_of_shape<shape>(place, kernel(std::true_type{})),
          kernel_of_shape<shape>(place, kernel(std::false_type{}))};
}

template <class Core, class Tuning, class Layout>
row_launcher<typename Core::T> make_rows(gpu& place, axis_plan const& of) {
  built_rows<typename Core::T> rows{{}, {}, Core::shape::units, Tuning::cluster};
  if constexpr (Core::shape::keeps) {
    rows.few = row_kernels_of<Core, Tuning, Layout>(place);
    rows.any = row_kernels_of<typename Core::keeping_nothing, Tuning, Layout>(place);
  } else rows.any = row_kernels_of<Core, Tuning, Layout>(place);
  return row_launcher_of(rows, unit_tables_of<Core>(of), Tuning::beside, Tuning::fetches_back);
}

} // namespace

/// use(layout) for an axis of rows.
template <class T, class Use>
row_launcher<T> with_row_layout(axis_plan const& of, bool many, Use use) {
  return with_points<T>(unit_length(of), [&](auto length) {
    if constexpr (has_all_units && has_many<T, length>)
      if (many) return use(std::type_identity<unit_row_layout<T, length, true>>{}, length);
    return use(std::type_identity<unit_row_layout<T, length, false>>{}, length);
  });
}

template <class T, unit_kind Kind>
row_launcher<T> make_unit_rows(gpu& place, axis_plan const& of, bool many) {
  return with_row_layout<T>(of, many, [&](auto chosen, auto length) {
    using layout = typename decltype(chosen)::type;
    return make_rows<typename layout::template core<Kind>, unit_tuning<T, Kind, length>, layout>(
        place, of);
  });
}

} // namespace warpfold::inline v0::poisson::gpu_impl

#define INSTANTIATE(T, KIND)                                                                       \
  namespace warpfold::inline v0::poisson::gpu_impl {                                               \
  template row_launcher<T> make_unit_rows<T, unit_kind::KIND>(gpu&, axis_plan const&, bool);       \
  }
