#include "exact_backend.hpp"

#include <warpfold/detail/exact_host.hpp>

#include <cuda_bf16.h>
#include <cuda_fp16.h>

#include <cstdint>

namespace warpfold::reduction::host_impl {
namespace {

using detail::exact_form;
using detail::exact_kind;

template <class T>
using accumulator = typename detail::default_accumulator<T>::type;

template <class T>
accumulator<T> wide(std::span<T const> x, std::int64_t i) {
  return detail::widen<accumulator<T>>(x[static_cast<std::size_t>(i)]);
}

template <class Terms>
void write(detail::exact_words<Terms> words, exact_kind what, exact_form form, void* result) {
  using layout = typename Terms::layout;
  auto const range = detail::range_of<layout>(words.at());
  auto const rounded = [&]<class R>(R& to) {
    if constexpr (Terms::are_products)
      if (what == exact_kind::norm2) {
        to = detail::round_root<R, layout>(words.at(), range);
        return;
      }
    to = detail::round_sum<R, layout>(words.at(), range);
  };
  switch (form) {
  case exact_form::as_float: return rounded(*static_cast<float*>(result));
  case exact_form::as_double: return rounded(*static_cast<double*>(result));
  case exact_form::as_words: *static_cast<detail::exact_words<Terms>*>(result) = words;
  }
}

} // namespace

template <class T>
void exact_sum(host const& place, std::span<T const> x, exact_form form, void* result) {
  using terms = detail::exact_values<accumulator<T>>;
  write(detail::exact_host<terms>(place.threads(), x.size(),
                                  [=](std::int64_t i) { return wide(x, i); }),
        exact_kind::sum, form, result);
}

template <class T>
void exact_norm2(host const& place, std::span<T const> x, exact_form form, void* result) {
  using terms = detail::exact_products<accumulator<T>>;
  write(detail::exact_host<terms>(
            place.threads(), x.size(),
            [=](std::int64_t i) { return detail::make_factors{}(wide(x, i), wide(x, i)); }),
        exact_kind::norm2, form, result);
}

template <class T>
void exact_dot(host const& place, std::span<T const> x, std::span<T const> y, exact_form form,
               void* result) {
  using terms = detail::exact_products<accumulator<T>>;
  write(detail::exact_host<terms>(
            place.threads(), x.size(),
            [=](std::int64_t i) { return detail::make_factors{}(wide(x, i), wide(y, i)); }),
        exact_kind::dot, form, result);
}

#define INSTANTIATE(T)                                                                             \
  template void exact_sum<T>(host const&, std::span<T const>, exact_form, void*);                  \
  template void exact_norm2<T>(host const&, std::span<T const>, exact_form, void*);                \
  template void exact_dot<T>(host const&, std::span<T const>, std::span<T const>, exact_form,      \
                             void*);
INSTANTIATE(float)
INSTANTIATE(double)
INSTANTIATE(__half)
INSTANTIATE(__nv_bfloat16)

} // namespace warpfold::reduction::host_impl
