// The door of implied volatility: checks the arguments and chooses the backend.

#include "book_calls.hpp"
#include "door.hpp"
#include "pipeline.hpp"

#include <array>

namespace warpfold::inline v0::pricing {
namespace {

template <class T, class Book, class Volatility, class Status>
implied_call<T> check_call(Book const& book, Volatility volatility, Status status) {
  checked_arrays arrays;
  implied_call<T> call{};
  call.quotes.kind = arrays.add("book.kind", book.kind);
  call.quotes.of[0] = arrays.add("book.price", book.price);
  call.quotes.of[1] = arrays.add("book.spot", book.spot);
  call.quotes.of[2] = arrays.add("book.strike", book.strike);
  call.quotes.of[3] = arrays.add("book.expiry", book.expiry);
  call.quotes.of[4] = arrays.add("book.rate", book.rate);
  call.quotes.of[5] = arrays.add("book.dividend_yield", book.dividend_yield);
  call.to.volatility = arrays.add_output("volatility", volatility);
  if (!status.empty()) call.to.status = arrays.add_output("status", status);
  call.quotes.size = arrays.size();
  return call;
}

} // namespace

template <class T>
void implied_volatility_async(gpu& place, device_quotes<T> const& book,
                              std::type_identity_t<device_span<T>> volatility,
                              device_span<implied_status> status) {
  auto const call = check_call<T>(book, volatility, status);
  if (call.quotes.size == 0) return;
  device_guard const current{place.device()};
  gpu_impl::imply(place.stream(), call.quotes, call.to);
}

template <class T>
void implied_volatility(gpu& place, device_quotes<T> const& book,
                        std::type_identity_t<device_span<T>> volatility,
                        device_span<implied_status> status) {
  implied_volatility_async<T>(place, book, volatility, status);
  place.synchronize();
}

template <class T>
implied_call<T> checked_call(host_quotes<T> const& book, std::span<T> volatility,
                             std::span<implied_status> status) {
  return check_call<T>(book, volatility, status);
}

template <class T>
void run(host const& place, implied_call<T> const& call) {
  if (call.quotes.size > 0) host_impl::imply(place, call.quotes, call.to);
}

template <class T>
void run(gpu& place, implied_call<T> const& call) {
  if (call.quotes.size == 0) return;
  pipeline through(place, call.quotes.size);
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
void implied_volatility(host const& place, host_quotes<T> const& book,
                        std::type_identity_t<std::span<T>> volatility,
                        std::span<implied_status> status) {
  run(place, checked_call<T>(book, volatility, status));
}

template <class T>
void implied_volatility(gpu& place, host_quotes<T> const& book,
                        std::type_identity_t<std::span<T>> volatility,
                        std::span<implied_status> status) {
  run(place, checked_call<T>(book, volatility, status));
}

#define INSTANTIATE(T)                                                                             \
  template void implied_volatility_async<T>(gpu&, device_quotes<T> const&, device_span<T>,         \
                                            device_span<implied_status>);                          \
  template void implied_volatility<T>(gpu&, device_quotes<T> const&, device_span<T>,               \
                                      device_span<implied_status>);                                \
  template void implied_volatility<T>(host const&, host_quotes<T> const&, std::span<T>,            \
                                      std::span<implied_status>);                                  \
  template void implied_volatility<T>(gpu&, host_quotes<T> const&, std::span<T>,                   \
                                      std::span<implied_status>);                                  \
  template implied_call<T> checked_call<T>(host_quotes<T> const&, std::span<T>,                    \
                                           std::span<implied_status>);                             \
  template void run<T>(host const&, implied_call<T> const&);                                       \
  template void run<T>(gpu&, implied_call<T> const&);
WARPFOLD_FOR_EACH_PRICED(INSTANTIATE)

} // namespace warpfold::inline v0::pricing
