// The kernels of one axis with a length that is known when a solver is made. Macros say which:
//   WARPFOLD_ELEMENT  float or double
//   WARPFOLD_KIND     a unit_kind
//   WARPFOLD_RADICES  of the stages
//   WARPFOLD_LAYOUT   units of a block, those of neighbouring threads, blocks of a multiprocessor,
//                     rows of a tile
//   WARPFOLD_THREADS, WARPFOLD_SHARED  of a block, as the launcher will give them
//   WARPFOLD_PASS     bytes of the kernels' first argument, likewise
// and, for rows,
//   WARPFOLD_STREAMS  true if they are not to stay in the L2 cache

#include <warpfold/detail/core/cuda_block.cuh>

#include "poisson/engine/mixed/mixed.hpp"
#include "poisson/engine/passes.hpp"

using namespace warpfold;
using namespace warpfold::poisson;

using number = WARPFOLD_ELEMENT;
using core = mixed_core<
    mixed_shape<number, unit_kind::WARPFOLD_KIND, mixed_stages<WARPFOLD_RADICES>, WARPFOLD_LAYOUT>>;
static_assert(core::shape::threads == WARPFOLD_THREADS && core::shape::shared == WARPFOLD_SHARED);

extern __shared__ __align__(16) unsigned char shared_memory[];

#ifdef WARPFOLD_STREAMS
static_assert(sizeof(unit_rows<number>) == WARPFOLD_PASS);
template <bool Leaves>
__device__ void pass_rows(unit_rows<number> const& pass, unsigned apart, bool probes) {
  transform_rows<core, core::shape::tile / 2, 1, WARPFOLD_STREAMS, Leaves>(
      detail::cuda_block{}, pass, blockIdx.x * apart, probes,
      reinterpret_cast<complex<number>*>(shared_memory));
}
extern "C" __global__ __launch_bounds__(WARPFOLD_THREADS, core::shape::blocks) void leave_rows(
    unit_rows<number> const __grid_constant__ pass, unsigned apart, bool probes) {
  pass_rows<true>(pass, apart, probes);
}
extern "C" __global__
__launch_bounds__(WARPFOLD_THREADS, core::shape::blocks) void come_back_to_rows(
    unit_rows<number> const __grid_constant__ pass, unsigned apart, bool probes) {
  pass_rows<false>(pass, apart, probes);
}
#else
static_assert(sizeof(unit_columns<number>) == WARPFOLD_PASS);
extern "C" __global__ __launch_bounds__(WARPFOLD_THREADS, core::shape::blocks) void solve_columns(
    unit_columns<number> const __grid_constant__ pass, unsigned blocks) {
  solve_units<core>(detail::cuda_block{}, pass, blockIdx.x / blocks,
                    static_cast<int>(blockIdx.x % blocks) * core::shape::units, pass.slots,
                    reinterpret_cast<complex<number>*>(shared_memory));
}
#endif
