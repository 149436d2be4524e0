#include <warpfold/buffer.hpp>
#include <warpfold/detail/core/refusal.hpp>
#include <warpfold/detail/core/scratch.hpp>
#include <warpfold/detail/core/verb.hpp>
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
constexpr std::size_t initial_lookback = std::size_t{1} << 20;
constexpr std::size_t result_slot_size = 4096;
/// More than any machine has, and fewer than make the OpenMP runtime give up.
constexpr int max_threads = 4096;

int checked_device(int device) {
  detail::verb const scope("gpu");
  int count = 0;
  if (auto const status = cudaGetDeviceCount(&count); status != cudaSuccess) {
    cudaGetLastError();
    throw cuda_error(status,
                     std::string("no GPU can be used here, run on warpfold::host instead: ") +
                         cudaGetErrorString(status),
                     std::source_location::current());
  }
  if (device < 0 || device >= count)
    detail::refuse("device", device, detail::text("0 to ", count - 1));
  return device;
}

/// Refuses streams of other devices.
void check_owner(char const* parameter, cudaStream_t stream, int device) {
  if (!stream || stream == cudaStreamLegacy || stream == cudaStreamPerThread) return;
  int owner = device;
  check(cudaStreamGetDevice(stream, &owner));
  if (owner != device)
    detail::refuse(parameter, detail::text("a stream of device ", owner),
                   detail::text("streams of device ", device));
}

/// What stands for a capture of a stream that the default stream waits for: nothing can be enqueued
/// on the default stream then.
constexpr auto blocked_by_capture = std::numeric_limits<unsigned long long>::max();

/// The number of the capture that a stream takes part in; 0 without one.
unsigned long long capture_of(cudaStream_t stream) {
  auto status = cudaStreamCaptureStatusNone;
  unsigned long long number = 0;
  cudaError_t const asked = cudaStreamGetCaptureInfo(stream, &status, &number);
  if (asked == cudaErrorStreamCaptureImplicit) {
    cudaGetLastError(); // clears it
    return blocked_by_capture;
  }
  check(asked);
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
  detail::verb const scope("host");
  if (threads < 0 || threads > max_threads)
    detail::refuse("threads", threads, detail::text("0 to ", max_threads));
}

int host::threads() const noexcept { return threads_ > 0 ? threads_ : omp_get_max_threads(); }

gpu::gpu(int device, memory_resource* memory)
    : device_{checked_device(device)}, memory_{memory ? memory : &pool_resource()} {
  detail::verb const scope("gpu");
  device_guard const current{device_};
  stream_ = owned_.emplace().get();
  make_scratch();
}

gpu::gpu(int device, cudaStream_t adopted, memory_resource* memory)
    : device_{checked_device(device)}, stream_{adopted}, memory_{memory ? memory
                                                                        : &pool_resource()} {
  detail::verb const scope("gpu");
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
    detail::refuse("device", detail::text(device_, ", of compute capability ", major, ".", minor),
                   "8.0 and later; elsewhere run on warpfold::host");
  check(cudaDeviceGetAttribute(&multiprocessors_, cudaDevAttrMultiProcessorCount, device_));
  home_ = stream_;
  reached_.emplace();
  result_ = pinned_allocation(result_slot_size);
  counters_ = device_allocation(
      *memory_, detail::gpu_scratch::counter_count * sizeof(std::uint64_t) + sizeof(unsigned),
      stream_);
  check(cudaMemsetAsync(counters_.data(), 0, counters_.size(), stream_));
  workspace_ = device_allocation(*memory_, initial_workspace, stream_);
  lookback_ = device_allocation(*memory_, initial_lookback, stream_);
  check(cudaMemsetAsync(lookback_.data(), 0, initial_lookback, stream_));
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
  unsigned long long const capture = capture_of(earlier);
  if (capture != capture_of(later) || capture == blocked_by_capture) return;
  reached_->record(earlier);
  reached_->block(later);
}

gpu& gpu::set_stream(cudaStream_t stream) {
  if (stream == stream_) return *this;
  detail::verb const scope("gpu::set_stream");
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
  detail::verb const scope("gpu::reserve");
  if (bytes <= workspace_.size()) return;
  device_guard const current{device_};
  synchronize();
  workspace_ = device_allocation(*memory_, bytes, home_);
  if (stream_ != home_) order(home_, stream_);
}

void gpu::reserve_lookback(std::size_t bytes) {
  detail::verb const scope("gpu::reserve_lookback");
  if (bytes <= lookback_.size()) return;
  device_guard const current{device_};
  synchronize();
  device_allocation larger(*memory_, bytes, home_);
  check(cudaMemsetAsync(larger.data(), 0, bytes, home_)); // or the old one stays
  lookback_ = std::move(larger);
  if (stream_ != home_) order(home_, stream_);
}

any_place default_place() {
  if (gpu_count() > 0) return gpu();
  return host();
}

namespace detail {

void* gpu_scratch::workspace(std::size_t bytes) const {
  std::size_t const room = place_.workspace_.size();
  if (bytes > room)
    refuse("place", text("its workspace has ", room, " bytes"),
           text(bytes, " bytes: call reserve(", bytes, ") first"));
  return place_.workspace_.data();
}

std::uint64_t* gpu_scratch::counters() const noexcept {
  return static_cast<std::uint64_t*>(place_.counters_.data());
}

lookback_memory gpu_scratch::lookback(std::size_t bytes) const {
  std::size_t const room = place_.lookback_.size();
  if (bytes > room)
    refuse("place", text("its look-back memory has ", room, " bytes"),
           text(bytes, " bytes: call reserve_lookback(", bytes, ") first"));
  constexpr std::size_t before = lookback_memory::offset / sizeof(std::uint64_t);
  auto* const epoch = static_cast<std::uint64_t*>(place_.lookback_.data());
  return {epoch, epoch + before, room / sizeof(std::uint64_t) - before};
}

unsigned* gpu_scratch::ticket() const noexcept {
  return reinterpret_cast<unsigned*>(counters() + counter_count);
}

void* gpu_scratch::result_slot(std::size_t bytes) const {
  if (bytes > place_.result_.size())
    refuse("init", text(bytes, " bytes"),
           text("results of up to ", place_.result_.size(), " bytes from a blocking call"));
  return place_.result_.data();
}

void* gpu_scratch::staging(std::size_t bytes) const {
  if (bytes > place_.staging_.size()) {
    place_.staging_ = pinned_allocation(); // before the larger one is asked for
    place_.staging_ = pinned_allocation(bytes);
  }
  return place_.staging_.data();
}

std::size_t bytes_for(std::size_t count, std::size_t size) {
  verb const scope("pinned_buffer"); // unless another asks
  if (count > std::numeric_limits<std::size_t>::max() / size)
    refuse("size", text(count, " elements of ", size, " bytes"), "what memory can hold");
  return count * size;
}

device_allocation allocate(gpu const& place, std::size_t count, std::size_t size) {
  verb const scope("device_buffer");
  device_guard const current{place.device()};
  return {place.memory(), bytes_for(count, size), place.stream()};
}

device_allocation adopt(gpu const& place, void* adopted, std::size_t count, std::size_t size) {
  verb const scope("device_buffer");
  device_guard const current{place.device()};
  return {place.memory(), adopted, bytes_for(count, size), place.stream()};
}

void copy_bytes(gpu const& place, void* destination, void const* source,
                std::size_t destination_size, std::size_t source_size, std::size_t element,
                cudaMemcpyKind kind) {
  verb const scope("copy");
  if (destination_size != source_size)
    refuse("destination", text(destination_size, " elements"),
           text(source_size, ", as the source has"));
  if (destination_size == 0) return;
  if (!destination || !source)
    refuse(destination ? "source" : "destination",
           text("null, with ", destination_size, " elements"), "memory that holds them");
  device_guard const current{place.device()};
  check(cudaMemcpyAsync(destination, source, bytes_for(destination_size, element), kind,
                        place.stream()));
}

} // namespace detail
} // namespace warpfold::inline v0
