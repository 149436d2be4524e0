// The vendor twin on a GPU: Thrust over the arrays, one option at a time.

#include "backend.hpp"
#include "polynomial.hpp"
#include "twins/call.cuh"

#include <thrust/for_each.h>
#include <thrust/iterator/counting_iterator.h>
#include <thrust/iterator/zip_iterator.h>
#include <thrust/transform.h>
#include <thrust/tuple.h>
#include <thrust/zip_function.h>

#include <cstdint>

namespace warpfold::inline v0::pricing::gpu_impl {
namespace {

/// Arrays of spot, strike and expiry.
template <class T>
struct formula {
  T volatility, rate, dividend_yield;

  __device__ ::thrust::tuple<T, T> operator()(T spot, T strike, T expiry) const {
    auto const both = vendor_prices<T>({spot, strike, expiry, volatility, rate, dividend_yield});
    return {both.call, both.put};
  }
};

/// Arrays of anything.
template <class T>
struct formula_at {
  book_view<T> book;
  outputs_view<T> outputs;

  __device__ void operator()(std::int64_t i) const {
    auto const both = vendor_prices(book[static_cast<std::size_t>(i)]);
    if (outputs.of[0]) outputs.of[0][i] = both.call;
    if (outputs.of[1]) outputs.of[1][i] = both.put;
  }
};

} // namespace

template <class T>
void vendor(cudaStream_t stream, price_call<T> const& call) {
  auto const& book = call.book;
  auto const& outputs = call.outputs;
  auto const& [spot, strike, expiry, volatility, rate, dividend_yield] = book.of;
  detail::enqueue_thrust(stream, [&](auto const& policy) {
    if (call.is_usual()) {
      auto const in = ::thrust::make_zip_iterator(spot.array, strike.array, expiry.array);
      ::thrust::transform(policy, in, in + static_cast<std::ptrdiff_t>(book.size),
                          ::thrust::make_zip_iterator(outputs.of[0], outputs.of[1]),
                          ::thrust::make_zip_function(
                              formula<T>{volatility.value, rate.value, dividend_yield.value}));
    } else {
      ::thrust::for_each_n(policy, ::thrust::counting_iterator<std::int64_t>(0), book.size,
                           formula_at<T>{book, outputs});
    }
  });
}

#define INSTANTIATE(T) template void vendor(cudaStream_t, price_call<T> const&);
WARPFOLD_FOR_EACH_PRICED(INSTANTIATE)

} // namespace warpfold::inline v0::pricing::gpu_impl
