// The door of option pricing: checks the arguments and chooses the backend.

#include "backend.hpp"
#include "door.hpp"
#include "host_books.hpp"
#include "pipeline.hpp"

#include <array>

namespace warpfold::pricing {
namespace {

constexpr std::array<char const*, price_columns> output_names = {
    "outputs.call",       "outputs.put",      "outputs.call_delta", "outputs.put_delta",
    "outputs.gamma",      "outputs.vega",     "outputs.call_theta", "outputs.put_theta",
    "outputs.call_rho",   "outputs.put_rho",  "outputs.vanna",      "outputs.volga",
    "outputs.call_charm", "outputs.put_charm"};

template <class Span>
std::array<Span, price_columns> in_order(price_outputs<Span> const& to) {
  return {to.call,  to.put,        to.call_delta, to.put_delta, to.gamma,
          to.vega,  to.call_theta, to.put_theta,  to.call_rho,  to.put_rho,
          to.vanna, to.volga,      to.call_charm, to.put_charm};
}

template <class T, class Book, class Outputs>
price_call<T> check_call(Book const& book, Outputs const& outputs, method how) {
  if (how != method::mills && how != method::polynomial && how != method::vendor)
    throw argument_error("options.how", "not a method");
  auto const spans = in_order(outputs);
  checked_arrays arrays;
  price_call<T> call{};
  call.how = how;
  call.book.of[0] = arrays.add("book.spot", book.spot);
  call.book.of[1] = arrays.add("book.strike", book.strike);
  call.book.of[2] = arrays.add("book.expiry", book.expiry);
  call.book.of[3] = arrays.add("book.volatility", book.volatility);
  call.book.of[4] = arrays.add("book.rate", book.rate);
  call.book.of[5] = arrays.add("book.dividend_yield", book.dividend_yield);
  bool any = false;
  for (std::size_t k = 0; k < spans.size(); ++k) {
    if (spans[k].empty()) continue;
    any = true;
    call.outputs.of[k] = arrays.add_output(output_names[k], spans[k]);
    if (k >= 2 && how != method::mills)
      throw argument_error("options.how",
                           std::string("only method::mills computes ") + output_names[k]);
  }
  call.book.size = arrays.size();
  if (!any && call.book.size > 0) throw argument_error("outputs", "every one is left out");
  return call;
}

template <class T>
void enqueue(cudaStream_t stream, book_view<T> const& book, outputs_view<T> const& outputs,
             method how) {
  switch (how) {
  case method::mills: return gpu_impl::mills(stream, book, outputs);
  case method::polynomial: return gpu_impl::polynomial(stream, book, outputs);
  case method::vendor: return gpu_impl::vendor(stream, book, outputs);
  }
}

} // namespace

template <class T>
void price_async(gpu& place, device_book<T> const& book,
                 std::type_identity_t<device_outputs<T>> const& outputs,
                 price_options const& options) {
  auto const call = check_call<T>(book, outputs, options.how);
  if (call.book.size == 0) return;
  device_guard const current{place.device()};
  enqueue(place.stream(), call.book, call.outputs, options.how);
}

template <class T>
void price(gpu& place, device_book<T> const& book,
           std::type_identity_t<device_outputs<T>> const& outputs, price_options const& options) {
  price_async<T>(place, book, outputs, options);
  place.synchronize();
}

template <class T>
price_call<T> checked_call(host_book<T> const& book, host_outputs<T> const& outputs,
                           price_options const& options) {
  return check_call<T>(book, outputs, options.how);
}

template <class T>
void run(host const& place, price_call<T> const& call) {
  if (call.book.size == 0) return;
  switch (call.how) {
  case method::mills: return host_impl::mills(place, call.book, call.outputs);
  case method::polynomial: return host_impl::polynomial(place, call.book, call.outputs);
  case method::vendor: return host_impl::vendor(place, call.book, call.outputs);
  }
}

template <class T>
void run(gpu& place, price_call<T> const& call) {
  if (call.book.size == 0) return;
  pipeline through(place, call.book.size);
  std::array<piped<T const>, book_columns> in;
  std::array<piped<T>, price_columns> out;
  for (int k = 0; k < book_columns; ++k) in[k] = through.input(call.book.of[k].array);
  for (int k = 0; k < price_columns; ++k) out[k] = through.output(call.outputs.of[k]);
  through.run([&](piece const& now) {
    book_view<T> part{.of = {}, .size = now.size};
    outputs_view<T> to{};
    for (int k = 0; k < book_columns; ++k) part.of[k] = {in[k].in(now), call.book.of[k].value};
    for (int k = 0; k < price_columns; ++k) to.of[k] = out[k].in(now);
    enqueue(now.stream, part, to, call.how);
  });
}

template <class T>
void price(host const& place, host_book<T> const& book,
           std::type_identity_t<host_outputs<T>> const& outputs, price_options const& options) {
  run(place, checked_call<T>(book, outputs, options));
}

template <class T>
void price(gpu& place, host_book<T> const& book,
           std::type_identity_t<host_outputs<T>> const& outputs, price_options const& options) {
  run(place, checked_call<T>(book, outputs, options));
}

#define INSTANTIATE(T)                                                                             \
  template void price_async<T>(gpu&, device_book<T> const&, device_outputs<T> const&,              \
                               price_options const&);                                              \
  template void price<T>(gpu&, device_book<T> const&, device_outputs<T> const&,                    \
                         price_options const&);                                                    \
  template void price<T>(host const&, host_book<T> const&, host_outputs<T> const&,                 \
                         price_options const&);                                                    \
  template void price<T>(gpu&, host_book<T> const&, host_outputs<T> const&, price_options const&); \
  template price_call<T> checked_call<T>(host_book<T> const&, host_outputs<T> const&,              \
                                         price_options const&);                                    \
  template void run<T>(host const&, price_call<T> const&);                                         \
  template void run<T>(gpu&, price_call<T> const&);
WARPFOLD_FOR_EACH_PRICED(INSTANTIATE)

} // namespace warpfold::pricing
