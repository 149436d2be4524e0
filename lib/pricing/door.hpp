#pragma once
// Checks of books and outputs that the verbs of option pricing share.

#include "backend.hpp"

#include <warpfold/detail/core/arguments.hpp>
#include <warpfold/detail/core/refusal.hpp>
#include <warpfold/pricing/black_scholes.hpp>

#include <array>
#include <cstddef>
#include <type_traits>

namespace warpfold::inline v0::pricing {

/// The arrays of a call: all of one size, and no output on anything else.
class checked_arrays {
public:
  template <class Span>
  column<typename input<Span>::value_type> add(char const* argument, input<Span> const& from) {
    if (from.is_array()) add(described(argument, from.array()));
    return {from.array().data(), from.value()};
  }
  template <class Span>
  auto* add_output(char const* argument, Span to) {
    add_apart(described(argument, to));
    return to.data();
  }
  /// The size that they have in common.
  std::size_t size() const { return count_ == 0 ? 0 : all_[0].size; }

private:
  struct array {
    char const* argument;
    void const* data;
    std::size_t size, bytes, alignment;
  };
  template <class Span>
  static array described(char const* argument, Span of) {
    return {argument, of.data(), of.size(), of.size() * sizeof *of.data(),
            alignof(std::remove_pointer_t<decltype(of.data())>)};
  }
  // Not templates and never inlined: some twenty calls for each element type and kind of memory.
  [[gnu::noinline]] void add(array const& one) {
    if (count_ > 0 && one.size != size())
      detail::refuse(one.argument, detail::text(one.size, " elements"),
                     detail::text(size(), ", as ", all_[0].argument, " has"));
    detail::check_elements(one.argument, one.data, one.size, one.alignment);
    all_[count_++] = one;
  }
  [[gnu::noinline]] void add_apart(array const& one) {
    for (std::size_t i = 0; i < count_; ++i)
      if (detail::share_memory(one.data, one.bytes, all_[i].data, all_[i].bytes))
        detail::refuse(one.argument, detail::text("overlaps ", all_[i].argument),
                       "memory of its own");
    add(one);
  }

  std::array<array, book_columns + price_columns> all_{};
  std::size_t count_ = 0;
};

} // namespace warpfold::inline v0::pricing
