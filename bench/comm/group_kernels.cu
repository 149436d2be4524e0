#include "group_kernels.hpp"

#include <warpfold/detail/core/launch.cuh>

#include <cufftXt.h>

#include <algorithm>
#include <cstdint>
#include <string>

namespace warpfold::bench {
namespace {

void check_cufft(cufftResult status, std::source_location where = std::source_location::current()) {
  if (status != CUFFT_SUCCESS)
    throw vendor_error(status, "cuFFT: status " + std::to_string(status), where);
}

constexpr int threads = 256;

/// Columns first ... first + columns of all the modes.
__global__ void divide_kernel(cufftComplex* modes, int points, int first, int columns,
                              float scale) {
  int const pieces = (columns + threads - 1) / threads;
  for (int piece = static_cast<int>(blockIdx.x); piece < pieces * points;
       piece += static_cast<int>(gridDim.x)) {
    int const y = piece / pieces;
    int const x = (piece - y * pieces) * threads + static_cast<int>(threadIdx.x);
    if (x >= columns) continue;
    float const kx = static_cast<float>(first + x);
    float const ky = static_cast<float>(y <= points / 2 ? y : points - y);
    float const k2 = kx * kx + ky * ky, by = k2 > 0 ? -scale / k2 : 0;
    cufftComplex& mode = modes[std::int64_t{y} * columns + x];
    mode = {by * mode.x, by * mode.y};
  }
}

/// A plan and nothing else.
class plan {
public:
  plan(cufftType type, std::vector<int>& devices, int points) {
    check_cufft(cufftCreate(&handle_));
    check_cufft(cufftXtSetGPUs(handle_, static_cast<int>(devices.size()), devices.data()));
    std::vector<std::size_t> scratch(devices.size());
    check_cufft(cufftMakePlan2d(handle_, points, points, type, scratch.data()));
  }
  ~plan() { cufftDestroy(handle_); }
  plan(plan const&) = delete;
  plan& operator=(plan const&) = delete;
  operator cufftHandle() const { return handle_; }

private:
  cufftHandle handle_ = 0;
};

} // namespace

struct cufft_xt_square::state {
  state(std::vector<int> on, std::size_t side)
      : devices{std::move(on)}, points{side}, forward{CUFFT_R2C, devices, static_cast<int>(side)},
        back{CUFFT_C2R, devices, static_cast<int>(side)} {
    check_cufft(cufftXtMalloc(forward, &memory, CUFFT_XT_FORMAT_INPLACE));
  }
  ~state() {
    if (memory) cufftXtFree(memory);
  }
  /// Copies a device's rows.
  void copy(gpu& place, float* to, std::size_t to_pitch, float const* from,
            std::size_t from_pitch) const {
    device_guard const current{place.device()};
    check(cudaMemcpy2DAsync(to, to_pitch, from, from_pitch, width(), points / devices.size(),
                            cudaMemcpyDeviceToDevice, place.stream()));
    place.synchronize();
  }
  /// Bytes of a row, and from one to the next.
  std::size_t width() const { return points * sizeof(float); }
  std::size_t pitch() const { return (points / 2 + 1) * sizeof(cufftComplex); }
  float* rows(std::size_t d) const { return static_cast<float*>(memory->descriptor->data[d]); }

  std::vector<int> devices;
  std::size_t points;
  plan forward, back;
  cudaLibXtDesc* memory = nullptr;
};

cufft_xt_square::cufft_xt_square(std::vector<int> devices, std::size_t points) {
  device_guard const current{devices.at(0)};
  state_ = std::make_unique<state>(std::move(devices), points);
}
cufft_xt_square::~cufft_xt_square() = default;

void cufft_xt_square::load(gpu& place, std::size_t d, device_span<float const> rows) {
  state_->copy(place, state_->rows(d), state_->pitch(), rows.data(), state_->width());
}

void cufft_xt_square::store(gpu& place, std::size_t d, device_span<float> rows) const {
  state_->copy(place, rows.data(), state_->width(), state_->rows(d), state_->pitch());
}

void cufft_xt_square::solve() {
  device_guard const current{state_->devices[0]};
  check_cufft(cufftXtExecDescriptorR2C(state_->forward, state_->memory, state_->memory));
  // Modes are spread along the second axis, and the first devices have one more.
  int const points = static_cast<int>(state_->points), all = points / 2 + 1;
  int const ranks = static_cast<int>(state_->devices.size());
  int first = 0;
  for (int d = 0; d < ranks; ++d) {
    int const columns = all / ranks + (d < all % ranks ? 1 : 0);
    device_guard const there{state_->devices[static_cast<std::size_t>(d)]};
    int const pieces = (columns + threads - 1) / threads * points;
    auto* const modes =
        static_cast<cufftComplex*>(state_->memory->descriptor->data[static_cast<std::size_t>(d)]);
    float const scale = 1 / (static_cast<float>(points) * static_cast<float>(points));
    detail::launch(nullptr, {std::min(pieces, 1 << 16), threads}, divide_kernel, modes, points,
                   first, columns, scale);
    first += columns;
  }
  auto const wait = [&] {
    for (int const device : state_->devices) {
      device_guard const there{device};
      check(cudaDeviceSynchronize());
    }
  };
  wait();
  check_cufft(cufftXtExecDescriptorC2R(state_->back, state_->memory, state_->memory));
  wait();
}

} // namespace warpfold::bench
