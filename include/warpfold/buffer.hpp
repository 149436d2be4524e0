#pragma once
// Typed arrays in GPU memory and in page-locked host memory, and copies between the two sides.

#include <warpfold/detail/core/arguments.hpp>
#include <warpfold/detail/core/verb.hpp>
#include <warpfold/execution.hpp>
#include <warpfold/span.hpp>

#include <span>
#include <type_traits>
#include <utility>
#include <vector>

namespace warpfold::inline v0 {

namespace detail {
/// count * size, refused with an argument_error when it overflows.
[[nodiscard]] std::size_t bytes_for(std::size_t count, std::size_t size);
[[nodiscard]] device_allocation allocate(gpu const& place, std::size_t count, std::size_t size);
[[nodiscard]] device_allocation adopt(gpu const& place, void* adopted, std::size_t count,
                                      std::size_t size);
void copy_bytes(gpu const& place, void* destination, void const* source,
                std::size_t destination_size, std::size_t source_size, std::size_t element,
                cudaMemcpyKind kind);
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
    detail::verb const scope("device_buffer");
    detail::check_elements("values", values.data(), values.size());
    detail::copy_bytes(place, data(), values.data(), size(), values.size(), sizeof(T),
                       cudaMemcpyHostToDevice);
    place.synchronize();
  }

  /// Takes over `size` elements at `adopted`, which place.memory() allocated on its device (the
  /// default: cudaMallocAsync). Work on other streams must be done with them. Does not synchronise.
  /// @throws argument_error for null with a size, or an address without one
  device_buffer(gpu const& place, T* adopted, std::size_t size)
      : memory_{detail::adopt(place, adopted, size, sizeof(T))} {}

  /// Gives the elements up to the caller, who frees them as adopted ones were allocated, behind the
  /// work that uses them. This buffer is then empty.
  [[nodiscard]] T* release() noexcept { return static_cast<T*>(memory_.release()); }

  /// Address in GPU memory, and number of elements.
  [[nodiscard]] T* data() noexcept { return static_cast<T*>(memory_.data()); }
  [[nodiscard]] T const* data() const noexcept { return static_cast<T const*>(memory_.data()); }
  [[nodiscard]] std::size_t size() const noexcept { return memory_.size() / sizeof(T); }

  /// A view of all elements.
  [[nodiscard]] device_span<T> span() noexcept { return {data(), size()}; }
  [[nodiscard]] device_span<T const> span() const noexcept { return {data(), size()}; }

private:
  device_allocation memory_;
};

/// A device_buffer is GPU memory.
template <class T>
requires std::is_trivially_copyable_v<T>
struct device_range_traits<device_buffer<T>> {
  /// A view of all elements.
  static auto span(auto& buffer) noexcept { return buffer.span(); }
};

/// An array of trivially copyable elements in page-locked host memory: a contiguous range, which is
/// copied to and from GPUs at full speed. The elements start uninitialised. Move-only. Destruction
/// waits for the kernels of its GPU.
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

  /// Takes over `size` elements at `adopted`, from cudaMallocHost or cudaHostAlloc. Waits for
  /// nothing.
  /// @throws argument_error for null with a size, or an address without one
  pinned_buffer(T* adopted, std::size_t size)
      : memory_{adopted, detail::bytes_for(size, sizeof(T))} {}

  /// Gives the elements up to the caller, who frees them by cudaFreeHost. Leaves the buffer empty.
  [[nodiscard]] T* release() noexcept { return static_cast<T*>(memory_.release()); }

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

namespace detail {

/// GPU memory that can be written to.
template <class Range>
concept device_output =
    device_range<forwarded_t<Range>> && !std::is_const_v<device_element_t<forwarded_t<Range>>>;
/// The elements of a range that is only read.
template <class Range>
using device_value_t = std::remove_const_t<device_element_t<Range const>>;
/// The host's side of a copy to or from such a range.
template <class Range>
using host_input_t = std::span<device_value_t<std::remove_reference_t<Range>> const>;
template <class Range>
using host_output_t = std::span<device_value_t<std::remove_reference_t<Range>>>;
/// A range that converts to the span and is no GPU memory, whose owners may convert, too.
template <class Range, class Span>
concept host_range = !device_range<Range> && std::is_convertible_v<Range, Span>;

} // namespace detail

/// Host to GPU on the place's stream. With page-locked host memory it returns at once, and can
/// be captured in a CUDA graph; pageable memory is staged by the driver, which may block. The host
/// memory must stay until it is done.
/// @param source      what converts to a std::span of the elements
/// @param destination a device_span, or any other device_range
/// @throws argument_error if the sizes differ, or for null with a size; cuda_error
template <detail::device_output To, class From = detail::host_input_t<To>>
requires detail::host_range<From const&, detail::host_input_t<To>>
void copy_async(gpu const& place, From const& source, To&& destination) {
  detail::verb const scope("copy_async");
  detail::host_input_t<To> const input = source;
  device_span const output(std::forward<To>(destination));
  detail::copy_bytes(place, output.data(), input.data(), output.size(), input.size(),
                     sizeof *input.data(), cudaMemcpyHostToDevice);
}

/// GPU to host on the place's stream: waits for no more, and throws what the other one throws.
template <device_range From, class To = detail::host_output_t<From>>
requires detail::host_range<To, detail::host_output_t<From>>
void copy_async(gpu const& place, From const& source, To&& destination) {
  detail::verb const scope("copy_async");
  device_span const input(source);
  detail::host_output_t<From> const output = std::forward<To>(destination);
  detail::copy_bytes(place, output.data(), input.data(), output.size(), input.size(),
                     sizeof *output.data(), cudaMemcpyDeviceToHost);
}

/// Both directions, blocking until the copy is done.
/// @throws what copy_async throws; cuda_error also for failures of earlier work
template <detail::device_output To, class From = detail::host_input_t<To>>
requires detail::host_range<From const&, detail::host_input_t<To>>
void copy(gpu const& place, From const& source, To&& destination) {
  detail::verb const scope("copy");
  copy_async(place, source, std::forward<To>(destination));
  place.synchronize();
}
template <device_range From, class To = detail::host_output_t<From>>
requires detail::host_range<To, detail::host_output_t<From>>
void copy(gpu const& place, From const& source, To&& destination) {
  detail::verb const scope("copy");
  copy_async(place, source, std::forward<To>(destination));
  place.synchronize();
}

namespace detail {

/// An element of which std::vector holds an array; std::vector<bool> holds none.
template <class T>
concept vector_element =
    std::is_trivially_copyable_v<T> && !std::is_same_v<std::remove_const_t<T>, bool>;

} // namespace detail

/// The elements of GPU memory, a device_span or any other device_range, as a vector. (Not bool: see
/// copy().) Blocks.
/// @throws what copy() throws
template <device_range From>
requires detail::vector_element<detail::device_value_t<From>>
[[nodiscard]] std::vector<detail::device_value_t<From>> to_vector(gpu const& place,
                                                                  From const& source) {
  detail::verb const scope("to_vector");
  device_span const input(source);
  std::vector<detail::device_value_t<From>> values(input.size());
  copy(place, input, std::span{values});
  return values;
}

} // namespace warpfold::inline v0
