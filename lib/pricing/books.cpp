// The verbs of option books: check the arguments and call the backends.

#include "book_calls.hpp"
#include "door.hpp"
#include "pipeline.hpp"

#include <warpfold/detail/core/verb.hpp>

#include <algorithm>

namespace warpfold::inline v0::pricing {

template <class T, class Inputs, class Outputs>
price_call<T> checked_call(option_book<Inputs> const& book, price_outputs<Outputs> const& outputs,
                           price_options const& options) {
  constexpr char const* names[price_columns] = {
      "outputs.call",       "outputs.put",      "outputs.call_delta", "outputs.put_delta",
      "outputs.gamma",      "outputs.vega",     "outputs.call_theta", "outputs.put_theta",
      "outputs.call_rho",   "outputs.put_rho",  "outputs.vanna",      "outputs.volga",
      "outputs.call_charm", "outputs.put_charm"};
  checked_arrays arrays;
  price_call<T> call{};
  check_bits("options.bits", options.bits);
  call.how = options.bits;
  column<T>* next = call.book.of;
  for_each_quantity(
      book, [&](char const* argument, auto const& from) { *next++ = arrays.add(argument, from); });
  for_each_value(outputs, [&](int k, Outputs const& to) {
    call.outputs.of[k] = arrays.add_if_wanted(names[k], to);
  });
  call.book.size = arrays.size();
  if (call.size() > 0 && std::ranges::none_of(call.outputs.of, [](T* to) { return to; }))
    detail::refuse("outputs", "every one is left out", "at least one");
  return call;
}

template <class T, class Kinds, class Inputs, class Span, class Statuses>
implied_call<T> checked_call(quote_book<Kinds, Inputs> const& quotes,
                             implied_outputs<Span, Statuses> const& outputs) {
  checked_arrays arrays;
  implied_call<T> call{};
  call.kind = arrays.add("quotes.kind", quotes.kind);
  call.of[0] = arrays.add("quotes.price", quotes.price);
  call.of[1] = arrays.add("quotes.spot", quotes.spot);
  call.of[2] = arrays.add("quotes.strike", quotes.strike);
  call.of[3] = arrays.add("quotes.expiry", quotes.expiry);
  call.of[4] = arrays.add("quotes.rate", quotes.rate);
  call.of[5] = arrays.add("quotes.dividend_yield", quotes.dividend_yield);
  call.to.volatility = arrays.add_output("outputs.volatility", outputs.volatility);
  call.to.status = arrays.add_if_wanted("outputs.status", outputs.status);
  call.count = arrays.size();
  return call;
}

template <class Call>
void run(host const& place, Call const& call) {
  host_impl::compute(place, call);
}

template <class Call>
void run(gpu& place, Call const& call) {
  run_pieces(place, call,
             [](cudaStream_t stream, Call const& part) { gpu_impl::compute(stream, part); });
}

namespace {

template <class Call>
void enqueue(gpu& place, Call const& call) {
  if (call.size() == 0) return;
  device_guard const current{place.device()};
  gpu_impl::compute(place.stream(), call);
}

} // namespace

template <class T>
void price_async(gpu& place, device_book<T> const& book,
                 std::type_identity_t<device_outputs<T>> const& outputs,
                 price_options const& options) {
  detail::verb const scope("pricing::price_async");
  enqueue(place, checked_call<T>(book, outputs, options));
}

template <class T>
void price(gpu& place, device_book<T> const& book,
           std::type_identity_t<device_outputs<T>> const& outputs, price_options const& options) {
  detail::verb const scope("pricing::price");
  price_async<T>(place, book, outputs, options);
  place.synchronize();
}

template <class T>
void price(host const& place, host_book<T> const& book,
           std::type_identity_t<host_outputs<T>> const& outputs, price_options const& options) {
  detail::verb const scope("pricing::price");
  run(place, checked_call<T>(book, outputs, options));
}

template <class T>
void price(gpu& place, host_book<T> const& book,
           std::type_identity_t<host_outputs<T>> const& outputs, price_options const& options) {
  detail::verb const scope("pricing::price");
  run(place, checked_call<T>(book, outputs, options));
}

template <class T>
void implied_volatility_async(gpu& place, device_quotes<T> const& quotes,
                              std::type_identity_t<device_implied_outputs<T>> const& outputs) {
  detail::verb const scope("pricing::implied_volatility_async");
  enqueue(place, checked_call<T>(quotes, outputs));
}

template <class T>
void implied_volatility(gpu& place, device_quotes<T> const& quotes,
                        std::type_identity_t<device_implied_outputs<T>> const& outputs) {
  detail::verb const scope("pricing::implied_volatility");
  implied_volatility_async<T>(place, quotes, outputs);
  place.synchronize();
}

template <class T>
void implied_volatility(host const& place, host_quotes<T> const& quotes,
                        std::type_identity_t<host_implied_outputs<T>> const& outputs) {
  detail::verb const scope("pricing::implied_volatility");
  run(place, checked_call<T>(quotes, outputs));
}

template <class T>
void implied_volatility(gpu& place, host_quotes<T> const& quotes,
                        std::type_identity_t<host_implied_outputs<T>> const& outputs) {
  detail::verb const scope("pricing::implied_volatility");
  run(place, checked_call<T>(quotes, outputs));
}

#define INSTANTIATE_CALL(verb, call, T, device_inputs, device_to, host_inputs, host_to, ...)       \
  template call<T> checked_call<T>(host_inputs<T> const&, host_to<T> const& __VA_ARGS__);          \
  template void run(host const&, call<T> const&);                                                  \
  template void run(gpu&, call<T> const&);                                                         \
  template void verb##_async<T>(gpu&, device_inputs<T> const&, device_to<T> const& __VA_ARGS__);   \
  template void verb<T>(gpu&, device_inputs<T> const&, device_to<T> const& __VA_ARGS__);           \
  template void verb<T>(host const&, host_inputs<T> const&, host_to<T> const& __VA_ARGS__);        \
  template void verb<T>(gpu&, host_inputs<T> const&, host_to<T> const& __VA_ARGS__);
#define WITH_OPTIONS , price_options const&
#define INSTANTIATE(T)                                                                             \
  template price_call<T> checked_call<T>(device_book<T> const&,                                    \
                                         device_outputs<T> const& WITH_OPTIONS);                   \
  INSTANTIATE_CALL(price, price_call, T, device_book, device_outputs, host_book, host_outputs,     \
                   WITH_OPTIONS)                                                                   \
  INSTANTIATE_CALL(implied_volatility, implied_call, T, device_quotes, device_implied_outputs,     \
                   host_quotes, host_implied_outputs)
WARPFOLD_FOR_EACH_PRICED(INSTANTIATE)

} // namespace warpfold::inline v0::pricing
