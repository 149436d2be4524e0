// The statistics on the host: warpfold's, and Thrust on OpenMP as the vendor twin.

#include "../core/omp_threads.hpp"
#include "tally_instances.hpp"
#include "tally_vendor.hpp"

#include <warpfold/detail/tally_host.hpp>

#include <thrust/iterator/counting_iterator.h>
#include <thrust/system/omp/execution_policy.h>
#include <thrust/transform_reduce.h>

namespace warpfold::reduction::host_impl {

template <class T, class Tally>
typename Tally::result tally_fold(host const& place, std::span<T const> values, Tally tally) {
  return detail::tally_host(place.threads(), values.data(), values.size(), tally,
                            detail::widened<typename Tally::element, identity>{});
}

template <class T, class Tally>
typename Tally::result tally_thrust(host const& place, std::span<T const> values, Tally tally) {
  detail::omp_threads const scope{place.threads()};
  auto const first = ::thrust::make_counting_iterator(std::int64_t{0});
  return tally.finish(::thrust::transform_reduce(
      ::thrust::omp::par, first, first + static_cast<std::int64_t>(values.size()),
      partial_at<T, Tally>{values.data()}, Tally::nothing(), tally));
}

#define INSTANTIATE(T, A)                                                                          \
  template description<A> tally_fold(host const&, std::span<T const>, full_description<A>);        \
  template double tally_fold(host const&, std::span<T const>, detail::moment_tally<A>);            \
  template description<A> tally_thrust(host const&, std::span<T const>, full_description<A>);      \
  template double tally_thrust(host const&, std::span<T const>, detail::moment_tally<A>);
WARPFOLD_FOR_EACH_ELEMENT(INSTANTIATE)

} // namespace warpfold::reduction::host_impl
