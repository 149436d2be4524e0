// Instead of fftw.hpp, where FFTW is missing or not wanted.

#include "poisson/backend.hpp"
#include "poisson/slabs/slab_passes.hpp"

namespace warpfold::inline v0::poisson::host_impl {

template <class T>
std::unique_ptr<backend<T>> make_vendor(host const&, plan const&) {
  return nullptr;
}

template <class T>
std::unique_ptr<slab_passes<T>> make_slabs(host const&, plan const&, slab_part const&) {
  return nullptr;
}

template std::unique_ptr<backend<float>> make_vendor(host const&, plan const&);
template std::unique_ptr<backend<double>> make_vendor(host const&, plan const&);
template std::unique_ptr<slab_passes<float>> make_slabs(host const&, plan const&, slab_part const&);
template std::unique_ptr<slab_passes<double>> make_slabs(host const&, plan const&,
                                                         slab_part const&);

} // namespace warpfold::inline v0::poisson::host_impl
