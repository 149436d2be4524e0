// Sums by index on a GPU by atomic additions of floating-point numbers.

#include "twins/checks.hpp"

#include <warpfold/detail/core/cuda_block.cuh>
#include <warpfold/detail/core/launch.cuh>
#include <warpfold/detail/scatter/scatter_body.hpp>
#include <warpfold/twins/scatter.hpp>

namespace warpfold::inline v0::detail {
namespace {

constexpr int threads = 256;

template <class T>
__global__ void clear_kernel(T* results, int bins, scatter_status* status) {
  int const rank = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  for (std::int64_t b = rank; b < bins; b += gridDim.x * blockDim.x) results[b] = T{0};
  if (rank == 0 && status != nullptr) *status = {0, no_position, 0, no_position};
}

template <class T>
__global__ __launch_bounds__(threads) void atomics_kernel(scatter_input<T, std::uint32_t> input,
                                                          T* results, scatter_status* status) {
  cuda_block const block;
  bool const is_aligned = input.is_aligned();
  scatter_refusals refusals;
  auto const add = [&](std::uint64_t i, std::uint32_t bin, T x) {
    if (bin < input.bins) atomicAdd(results + bin, x);
    else refusals.note(i);
  };
  std::uint64_t const step = std::uint64_t{gridDim.x} * threads * scatter_quad;
  std::uint64_t i = (std::uint64_t{blockIdx.x} * threads + threadIdx.x) * scatter_quad;
  for (; i + scatter_quad <= input.size; i += step) {
    std::uint32_t bin[scatter_quad];
    T x[scatter_quad];
    if (is_aligned) {
      read_quad(input.keys + i, bin);
      read_quad(input.values + i, x);
    } else {
      for (int v = 0; v < scatter_quad; ++v) {
        bin[v] = read_once(input.keys + i + v);
        x[v] = read_once(input.values + i + v);
      }
    }
    for (int v = 0; v < scatter_quad; ++v) add(i + static_cast<unsigned>(v), bin[v], x[v]);
  }
  for (; i < input.size; ++i) add(i, input.keys[i], input.values[i]); // of one thread at most
  if (status != nullptr) refusals.add_to(block, &status->refused, &status->first_refused);
}

} // namespace

template <class T>
scatter_status scatter_by_atomics(gpu& place, scatter_input<T, std::uint32_t> const& input,
                                  T* results, scatter_status* status) {
  check_scatter<T>(input, nullptr, results, status, {});
  device_guard const current{place.device()};
  int const blocks = 8 * place.multiprocessors();
  launch(place.stream(), {blocks, threads}, clear_kernel<T>, results, static_cast<int>(input.bins),
         status);
  if (input.size > 0)
    launch(place.stream(), {blocks, threads}, atomics_kernel<T>, input, results, status);
  if (status == nullptr) place.synchronize();
  return {};
}

template scatter_status scatter_by_atomics<float>(gpu&, scatter_input<float, std::uint32_t> const&,
                                                  float*, scatter_status*);
template scatter_status scatter_by_atomics<double>(gpu&,
                                                   scatter_input<double, std::uint32_t> const&,
                                                   double*, scatter_status*);

} // namespace warpfold::inline v0::detail
