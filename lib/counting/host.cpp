// Counting on the host: a loop, and Thrust on OpenMP.

#include "../core/omp_threads.hpp"
#include "backend.hpp"
#include "instances.hpp"

#include <warpfold/detail/count_host.hpp>

#include <thrust/count.h>
#include <thrust/system/omp/execution_policy.h>

#include <cstdint>

namespace warpfold::counting::host_impl {

template <class T, class Predicate>
void fold(host const& place, std::span<T const> values, Predicate predicate,
          detail::count_answer const& answer) {
  answer(detail::count_host(place.threads(), values.data(), values.size(), predicate));
}

template <class T, class Predicate>
void thrust(host const& place, std::span<T const> values, Predicate predicate,
            detail::count_answer const& answer) {
  detail::omp_threads const scope{place.threads()};
  answer(static_cast<std::uint64_t>(::thrust::count_if(::thrust::omp::par, values.data(),
                                                       values.data() + values.size(), predicate)));
}

#define INSTANTIATE(T, Predicate)                                                                  \
  template void fold<T, Predicate>(host const&, std::span<T const>, Predicate,                     \
                                   detail::count_answer const&);                                   \
  template void thrust<T, Predicate>(host const&, std::span<T const>, Predicate,                   \
                                     detail::count_answer const&);
WARPFOLD_FOR_EACH_COUNT(INSTANTIATE)

} // namespace warpfold::counting::host_impl
