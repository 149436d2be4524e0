// Prices and Greeks on the host's threads: blocks of options, in loops that the compiler turns into
// vector instructions of whatever the processor has.

#include "backend.hpp"
#include "core/host_loops.hpp"

#include <warpfold/detail/pricing/black_scholes_limits.hpp>

#include <algorithm>

namespace warpfold::inline v0::pricing::host_impl {
namespace {

/// Options of a block: their inputs and results stay in a core's first cache.
constexpr std::size_t block_options = 256;
/// Options that a thread takes at a time.
constexpr std::size_t turn_options = std::size_t{1} << 14;

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

WARPFOLD_CLONES bool regular_prices_of(block<float> const& of) {
  return regular_loop<prices<float>>(of);
}
WARPFOLD_CLONES bool regular_prices_of(block<double> const& of) {
  return regular_loop<prices<double>>(of);
}
WARPFOLD_CLONES bool regular_valuations_of(block<float> const& of) {
  return regular_loop<valuation<float>>(of);
}
WARPFOLD_CLONES bool regular_valuations_of(block<double> const& of) {
  return regular_loop<valuation<double>>(of);
}

template <class Result, class T>
void price_block(block<T> const& of) {
  constexpr bool only_prices = std::is_same_v<Result, prices<T>>;
  if (only_prices ? regular_prices_of(of) : regular_valuations_of(of)) return;
  for (std::size_t i = 0; i < of.size; ++i) {
    if (detail::is_regular(of[i])) continue;
    auto const write = [&](int k, T value) { of.out[k][i] = value; };
    if constexpr (only_prices) for_each_value(detail::limit_prices(of[i]), write);
    else for_each_value(detail::limit_valuation(of[i]), write);
  }
}

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
      price_block<Result>(now);
    }
  });
}

} // namespace

template <class T>
void mills(host const& place, book_view<T> const& book, outputs_view<T> const& outputs) {
  if (outputs.only_prices()) price_in_blocks<prices<T>>(place, book, outputs);
  else price_in_blocks<valuation<T>>(place, book, outputs);
}

#define INSTANTIATE(T)                                                                             \
  template void mills<T>(host const&, book_view<T> const&, outputs_view<T> const&);
WARPFOLD_FOR_EACH_PRICED(INSTANTIATE)

} // namespace warpfold::inline v0::pricing::host_impl
