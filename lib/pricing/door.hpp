#pragma once
// Checks that the doors of option pricing share.

#include "backend.hpp"

#include <warpfold/error.hpp>
#include <warpfold/pricing/black_scholes.hpp>
#include <warpfold/reduction.hpp>

#include <optional>
#include <string>

namespace warpfold::pricing {

/// The size that arrays have in common.
class common_size {
public:
  /// Refuses an array of another size than those before it, and null with a size.
  void add(char const* argument, void const* data, std::size_t size) {
    if (size_ && *size_ != size)
      throw argument_error(argument, std::to_string(size) + " elements, and " + first_ + " has " +
                                         std::to_string(*size_));
    detail::check_elements(argument, data, size);
    if (size_) return;
    size_ = size;
    first_ = argument;
  }
  std::size_t value() const { return size_.value_or(0); }

private:
  std::optional<std::size_t> size_;
  char const* first_ = "";
};

template <class Span>
column<typename input<Span>::value_type>
checked_column(char const* argument, input<Span> const& from, common_size& size) {
  if (from.is_array()) size.add(argument, from.array().data(), from.array().size());
  return {from.array().data(), from.value()};
}

template <class Span>
auto* checked_output(char const* argument, Span to, common_size& size) {
  size.add(argument, to.data(), to.size());
  return to.data();
}

} // namespace warpfold::pricing
