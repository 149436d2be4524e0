#pragma once
// Dot products on a host.

#include "instances.hpp"
#include "reduction/checks.hpp"

#include <warpfold/detail/reduction/fold_host.hpp>
#include <warpfold/detail/reduction/pair_reader.hpp>

namespace warpfold::inline v0::detail {

template <class T, class A>
void dot_to(host const& place, std::span<T const> x, std::span<T const> y, A* result) {
  check_pair(x.data(), x.size(), y.data(), y.size());
  pair_iterator<T, widened_product<A>> const both{x.data(), y.data(), {}};
  *result = fold_host(place.threads(), both, x.size(), A{}, plus{}, identity{});
}

} // namespace warpfold::inline v0::detail

#define INSTANTIATE(T, A)                                                                          \
  namespace warpfold::inline v0::detail {                                                          \
  template void dot_to<T, A>(host const&, std::span<T const>, std::span<T const>, A*);             \
  }
