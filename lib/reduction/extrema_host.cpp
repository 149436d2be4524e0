// The extrema on the host: warpfold's, and Thrust on OpenMP as the vendor twin.

#include "../core/omp_threads.hpp"
#include "tally_instances.hpp"
#include "tally_vendor.hpp"

#include <warpfold/detail/tally_host.hpp>

#include <thrust/extrema.h>
#include <thrust/system/omp/execution_policy.h>
#include <thrust/transform_reduce.h>

namespace warpfold::reduction::host_impl {

template <class T, class Tally>
typename Tally::result tally_fold(host const& place, std::span<T const> values, Tally tally) {
  return detail::tally_host(place.threads(), values.data(), values.size(), tally,
                            detail::widened<typename Tally::element, identity>{});
}

template <class T, class A, class Op>
extremum<A> find_thrust(host const& place, std::span<T const> values,
                        detail::extremum_tally<A, Op> tally) {
  if (values.empty()) return tally.finish(tally.nothing());
  detail::omp_threads const scope{place.threads()};
  T const* const first = values.data();
  T const* const found =
      ::thrust::min_element(::thrust::omp::par, first, first + values.size(), order_for<A>(Op{}));
  return found_at<A, Op>(*found, static_cast<std::uint64_t>(found - first), values.size());
}

template <class T, class Tally>
typename Tally::result tally_thrust(host const& place, std::span<T const> values, Tally tally) {
  return find_thrust(place, values, tally);
}

template <class T, nan_policy Nan, class A>
min_max<A> min_max_fold(host const& place, std::span<T const> values) {
  return detail::fold_host(place.threads(), values.data(), values.size(),
                           detail::min_max_of_nothing<A>, detail::min_max_op<Nan>{},
                           detail::both_extrema<A>{});
}

template <class T, nan_policy Nan, class A>
min_max<A> min_max_thrust(host const& place, std::span<T const> values) {
  if (values.empty()) return detail::min_max_of_nothing<A>;
  detail::omp_threads const scope{place.threads()};
  T const* const first = values.data();
  T const* const end = first + values.size();
  if constexpr (std::integral<T>) {
    auto const found = ::thrust::minmax_element(::thrust::omp::par, first, end);
    return {*found.first, *found.second};
  } else {
    // No order puts NaN first for both, or nowhere.
    return ::thrust::transform_reduce(::thrust::omp::par, first, end, detail::both_extrema<A>{},
                                      detail::min_max_of_nothing<A>, detail::min_max_op<Nan>{});
  }
}

#define INSTANTIATE(T, Op, A)                                                                      \
  template extremum<A> tally_fold(host const&, std::span<T const>, detail::extremum_tally<A, Op>); \
  template extremum<A> tally_thrust(host const&, std::span<T const>, detail::extremum_tally<A, Op>);
WARPFOLD_FOR_EACH_SOUGHT(INSTANTIATE)
#undef INSTANTIATE

#define INSTANTIATE(T, Nan, A)                                                                     \
  template min_max<A> min_max_fold<T, Nan, A>(host const&, std::span<T const>);                    \
  template min_max<A> min_max_thrust<T, Nan, A>(host const&, std::span<T const>);
WARPFOLD_FOR_EACH_MIN_MAX(INSTANTIATE)

} // namespace warpfold::reduction::host_impl
