#pragma once
// cuSOLVER, for the cubics of plain_put_async.

#include "plain_kernels.hpp"

#include <cusolverDn.h>

#include <stdexcept>
#include <string>

namespace warpfold::bench {

/// Solves on the stream of its gpu by cuSOLVER's potrf and potrs.
class cubic_solver {
public:
  explicit cubic_solver(gpu& place) : outcome_(place, 1) {
    call(cusolverDnCreate(&handle_));
    call(cusolverDnSetStream(handle_, place.stream()));
    device_buffer<double> const matrix(place, 16);
    int size = 0;
    call(cusolverDnDpotrf_bufferSize(handle_, lower, 4, const_cast<double*>(matrix.data()), 4,
                                     &size));
    work_ = device_buffer<double>(place, static_cast<std::size_t>(size));
  }
  ~cubic_solver() { cusolverDnDestroy(handle_); }
  cubic_solver(cubic_solver const&) = delete;
  cubic_solver& operator=(cubic_solver const&) = delete;

  void enqueue(cubic_system* system) {
    call(cusolverDnDpotrf(handle_, lower, 4, system->matrix, 4, work_.data(),
                          static_cast<int>(work_.size()), outcome_.data()));
    call(cusolverDnDpotrs(handle_, lower, 4, 1, system->matrix, 4, system->right, 4,
                          outcome_.data()));
  }

private:
  static constexpr cublasFillMode_t lower = CUBLAS_FILL_MODE_LOWER;

  static void call(cusolverStatus_t status) {
    if (status != CUSOLVER_STATUS_SUCCESS)
      throw std::runtime_error("cuSOLVER: status " + std::to_string(status));
  }

  cusolverDnHandle_t handle_ = nullptr;
  device_buffer<double> work_;
  device_buffer<int> outcome_;
};

} // namespace warpfold::bench
