// The only file that includes VkFFT.

#include "vkfft.hpp"

#include <warpfold/error.hpp>
#include <warpfold/stream.hpp>

#include <vkFFT.h>

#include <cuda.h>

namespace warpfold::bench {
namespace {

void check_vkfft(VkFFTResult result) {
  if (result != VKFFT_SUCCESS) throw error(std::string("VkFFT: ") + getVkFFTErrorString(result));
}

} // namespace

std::string vkfft_version() {
  int const all = VkFFTGetVersion(); // 10304 is 1.3.4
  return std::to_string(all / 10000) + "." + std::to_string(all / 100 % 100) + "." +
         std::to_string(all % 100);
}

template <class T>
struct vkfft_square<T>::state {
  state(gpu& place, std::size_t side, vkfft_kind kind)
      : points{side}, pitch{kind.cosine == 0 && kind.sine == 0 ? (side / 2 + 1) * 2 : side},
        bytes{points * pitch * sizeof(T)}, stream{place.stream()} {
    device_guard const current{place.device()};
    bool const has_driver =
        cuInit(0) == CUDA_SUCCESS && cuDeviceGet(&device, place.device()) == CUDA_SUCCESS;
    if (!has_driver) throw error("VkFFT: the driver has no such device");
    VkFFTConfiguration plan{};
    plan.FFTdim = 2;
    plan.size[0] = plan.size[1] = points;
    plan.device = &device;
    plan.stream = &stream;
    plan.num_streams = 1;
    plan.doublePrecision = sizeof(T) == sizeof(double);
    plan.performR2C = pitch != points;
    plan.performDCT = kind.cosine;
    plan.performDST = kind.sine;
    plan.normalize = 1; // else values outgrow T after a few calls
    plan.buffer = &values;
    plan.bufferSize = &bytes;
    check_vkfft(initializeVkFFT(&application, plan));
  }
  state(state const&) = delete;
  state& operator=(state const&) = delete;
  ~state() { deleteVkFFT(&application); }

  std::size_t points, pitch;
  pfUINT bytes;
  CUdevice device = 0;
  cudaStream_t stream;
  /// VkFFT keeps its address, and reads it at each launch.
  void* values = nullptr;
  VkFFTApplication application{};
};

template <class T>
vkfft_square<T>::vkfft_square(gpu& place, std::size_t points, vkfft_kind kind)
    : state_{std::make_unique<state>(place, points, kind)} {}
template <class T>
vkfft_square<T>::vkfft_square(vkfft_square&&) noexcept = default;
template <class T>
vkfft_square<T>& vkfft_square<T>::operator=(vkfft_square&&) noexcept = default;
template <class T>
vkfft_square<T>::~vkfft_square() = default;

template <class T>
std::size_t vkfft_square<T>::pitch() const noexcept {
  return state_->pitch;
}
template <class T>
std::size_t vkfft_square<T>::size() const noexcept {
  return state_->points * state_->pitch;
}

template <class T>
void vkfft_square<T>::round_trip_async(device_span<T> values) {
  state_->values = values.data();
  VkFFTLaunchParams launch{};
  for (int const direction : {-1, 1}) // forward, inverse
    check_vkfft(VkFFTAppend(&state_->application, direction, &launch));
}

template class vkfft_square<float>;
template class vkfft_square<double>;

} // namespace warpfold::bench
