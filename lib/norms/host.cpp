// Measures and dot products on the host: warpfold's fold, and Thrust on OpenMP.

#include "../core/omp_threads.hpp"
#include "backend.hpp"
#include "instances.hpp"

#include <warpfold/detail/fold_host.hpp>
#include <warpfold/detail/pair_reader.hpp>

#include <thrust/inner_product.h>
#include <thrust/system/omp/execution_policy.h>
#include <thrust/transform_reduce.h>

namespace warpfold::norms::host_impl {

using namespace detail;

template <class T, class Measure>
typename Measure::result fold(host const& place, std::span<T const> values) {
  using A = typename Measure::accumulator;
  auto const finish = Measure::finish(fold_shape_of<T>(values.size(), sizeof(A)));
  return finish(fold_host(place.threads(), values.data(), values.size(), A{},
                          typename Measure::op{}, typename Measure::transform{}));
}

template <class T, class A>
A fold_dot(host const& place, std::span<T const> x, std::span<T const> y) {
  pair_iterator<T, widened_product<A>> const both{x.data(), y.data(), {}};
  return fold_host(place.threads(), both, x.size(), A{}, plus{}, identity{});
}

template <class T, class Measure>
typename Measure::result thrust(host const& place, std::span<T const> values) {
  using M = typename Measure::vendor;
  using A = typename M::accumulator;
  omp_threads const scope{place.threads()};
  return M::finish()(::thrust::transform_reduce(
      ::thrust::omp::par, values.data(), values.data() + values.size(),
      as_accumulator<A, typename M::transform>{}, A{}, typename M::op{}));
}

template <class T, class A>
A thrust_dot(host const& place, std::span<T const> x, std::span<T const> y) {
  omp_threads const scope{place.threads()};
  return ::thrust::inner_product(::thrust::omp::par, x.data(), x.data() + x.size(), y.data(), A{},
                                 plus{}, widened_product<A>{});
}

#define INSTANTIATE(T, Measure)                                                                    \
  template Measure::result fold<T, Measure>(host const&, std::span<T const>);                      \
  template Measure::result thrust<T, Measure>(host const&, std::span<T const>);
WARPFOLD_FOR_EACH_MEASURE(INSTANTIATE)
#undef INSTANTIATE

#define INSTANTIATE(T, A)                                                                          \
  template A fold_dot<T, A>(host const&, std::span<T const>, std::span<T const>);                  \
  template A thrust_dot<T, A>(host const&, std::span<T const>, std::span<T const>);
WARPFOLD_FOR_EACH_DOT(INSTANTIATE)

} // namespace warpfold::norms::host_impl
