#include "pricing_kernels.hpp"

#include <thrust/execution_policy.h>
#include <thrust/iterator/zip_iterator.h>
#include <thrust/transform.h>
#include <thrust/tuple.h>
#include <thrust/zip_function.h>

namespace warpfold::bench {
namespace {

template <class T>
struct by_parity {
  T volatility, rate;

  __device__ thrust::tuple<T, T> operator()(T spot, T strike, T expiry) const {
    T const root = sqrt(expiry);
    T const d1 = (log(spot / strike) + (rate + T(0.5) * volatility * volatility) * expiry) /
                 (volatility * root);
    T const d2 = d1 - volatility * root;
    T const discounted = strike * exp(-rate * expiry);
    T const scale = T(-0.70710678118654752);
    T const call = T(0.5) * (spot * erfc(scale * d1) - discounted * erfc(scale * d2));
    return {call, call - spot + discounted};
  }
};

} // namespace

template <class T>
void zip_by_parity_async(gpu& place, pricing::device_book<T> const& book, device_span<T> call,
                         device_span<T> put) {
  auto const in = thrust::make_zip_iterator(book.spot.array().data(), book.strike.array().data(),
                                            book.expiry.array().data());
  thrust::transform(
      thrust::cuda::par_nosync.on(place.stream()), in,
      in + static_cast<std::ptrdiff_t>(call.size()),
      thrust::make_zip_iterator(call.data(), put.data()),
      thrust::make_zip_function(by_parity<T>{book.volatility.value(), book.rate.value()}));
}

template void zip_by_parity_async<float>(gpu&, pricing::device_book<float> const&,
                                         device_span<float>, device_span<float>);
template void zip_by_parity_async<double>(gpu&, pricing::device_book<double> const&,
                                          device_span<double>, device_span<double>);

} // namespace warpfold::bench
