#pragma once
// Dot products on a host by thrust::inner_product.

#include "../../reduction/checks.hpp"
#include "../checks.hpp"
#include "../omp_threads.hpp"
#include "instances.hpp"

#include <warpfold/detail/pair_reader.hpp>

#include <thrust/inner_product.h>
#include <thrust/system/omp/execution_policy.h>

namespace warpfold::detail {

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

} // namespace warpfold::detail

#define INSTANTIATE(T, A)                                                                          \
  namespace warpfold::detail {                                                                     \
  template void dot_by<T, A>(twins::vendor, host const&, std::span<T const>, std::span<T const>,   \
                             A*, bool);                                                            \
  }
