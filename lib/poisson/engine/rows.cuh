#pragma once
// The kernels of rows.

#include "engine.hpp"
#include "launch.cuh"
#include "poisson/instances.hpp"
#include "tuning.hpp"

#include <warpfold/detail/core/cuda_block.cuh>

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

/// The kernels of a core, and their launch. Layout says which of them stream.
template <class Core, class Tuning, class Layout>
struct row_kernels {
  using T = typename Core::T;
  using shape = typename Core::shape;
  static constexpr int beside = Tuning::beside, cluster = Tuning::cluster;
  template <bool Leaves>
  static constexpr auto kernel =
      unit_rows_kernel<Core, beside, cluster, Layout::template streams<shape::kind, Leaves>,
                       Leaves>;
  static constexpr auto leave = kernel<true>, come_back = kernel<false>;

  static void launch_leave(gpu& place, unit_rows<T> const& given) {
    unsigned const apart = shape::units, blocks = (given.units + apart - 1) / apart;
    if constexpr (shape::keeps)
      if (!can_keep(place, given.in, given, blocks))
        return row_kernels<typename Core::keeping_nothing, Tuning, Layout>::launch_leave(place,
                                                                                         given);
    auto pass = touched_if_few(place, given, blocks);
    if constexpr (cluster > 1) {
      int const capability = place.compute_capability();
      static detail::kernel_facts const facts = detail::facts_of(leave, shape::threads, capability);
      if (facts.knows_clusters(capability)) {
        pass.has_clusters = true;
        return launch_pass<shape, leave, cluster>(place, (blocks + cluster - 1) / cluster * cluster,
                                                  pass, apart, false);
      }
    }
    launch_pass<shape, leave>(place, blocks, pass, apart, false);
  }
  static void launch_come_back(gpu& place, unit_rows<T> const& pass, bool probes) {
    unsigned const apart = probes ? pass.pairs.by * pass.planes.by : shape::units;
    unsigned const blocks = (pass.units + apart - 1) / apart;
    if constexpr (shape::keeps)
      if (!can_keep(place, pass.out, pass, blocks))
        return row_kernels<typename Core::keeping_nothing, Tuning, Layout>::launch_come_back(
            place, pass, probes);
    launch_pass<shape, come_back>(place, blocks, touched_if_few(place, pass, blocks), apart,
                                  probes);
  }

private:
  static bool can_keep(gpu const& place, T const* rows, unit_rows<T> const& pass, unsigned blocks) {
    return are_few(blocks, place.multiprocessors()) && is_in_pairs(rows, pass.strides);
  }
};

template <class Core, class Tuning, class Layout>
row_launcher<typename Core::T> row_launcher_of(gpu& place, axis_plan const& of) {
  using shape = typename Core::shape;
  using kernels = row_kernels<Core, Tuning, Layout>;
  device_guard const current{place.device()};
  detail::allow_shared(kernels::leave, shape::shared);
  detail::allow_shared(kernels::come_back, shape::shared);
  auto const at_work =
      static_cast<unsigned>(blocks_at_work<shape, kernels::come_back>(place)) * shape::units;
  return {unit_tables_of<Core>(of),
          Tuning::beside,
          shape::units,
          at_work * unsigned{Tuning::fetches_back} / 2,
          kernels::launch_leave,
          kernels::launch_come_back};
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
    return row_launcher_of<typename layout::template core<Kind>, unit_tuning<T, Kind, length>,
                           layout>(place, of);
  });
}

} // namespace warpfold::inline v0::poisson::gpu_impl

#define INSTANTIATE(T, KIND)                                                                       \
  namespace warpfold::inline v0::poisson::gpu_impl {                                               \
  template row_launcher<T> make_unit_rows<T, unit_kind::KIND>(gpu&, axis_plan const&, bool);       \
  }
