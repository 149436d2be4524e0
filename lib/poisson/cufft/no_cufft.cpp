// Instead of the backend on cuFFT, where cuFFT is missing or not wanted.

#include "poisson/backend.hpp"

namespace warpfold::inline v0::poisson::gpu_impl {

template <class T>
std::unique_ptr<backend<T>> make_vendor(gpu&, plan const&) {
  return nullptr;
}

template std::unique_ptr<backend<float>> make_vendor(gpu&, plan const&);
template std::unique_ptr<backend<double>> make_vendor(gpu&, plan const&);

} // namespace warpfold::inline v0::poisson::gpu_impl
