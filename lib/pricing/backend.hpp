#pragma once
// Books of options as their backends see them: the arguments are checked.

#include <warpfold/detail/core/macros.hpp>
#include <warpfold/execution.hpp>
#include <warpfold/pricing/bits.hpp>
#include <warpfold/pricing/implied_volatility.hpp>
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
};

/// Lets an array begin at its element number `first`.
inline auto move_to(std::size_t first) {
  return [first](auto*& array) {
    if (array) array += first;
  };
}

/// Options to be priced.
template <class T>
struct price_call {
  book_view<T> book;
  outputs_view<T> outputs;
  bits how = bits::portable;

  std::size_t size() const { return book.size; }
  /// The call for `count` options of other arrays: move(array) changes each, null or not.
  template <class Move>
  price_call moved(std::size_t count, Move move) const {
    price_call other = *this;
    for (column<T>& one : other.book.of) move(one.array);
    for (T*& one : other.outputs.of) move(one);
    other.book.size = count;
    return other;
  }
  price_call part(std::size_t first, std::size_t count) const {
    return moved(count, move_to(first));
  }
  /// Arrays of spot, strike and expiry, one volatility, rate and dividend yield for all, and calls
  /// and puts.
  bool is_usual() const {
    for (int k = 0; k < book_columns; ++k)
      if ((book.of[k].array != nullptr) != (k < 3)) return false;
    return outputs.of[0] && outputs.of[1];
  }
};

/// Quotes of which the volatilities are wanted.
template <class T>
struct implied_call {
  column<option_kind> kind;
  column<T> of[6]; ///< the other quantities, in the order of quote<T>
  std::size_t count;
  struct {
    T* volatility;
    implied_status* status; ///< may be null
  } to;

  std::size_t size() const { return count; }
  /// As price_call has them.
  template <class Move>
  implied_call moved(std::size_t new_count, Move move) const {
    implied_call other = *this;
    for (column<T>& one : other.of) move(one.array);
    move(other.to.volatility);
    move(other.kind.array);
    move(other.to.status);
    other.count = new_count;
    return other;
  }
  implied_call part(std::size_t first, std::size_t new_count) const {
    return moved(new_count, move_to(first));
  }
  WARPFOLD_HOST_DEVICE quote<T> operator[](std::size_t i) const {
    return {kind[i], of[0][i], of[1][i], of[2][i], of[3][i], of[4][i], of[5][i]};
  }
  WARPFOLD_HOST_DEVICE void put(std::size_t i, implied<T> const& found) const {
    to.volatility[i] = found.volatility;
    if (to.status) to.status[i] = found.status;
  }
};

/// Calls use(column number, value) for all of a result, or of the spans for results.
template <class Result, class Use>
WARPFOLD_HOST_DEVICE void for_each_value(Result const& of, Use use) {
  use(0, of.call);
  use(1, of.put);
  if constexpr (requires { of.gamma; }) {
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
}

/// Enqueue on a stream of the current device.
namespace gpu_impl {
template <class T>
void compute(cudaStream_t stream, price_call<T> const& call);
template <class T>
void compute(cudaStream_t stream, implied_call<T> const& call);
} // namespace gpu_impl

namespace host_impl {
template <class T>
void compute(host const& place, price_call<T> const& call);
template <class T>
void compute(host const& place, implied_call<T> const& call);
} // namespace host_impl

} // namespace warpfold::inline v0::pricing
