// The reductions on the host: warpfold's fold, and Thrust on OpenMP as the vendor twin.

#include "backend.hpp"
#include "instances.hpp"

#include <warpfold/detail/fold_host.hpp>

#include <thrust/system/omp/execution_policy.h>
#include <thrust/transform_reduce.h>

#include <omp.h>

namespace warpfold::reduction::host_impl {
namespace {

/// Thrust takes its number of threads from the calling thread's OpenMP setting.
class omp_threads {
public:
  explicit omp_threads(int threads) : previous_{omp_get_max_threads()} {
    omp_set_num_threads(threads);
  }
  ~omp_threads() { omp_set_num_threads(previous_); }
  omp_threads(omp_threads const&) = delete;
  omp_threads& operator=(omp_threads const&) = delete;

private:
  int previous_;
};

} // namespace

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
