// Implied volatilities on a GPU: one quote a thread, since arithmetic takes longer than memory.

#include "enqueue_thrust.cuh"
#include "implied_backend.hpp"

#include <thrust/for_each.h>
#include <thrust/iterator/counting_iterator.h>

#include <cstdint>

namespace warpfold::pricing::gpu_impl {
namespace {

template <class T>
struct imply_at {
  quotes_view<T> quotes;
  implied_view<T> to;

  __device__ void operator()(std::uint64_t i) const {
    to.put(i, detail::implied_volatility_of(quotes[i]));
  }
};

} // namespace

template <class T>
void imply(cudaStream_t stream, quotes_view<T> const& quotes, implied_view<T> const& to) {
  enqueue_thrust(stream, [&](auto const& policy) {
    ::thrust::for_each_n(policy, ::thrust::counting_iterator<std::uint64_t>(0), quotes.size,
                         imply_at<T>{quotes, to});
  });
}

#define INSTANTIATE(T)                                                                             \
  template void imply<T>(cudaStream_t, quotes_view<T> const&, implied_view<T> const&);
WARPFOLD_FOR_EACH_PRICED(INSTANTIATE)

} // namespace warpfold::pricing::gpu_impl
