#pragma once
// Checks of books and outputs that the verbs of option pricing share.

#include "backend.hpp"

#include <warpfold/detail/core/arguments.hpp>
#include <warpfold/detail/core/refusal.hpp>
#include <warpfold/pricing/black_scholes.hpp>

#include <array>

namespace warpfold::inline v0::pricing {

/// The arrays of a call: all of one size, and no output on anything else.
class checked_arrays {
public:
  template <class Span>
  column<typename input<Span>::value_type> add(char const* argument, input<Span> const& from) {
    if (from.is_array()) add(argument, from.array());
    return {from.array().data(), from.value()};
  }
  template <class Span>
  auto* add_output(char const* argument, Span to) {
    for (std::size_t i = 0; i < count_; ++i)
      if (detail::share_memory(to.data(), bytes_of(to), all_[i].data, all_[i].bytes))
        detail::refuse(argument, detail::text("overlaps ", all_[i].argument), "memory of its own");
    add(argument, to);
    return to.data();
  }
  /// The size that they have in common.
  std::size_t size() const { return size_; }

private:
  template <class Span>
  static std::size_t bytes_of(Span array) {
    return array.size() * sizeof *array.data();
  }
  template <class Span>
  void add(char const* argument, Span array) {
    if (count_ > 0 && array.size() != size_)
      detail::refuse(argument, detail::text(array.size(), " elements"),
                     detail::text(size_, ", as ", all_[0].argument, " has"));
    detail::check_elements(argument, array.data(), array.size());
    size_ = array.size();
    all_[count_++] = {argument, array.data(), bytes_of(array)};
  }

  struct extent {
    char const* argument;
    void const* data;
    std::size_t bytes;
  };
  std::array<extent, book_columns + price_columns> all_{};
  std::size_t count_ = 0, size_ = 0;
};

} // namespace warpfold::inline v0::pricing
