#pragma once
// Where work runs: warpfold::gpu and warpfold::host, the first argument of every verb.

#include <warpfold/memory.hpp>
#include <warpfold/stream.hpp>

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <variant>

namespace warpfold::inline v0 {

namespace detail {
class gpu_scratch;
}

/// Number of usable CUDA devices; 0 where there is no GPU or no driver. Never throws.
[[nodiscard]] int gpu_count() noexcept;

/// The host processor as a place to run, in OpenMP threads.
///
/// Results do not depend on the number of threads. Every call returns when its work is done.
class host {
public:
  /// @param threads OpenMP threads to use; 0 leaves the choice to OpenMP
  /// @throws argument_error if `threads` is negative or above 4096
  explicit host(int threads = 0);

  /// Threads that a call will use; at least 1.
  [[nodiscard]] int threads() const noexcept;

private:
  int threads_;
};

/// A view or owner of a CUDA stream whose get() is the handle: cuda::stream_ref, warpfold::stream.
template <class S>
concept stream_holder = requires(S const& s) {
  { s.get() } -> std::same_as<cudaStream_t>;
};

/// One GPU as a place to run: a device, a stream, and scratch memory made once and used by every
/// call.
///
/// Work given to one gpu object runs in order, on the stream that it has at the time: see
/// set_stream(). Calls share the scratch memory, for which they take a gpu that is not const, so
/// one host thread at a time uses an object. A CUDA graph captured from it must not run while other
/// work of the same object runs. Several objects may share a device. Move-only.
class gpu {
public:
  /// Device 0 with a stream of its own: blocks, and throws what the next one throws.
  gpu() : gpu(0) {}

  /// Device number `device` with a stream of its own; its memory comes from `memory` (null: the
  /// device's stream-ordered pool), which must outlive this object. Blocks.
  /// @throws cuda_error       if there is no GPU or no driver (use warpfold::host there)
  /// @throws argument_error if `device` is not one of gpu_count() devices, or has a compute
  ///                        capability below 8.0
  explicit gpu(int device, memory_resource* memory = nullptr);

  /// As above on the caller's stream; nullptr is the legacy default stream. It must outlive this
  /// object; CUDA cannot tell. cudaStreamPerThread is another stream in each thread: one that gave
  /// it uses this object alone, and ends it. Blocks.
  /// @throws argument_error also if the stream is another device's
  gpu(int device, cudaStream_t adopted, memory_resource* memory = nullptr);
  gpu(int device, std::nullptr_t) : gpu(device, cudaStream_t{}) {}
  gpu(int device, stream_holder auto const& adopted, memory_resource* memory = nullptr)
      : gpu(device, adopted.get(), memory) {}

  gpu(gpu&&) noexcept = default;
  gpu& operator=(gpu&&) noexcept;
  /// Scratch memory goes back behind all work enqueued. Blocks until the device is idle, without
  /// which page-locked memory cannot be given back.
  ~gpu();

  /// Changes to the caller's stream for this call and later ones, until the next set_stream(), and
  /// returns this object: `sum(place.set_stream(stream), values)`. Neither allocates nor
  /// synchronises; for the stream that it has already it costs a comparison.
  ///
  /// Ordering: `stream` waits for what this object has enqueued so far, since calls share scratch
  /// memory; other work of the two streams stays unordered. If one of them is being captured and
  /// the other is not in the same capture, nothing is ordered.
  /// Lifetime: `stream` lives until the next set_stream(), or until this object ends. Buffers and
  /// solvers made before free their memory in the order of the stream that they were made with:
  /// return to it by set_stream() before they end, or synchronise.
  /// @throws argument_error if the stream is another device's (not noticed while it is captured);
  ///         cuda_error. The stream is then as before.
  gpu& set_stream(cudaStream_t stream);
  gpu& set_stream(stream_holder auto const& stream) { return set_stream(stream.get()); }

  /// As given to the constructor, or made by it; the stream as last given to set_stream().
  [[nodiscard]] int device() const noexcept { return device_; }
  [[nodiscard]] cudaStream_t stream() const noexcept { return stream_; }
  [[nodiscard]] memory_resource& memory() const noexcept { return *memory_; }

  /// Compute capability as one number: 90 for 9.0.
  [[nodiscard]] int compute_capability() const noexcept { return compute_capability_; }

  /// Number of multiprocessors.
  [[nodiscard]] int multiprocessors() const noexcept { return multiprocessors_; }

  /// Blocks until all work enqueued so far has finished.
  /// @throws cuda_error also for failures of that work
  void synchronize() const;

  /// Bytes of scratch memory that calls may use.
  [[nodiscard]] std::size_t workspace_size() const noexcept { return workspace_.size(); }

  /// Makes the scratch memory at least `bytes` large. Waits for enqueued work when it has to grow;
  /// graphs captured before must not be replayed after that.
  /// @throws cuda_error, and what the memory resource throws
  void reserve(std::size_t bytes);

  /// Bytes of memory in which the blocks of a scan say what they have added up; at first enough
  /// for 2^26 floats.
  [[nodiscard]] std::size_t lookback_size() const noexcept { return lookback_.size(); }

  /// Makes that memory at least `bytes` large. Waits for enqueued work when it has to grow; graphs
  /// captured before must not be replayed after that.
  /// @throws cuda_error, and what the memory resource throws
  void reserve_lookback(std::size_t bytes);

private:
  friend class detail::gpu_scratch;
  void make_scratch();
  void order(cudaStream_t earlier, cudaStream_t later);

  int device_ = 0;
  int compute_capability_ = 0;
  int multiprocessors_ = 0;
  std::optional<warpfold::stream> owned_;
  std::optional<event> reached_;
  cudaStream_t stream_ = nullptr;
  cudaStream_t home_ = nullptr; ///< which scratch memory is of
  memory_resource* memory_ = nullptr;
  device_allocation counters_; ///< and the ticket after them
  device_allocation workspace_;
  device_allocation lookback_;
  pinned_allocation result_;
  pinned_allocation staging_;
};

/// Either place.
using any_place = std::variant<gpu, host>;

/// A gpu where there is one, else the host. Blocks.
/// @throws cuda_error if there is one and it cannot be used
[[nodiscard]] any_place default_place();

/// Makes `device` the calling thread's current device for this object's lifetime.
class device_guard {
public:
  /// Waits for no work.
  /// @throws cuda_error if there is no such device
  explicit device_guard(int device);
  ~device_guard();
  device_guard(device_guard const&) = delete;
  device_guard& operator=(device_guard const&) = delete;

private:
  int previous_ = 0;
  bool changed_ = false;
};

} // namespace warpfold::inline v0
