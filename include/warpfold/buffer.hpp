#pragma once
// Typed arrays in GPU memory and in page-locked host memory, and copies between the two sides.

#include <warpfold/error.hpp>
#include <warpfold/execution.hpp>
#include <warpfold/span.hpp>

#include <span>
#include <type_traits>
#include <vector>

namespace warpfold {

namespace detail {
/// count * size, refused with an argument_error when it overflows.
[[nodiscard]] std::size_t bytes_for(std::size_t count, std::size_t size);
[[nodiscard]] device_allocation allocate(gpu const& place, std::size_t count, std::size_t size);
void copy_bytes(gpu const& place, void* to, void const* from, std::size_t to_size,
                std::size_t from_size, std::size_t element, cudaMemcpyKind kind);
} // namespace detail

/// An array of trivially copyable elements in GPU memory, allocated and freed in the order of one
/// gpu's stream. The elements start uninitialised. Move-only; the stream and the memory resource
/// must outlive it.
template <class T>
requires std::is_trivially_copyable_v<T>
class device_buffer {
public:
  using value_type = T;

  device_buffer() noexcept = default;

  /// `size` uninitialised elements. Does not synchronise.
  /// @throws argument_error if `size` elements overflow std::size_t
  /// @throws cuda_error, or what the memory resource throws, if memory cannot be had
  device_buffer(gpu const& place, std::size_t size)
      : memory_{detail::allocate(place, size, sizeof(T))} {}

  /// A copy of host memory. Blocks until the copy is done.
  /// @throws what the other constructor and copy() throw
  device_buffer(gpu const& place, std::span<T const> values) : device_buffer(place, values.size()) {
    detail::copy_bytes(place, data(), values.data(), size(), values.size(), sizeof(T),
                       cudaMemcpyHostToDevice);
    place.synchronize();
  }

  /// Address in GPU memory, and number of elements.
  [[nodiscard]] T* data() noexcept { return static_cast<T*>(memory_.data()); }
  [[nodiscard]] T const* data() const noexcept { return static_cast<T const*>(memory_.data()); }
  [[nodiscard]] std::size_t size() const noexcept { return memory_.size() / sizeof(T); }

  /// A view of all elements.
  [[nodiscard]] device_span<T> span() noexcept { return {data(), size()}; }
  [[nodiscard]] device_span<T const> span() const noexcept { return {data(), size()}; }
  operator device_span<T>() noexcept { return span(); }
  operator device_span<T const>() const noexcept { return span(); }

private:
  device_allocation memory_;
};

/// An array of trivially copyable elements in page-locked host memory: a contiguous range, usable
/// wherever a std::span is, and copied to and from GPUs at full speed. The elements start
/// uninitialised. Move-only.
template <class T>
requires std::is_trivially_copyable_v<T>
class pinned_buffer {
public:
  using value_type = T;

  pinned_buffer() noexcept = default;
  /// `size` uninitialised elements. Blocks, and may wait for GPUs.
  /// @throws argument_error if `size` elements overflow std::size_t
  /// @throws cuda_error if memory cannot be had
  explicit pinned_buffer(std::size_t size) : memory_{detail::bytes_for(size, sizeof(T))} {}

  /// As of std::vector.
  [[nodiscard]] T* data() noexcept { return static_cast<T*>(memory_.data()); }
  [[nodiscard]] T const* data() const noexcept { return static_cast<T const*>(memory_.data()); }
  [[nodiscard]] std::size_t size() const noexcept { return memory_.size() / sizeof(T); }
  [[nodiscard]] T* begin() noexcept { return data(); }
  [[nodiscard]] T const* begin() const noexcept { return data(); }
  [[nodiscard]] T* end() noexcept { return data() + size(); }
  [[nodiscard]] T const* end() const noexcept { return data() + size(); }
  [[nodiscard]] T& operator[](std::size_t i) noexcept { return data()[i]; }
  [[nodiscard]] T const& operator[](std::size_t i) const noexcept { return data()[i]; }

private:
  pinned_allocation memory_;
};

/// Host to GPU on the place's stream. With page-locked host memory it returns at once, and can
/// be captured in a CUDA graph; pageable memory is staged by the driver, which may block. The host
/// memory must stay until it is done.
/// @throws argument_error if the sizes differ, or for null with a size; cuda_error
template <class T>
void copy_async(gpu const& place, std::span<std::type_identity_t<T> const> from,
                device_span<T> to) {
  detail::copy_bytes(place, to.data(), from.data(), to.size(), from.size(), sizeof(T),
                     cudaMemcpyHostToDevice);
}

/// GPU to host on the place's stream: waits for no more, and throws what the other one throws.
template <class T>
void copy_async(gpu const& place, device_span<T> from, std::span<std::remove_const_t<T>> to) {
  detail::copy_bytes(place, to.data(), from.data(), to.size(), from.size(), sizeof(T),
                     cudaMemcpyDeviceToHost);
}

/// Both directions, blocking until the copy is done.
/// @throws what copy_async throws; cuda_error also for failures of earlier work
template <class T>
void copy(gpu const& place, std::span<std::type_identity_t<T> const> from, device_span<T> to) {
  copy_async(place, from, to);
  place.synchronize();
}
template <class T>
void copy(gpu const& place, device_span<T> from, std::span<std::remove_const_t<T>> to) {
  copy_async(place, from, to);
  place.synchronize();
}

namespace detail {

/// What vectors have arrays of: bool's has none.
template <class T>
concept vector_element =
    std::is_trivially_copyable_v<T> && !std::is_same_v<std::remove_const_t<T>, bool>;

} // namespace detail

/// The elements of GPU memory as a vector. (Not bool: see copy().) Blocks.
/// @throws what copy() throws
template <detail::vector_element T>
[[nodiscard]] std::vector<std::remove_const_t<T>> to_vector(gpu const& place, device_span<T> from) {
  std::vector<std::remove_const_t<T>> values(from.size());
  copy(place, from, std::span{values});
  return values;
}

} // namespace warpfold
