// Implied volatilities: checks the arguments and calls the backend.

#include "book_calls.hpp"
#include "door.hpp"
#include "pipeline.hpp"

#include <warpfold/detail/core/verb.hpp>

#include <array>

namespace warpfold::inline v0::pricing {

template <class T, class Kinds, class Inputs, class Span, class Statuses>
implied_call<T> checked_call(quote_book<Kinds, Inputs> const& quotes,
                             implied_outputs<Span, Statuses> const& outputs) {
  checked_arrays arrays;
  implied_call<T> call{};
  call.quotes.kind = arrays.add("quotes.kind", quotes.kind);
  call.quotes.of[0] = arrays.add("quotes.price", quotes.price);
  call.quotes.of[1] = arrays.add("quotes.spot", quotes.spot);
  call.quotes.of[2] = arrays.add("quotes.strike", quotes.strike);
  call.quotes.of[3] = arrays.add("quotes.expiry", quotes.expiry);
  call.quotes.of[4] = arrays.add("quotes.rate", quotes.rate);
  call.quotes.of[5] = arrays.add("quotes.dividend_yield", quotes.dividend_yield);
  call.to.volatility = arrays.add_output("outputs.volatility", outputs.volatility);
  if (!outputs.status.empty()) call.to.status = arrays.add_output("outputs.status", outputs.status);
  call.quotes.size = arrays.size();
  return call;
}

template <class T>
void run(host const& place, implied_call<T> const& call) {
  if (call.size() > 0) host_impl::imply(place, call.quotes, call.to);
}

template <class T>
void run(gpu& place, implied_call<T> const& call) {
  if (call.size() == 0) return;
  pipeline through(place, call.size());
  std::array<piped<T const>, quote_columns> in;
  for (std::size_t k = 0; k < in.size(); ++k) in[k] = through.input(call.quotes.of[k].array);
  auto const volatilities = through.output(call.to.volatility);
  auto const kinds = through.input(call.quotes.kind.array);
  auto const statuses = through.output(call.to.status);
  through.run([&](piece const& now) {
    quotes_view<T> part{
        .kind = {kinds.in(now), call.quotes.kind.value}, .of = {}, .size = now.size};
    for (std::size_t k = 0; k < in.size(); ++k)
      part.of[k] = {in[k].in(now), call.quotes.of[k].value};
    gpu_impl::imply<T>(now.stream, part, {volatilities.in(now), statuses.in(now)});
  });
}

template <class T>
void implied_volatility_async(gpu& place, device_quotes<T> const& quotes,
                              std::type_identity_t<device_implied_outputs<T>> const& outputs) {
  detail::verb const scope("pricing::implied_volatility_async");
  auto const call = checked_call<T>(quotes, outputs);
  if (call.size() == 0) return;
  device_guard const current{place.device()};
  gpu_impl::imply(place.stream(), call.quotes, call.to);
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

#define INSTANTIATE(T)                                                                             \
  template implied_call<T> checked_call<T>(host_quotes<T> const&, host_implied_outputs<T> const&); \
  template void run<T>(host const&, implied_call<T> const&);                                       \
  template void run<T>(gpu&, implied_call<T> const&);                                              \
  template void implied_volatility_async<T>(gpu&, device_quotes<T> const&,                         \
                                            device_implied_outputs<T> const&);                     \
  template void implied_volatility<T>(gpu&, device_quotes<T> const&,                               \
                                      device_implied_outputs<T> const&);                           \
  template void implied_volatility<T>(host const&, host_quotes<T> const&,                          \
                                      host_implied_outputs<T> const&);                             \
  template void implied_volatility<T>(gpu&, host_quotes<T> const&, host_implied_outputs<T> const&);
WARPFOLD_FOR_EACH_PRICED(INSTANTIATE)

} // namespace warpfold::inline v0::pricing
