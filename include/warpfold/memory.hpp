#pragma once
// Where GPU memory comes from, and the untyped blocks that buffers are made of.

#include <cuda_runtime_api.h>

#include <cstddef>
#include <utility>

namespace warpfold::inline v0 {

/// A source of GPU memory in stream order, in the manner of rmm and std::pmr.
class memory_resource {
public:
  virtual ~memory_resource() = default;

  /// Memory usable by work enqueued on `stream` after this call, aligned to at least 256 bytes. It
  /// need not wait for that stream.
  /// @throws warpfold::error or std::bad_alloc when it cannot be had
  [[nodiscard]] virtual void* allocate(std::size_t bytes, cudaStream_t stream) = 0;

  /// Takes memory back once work enqueued on `stream` so far has finished.
  virtual void deallocate(void* memory, std::size_t bytes, cudaStream_t stream) noexcept = 0;
};

/// The current device's stream-ordered pool (cudaMallocAsync). One object serves all devices.
[[nodiscard]] memory_resource& pool_resource() noexcept;

/// A block of GPU memory, given back in stream order on destruction. Move-only.
class device_allocation {
public:
  device_allocation() noexcept = default;
  /// Waits for nothing but what `resource` waits for.
  /// @throws cuda_error, and whatever `resource` throws
  device_allocation(memory_resource& resource, std::size_t bytes, cudaStream_t stream);
  /// Takes over `bytes` at `adopted`, which `resource` allocated on the current device.
  /// @throws argument_error for null with a size, or an address without one
  device_allocation(memory_resource& resource, void* adopted, std::size_t bytes,
                    cudaStream_t stream);
  ~device_allocation();
  device_allocation(device_allocation&& other) noexcept { swap(other); }
  device_allocation& operator=(device_allocation&& other) noexcept;

  /// Gives the memory up to the caller, who returns it to the resource.
  [[nodiscard]] void* release() noexcept {
    bytes_ = 0;
    return std::exchange(data_, nullptr);
  }

  /// Address in GPU memory, null where there is none, and bytes.
  [[nodiscard]] void* data() const noexcept { return data_; }
  [[nodiscard]] std::size_t size() const noexcept { return bytes_; }

private:
  void swap(device_allocation& other) noexcept {
    std::swap(resource_, other.resource_);
    std::swap(data_, other.data_);
    std::swap(bytes_, other.bytes_);
    std::swap(stream_, other.stream_);
    std::swap(device_, other.device_);
  }

  memory_resource* resource_ = nullptr;
  void* data_ = nullptr;
  std::size_t bytes_ = 0;
  cudaStream_t stream_ = nullptr;
  int device_ = 0;
};

/// A block of page-locked host memory that GPUs can reach too. Move-only.
class pinned_allocation {
public:
  pinned_allocation() noexcept = default;
  /// Blocks, and may wait for GPUs.
  /// @throws cuda_error if it cannot be had
  explicit pinned_allocation(std::size_t bytes);
  /// Takes over `bytes` at `adopted`, from cudaMallocHost or cudaHostAlloc.
  /// @throws argument_error for null with a size, or an address without one
  pinned_allocation(void* adopted, std::size_t bytes);
  ~pinned_allocation();
  pinned_allocation(pinned_allocation&& other) noexcept
      : data_{std::exchange(other.data_, nullptr)}, bytes_{std::exchange(other.bytes_, 0)} {}
  pinned_allocation& operator=(pinned_allocation&& other) noexcept;

  /// Gives the memory up to the caller, who frees it by cudaFreeHost.
  [[nodiscard]] void* release() noexcept {
    bytes_ = 0;
    return std::exchange(data_, nullptr);
  }

  /// Address, null where there is none, and bytes.
  [[nodiscard]] void* data() const noexcept { return data_; }
  [[nodiscard]] std::size_t size() const noexcept { return bytes_; }

private:
  void* data_ = nullptr;
  std::size_t bytes_ = 0;
};

} // namespace warpfold::inline v0
