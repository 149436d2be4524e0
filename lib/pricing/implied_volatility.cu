// Implied volatilities on a GPU: one quote a thread, since arithmetic takes longer than memory.

#include "backend.hpp"
#include "each_index.cuh"

#include <warpfold/detail/pricing/implied_volatility_terms.hpp>

namespace warpfold::inline v0::pricing::gpu_impl {
namespace {

template <class T>
struct imply_at {
  static constexpr int registers = 128, turns = 1;
  implied_call<T> call;

  __device__ void operator()(std::int64_t i) const {
    auto const at = static_cast<std::size_t>(i);
    call.put(at, detail::implied_volatility_of(call[at]));
  }
};

} // namespace

template <class T>
void compute(cudaStream_t stream, implied_call<T> const& call) {
  for_each_index(stream, static_cast<std::int64_t>(call.size()), imply_at<T>{call});
}

#define INSTANTIATE(T) template void compute(cudaStream_t, implied_call<T> const&);
WARPFOLD_FOR_EACH_PRICED(INSTANTIATE)

} // namespace warpfold::inline v0::pricing::gpu_impl
