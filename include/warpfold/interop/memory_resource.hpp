#pragma once
// Memory resources of CCCL and RMM as a warpfold::memory_resource.
//
//     rmm::mr::pool_memory_resource pool(...);
//     warpfold::adapted_resource memory(rmm::device_async_resource_ref{pool});
//     warpfold::gpu place(0, &memory);
//
// Needs CCCL's <cuda/stream_ref>, which nvcc finds.

#include <warpfold/memory.hpp>

#include <cuda/stream_ref>

#include <concepts>
#include <cstddef>
#include <utility>

namespace warpfold::inline v0 {

namespace detail {

/// CCCL from 3.1 on, RMM from 25.12 on.
template <class R>
concept stream_first_resource = requires(R& resource, ::cuda::stream_ref stream, std::size_t size,
                                         void* memory) {
  { resource.allocate(stream, size, size) } -> std::same_as<void*>;
  resource.deallocate(stream, memory, size, size);
};
/// Earlier versions of CCCL and RMM.
template <class R>
concept async_resource = requires(R& resource, ::cuda::stream_ref stream, std::size_t size,
                                  void* memory) {
  { resource.allocate_async(size, size, stream) } -> std::same_as<void*>;
  resource.deallocate_async(memory, size, size, stream);
};

} // namespace detail

/// A resource in stream order, or a resource_ref to one: what adapted_resource takes.
template <class R>
concept adaptable_resource = detail::stream_first_resource<R> || detail::async_resource<R>;

/// A copy of such a resource or reference, as warpfold's places and buffers take it. Memory that
/// the resource gives must be accessible to the device. Copies of a resource_ref refer to the
/// same resource, which outlives what was allocated.
template <adaptable_resource R>
class adapted_resource final : public memory_resource {
public:
  /// Waits for nothing. Throws what copying the resource throws.
  explicit adapted_resource(R resource) : resource_{std::move(resource)} {}

  /// In stream order, aligned to 256 bytes; waits for what the resource waits for.
  /// @throws what the resource throws
  [[nodiscard]] void* allocate(std::size_t bytes, cudaStream_t stream) override {
    if constexpr (detail::stream_first_resource<R>)
      return resource_.allocate(::cuda::stream_ref(stream), bytes, alignment);
    else return resource_.allocate_async(bytes, alignment, ::cuda::stream_ref(stream));
  }
  void deallocate(void* memory, std::size_t bytes, cudaStream_t stream) noexcept override {
    if constexpr (detail::stream_first_resource<R>)
      resource_.deallocate(::cuda::stream_ref(stream), memory, bytes, alignment);
    else resource_.deallocate_async(memory, bytes, alignment, ::cuda::stream_ref(stream));
  }

private:
  static constexpr std::size_t alignment = 256;
  R resource_;
};

} // namespace warpfold::inline v0
