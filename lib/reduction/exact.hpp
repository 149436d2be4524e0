#pragma once
// Exact sums on a host.

#include "checks.hpp"
#include "instances.hpp"

#include <warpfold/reduction/exact.hpp>

#include <cstdint>

namespace warpfold::inline v0::detail {

template <class T>
void exact_to(host const& place, exact_kind kind, std::span<T const> x, std::span<T const> y,
              exact_form form, void* result) {
  using A = typename default_accumulator<T>::type;
  check_exact(kind == exact_kind::dot, x, y);
  auto const wide = [](std::span<T const> values, std::int64_t i) {
    return widen<A>(values[static_cast<std::size_t>(i)]);
  };
  auto const run = [&]<class Terms>(Terms, auto load) {
    auto sum = exact_host<Terms>(place.threads(), x.size(), load);
    exact_output<Terms>{kind, form, result}(sum.at(), range_of<typename Terms::layout>(sum.at()));
  };
  if (kind == exact_kind::sum) run(exact_values<A>{}, [=](std::int64_t i) { return wide(x, i); });
  else run(exact_products<A>{}, [=](std::int64_t i) { return factors<A>{wide(x, i), wide(y, i)}; });
}

} // namespace warpfold::inline v0::detail

#define INSTANTIATE(T)                                                                             \
  namespace warpfold::inline v0::detail {                                                          \
  template void exact_to<T>(host const&, exact_kind, std::span<T const>, std::span<T const>,       \
                            exact_form, void*);                                                    \
  }
