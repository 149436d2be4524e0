// Books on the host's threads: prices and Greeks of blocks of options, in loops that the compiler
// turns into vector instructions of whatever the processor has; implied volatilities one by one.

#include "backend.hpp"
#include "core/host_loops.hpp"

#include <warpfold/detail/pricing/black_scholes_limits.hpp>
#include <warpfold/detail/pricing/implied_volatility_terms.hpp>

#include <algorithm>

namespace warpfold::inline v0::pricing::host_impl {
namespace {

/// Options of a block: their inputs and results stay in a core's first cache.
constexpr std::size_t block_options = 256;
/// Options, and quotes, that a thread takes at a time.
constexpr std::size_t turn_options = std::size_t{1} << 14, turn_quotes = std::size_t{1} << 12;

template <class T>
struct block {
  T const* in[book_columns];
  T* out[price_columns];
  std::size_t size;

  option<T> operator[](std::size_t i) const {
    return {in[0][i], in[1][i], in[2][i], in[3][i], in[4][i], in[5][i]};
  }
};

/// Writes what is right for regular options; false if there are others.
template <class Result, class T>
inline __attribute__((always_inline)) bool regular_loop(block<T> const& of) {
#pragma GCC ivdep
  for (std::size_t i = 0; i < of.size; ++i) {
    auto const write = [&](int k, T value) { of.out[k][i] = value; };
    if constexpr (std::is_same_v<Result, prices<T>>)
      for_each_value(detail::regular_prices(of[i]), write);
    else for_each_value(detail::regular_valuation(of[i]), write);
  }
  int irregular = 0;
  for (std::size_t i = 0; i < of.size; ++i) irregular |= detail::is_regular(of[i]) ? 0 : 1;
  return irregular == 0;
}

// Overloads, since templates have no clones.
#define WITH_CLONES(T)                                                                             \
  WARPFOLD_CLONES bool price_regular(block<T> const& of, prices<T>) {                              \
    return regular_loop<prices<T>>(of);                                                            \
  }                                                                                                \
  WARPFOLD_CLONES bool price_regular(block<T> const& of, valuation<T>) {                           \
    return regular_loop<valuation<T>>(of);                                                         \
  }                                                                                                \
  WARPFOLD_CLONES void imply_some(implied_call<T> const& call, std::size_t first,                  \
                                  std::size_t last) {                                              \
    for (std::size_t i = first; i < last; ++i)                                                     \
      call.put(i, detail::implied_volatility_of(call[i]));                                         \
  }
WARPFOLD_FOR_EACH_PRICED(WITH_CLONES)

template <class Result, class T>
void price_in_blocks(host const& place, book_view<T> const& book, outputs_view<T> const& outputs) {
  constexpr int columns = sizeof(Result) / sizeof(T);
  detail::for_each_turn(place, book.size, turn_options, [&](std::size_t first, std::size_t count) {
    T same[book_columns][block_options];
    T unwanted[block_options];
    for (int k = 0; k < book_columns; ++k)
      if (!book.of[k].array) std::fill_n(same[k], block_options, book.of[k].value);
    for (std::size_t i = first; i < first + count; i += block_options) {
      block<T> now{};
      now.size = std::min(block_options, first + count - i);
      for (int k = 0; k < book_columns; ++k)
        now.in[k] = book.of[k].array ? book.of[k].array + i : same[k];
      for (int k = 0; k < columns; ++k) now.out[k] = outputs.of[k] ? outputs.of[k] + i : unwanted;
      if (price_regular(now, Result{})) continue;
      for (std::size_t j = 0; j < now.size; ++j) {
        if (detail::is_regular(now[j])) continue;
        auto const write = [&](int k, T value) { now.out[k][j] = value; };
        if constexpr (columns == 2) for_each_value(detail::limit_prices(now[j]), write);
        else for_each_value(detail::limit_valuation(now[j]), write);
      }
    }
  });
}

} // namespace

template <class T>
void compute(host const& place, price_call<T> const& call) {
  if (call.outputs.only_prices()) price_in_blocks<prices<T>>(place, call.book, call.outputs);
  else price_in_blocks<valuation<T>>(place, call.book, call.outputs);
}

template <class T>
void compute(host const& place, implied_call<T> const& call) {
  detail::for_each_turn(place, call.size(), turn_quotes, [&](std::size_t first, std::size_t count) {
    imply_some(call, first, first + count);
  });
}

#define INSTANTIATE(T)                                                                             \
  template void compute(host const&, price_call<T> const&);                                        \
  template void compute(host const&, implied_call<T> const&);
WARPFOLD_FOR_EACH_PRICED(INSTANTIATE)

} // namespace warpfold::inline v0::pricing::host_impl
