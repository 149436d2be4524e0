// The reductions on the host: warpfold's fold, and Thrust on OpenMP as the vendor twin.

#include "backend.hpp"
#include "instances.hpp"
#include "omp_threads.hpp"

#include <warpfold/detail/fold_host.hpp>

#include <thrust/system/omp/execution_policy.h>
#include <thrust/transform_reduce.h>

namespace warpfold::reduction::host_impl {

template <class T, class A, class Op, class Transform>
A fold(host const& place, std::span<T const> values, A init) {
  return detail::fold_host(place.threads(), values.data(), values.size(), init, Op{},
                           detail::widened<A, Transform>{});
}

template <class T, class A, class Op, class Transform>
A thrust(host const& place, std::span<T const> values, A init) {
  omp_threads const scope{place.threads()};
  return ::thrust::transform_reduce(::thrust::omp::par, values.data(),
                                    values.data() + values.size(), detail::widened<A, Transform>{},
                                    init, Op{});
}

#define INSTANTIATE(T, A, Op, Transform)                                                           \
  template A fold<T, A, Op, Transform>(host const&, std::span<T const>, A);                        \
  template A thrust<T, A, Op, Transform>(host const&, std::span<T const>, A);
WARPFOLD_FOR_EACH_REDUCTION(INSTANTIATE)

} // namespace warpfold::reduction::host_impl
