#pragma once
// Owning handles for CUDA streams and events.

#include <cuda_runtime_api.h>

#include <utility>

namespace warpfold::inline v0 {

/// A CUDA stream, created non-blocking on the current device and destroyed with this object.
///
/// Move-only; a moved-from stream holds no handle. Destruction does not wait for enqueued work.
class stream {
public:
  /// Waits for no work.
  /// @throws cuda_error if the stream cannot be created
  stream();
  ~stream();
  stream(stream&& other) noexcept : handle_{std::exchange(other.handle_, nullptr)} {}
  stream& operator=(stream&& other) noexcept;

  /// Stays this object's.
  [[nodiscard]] cudaStream_t get() const noexcept { return handle_; }

  /// Blocks until all work enqueued so far has finished.
  /// @throws cuda_error also for failures of that earlier work
  void synchronize() const;

private:
  cudaStream_t handle_ = nullptr;
};

/// A CUDA event with timing, created on the current device and destroyed with this object.
/// Move-only. Destruction does not wait.
class event {
public:
  /// Waits for no work.
  /// @throws cuda_error if the event cannot be created
  event();
  ~event();
  event(event&& other) noexcept : handle_{std::exchange(other.handle_, nullptr)} {}
  event& operator=(event&& other) noexcept;

  /// Stays this object's.
  [[nodiscard]] cudaEvent_t get() const noexcept { return handle_; }

  /// Enqueues the event; returns at once.
  /// @throws cuda_error
  void record(cudaStream_t stream);
  /// Blocks until the recorded point has been reached.
  /// @throws cuda_error also for failures of the work before it
  void synchronize() const;
  /// Makes later work on `stream` wait for the recorded point; returns at once.
  /// @throws cuda_error
  void block(cudaStream_t stream) const;

private:
  cudaEvent_t handle_ = nullptr;
};

/// Seconds of GPU time between two recorded and finished events. Does not wait for them.
/// @throws cuda_error if either has not been recorded or has not finished
[[nodiscard]] double seconds_between(event const& start, event const& stop);

} // namespace warpfold::inline v0
