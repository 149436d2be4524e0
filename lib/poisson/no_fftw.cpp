// Instead of fftw.cpp, where FFTW is missing or not wanted.

#include "backend.hpp"

namespace warpfold::poisson::host_impl {

template <class T>
std::unique_ptr<backend<T>> make_vendor(host const&, plan const&) {
  return nullptr;
}

template std::unique_ptr<backend<float>> make_vendor(host const&, plan const&);
template std::unique_ptr<backend<double>> make_vendor(host const&, plan const&);

} // namespace warpfold::poisson::host_impl
