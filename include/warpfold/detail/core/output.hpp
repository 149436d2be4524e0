#pragma once
// Where results go that are not memory for the accumulator.

#include <warpfold/detail/core/macros.hpp>

#include <cstddef>
#include <iterator>

namespace warpfold::inline v0::detail {

/// An output iterator that hands what is written through it to store(value): so a kernel, a
/// vendor's too, ends with a last step of one's own.
template <class Store>
struct storing {
  using iterator_category = std::output_iterator_tag;
  using value_type = void;
  using difference_type = std::ptrdiff_t;
  using pointer = void;

  struct reference {
    Store store;
    template <class A>
    WARPFOLD_HOST_DEVICE void operator=(A const& value) const {
      store(value);
    }
  };

  Store store;

  WARPFOLD_HOST_DEVICE reference operator*() const { return {store}; }
  WARPFOLD_HOST_DEVICE reference operator[](std::ptrdiff_t) const { return {store}; }
};

/// Stores finish(value).
template <class Finish, class Result>
struct store_finished {
  Finish finish;
  Result* result;
  template <class A>
  WARPFOLD_HOST_DEVICE void operator()(A const& value) const {
    *result = finish(value);
  }
};

} // namespace warpfold::inline v0::detail
