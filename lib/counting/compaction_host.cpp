// Compaction on the host: two passes, and Thrust on OpenMP.

#include "../core/omp_threads.hpp"
#include "compaction_backend.hpp"
#include "instances.hpp"

#include <warpfold/detail/compaction_host.hpp>

#include <thrust/copy.h>
#include <thrust/system/omp/execution_policy.h>

#include <cstdint>

namespace warpfold::counting::host_impl {

template <class T, class Predicate>
void compact(host const& place, std::span<T const> values, Predicate predicate, std::span<T> output,
             std::uint64_t* count) {
  *count = detail::compact_host(place.threads(), values.data(), values.size(), predicate,
                                output.data(), output.size());
}

template <class T, class Predicate>
void thrust_copy_if(host const& place, std::span<T const> values, Predicate predicate, T* output,
                    std::uint64_t* count) {
  detail::omp_threads const scope{place.threads()};
  T const* const first = values.data();
  *count = static_cast<std::uint64_t>(
      ::thrust::copy_if(::thrust::omp::par, first, first + values.size(), output, predicate) -
      output);
}

#define INSTANTIATE(T, Predicate)                                                                  \
  template void compact<T, Predicate>(host const&, std::span<T const>, Predicate, std::span<T>,    \
                                      std::uint64_t*);                                             \
  template void thrust_copy_if<T, Predicate>(host const&, std::span<T const>, Predicate, T*,       \
                                             std::uint64_t*);
WARPFOLD_FOR_EACH_SELECTION(INSTANTIATE)

} // namespace warpfold::counting::host_impl
