// Which hand-written solver takes a problem.

#include "backend.hpp"
#include "fused_squares.hpp"
#include "lines.hpp"
#include "lines_passes.hpp"

#include <warpfold/error.hpp>

#include <cuda_runtime_api.h>

namespace warpfold::poisson::gpu_impl {

bool has_lines(gpu const& place, plan const& of, std::size_t element) {
  if (!fits_lines(of, element)) return false;
  int shared = 0;
  check(cudaDeviceGetAttribute(&shared, cudaDevAttrMaxSharedMemoryPerBlockOptin, place.device()));
  return static_cast<std::size_t>(shared) >= most_line_shared;
}

template <class T>
std::unique_ptr<backend<T>> make_fused(gpu& place, plan const& of) {
  if (auto made = make_squares<T>(place, of)) return made;
  return make_lines<T>(place, of);
}

bool can_fuse(gpu const& place, plan const& of, std::size_t element) {
  return has_squares(place, of, element) || has_lines(place, of, element);
}

template std::unique_ptr<backend<float>> make_fused(gpu&, plan const&);
template std::unique_ptr<backend<double>> make_fused(gpu&, plan const&);

} // namespace warpfold::poisson::gpu_impl
