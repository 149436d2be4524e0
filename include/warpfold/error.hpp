#pragma once
// The exceptions that warpfold throws. All derive from warpfold::error. They are made at once, and
// making them throws nothing but std::bad_alloc.

#include <warpfold/detail/core/check.hpp>

#include <cuda_runtime_api.h>

#include <source_location>
#include <stdexcept>
#include <string>
#include <string_view>

namespace warpfold::inline v0 {

/// Base of every exception thrown by this library.
class error : public std::runtime_error {
public:
  using std::runtime_error::runtime_error;
};

/// An argument was refused. Nothing was launched and no output was touched.
class argument_error : public error {
public:
  /// The verb is the one that the calling thread is in.
  /// @param argument the parameter's name as declared
  /// @param reason   what is wrong with it, with its value
  argument_error(std::string_view argument, std::string_view reason);

  /// Name of the refused parameter.
  [[nodiscard]] std::string const& argument() const noexcept { return argument_; }

  /// Name of the verb that refused it, as "poisson::solver"; empty outside of verbs.
  [[nodiscard]] std::string const& verb() const noexcept { return verb_; }

private:
  std::string argument_, verb_;
};

/// A call to the CUDA runtime failed. The message holds the status by name and the place in the
/// source that made the call.
class cuda_error : public error {
public:
  /// @param what what the message says beside the name of the status
  cuda_error(cudaError_t status, std::string_view what, std::source_location where);

  /// Returns the status that the CUDA runtime returned.
  [[nodiscard]] cudaError_t status() const noexcept { return status_; }

private:
  cudaError_t status_;
};

/// A call to cuFFT, NCCL, NVRTC or (in twins) cuRAND failed. The message holds the status by name
/// and the place in the source that made the call.
class vendor_error : public error {
public:
  /// @param name the status as the library's header writes it
  vendor_error(int status, std::string_view name, std::source_location where);

  /// The library's own: cufftResult, ncclResult_t, nvrtcResult or curandStatus_t.
  [[nodiscard]] int status() const noexcept { return status_; }

private:
  int status_;
};

} // namespace warpfold::inline v0
