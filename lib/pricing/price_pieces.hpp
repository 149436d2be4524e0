#pragma once
// Prices of host memory on a GPU, piece by piece.

#include "book_calls.hpp"
#include "pipeline.hpp"

#include <array>

namespace warpfold::inline v0::pricing {

/// Calls enqueue(stream, book, outputs) for all pieces of a book, which are then in GPU memory.
/// Blocks until all outputs are in host memory.
template <class T, class Enqueue>
void price_pieces(gpu& place, price_call<T> const& call, Enqueue enqueue) {
  if (call.size() == 0) return;
  pipeline through(place, call.size());
  std::array<piped<T const>, book_columns> in;
  std::array<piped<T>, price_columns> out;
  for (int k = 0; k < book_columns; ++k) in[k] = through.input(call.book.of[k].array);
  for (int k = 0; k < price_columns; ++k) out[k] = through.output(call.outputs.of[k]);
  through.run([&](piece const& now) {
    book_view<T> part{.of = {}, .size = now.size};
    outputs_view<T> to{};
    for (int k = 0; k < book_columns; ++k) part.of[k] = {in[k].in(now), call.book.of[k].value};
    for (int k = 0; k < price_columns; ++k) to.of[k] = out[k].in(now);
    enqueue(now.stream, part, to);
  });
}

} // namespace warpfold::inline v0::pricing
