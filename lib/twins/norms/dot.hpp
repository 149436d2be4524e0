#pragma once
// Dot products on a host by thrust::inner_product.

#include "instances.hpp"
#include "reduction/checks.hpp"
#include "twins/checks.hpp"
#include "twins/omp_threads.hpp"

#include <warpfold/detail/reduction/pair_reader.hpp>

#include <thrust/inner_product.h>
#include <thrust/system/omp/execution_policy.h>

namespace warpfold::inline v0::detail {

template <class T, class A>
void dot_by(twins::vendor twin, host const& place, std::span<T const> x, std::span<T const> y,
            A* result, bool) {
  check_pair(x.data(), x.size(), y.data(), y.size());
  check_vendor(twin, false, true);
  if (twin == twins::fold) return dot_to<T, A>(place, x, y, result);
  omp_threads const scope{place.threads()};
  *result = ::thrust::inner_product(::thrust::omp::par, x.data(), x.data() + x.size(), y.data(),
                                    A{}, plus{}, widened_product<A>{});
}

} // namespace warpfold::inline v0::detail

#define INSTANTIATE(T, A)                                                                          \
  namespace warpfold::inline v0::detail {                                                          \
  template void dot_by<T, A>(twins::vendor, host const&, std::span<T const>, std::span<T const>,   \
                             A*, bool);                                                            \
  }
