#include "fourier_plan.hpp"

#include "vendor_error.hpp"

#include <cuda_runtime_api.h>

#include <cstdio>
#include <string>

namespace warpfold::inline v0::poisson {
namespace {

template <class T>
struct calls;
template <>
struct calls<float> {
  using number = cufftComplex;
  static constexpr cufftType types[] = {CUFFT_C2C, CUFFT_R2C, CUFFT_C2R}; ///< by fourier
  static constexpr auto complex = cufftExecC2C;
  static constexpr auto from_real = cufftExecR2C;
  static constexpr auto to_real = cufftExecC2R;
};
template <>
struct calls<double> {
  using number = cufftDoubleComplex;
  static constexpr cufftType types[] = {CUFFT_Z2Z, CUFFT_D2Z, CUFFT_Z2D};
  static constexpr auto complex = cufftExecZ2Z;
  static constexpr auto from_real = cufftExecD2Z;
  static constexpr auto to_real = cufftExecZ2D;
};

template <class T>
auto* theirs(complex<T>* modes) {
  using number = typename calls<T>::number;
  static_assert(sizeof(number) == sizeof(complex<T>) && alignof(number) == alignof(complex<T>));
  return reinterpret_cast<number*>(modes);
}

char const* name_of(cufftResult status) {
  switch (status) {
  case CUFFT_SUCCESS: return "CUFFT_SUCCESS";
  case CUFFT_INVALID_PLAN: return "CUFFT_INVALID_PLAN";
  case CUFFT_ALLOC_FAILED: return "CUFFT_ALLOC_FAILED";
  case CUFFT_INVALID_TYPE: return "CUFFT_INVALID_TYPE";
  case CUFFT_INVALID_VALUE: return "CUFFT_INVALID_VALUE";
  case CUFFT_INTERNAL_ERROR: return "CUFFT_INTERNAL_ERROR";
  case CUFFT_EXEC_FAILED: return "CUFFT_EXEC_FAILED";
  case CUFFT_SETUP_FAILED: return "CUFFT_SETUP_FAILED";
  case CUFFT_INVALID_SIZE: return "CUFFT_INVALID_SIZE";
  case CUFFT_UNALIGNED_DATA: return "CUFFT_UNALIGNED_DATA";
  case CUFFT_INVALID_DEVICE: return "CUFFT_INVALID_DEVICE";
  case CUFFT_NO_WORKSPACE: return "CUFFT_NO_WORKSPACE";
  case CUFFT_NOT_IMPLEMENTED: return "CUFFT_NOT_IMPLEMENTED";
  case CUFFT_NOT_SUPPORTED: return "CUFFT_NOT_SUPPORTED";
  case CUFFT_MISSING_DEPENDENCY: return "CUFFT_MISSING_DEPENDENCY";
  case CUFFT_NVRTC_FAILURE: return "CUFFT_NVRTC_FAILURE";
  case CUFFT_NVJITLINK_FAILURE: return "CUFFT_NVJITLINK_FAILURE";
  case CUFFT_NVSHMEM_FAILURE: return "CUFFT_NVSHMEM_FAILURE";
  default: return "an unknown status of cuFFT";
  }
}

} // namespace

void check_vendor(cufftResult status, std::source_location where) {
  if (status == CUFFT_SUCCESS) return;
  cudaGetLastError(); // clears what may have caused it
  throw vendor_error(status, name_of(status), where);
}

template <class T>
fourier_plan<T>::fourier_plan(gpu const& place, fourier what, std::vector<long long> extents,
                              long long batch, long long stride, long long distance)
    : stream_{place.stream()} {
  auto handle = std::make_unique<cufftHandle>();
  check_vendor(cufftCreate(handle.get()));
  handle_.reset(handle.release());
  check_vendor(cufftSetAutoAllocation(*handle_, 0));
  long long* const all = extents.data();
  long long* const embedded = stride == 0 ? nullptr : all;
  check_vendor(cufftMakePlanMany64(*handle_, static_cast<int>(extents.size()), all, embedded,
                                   stride, distance, embedded, stride, distance,
                                   calls<T>::types[static_cast<int>(what)], batch, &work_size_));
  check_vendor(cufftSetStream(*handle_, stream_));
}

template <class T>
void fourier_plan<T>::destroy::operator()(cufftHandle* handle) const noexcept {
  if (cufftDestroy(*handle) != CUFFT_SUCCESS)
    std::fputs("warpfold: cufftDestroy failed in a destructor\n", stderr);
  delete handle;
}

template <class T>
void fourier_plan<T>::use(std::byte* work, cudaStream_t stream) {
  if (!handle_) return; // an axis without transforms
  if (stream != stream_) check_vendor(cufftSetStream(*handle_, stream));
  stream_ = stream;
  if (work == work_ || work_size_ == 0) return;
  check_vendor(cufftSetWorkArea(*handle_, work));
  work_ = work;
}

template <class T>
void fourier_plan<T>::forward(complex<T>* modes) {
  check_vendor(calls<T>::complex(*handle_, theirs(modes), theirs(modes), CUFFT_FORWARD));
}

template <class T>
void fourier_plan<T>::inverse(complex<T>* modes) {
  check_vendor(calls<T>::complex(*handle_, theirs(modes), theirs(modes), CUFFT_INVERSE));
}

template <class T>
void fourier_plan<T>::forward(T const* real, complex<T>* modes) {
  // Read only, unless the modes take its place.
  check_vendor(calls<T>::from_real(*handle_, const_cast<T*>(real), theirs(modes)));
}

template <class T>
void fourier_plan<T>::inverse(complex<T>* modes, T* real) {
  check_vendor(calls<T>::to_real(*handle_, theirs(modes), real));
}

template class fourier_plan<float>;
template class fourier_plan<double>;

} // namespace warpfold::inline v0::poisson
