#pragma once
// A quantity of a book: one value for all options, or one for each.

#include <warpfold/span.hpp>

#include <concepts>

namespace warpfold::inline v0::pricing {

/// One quantity of a book: an array with an element for every option, or one value for all. It does
/// not own the array. Made implicitly from a number, or from what converts to the Span: for GPU
/// memory a device_span or another device_range, for host memory a std::span, std::vector or
/// pinned_buffer. A book with a name needs arrays that outlive it.
template <class Span>
class input {
public:
  using value_type = typename Span::value_type;

  /// One value for all options.
  template <std::convertible_to<value_type> Value>
  constexpr input(Value value) noexcept : value_{static_cast<value_type>(value)} {}
  /// An element for every option.
  template <class Range>
  requires std::convertible_to<Range const&, Span> &&
      (detail::is_device_span<Span> ||
       !device_range<Range const>)constexpr input(Range const& array)
      : array_{array}, is_array_{true} {}

  /// True if it was made of an array.
  [[nodiscard]] constexpr bool is_array() const noexcept { return is_array_; }
  /// Empty where there is one value for all.
  [[nodiscard]] constexpr Span array() const noexcept { return array_; }
  /// 0 where there is an array.
  [[nodiscard]] constexpr value_type value() const noexcept { return value_; }

private:
  Span array_{};
  value_type value_{};
  bool is_array_ = false;
};

} // namespace warpfold::inline v0::pricing
