#pragma once
// device_span: a view of GPU memory that cannot be mistaken for host memory.

#include <cstddef>
#include <type_traits>

namespace warpfold {

/// A pointer to GPU memory and a number of elements.
///
/// Deliberately not a range: it has no begin() and no operator[], so it neither converts to
/// std::span nor from it, and passing host memory where GPU memory is expected (or the other way
/// round) does not compile. It owns nothing; the memory must outlive all work enqueued on it.
template <class T>
class device_span {
public:
  using element_type = T;
  using value_type = std::remove_cv_t<T>;

  constexpr device_span() noexcept = default;

  /// @param data address in GPU memory; may be null when `size` is 0
  /// @param size number of elements
  constexpr device_span(T* data, std::size_t size) noexcept : data_{data}, size_{size} {}

  /// A span of mutable elements is also a span of const ones.
  template <class U>
  requires(std::is_const_v<T>&& std::is_same_v<U, value_type>) constexpr device_span(
      device_span<U> other) noexcept
      : data_{other.data()}, size_{other.size()} {}

  /// As of std::span; data() is an address in GPU memory.
  [[nodiscard]] constexpr T* data() const noexcept { return data_; }
  [[nodiscard]] constexpr std::size_t size() const noexcept { return size_; }
  [[nodiscard]] constexpr std::size_t size_bytes() const noexcept { return size_ * sizeof(T); }
  [[nodiscard]] constexpr bool empty() const noexcept { return size_ == 0; }

  /// Elements [offset, offset + count). As with std::span, the range must lie inside this span.
  [[nodiscard]] constexpr device_span subspan(std::size_t offset,
                                              std::size_t count) const noexcept {
    return {data_ + offset, count};
  }
  /// All elements from `offset` on, which is at most size().
  [[nodiscard]] constexpr device_span subspan(std::size_t offset) const noexcept {
    return {data_ + offset, size_ - offset};
  }

private:
  T* data_ = nullptr;
  std::size_t size_ = 0;
};

} // namespace warpfold
