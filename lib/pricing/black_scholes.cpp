// Prices of books: checks the arguments and calls the backend.

#include "backend.hpp"
#include "door.hpp"
#include "price_pieces.hpp"

#include <warpfold/detail/core/verb.hpp>

#include <array>

namespace warpfold::inline v0::pricing {
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

} // namespace

template <class T, class Inputs, class Outputs>
price_call<T> checked_call(option_book<Inputs> const& book, price_outputs<Outputs> const& outputs) {
  auto const spans = in_order(outputs);
  checked_arrays arrays;
  price_call<T> call{};
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
  }
  call.book.size = arrays.size();
  if (!any && call.book.size > 0)
    detail::refuse("outputs", "every one is left out", "at least one");
  return call;
}

template <class T>
void run(host const& place, price_call<T> const& call) {
  if (call.size() > 0) host_impl::mills(place, call.book, call.outputs);
}
template <class T>
void run(gpu& place, price_call<T> const& call) {
  price_pieces(place, call, gpu_impl::mills<T>);
}

template <class T>
void price_async(gpu& place, device_book<T> const& book,
                 std::type_identity_t<device_outputs<T>> const& outputs) {
  detail::verb const scope("pricing::price_async");
  auto const call = checked_call<T>(book, outputs);
  if (call.size() == 0) return;
  device_guard const current{place.device()};
  gpu_impl::mills(place.stream(), call.book, call.outputs);
}

template <class T>
void price(gpu& place, device_book<T> const& book,
           std::type_identity_t<device_outputs<T>> const& outputs) {
  detail::verb const scope("pricing::price");
  price_async<T>(place, book, outputs);
  place.synchronize();
}

template <class T>
void price(host const& place, host_book<T> const& book,
           std::type_identity_t<host_outputs<T>> const& outputs) {
  detail::verb const scope("pricing::price");
  run(place, checked_call<T>(book, outputs));
}

template <class T>
void price(gpu& place, host_book<T> const& book,
           std::type_identity_t<host_outputs<T>> const& outputs) {
  detail::verb const scope("pricing::price");
  run(place, checked_call<T>(book, outputs));
}

#define INSTANTIATE(T)                                                                             \
  template price_call<T> checked_call<T>(device_book<T> const&, device_outputs<T> const&);         \
  template price_call<T> checked_call<T>(host_book<T> const&, host_outputs<T> const&);             \
  template void run<T>(host const&, price_call<T> const&);                                         \
  template void run<T>(gpu&, price_call<T> const&);                                                \
  template void price_async<T>(gpu&, device_book<T> const&, device_outputs<T> const&);             \
  template void price<T>(gpu&, device_book<T> const&, device_outputs<T> const&);                   \
  template void price<T>(host const&, host_book<T> const&, host_outputs<T> const&);                \
  template void price<T>(gpu&, host_book<T> const&, host_outputs<T> const&);
WARPFOLD_FOR_EACH_PRICED(INSTANTIATE)

} // namespace warpfold::inline v0::pricing
