#include "fourier_plan.hpp"

#include "vendor_error.hpp"

#include <cstdio>
#include <type_traits>
#include <utility>

namespace warpfold::inline v0::poisson {
namespace {

template <class T>
using vendor_real = std::conditional_t<std::is_same_v<T, float>, cufftReal, cufftDoubleReal>;
template <class T>
using vendor_complex =
    std::conditional_t<std::is_same_v<T, float>, cufftComplex, cufftDoubleComplex>;

template <class T>
vendor_complex<T>* theirs(complex<T>* modes) {
  static_assert(sizeof(vendor_complex<T>) == sizeof(complex<T>) &&
                alignof(vendor_complex<T>) == alignof(complex<T>));
  return reinterpret_cast<vendor_complex<T>*>(modes);
}

template <class T>
cufftType type_of(fourier what) {
  constexpr bool single = std::is_same_v<T, float>;
  switch (what) {
  case fourier::from_real: return single ? CUFFT_R2C : CUFFT_D2Z;
  case fourier::to_real: return single ? CUFFT_C2R : CUFFT_Z2D;
  default: return single ? CUFFT_C2C : CUFFT_Z2Z;
  }
}

} // namespace

template <class T>
fourier_plan<T>::fourier_plan(gpu const& place, fourier what, std::vector<long long> extents,
                              long long batch)
    : fourier_plan(place, what, std::move(extents), 0, 0, batch) {}

template <class T>
fourier_plan<T> fourier_plan<T>::across(gpu const& place, long long points, long long lines) {
  return {place, fourier::complex, {points}, lines, 1, lines};
}

template <class T>
fourier_plan<T>::fourier_plan(gpu const& place, fourier what, std::vector<long long> extents,
                              long long stride, long long distance, long long batch)
    : fourier_plan() { // so that its destructor is called if something fails here
  check_vendor(cufftCreate(&handle_));
  made_ = true;
  check_vendor(cufftSetAutoAllocation(handle_, 0));
  long long* const all = extents.data();
  long long* const embedded = stride == 0 ? nullptr : all;
  check_vendor(cufftMakePlanMany64(handle_, static_cast<int>(extents.size()), all, embedded, stride,
                                   distance, embedded, stride, distance, type_of<T>(what), batch,
                                   &work_size_));
  stream_ = place.stream();
  check_vendor(cufftSetStream(handle_, stream_));
}

template <class T>
fourier_plan<T>& fourier_plan<T>::operator=(fourier_plan&& other) noexcept {
  fourier_plan taken(std::move(other));
  swap(taken);
  return *this;
}

template <class T>
fourier_plan<T>::~fourier_plan() {
  if (made_ && cufftDestroy(handle_) != CUFFT_SUCCESS)
    std::fputs("warpfold: cufftDestroy failed in a destructor\n", stderr);
}

template <class T>
void fourier_plan<T>::swap(fourier_plan& other) noexcept {
  std::swap(handle_, other.handle_);
  std::swap(made_, other.made_);
  std::swap(work_size_, other.work_size_);
  std::swap(work_, other.work_);
  std::swap(stream_, other.stream_);
}

template <class T>
void fourier_plan<T>::use(std::byte* work, cudaStream_t stream) {
  if (!made_) return; // an axis without transforms
  if (stream != stream_) check_vendor(cufftSetStream(handle_, stream));
  stream_ = stream;
  if (work == work_ || work_size_ == 0) return;
  check_vendor(cufftSetWorkArea(handle_, work));
  work_ = work;
}

template <class T>
void fourier_plan<T>::forward(complex<T>* modes) {
  if constexpr (std::is_same_v<T, float>)
    check_vendor(cufftExecC2C(handle_, theirs(modes), theirs(modes), CUFFT_FORWARD));
  else check_vendor(cufftExecZ2Z(handle_, theirs(modes), theirs(modes), CUFFT_FORWARD));
}

template <class T>
void fourier_plan<T>::inverse(complex<T>* modes) {
  if constexpr (std::is_same_v<T, float>)
    check_vendor(cufftExecC2C(handle_, theirs(modes), theirs(modes), CUFFT_INVERSE));
  else check_vendor(cufftExecZ2Z(handle_, theirs(modes), theirs(modes), CUFFT_INVERSE));
}

template <class T>
void fourier_plan<T>::forward(T const* real, complex<T>* modes) {
  // Read only, unless the modes take its place.
  auto* const from = const_cast<vendor_real<T>*>(real);
  if constexpr (std::is_same_v<T, float>) check_vendor(cufftExecR2C(handle_, from, theirs(modes)));
  else check_vendor(cufftExecD2Z(handle_, from, theirs(modes)));
}

template <class T>
void fourier_plan<T>::inverse(complex<T>* modes, T* real) {
  if constexpr (std::is_same_v<T, float>) check_vendor(cufftExecC2R(handle_, theirs(modes), real));
  else check_vendor(cufftExecZ2D(handle_, theirs(modes), real));
}

template class fourier_plan<float>;
template class fourier_plan<double>;

} // namespace warpfold::inline v0::poisson
