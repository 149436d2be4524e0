#pragma once
// Reductions on a host by thrust::transform_reduce, and by the classics.

#include "classics.hpp"
#include "instances.hpp"
#include "twins/checks.hpp"
#include "twins/omp_threads.hpp"

#include <thrust/system/omp/execution_policy.h>
#include <thrust/transform_reduce.h>

namespace warpfold::inline v0::detail {

template <class T, class A, class Op, class Transform>
void reduce_by(twins::reducer twin, host const& place, std::span<T const> values, A init, A* result,
               bool) {
  check_elements("values", values.data(), values.size());
  constexpr bool has_thrust = compared_element<T, A>, is_sum = is_plain_sum<T, A, Op, Transform>;
  if (twin.is_classic()) {
    check_classic(twin, is_sum);
    if constexpr (is_sum)
      if (!values.empty()) {
        *result = sum_by_classic<T, A>(twin, place, values, init);
        return;
      }
  } else {
    check_vendor(twin.as_vendor(), false, true);
    check_has_thrust(twin.as_vendor(), has_thrust);
    if constexpr (has_thrust)
      if (twin.as_vendor() == twins::thrust) {
        omp_threads const scope{place.threads()};
        *result = ::thrust::transform_reduce(::thrust::omp::par, values.data(),
                                             values.data() + values.size(), widened<A, Transform>{},
                                             init, Op{});
        return;
      }
  }
  reduce_to<T, A, Op, Transform>(place, values, init, result);
}

} // namespace warpfold::inline v0::detail

#define INSTANTIATE(T, A, Op, Transform)                                                           \
  namespace warpfold::inline v0::detail {                                                          \
  template void reduce_by<T, A, Op, Transform>(twins::reducer, host const&, std::span<T const>, A, \
                                               A*, bool);                                          \
  }
