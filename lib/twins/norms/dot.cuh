#pragma once
// Dot products on a GPU by cub::DeviceReduce and thrust::inner_product.

#include "instances.hpp"
#include "reduction/checks.hpp"
#include "twins/call.cuh"
#include "twins/checks.hpp"

#include <warpfold/detail/reduction/pair_reader.hpp>

#include <cub/device/device_reduce.cuh>
#include <thrust/inner_product.h>
#include <thrust/iterator/zip_iterator.h>
#include <thrust/zip_function.h>

namespace warpfold::inline v0::detail {

template <class T, class A>
void dot_by(twins::vendor twin, gpu& place, device_span<T const> x, device_span<T const> y,
            A* result, bool blocking) {
  check_pair(x.data(), x.size(), y.data(), y.size());
  check_vendor(twin, true, blocking);
  switch (twin) {
  case twins::fold: return dot_to<T, A>(place, x, y, result);
  case twins::cub: {
    auto const both = ::thrust::make_zip_iterator(x.data(), y.data());
    auto const product = ::thrust::make_zip_function(widened_product<A>{});
    return call_cub(place, blocking, [&](void* temporary, std::size_t& bytes) {
      return ::cub::DeviceReduce::TransformReduce(temporary, bytes, both, result, x.size(), plus{},
                                                  product, A{}, place.stream());
    });
  }
  case twins::thrust:
    *result = call_thrust(place, [&](auto const& policy) {
      return ::thrust::inner_product(policy, x.data(), x.data() + x.size(), y.data(), A{}, plus{},
                                     widened_product<A>{});
    });
  }
}

} // namespace warpfold::inline v0::detail

#define INSTANTIATE(T, A)                                                                          \
  namespace warpfold::inline v0::detail {                                                          \
  template void dot_by<T, A>(twins::vendor, gpu&, device_span<T const>, device_span<T const>, A*,  \
                             bool);                                                                \
  }
