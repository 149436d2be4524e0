#pragma once
// device_span: a view of GPU memory that cannot be mistaken for host memory; and device_range: what
// converts to one.

#include <cstddef>
#include <type_traits>
#include <utility>

namespace warpfold::inline v0 {

template <class T>
class device_span;

/// Makes `Range` GPU memory by a static function span(range) that returns a device_span of the
/// elements. Specialise it for an array of your own, and every verb takes the array as it is:
///
///     template <>
///     struct warpfold::device_range_traits<your_array> {
///       static auto span(auto& array) { return device_span(array.address(), array.count()); }
///     };
///
/// span() is called with a const array for an input, and with a mutable one for an output. Known
/// without a specialisation of yours: device_span, device_buffer, thrust::device_vector and
/// rmm::device_uvector; with <warpfold/interop/cccl.hpp> cuda::std::span.
template <class Range>
struct device_range_traits;

namespace detail {

template <class Span>
struct span_element {};
template <class T>
struct span_element<device_span<T>> {
  using type = T;
};

/// The element of a named range; const if the range lets nobody write.
template <class Range>
using device_element_t =
    typename span_element<decltype(device_range_traits<std::remove_cv_t<Range>>::span(
        std::declval<Range&>()))>::type;

/// The range that a forwarding reference stands for. A temporary is const: so an owner's elements
/// are, and a view's are not.
template <class Range>
using forwarded_t = std::remove_reference_t<
    std::conditional_t<std::is_lvalue_reference_v<Range>, Range, Range const>>;

} // namespace detail

/// A range in GPU memory, as device_range_traits say.
template <class Range>
concept device_range = requires {
  typename detail::device_element_t<std::remove_reference_t<Range>>;
};

namespace detail {

template <class Range>
inline constexpr bool is_device_span = requires {
  typename span_element<Range>::type;
};
/// Ranges, other than device_span itself, that a device_span<T> can be made of.
template <class Range, class T>
concept device_range_of =
    !is_device_span<std::remove_cvref_t<Range>> && device_range<forwarded_t<Range>> &&
    (std::is_same_v<device_element_t<forwarded_t<Range>>, T> ||
     std::is_same_v<device_element_t<forwarded_t<Range>> const, T>);

} // namespace detail

/// A pointer to GPU memory and a number of elements.
///
/// Deliberately not a range of the standard library: it has no begin() and no operator[], so it
/// neither converts to std::span nor from it. Passing host memory where GPU memory is expected, or
/// the other way round, does not compile. It owns nothing; the memory must outlive all work
/// enqueued on it.
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

  /// All elements of a range in GPU memory. Elements of a const range are const, and so are those
  /// of a temporary that owns them. Done at once; throws what the range's own functions throw.
  template <detail::device_range_of<T> Range>
  constexpr device_span(Range&& range)
      : device_span{device_range_traits<std::remove_cvref_t<Range>>::span(
            static_cast<detail::forwarded_t<Range>&>(range))} {}

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
/// The span of any such range. Done at once; throws what the range's own functions throw.
template <device_range Range>
device_span(Range&&) -> device_span<detail::device_element_t<detail::forwarded_t<Range>>>;

namespace detail {

/// Types known to be GPU memory by their shape, so that their headers are not needed here.
template <class Range>
struct known_device_range {};

template <class T>
struct known_device_range<device_span<T>> {
  static constexpr device_span<T> span(device_span<T> whole) noexcept { return whole; }
};

/// data() is an object around an address, and what it points to can be named by a proxy only: the
/// host cannot read it. So is thrust::device_vector. (Smart pointers, and pointers to memory that
/// the host shares, refer to an element.)
template <class Pointer>
concept device_pointer = std::is_class_v<Pointer> && requires(Pointer const& pointer) {
  requires std::is_pointer_v<decltype(pointer.get())>;
  requires std::is_class_v<decltype(*pointer)>;
  requires !std::is_same_v<std::remove_cv_t<decltype(*pointer)>,
                           std::remove_cvref_t<decltype(*pointer.get())>>;
};
template <class Range>
concept has_device_pointer = requires(Range const& range) {
  requires device_pointer<std::remove_cvref_t<decltype(range.data())>>;
  {static_cast<std::size_t>(range.size())};
};
template <has_device_pointer Range>
struct known_device_range<Range> {
  static auto span(auto& range) {
    return device_span(range.data().get(), static_cast<std::size_t>(range.size()));
  }
};

/// The host needs a stream to read an element. So is rmm::device_uvector.
template <class Range>
concept has_elements_by_stream = requires(Range const& range) {
  requires std::is_pointer_v<decltype(range.data())>;
  requires std::is_same_v<decltype(range.element(range.size(), range.stream())),
                          std::remove_cvref_t<decltype(*range.data())>>;
};
template <has_elements_by_stream Range>
struct known_device_range<Range> {
  static auto span(auto& range) {
    return device_span(range.data(), static_cast<std::size_t>(range.size()));
  }
};

} // namespace detail

template <class Range>
struct device_range_traits : detail::known_device_range<Range> {};

} // namespace warpfold::inline v0
