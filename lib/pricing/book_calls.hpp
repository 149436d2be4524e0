#pragma once
// Checked calls on books of options, for those who price parts of them or otherwise.

#include "implied_backend.hpp"

#include <warpfold/execution.hpp>
#include <warpfold/pricing/black_scholes.hpp>
#include <warpfold/pricing/implied_volatility.hpp>

namespace warpfold::inline v0::pricing {

template <class T>
struct price_call {
  book_view<T> book;
  outputs_view<T> outputs;

  std::size_t size() const { return book.size; }
  price_call part(std::size_t first, std::size_t count) const {
    return {book.part(first, count), outputs.from(first)};
  }
};

template <class T>
struct implied_call {
  quotes_view<T> quotes;
  implied_view<T> to;

  std::size_t size() const { return quotes.size; }
  implied_call part(std::size_t first, std::size_t count) const {
    return {quotes.part(first, count), to.from(first)};
  }
};

/// The checked arguments of calls on host or GPU memory (implied volatilities elsewhere: host).
/// @throws argument_error
template <class T, class Inputs, class Outputs>
price_call<T> checked_call(option_book<Inputs> const& book, price_outputs<Outputs> const& outputs);
template <class T, class Kinds, class Inputs, class Span, class Statuses>
implied_call<T> checked_call(quote_book<Kinds, Inputs> const& quotes,
                             implied_outputs<Span, Statuses> const& outputs);

/// Does calls on host memory, on the host or through a gpu. Blocks.
template <class T>
void run(host const& place, price_call<T> const& call);
template <class T>
void run(gpu& place, price_call<T> const& call);
template <class T>
void run(host const& place, implied_call<T> const& call);
template <class T>
void run(gpu& place, implied_call<T> const& call);

} // namespace warpfold::inline v0::pricing
