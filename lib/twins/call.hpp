#pragma once
// Calls of Thrust on a host, by OpenMP.

#include <warpfold/execution.hpp>

#include <thrust/system/omp/execution_policy.h>

#include <omp.h>

namespace warpfold::inline v0::detail {

/// The number of threads that Thrust takes: the calling thread's OpenMP setting.
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

/// Returns call(policy).
template <class Call>
auto call_thrust(host const& place, Call call) {
  omp_threads const scope{place.threads()};
  return call(::thrust::omp::par);
}

} // namespace warpfold::inline v0::detail
