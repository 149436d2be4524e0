// The vendor twin on a GPU: cuRAND's normals, and CUB's transform_reduce for one option after the
// other.

#include "backend.hpp"
#include "pricing/european/monte_carlo_finish.hpp"
#include "twins/call.cuh"

#include <warpfold/buffer.hpp>
#include <warpfold/detail/core/launch.cuh>
#include <warpfold/twins/random.hpp>

#include <cub/device/device_reduce.cuh>

#include <algorithm>

namespace warpfold::inline v0::pricing::gpu_impl {
namespace {

template <class T>
using evaluation = plain_evaluation<T, kinds::both>;

template <class T>
struct payoff_of {
  typename evaluation<T>::terms const* terms;

  __device__ tile_sums<2> operator()(T z) const {
    auto const of = *terms;
    T const price = exp2(of.a + of.b * z), worth = of.least > 0 ? price - 1 : 1 - price;
    double const payoff = worth > 0 ? worth : T(0);
    return {{payoff, payoff * payoff}, worth >= 0 ? 1u : 0u};
  }
};

struct add_sums {
  __device__ tile_sums<2> operator()(tile_sums<2> a, tile_sums<2> const& b) const {
    a += b;
    return a;
  }
};

template <class T>
__global__ void vendor_terms_kernel(simulation_call<T> call, typename evaluation<T>::terms* to) {
  for (std::size_t i = blockIdx.x * blockDim.x + threadIdx.x; i < call.book.size;
       i += std::size_t{gridDim.x} * blockDim.x)
    to[i] = evaluation<T>{}.terms_of(call.kind[i], scale_of(call.kind[i], call.book[i]));
}

template <class T>
__global__ void vendor_finish_kernel(finish_option<T, evaluation<T>> finish,
                                     tile_sums<2> const* sums) {
  for (std::size_t i = blockIdx.x * blockDim.x + threadIdx.x; i < finish.call.book.size;
       i += std::size_t{gridDim.x} * blockDim.x)
    finish(i, scale_of(finish.call.kind[i], finish.call.book[i]), sums[i]);
}

} // namespace

template <class T>
void simulate_vendor(gpu& place, simulation_call<T> const& call) {
  std::size_t const size = call.book.size;
  std::size_t const even = call.samples + call.samples % 2; // cuRAND makes pairs
  device_buffer<T> normals(place, even);
  device_buffer<typename evaluation<T>::terms> terms(place, size);
  device_buffer<tile_sums<2>> sums(place, size);
  // cuRAND has no streams: other seeds, and each far along.
  random::vendor_generator<gpu>(
      place, twins::generator::curand_philox,
      {.seed = call.from.seed ^ (call.from.stream >> 24), .offset = call.from.stream << 40})
      .normal_async(normals.span());
  int const blocks = static_cast<int>(std::min<std::size_t>((size + 255) / 256, 1024));
  detail::launch(place.stream(), {blocks, 256}, vendor_terms_kernel<T>, call, terms.data());
  for (std::size_t i = 0; i < size; ++i)
    detail::call_cub(place, true, [&](void* scratch, std::size_t& bytes) {
      return cub::DeviceReduce::TransformReduce(
          scratch, bytes, normals.data(), sums.data() + i, static_cast<std::int64_t>(call.samples),
          add_sums{}, payoff_of<T>{terms.data() + i}, tile_sums<2>{}, place.stream());
    });
  detail::launch(place.stream(), {blocks, 256}, vendor_finish_kernel<T>,
                 finish_option<T, evaluation<T>>{call, {}}, sums.data());
}

#define INSTANTIATE(T) template void simulate_vendor<T>(gpu&, simulation_call<T> const&);
WARPFOLD_FOR_EACH_PRICED(INSTANTIATE)

} // namespace warpfold::inline v0::pricing::gpu_impl
