// Simulation with normals in scratch memory, made once and read for every group of options.

#include "backend.hpp"
#include "pricing/european/monte_carlo_launch.cuh"

namespace warpfold::inline v0::pricing::gpu_impl {
namespace {

template <class T>
struct stored_source {
  static constexpr bool reads = true, is_replicated = false;
  normals_pack<T> const* packs;

  __device__ normals_pack<T> pack(std::uint32_t, std::uint32_t, std::uint64_t i) const {
    return packs[i];
  }
};

template <class T>
__global__ void store_normals_kernel(philox_source<T> from, std::uint64_t packs,
                                     normals_pack<T>* to) {
  detail::cuda_block const block;
  block.wait_for_previous_grid();
  auto i = static_cast<std::uint64_t>(block.block_rank()) * static_cast<unsigned>(block.size()) +
           static_cast<unsigned>(block.thread_rank());
  for (; i < packs; i += std::uint64_t{gridDim.x} * blockDim.x) to[i] = from.pack(0, 0, i);
}

} // namespace

template <class T>
void simulate_stored(gpu& place, simulation_call<T> const& call, bool may_allocate) {
  using pack = normals_pack<T>;
  constexpr int threads = 256;
  plain_evaluation<T, kinds::both> const evaluation{};
  auto const shape = shape_of<plain_evaluation<T, kinds::both>>(call);
  // Chunks are read whole.
  std::uint64_t const packs =
      (call.samples + shape.chunk - 1) / shape.chunk * shape.chunk / pack::size;
  std::size_t const for_sums = (partials_size<decltype(evaluation)>(shape) + alignof(pack) - 1) /
                               alignof(pack) * alignof(pack);
  auto* const scratch = simulation_scratch(place, for_sums + packs * sizeof(pack), may_allocate);
  auto* const normals = reinterpret_cast<pack*>(scratch + for_sums);
  auto const kernel = store_normals_kernel<T>;
  static detail::kernel_facts const facts =
      detail::facts_of(kernel, threads, place.compute_capability());
  int const blocks = detail::blocks_at_once(place, facts, (packs + threads - 1) / threads);
  bool const ahead = facts.waits_for_previous_grid(place.compute_capability());
  detail::launch(place.stream(), {blocks, threads, ahead}, kernel,
                 philox_source_of<T>(call.from, call.first), packs, normals);
  launch_evaluation(place, call, shape, evaluation, stored_source<T>{normals},
                    partials_in<decltype(evaluation)>(scratch, shape), all_of(shape));
}

#define INSTANTIATE(T) template void simulate_stored<T>(gpu&, simulation_call<T> const&, bool);
WARPFOLD_FOR_EACH_PRICED(INSTANTIATE)

} // namespace warpfold::inline v0::pricing::gpu_impl
