// Instead of fftw.hpp, where FFTW is missing or not wanted.

#include "fftw_backend.hpp"

namespace warpfold::inline v0::poisson::host_impl {

template <class T>
std::unique_ptr<backend<T>> make_fftw(host const&, plan const&) {
  return nullptr;
}

template std::unique_ptr<backend<float>> make_fftw(host const&, plan const&);
template std::unique_ptr<backend<double>> make_fftw(host const&, plan const&);

} // namespace warpfold::inline v0::poisson::host_impl
