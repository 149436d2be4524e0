#pragma once
// Exact sums on a host.

#include "exact_checks.hpp"

#include <warpfold/detail/reduction/exact_host.hpp>

#include <cuda_bf16.h>
#include <cuda_fp16.h>

#include <cstdint>

namespace warpfold::inline v0::detail {
namespace {

template <class T>
using accumulator = typename default_accumulator<T>::type;

template <class T>
accumulator<T> wide(std::span<T const> x, std::int64_t i) {
  return widen<accumulator<T>>(x[static_cast<std::size_t>(i)]);
}

template <class Terms>
void write(exact_words<Terms> words, exact_kind what, exact_form form, void* result) {
  using layout = typename Terms::layout;
  auto const range = range_of<layout>(words.at());
  auto const rounded = [&]<class R>(R& to) {
    if constexpr (Terms::are_products)
      if (what == exact_kind::norm2) {
        to = round_root<R, layout>(words.at(), range);
        return;
      }
    to = round_sum<R, layout>(words.at(), range);
  };
  switch (form) {
  case exact_form::as_float: return rounded(*static_cast<float*>(result));
  case exact_form::as_double: return rounded(*static_cast<double*>(result));
  case exact_form::as_words: *static_cast<exact_words<Terms>*>(result) = words;
  }
}

template <class T>
void sum_on(host const& place, std::span<T const> x, exact_form form, void* result) {
  using terms = exact_values<accumulator<T>>;
  write(exact_host<terms>(place.threads(), x.size(), [=](std::int64_t i) { return wide(x, i); }),
        exact_kind::sum, form, result);
}

template <class T>
void norm2_on(host const& place, std::span<T const> x, exact_form form, void* result) {
  using terms = exact_products<accumulator<T>>;
  write(exact_host<terms>(place.threads(), x.size(),
                          [=](std::int64_t i) { return make_factors{}(wide(x, i), wide(x, i)); }),
        exact_kind::norm2, form, result);
}

template <class T>
void dot_on(host const& place, std::span<T const> x, std::span<T const> y, exact_form form,
            void* result) {
  using terms = exact_products<accumulator<T>>;
  write(exact_host<terms>(place.threads(), x.size(),
                          [=](std::int64_t i) { return make_factors{}(wide(x, i), wide(y, i)); }),
        exact_kind::dot, form, result);
}

} // namespace

template <class T>
void exact_to(host const& place, exact_kind what, std::span<T const> x, std::span<T const> y,
              exact_form form, void* result) {
  check_exact(what, x, y);
  switch (what) {
  case exact_kind::sum: return sum_on(place, x, form, result);
  case exact_kind::dot: return dot_on(place, x, y, form, result);
  case exact_kind::norm2: return norm2_on(place, x, form, result);
  }
}

} // namespace warpfold::inline v0::detail

#define INSTANTIATE(T)                                                                             \
  namespace warpfold::inline v0::detail {                                                          \
  template void exact_to<T>(host const&, exact_kind, std::span<T const>, std::span<T const>,       \
                            exact_form, void*);                                                    \
  }
