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
struct vkfft_plan<T>::state {
  state(gpu& place, vkfft_shape const& shape, vkfft_kind kind)
      : rows{shape.rows}, pitch{kind.cosine == 0 && kind.sine == 0 ? (shape.points / 2 + 1) * 2
                                                                   : shape.points},
        bytes{rows * pitch * sizeof(T)}, stream{place.stream()} {
    device_guard const current{place.device()};
    bool const has_driver =
        cuInit(0) == CUDA_SUCCESS && cuDeviceGet(&device, place.device()) == CUDA_SUCCESS;
    if (!has_driver) throw error("VkFFT: the driver has no such device");
    VkFFTConfiguration plan{};
    plan.FFTdim = shape.is_square ? 2 : 1;
    plan.size[0] = shape.points;
    if (shape.is_square) plan.size[1] = rows;
    else plan.numberBatches = rows;
    plan.device = &device;
    plan.stream = &stream;
    plan.num_streams = 1;
    plan.doublePrecision = sizeof(T) == sizeof(double);
    plan.performR2C = pitch != shape.points;
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

  std::size_t rows, pitch;
  pfUINT bytes;
  CUdevice device = 0;
  cudaStream_t stream;
  /// VkFFT keeps its address, and reads it at each launch.
  void* values = nullptr;
  VkFFTApplication application{};
};

template <class T>
vkfft_plan<T>::vkfft_plan(gpu& place, vkfft_shape const& shape, vkfft_kind kind)
    : state_{std::make_unique<state>(place, shape, kind)} {}
template <class T>
vkfft_plan<T>::vkfft_plan(vkfft_plan&&) noexcept = default;
template <class T>
vkfft_plan<T>& vkfft_plan<T>::operator=(vkfft_plan&&) noexcept = default;
template <class T>
vkfft_plan<T>::~vkfft_plan() = default;

template <class T>
std::size_t vkfft_plan<T>::pitch() const noexcept {
  return state_->pitch;
}
template <class T>
std::size_t vkfft_plan<T>::size() const noexcept {
  return state_->rows * state_->pitch;
}

template <class T>
void vkfft_plan<T>::round_trip_async(device_span<T> values) {
  state_->values = values.data();
  VkFFTLaunchParams launch{};
  for (int const direction : {-1, 1}) // forward, inverse
    check_vkfft(VkFFTAppend(&state_->application, direction, &launch));
}

template class vkfft_plan<float>;
template class vkfft_plan<double>;

} // namespace warpfold::bench
