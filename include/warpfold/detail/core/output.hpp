#pragma once
// Results that are finished, or converted, as they are stored.

#include <warpfold/detail/core/macros.hpp>

#include <cstddef>

namespace warpfold::inline v0::detail {

/// An output iterator that hands what is written through it to store(value), so that a kernel, also
/// a vendor's, ends with a step of ours.
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
