#include "scatter_kernels.hpp"

#include <warpfold/detail/core/launch.cuh>

namespace warpfold::bench {
namespace {

/// splitmix64 (Steele, Lea, Flood 2014)
__device__ std::uint64_t mixed(std::uint64_t i) {
  std::uint64_t bits = (i + 1) * 0x9e3779b97f4a7c15u;
  bits = (bits ^ (bits >> 30)) * 0xbf58476d1ce4e5b9u;
  bits = (bits ^ (bits >> 27)) * 0x94d049bb133111ebu;
  return bits ^ (bits >> 31);
}

template <class T, class Make>
__global__ void fill_kernel(T* values, std::uint64_t size, Make make) {
  std::uint64_t const step = std::uint64_t{gridDim.x} * blockDim.x;
  for (std::uint64_t i = std::uint64_t{blockIdx.x} * blockDim.x + threadIdx.x; i < size; i += step)
    values[i] = make(i);
}
template <class T, class Make>
void fill(gpu& place, device_span<T> values, Make make) {
  device_guard const current{place.device()};
  detail::launch(place.stream(), {8 * place.multiprocessors(), 256}, fill_kernel<T, Make>,
                 values.data(), std::uint64_t{values.size()}, make);
}

struct make_index {
  std::uint64_t size;
  std::uint32_t bins;
  bool is_clustered;
  __device__ std::uint32_t operator()(std::uint64_t i) const {
    auto const bits = static_cast<std::uint32_t>(mixed(i) >> 32);
    if (!is_clustered) return bits & (bins - 1);
    int const off = __popc(bits & 0xffff) - 8; // nearly normal
    auto const cell = static_cast<std::int64_t>(i * bins / size);
    std::int64_t const at = cell + off;
    return static_cast<std::uint32_t>(at < 0 ? 0 : at < bins ? at : bins - 1);
  }
};
struct make_value {
  bool are_integers;
  __device__ float operator()(std::uint64_t i) const {
    std::uint64_t const bits = mixed(i ^ 0x5555555555u);
    if (are_integers) return static_cast<float>(static_cast<int>((bits >> 32) % 17) - 8);
    return static_cast<float>(static_cast<std::int32_t>(bits >> 40) - (1 << 23)) * 0x1p-23F;
  }
};

} // namespace

void fill_indices(gpu& place, device_span<std::uint32_t> indices, std::uint32_t bins,
                  bool is_clustered) {
  fill(place, indices, make_index{indices.size(), bins, is_clustered});
}
void fill_values(gpu& place, device_span<float> values, bool are_integers) {
  fill(place, values, make_value{are_integers});
}

} // namespace warpfold::bench
