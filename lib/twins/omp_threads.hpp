#pragma once
// Thrust's host backend takes its number of threads from the calling thread's OpenMP setting.

#include <omp.h>

namespace warpfold::inline v0::detail {

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

} // namespace warpfold::inline v0::detail
