// The door of other formulas: production's checks, and what the tags refuse.

#include "backend.hpp"
#include "pricing/book_calls.hpp"
#include "pricing/pipeline.hpp"

#include <warpfold/detail/core/refusal.hpp>
#include <warpfold/detail/core/verb.hpp>
#include <warpfold/twins/pricing.hpp>

namespace warpfold::inline v0 {

char const* twins::to_string(formula tag) noexcept {
  switch (tag) {
  case formula::mills: return "mills";
  case formula::polynomial: return "polynomial";
  case formula::vendor: return "vendor";
  }
  return "unknown";
}

namespace pricing {
namespace {

using twins::formula;

template <class T, class Book, class Outputs>
price_call<T> checked(Book const& book, Outputs const& outputs, formula twin) {
  if (twin != formula::polynomial && twin != formula::vendor)
    detail::refuse("twin", detail::text("formula number ", static_cast<int>(twin)),
                   "a twins::formula");
  auto const call = checked_call<T>(book, outputs);
  if (!call.outputs.only_prices())
    detail::refuse("twin", to_string(twin), "mills; other formulas give calls and puts alone");
  return call;
}

template <class T>
auto* on_gpu(formula twin) {
  return twin == formula::polynomial ? gpu_impl::polynomial<T> : gpu_impl::vendor<T>;
}

} // namespace

template <class T>
void price_async(gpu& place, device_book<T> const& book,
                 std::type_identity_t<device_outputs<T>> const& outputs, formula twin) {
  detail::verb const scope("pricing::price_async");
  if (twin == formula::mills) return price_async<T>(place, book, outputs);
  auto const call = checked<T>(book, outputs, twin);
  if (call.size() == 0) return;
  device_guard const current{place.device()};
  on_gpu<T>(twin)(place.stream(), call);
}

template <class T>
void price(gpu& place, device_book<T> const& book,
           std::type_identity_t<device_outputs<T>> const& outputs, formula twin) {
  detail::verb const scope("pricing::price");
  price_async<T>(place, book, outputs, twin);
  place.synchronize();
}

template <class T>
void price(host const& place, host_book<T> const& book,
           std::type_identity_t<host_outputs<T>> const& outputs, formula twin) {
  detail::verb const scope("pricing::price");
  if (twin == formula::mills) return price<T>(place, book, outputs);
  auto const call = checked<T>(book, outputs, twin);
  if (twin == formula::polynomial) host_impl::polynomial(place, call);
  else host_impl::vendor(place, call);
}

template <class T>
void price(gpu& place, host_book<T> const& book,
           std::type_identity_t<host_outputs<T>> const& outputs, formula twin) {
  detail::verb const scope("pricing::price");
  if (twin == formula::mills) return price<T>(place, book, outputs);
  run_pieces(place, checked<T>(book, outputs, twin), on_gpu<T>(twin));
}

#define INSTANTIATE(T)                                                                             \
  template void price_async<T>(gpu&, device_book<T> const&, device_outputs<T> const&, formula);    \
  template void price<T>(gpu&, device_book<T> const&, device_outputs<T> const&, formula);          \
  template void price<T>(host const&, host_book<T> const&, host_outputs<T> const&, formula);       \
  template void price<T>(gpu&, host_book<T> const&, host_outputs<T> const&, formula);
WARPFOLD_FOR_EACH_PRICED(INSTANTIATE)

} // namespace pricing
} // namespace warpfold::inline v0
