#include <warpfold/buffer.hpp>
#include <warpfold/error.hpp>
#include <warpfold/execution.hpp>

#include "report.hpp"

#include <omp.h>

#include <limits>
#include <memory>
#include <string>
#include <utility>

namespace warpfold::inline v0 {
namespace {

constexpr std::size_t initial_workspace = std::size_t{1} << 20;
constexpr std::size_t result_slot_size = 4096;
/// More than any machine has, and fewer than make the OpenMP runtime give up.
constexpr int max_threads = 4096;

int checked_device(int device) {
  int count = 0;
  if (auto const status = cudaGetDeviceCount(&count); status != cudaSuccess) {
    cudaGetLastError();
    throw cuda_error(status,
                     std::string("no GPU can be used here, run on warpfold::host instead: ") +
                         cudaGetErrorString(status),
                     std::source_location::current());
  }
  if (device < 0 || device >= count)
    throw argument_error("device", std::to_string(device) + ", but there are " +
                                       std::to_string(count) + " devices");
  return device;
}

/// Refuses streams of other devices.
void check_owner(char const* parameter, cudaStream_t stream, int device) {
  if (!stream || stream == cudaStreamLegacy || stream == cudaStreamPerThread) return;
  int owner = device;
  check(cudaStreamGetDevice(stream, &owner));
  if (owner != device)
    throw argument_error(parameter, "a stream of device " + std::to_string(owner) + ", not of " +
                                        std::to_string(device));
}

/// The number of the capture that a stream takes part in; 0 without one.
unsigned long long capture_of(cudaStream_t stream) {
  auto status = cudaStreamCaptureStatusNone;
  unsigned long long number = 0;
  check(cudaStreamGetCaptureInfo(stream, &status, &number));
  return status == cudaStreamCaptureStatusNone ? 0 : number;
}

} // namespace

int gpu_count() noexcept {
  int count = 0;
  if (cudaGetDeviceCount(&count) != cudaSuccess) {
    cudaGetLastError();
    return 0;
  }
  return count;
}

device_guard::device_guard(int device) {
  check(cudaGetDevice(&previous_));
  changed_ = device != previous_;
  if (changed_) check(cudaSetDevice(device));
}

device_guard::~device_guard() {
  if (changed_) detail::report(cudaSetDevice(previous_), "cudaSetDevice");
}

host::host(int threads) : threads_{threads} {
  if (threads < 0 || threads > max_threads)
    throw argument_error("threads", std::to_string(threads) + " is not within 0 ... " +
                                        std::to_string(max_threads));
}

int host::threads() const noexcept { return threads_ > 0 ? threads_ : omp_get_max_threads(); }

gpu::gpu(int device, memory_resource* memory)
    : device_{checked_device(device)}, memory_{memory ? memory : &pool_resource()} {
  device_guard const current{device_};
  stream_ = owned_.emplace().get();
  make_scratch();
}

gpu::gpu(int device, cudaStream_t adopted, memory_resource* memory)
    : device_{checked_device(device)}, stream_{adopted}, memory_{memory ? memory
                                                                        : &pool_resource()} {
  device_guard const current{device_};
  check_owner("adopted", adopted, device_);
  make_scratch();
}

void gpu::make_scratch() {
  int major = 0, minor = 0;
  check(cudaDeviceGetAttribute(&major, cudaDevAttrComputeCapabilityMajor, device_));
  check(cudaDeviceGetAttribute(&minor, cudaDevAttrComputeCapabilityMinor, device_));
  compute_capability_ = 10 * major + minor;
  if (major < 8)
    throw argument_error("device", std::to_string(device_) + " has compute capability " +
                                       std::to_string(major) + "." + std::to_string(minor) +
                                       ", below 8.0: run on warpfold::host instead");
  check(cudaDeviceGetAttribute(&multiprocessors_, cudaDevAttrMultiProcessorCount, device_));
  home_ = stream_;
  reached_.emplace();
  result_ = pinned_allocation(result_slot_size);
  counters_ = device_allocation(
      *memory_, gpu::counter_count * sizeof(std::uint64_t) + sizeof(unsigned), stream_);
  check(cudaMemsetAsync(counters_.data(), 0, counters_.size(), stream_));
  workspace_ = device_allocation(*memory_, initial_workspace, stream_);
  synchronize();
}

gpu& gpu::operator=(gpu&& other) noexcept {
  // Through the destructor, which gives scratch back on the old stream before the stream goes.
  if (this != &other) {
    std::destroy_at(this);
    std::construct_at(this, std::move(other));
  }
  return *this;
}

gpu::~gpu() {
  if (stream_ == home_ || !workspace_.data()) return;
  // The caller's stream may be gone by now; what was enqueued on it may not be done.
  try {
    device_guard const current{device_};
    detail::report(cudaDeviceSynchronize(), "cudaDeviceSynchronize");
  } catch (cuda_error const& failure) {
    detail::report(failure.status(), "cudaSetDevice");
  }
}

void gpu::order(cudaStream_t earlier, cudaStream_t later) {
  device_guard const current{device_}; // which the default streams are of
  if (capture_of(earlier) != capture_of(later)) return;
  reached_->record(earlier);
  reached_->block(later);
}

gpu& gpu::on(cudaStream_t stream) {
  if (stream == stream_) return *this;
  if (capture_of(stream) == 0) check_owner("stream", stream, device_); // a capture forbids asking
  order(stream_, stream);
  stream_ = stream;
  return *this;
}

void gpu::synchronize() const {
  device_guard const current{device_}; // which the default streams are of
  check(cudaStreamSynchronize(stream_));
}

void gpu::reserve(std::size_t bytes) {
  if (bytes <= workspace_.size()) return;
  device_guard const current{device_};
  synchronize();
  workspace_ = device_allocation(*memory_, bytes, home_);
  if (stream_ != home_) order(home_, stream_);
}

void* gpu::workspace(std::size_t bytes) {
  if (bytes > workspace_.size())
    throw argument_error("place", "its workspace holds " + std::to_string(workspace_.size()) +
                                      " bytes and this call needs " + std::to_string(bytes) +
                                      ": call reserve(" + std::to_string(bytes) + ") first");
  return workspace_.data();
}

std::uint64_t* gpu::counters() const noexcept {
  return static_cast<std::uint64_t*>(counters_.data());
}

unsigned* gpu::ticket() const noexcept {
  return reinterpret_cast<unsigned*>(counters() + gpu::counter_count);
}

void* gpu::result_slot(std::size_t bytes) {
  if (bytes > result_.size())
    throw argument_error("init", std::to_string(bytes) +
                                     " bytes; a blocking call returns at most " +
                                     std::to_string(result_.size()));
  return result_.data();
}

void* gpu::staging(std::size_t bytes) {
  if (bytes > staging_.size()) {
    staging_ = pinned_allocation(); // before the larger one is asked for
    staging_ = pinned_allocation(bytes);
  }
  return staging_.data();
}

any_place default_place() {
  if (gpu_count() > 0) return gpu();
  return host();
}

namespace detail {

std::size_t bytes_for(std::size_t count, std::size_t size) {
  if (count > std::numeric_limits<std::size_t>::max() / size)
    throw argument_error("size", std::to_string(count) + " elements of " + std::to_string(size) +
                                     " bytes overflow");
  return count * size;
}

device_allocation allocate(gpu const& place, std::size_t count, std::size_t size) {
  device_guard const current{place.device()};
  return {place.memory(), bytes_for(count, size), place.stream()};
}

device_allocation adopt(gpu const& place, void* adopted, std::size_t count, std::size_t size) {
  device_guard const current{place.device()};
  return {place.memory(), adopted, bytes_for(count, size), place.stream()};
}

void copy_bytes(gpu const& place, void* to, void const* from, std::size_t to_size,
                std::size_t from_size, std::size_t element, cudaMemcpyKind kind) {
  if (to_size != from_size)
    throw argument_error("to", "holds " + std::to_string(to_size) + " elements, 'from' holds " +
                                   std::to_string(from_size));
  if (to_size == 0) return;
  if (!to || !from)
    throw argument_error(to ? "from" : "to", "null, with " + std::to_string(to_size) + " elements");
  device_guard const current{place.device()};
  check(cudaMemcpyAsync(to, from, bytes_for(to_size, element), kind, place.stream()));
}

} // namespace detail
} // namespace warpfold::inline v0
