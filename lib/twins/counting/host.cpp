// Counts and compaction on a host by Thrust on OpenMP. It has no histogram.

#include "checks.hpp"
#include "instances.hpp"
#include "twins/checks.hpp"
#include "twins/omp_threads.hpp"

#include <thrust/copy.h>
#include <thrust/count.h>
#include <thrust/system/omp/execution_policy.h>

#include <cstdint>

namespace warpfold::inline v0::detail {

template <class T, class Predicate>
void count_to(host const& place, std::span<T const> values, Predicate predicate,
              count_answer const& answer, twins::vendor twin, bool) {
  check_vendor(twin, false, true);
  if (twin == twins::fold) return count_to(place, values, predicate, answer);
  check_elements("values", values.data(), values.size());
  omp_threads const scope{place.threads()};
  answer(static_cast<std::uint64_t>(::thrust::count_if(::thrust::omp::par, values.data(),
                                                       values.data() + values.size(), predicate)));
}

template <class T>
void histogram_to(host const& place, std::span<T const> values, bins_of<T> const& bins,
                  std::span<std::uint64_t> counts, twins::vendor twin, bool) {
  check_vendor(twin, false, true);
  check_no_thrust(twin);
  histogram_to<T>(place, values, bins, counts);
}

template <class T, class Predicate>
void compact_to(host const& place, std::span<T const> values, Predicate predicate,
                std::span<T> output, std::uint64_t* count, twins::vendor twin, bool blocking) {
  check_vendor(twin, false, true);
  if (twin == twins::fold) return compact_to(place, values, predicate, output, count, blocking);
  check_elements("values", values.data(), values.size());
  check_output(values.data(), values.size(), output.data(), output.size(), count);
  check_room(values.size(), output.size(), twin);
  omp_threads const scope{place.threads()};
  T const* const first = values.data();
  *count =
      static_cast<std::uint64_t>(::thrust::copy_if(::thrust::omp::par, first, first + values.size(),
                                                   output.data(), predicate) -
                                 output.data());
}

#define INSTANTIATE(T, Predicate)                                                                  \
  template void count_to<T, Predicate>(host const&, std::span<T const>, Predicate,                 \
                                       count_answer const&, twins::vendor, bool);
WARPFOLD_COMPARED_COUNTS(INSTANTIATE)
#undef INSTANTIATE
#define INSTANTIATE(T, Predicate)                                                                  \
  template void compact_to<T, Predicate>(host const&, std::span<T const>, Predicate, std::span<T>, \
                                         std::uint64_t*, twins::vendor, bool);
WARPFOLD_COMPARED_SELECTIONS(INSTANTIATE)
#undef INSTANTIATE
#define INSTANTIATE(T)                                                                             \
  template void histogram_to<T>(host const&, std::span<T const>, bins_of<T> const&,                \
                                std::span<std::uint64_t>, twins::vendor, bool);
WARPFOLD_COMPARED_HISTOGRAMS(INSTANTIATE)

} // namespace warpfold::inline v0::detail
