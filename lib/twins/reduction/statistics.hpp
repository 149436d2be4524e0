#pragma once
// Statistics on a host by thrust::transform_reduce.

#include "instances.hpp"
#include "tallies.hpp"
#include "twins/checks.hpp"
#include "twins/omp_threads.hpp"

#include <thrust/iterator/counting_iterator.h>
#include <thrust/system/omp/execution_policy.h>
#include <thrust/transform_reduce.h>

namespace warpfold::inline v0::detail {

template <class T, class A>
void describe_by(twins::vendor twin, host const& place, std::span<T const> values,
                 description<A>* result, bool) {
  check_elements("values", values.data(), values.size());
  check_vendor(twin, false, true);
  if (twin == twins::fold) return describe_to<T>(place, values, result);
  using tally_type = full_description<A>;
  tally_type const tally{values.size()};
  omp_threads const scope{place.threads()};
  auto const first = ::thrust::make_counting_iterator(std::int64_t{0});
  *result = tally.finish(::thrust::transform_reduce(
      ::thrust::omp::par, first, first + static_cast<std::int64_t>(values.size()),
      partial_at<T, tally_type>{values.data()}, tally_type::nothing(), tally));
}

template <class T>
void moment_by(twins::vendor twin, host const& place, std::span<T const> values, moment which,
               double* result, bool blocking) {
  if (twin == twins::fold) return moment_to<T>(place, values, which, result);
  description<typename default_accumulator<T>::type> all{};
  describe_by<T>(twin, place, values, &all, blocking);
  *result = moment_of(all, which);
}

} // namespace warpfold::inline v0::detail

#define INSTANTIATE(T, A)                                                                          \
  namespace warpfold::inline v0::detail {                                                          \
  template void describe_by<T, A>(twins::vendor, host const&, std::span<T const>, description<A>*, \
                                  bool);                                                           \
  template void moment_by<T>(twins::vendor, host const&, std::span<T const>, moment, double*,      \
                             bool);                                                                \
  }
