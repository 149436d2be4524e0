// Implied volatilities on a GPU: one quote a thread, since arithmetic takes longer than memory.

#include "each_index.cuh"
#include "implied_backend.hpp"

namespace warpfold::inline v0::pricing::gpu_impl {
namespace {

template <class T>
struct imply_at {
  static constexpr int registers = 128, turns = 1;
  quotes_view<T> quotes;
  implied_view<T> to;

  __device__ void operator()(std::int64_t i) const {
    auto const at = static_cast<std::size_t>(i);
    to.put(at, detail::implied_volatility_of(quotes[at]));
  }
};

} // namespace

template <class T>
void imply(cudaStream_t stream, quotes_view<T> const& quotes, implied_view<T> const& to) {
  for_each_index(stream, static_cast<std::int64_t>(quotes.size), imply_at<T>{quotes, to});
}

#define INSTANTIATE(T)                                                                             \
  template void imply<T>(cudaStream_t, quotes_view<T> const&, implied_view<T> const&);
WARPFOLD_FOR_EACH_PRICED(INSTANTIATE)

} // namespace warpfold::inline v0::pricing::gpu_impl
