#pragma once
// Backends of option pricing; their arguments are checked.

#include <warpfold/detail/core/macros.hpp>
#include <warpfold/execution.hpp>
#include <warpfold/pricing/option.hpp>

#include <cstddef>

// X(element)
#define WARPFOLD_FOR_EACH_PRICED(X)                                                                \
  X(float)                                                                                         \
  X(double)

namespace warpfold::inline v0::pricing {

/// One quantity of a book: an array, or one value for all where that is null.
template <class T>
struct column {
  T const* array = nullptr;
  T value{};

  WARPFOLD_HOST_DEVICE T operator[](std::size_t i) const { return array ? array[i] : value; }
  column from(std::size_t first) const { return {array ? array + first : nullptr, value}; }
};

inline constexpr int book_columns = 6;
/// Call, put and the twelve Greeks, in the order of valuation<T>.
inline constexpr int price_columns = 14;

/// The quantities of `size` options, in the order of option<T>.
template <class T>
struct book_view {
  column<T> of[book_columns];
  std::size_t size = 0;

  WARPFOLD_HOST_DEVICE option<T> operator[](std::size_t i) const {
    return {of[0][i], of[1][i], of[2][i], of[3][i], of[4][i], of[5][i]};
  }
  book_view part(std::size_t first, std::size_t count) const {
    return {{of[0].from(first), of[1].from(first), of[2].from(first), of[3].from(first),
             of[4].from(first), of[5].from(first)},
            count};
  }
};

/// Where the results go; null for those that are left out.
template <class T>
struct outputs_view {
  T* of[price_columns];

  bool only_prices() const {
    for (int k = 2; k < price_columns; ++k)
      if (of[k]) return false;
    return true;
  }
  outputs_view from(std::size_t first) const {
    outputs_view later = *this;
    for (T*& array : later.of)
      if (array) array += first;
    return later;
  }
};

/// Arrays of spot, strike and expiry, one volatility, rate and dividend yield for all, and calls
/// and puts.
template <class T>
bool is_usual(book_view<T> const& book, outputs_view<T> const& outputs) {
  for (int k = 0; k < book_columns; ++k)
    if ((book.of[k].array != nullptr) != (k < 3)) return false;
  return outputs.of[0] && outputs.of[1];
}

/// Calls use(column number, value) for all of a result.
template <class T, class Use>
WARPFOLD_HOST_DEVICE void for_each_value(prices<T> const& of, Use use) {
  use(0, of.call);
  use(1, of.put);
}
template <class T, class Use>
WARPFOLD_HOST_DEVICE void for_each_value(valuation<T> const& of, Use use) {
  use(0, of.call);
  use(1, of.put);
  use(2, of.call_delta);
  use(3, of.put_delta);
  use(4, of.gamma);
  use(5, of.vega);
  use(6, of.call_theta);
  use(7, of.put_theta);
  use(8, of.call_rho);
  use(9, of.put_rho);
  use(10, of.vanna);
  use(11, of.volga);
  use(12, of.call_charm);
  use(13, of.put_charm);
}

namespace gpu_impl {

/// Enqueues on a stream of the current device.
template <class T>
void mills(cudaStream_t stream, book_view<T> const& book, outputs_view<T> const& outputs);

} // namespace gpu_impl

namespace host_impl {

template <class T>
void mills(host const& place, book_view<T> const& book, outputs_view<T> const& outputs);

} // namespace host_impl

} // namespace warpfold::inline v0::pricing
