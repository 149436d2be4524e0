// Refusals of the verbs on books of options: the argument is named, and nothing is written.

#include "pricing.hpp"
#include "refusals.hpp"

#include <warpfold/pricing/implied_volatility.hpp>

namespace refusals_books_test {

using namespace test;
using namespace warpfold;
using namespace warpfold::pricing;

// Rows of a verb and, where there is one, of its _async form.
#define ROWS(verb)                                                                                 \
  [&](std::string const& argument, auto const&... arguments) {                                     \
    all.row(#verb, argument, [&] { verb<T>(place, arguments...); });                               \
    if constexpr (requires { verb##_async<T>(place, arguments...); })                              \
      all.row(#verb "_async", argument, [&] { verb##_async<T>(place, arguments...); });            \
  }

/// Rows of price(), in the memory of `Memory`, which is not a gpu's where a gpu prices what is on
/// the host.
template <class T, class Memory, class Place>
void check_prices(refusals<Memory>& all, Place& place) {
  using span = view_t<Memory, T>;
  using constant = view_t<Memory, T const>;
  using book_type = option_book<constant>;
  using outputs_type = price_outputs<span>;
  span const memory = all.template memory<T>(64);
  span const out = memory.subspan(16, 8);
  constant const inputs = memory.subspan(0, 8), seven = memory.subspan(0, 7);
  book_type const book{inputs, memory.subspan(8, 8), 1, 0.2, 0.01};
  all.of("pricing/black_scholes.hpp");
  auto const refuses =
      [&, rows = ROWS(price)](std::string const& argument, book_type const& options,
                              outputs_type const& outputs) { rows(argument, options, outputs); };
  auto const nowhere = refusals<Memory>::template nowhere<T>(8);
  auto const name = [](std::size_t k) { return std::string("book.") + term_names[k]; };
  for (std::size_t k = 0; k < 6; ++k) {
    book_type bad{inputs, inputs, inputs, inputs, inputs, inputs};
    for (span const array : nowhere) {
      *members(bad)[k] = constant(array);
      refuses(name(k), bad, {.call = out});
    }
    // The first array sets the size, so that it is the second that differs.
    for (constant const other : {seven, constant()}) {
      *members(bad)[k] = other;
      refuses(name(k == 0 ? 1 : k), bad, {.call = out});
    }
  }
  char const* const results[] = {"call",  "put",        "call_delta", "put_delta", "gamma",
                                 "vega",  "call_theta", "put_theta",  "call_rho",  "put_rho",
                                 "vanna", "volga",      "call_charm", "put_charm"};
  for (std::size_t k = 0; k < std::size(results); ++k) {
    outputs_type bad{};
    *members(bad)[k] = out.subspan(1);
    refuses("outputs." + std::string(results[k]), book, bad);
  }
  for (span const bad : nowhere) refuses("outputs.vega", book, {.call = out, .vega = bad});
  refuses("outputs.put", book, {.call = out, .put = out});
  refuses("outputs.put", book, {.call = out, .put = memory.subspan(23, 8)});
  refuses("outputs.call", book, {.call = memory.subspan(15, 8)});
  refuses("outputs", book, {});
  ROWS(price)
  ("options.bits", book, outputs_type{.call = out}, price_options{.bits = static_cast<bits>(2)});
  for (std::size_t const size : impossible) {
    refuses("book.spot", {constant(memory.data(), size), 1, 1, 0.2, 0.01}, {.call = out});
    refuses("outputs.call", {1, 1, 1, 0.2, 0.01}, {.call = {out.data(), size}});
  }
  price<T>(place, book_type{1, 1, 1, 1, 1}, outputs_type{}); // no option, and nothing asked

  all.of("twins/pricing.hpp");
  auto const tagged = ROWS(price);
  for (int const twin : {-1, 3, 99})
    tagged("twin", book, outputs_type{.call = out}, static_cast<twins::formula>(twin));
  for (auto const twin : {twins::formula::polynomial, twins::formula::vendor}) {
    tagged("outputs", book, outputs_type{}, twin);
    tagged("outputs.put", book, outputs_type{.put = out.subspan(1)}, twin);
    for (std::size_t k = 2; k < std::size(results); ++k) {
      outputs_type greek{};
      *members(greek)[k] = out;
      tagged("twin", book, greek, twin);
    }
  }
}

/// Rows of implied_volatility(), likewise.
template <class T, class Memory, class Place>
void check_implied(refusals<Memory>& all, Place& place) {
  using span = view_t<Memory, T>;
  using constant = view_t<Memory, T const>;
  using quotes_type = quote_book<view_t<Memory, option_kind const>, constant>;
  using statuses = view_t<Memory, implied_status>;
  span const memory = all.template memory<T>(64);
  span const out = memory.subspan(16, 8);
  constant const inputs = memory.subspan(0, 8);
  auto const kinds = all.template memory<option_kind>(8);
  statuses const status = all.template memory<implied_status>(8);
  quotes_type const quotes{kinds, inputs, memory.subspan(8, 8), 100, 1, 0.01};
  all.of("pricing/implied_volatility.hpp");
  auto const refuses =
      [&, rows = ROWS(implied_volatility)](std::string const& argument, quotes_type const& book,
                                           implied_outputs<span, statuses> const& outputs) {
        rows(argument, book, outputs);
      };
  std::string const names[] = {"price", "spot", "strike", "expiry", "rate", "dividend_yield"};
  for (std::size_t k = 0; k < std::size(names); ++k) {
    quotes_type bad{kinds, inputs, inputs, inputs, inputs, inputs, inputs};
    auto* const member = members(bad)[k];
    *member = inputs.subspan(1);
    refuses("quotes." + names[k], bad, {out, status});
    for (span const array : refusals<Memory>::template nowhere<T>(8)) {
      *member = constant(array);
      refuses("quotes." + names[k], bad, {out, status});
    }
  }
  for (auto const bad : refusals<Memory>::template nowhere<option_kind const>(8))
    refuses("quotes.kind", {bad, inputs, inputs, 100, 1, 0.01}, {out, status});
  for (span const bad : refusals<Memory>::template nowhere<T>(8))
    refuses("outputs.volatility", quotes, {bad, status});
  refuses("outputs.volatility", quotes, {out.subspan(1), status});
  refuses("outputs.volatility", quotes, {memory.subspan(9, 8), status});
  for (std::size_t const size : impossible)
    refuses("outputs.volatility", {option_kind::call, 1, 1, 1, 1, 0}, {{out.data(), size}, status});
  for (auto const bad : refusals<Memory>::template nowhere<implied_status>(8))
    refuses("outputs.status", quotes, {out, bad});
  refuses("outputs.status", quotes, {out, status.subspan(1)});
  refuses("outputs.status", quotes,
          {out, statuses(reinterpret_cast<implied_status*>(out.data() + 7), 8)});
}

FAST_EVERY_PLACE_OF("what prices of books refuse", T, float, double) {
  refusals<Place> all(place);
  check_prices<T>(all, place);
}
FAST_EVERY_PLACE_OF("what implied volatilities refuse", T, float, double) {
  refusals<Place> all(place);
  check_implied<T>(all, place);
}

TEST_SUITE("gpu") {
  TEST_CASE_TEMPLATE("fast: what a gpu refuses of books in host memory", T, float, double) {
    gpu place;
    host processor;
    refusals<host> all(processor);
    check_prices<T>(all, place);
    check_implied<T>(all, place);
  }
}

} // namespace refusals_books_test
