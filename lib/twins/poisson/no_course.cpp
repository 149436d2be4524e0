// Instead of course.cu, where cuFFT is missing or not wanted.

#include "course.hpp"

namespace warpfold::inline v0::poisson::gpu_impl {

template <class T>
std::unique_ptr<backend<T>> make_course(gpu&, plan const&, twins::engine) {
  return nullptr;
}

template std::unique_ptr<backend<float>> make_course(gpu&, plan const&, twins::engine);
template std::unique_ptr<backend<double>> make_course(gpu&, plan const&, twins::engine);

} // namespace warpfold::inline v0::poisson::gpu_impl
