// The door of the exact sums: checks the arguments and chooses the backend.

#include "exact_backend.hpp"

#include <warpfold/error.hpp>

#include <cuda_bf16.h>
#include <cuda_fp16.h>

#include <string>

namespace warpfold::detail {
namespace {

template <class Span>
void check_arguments(exact_kind what, Span x, Span y, void const* result) {
  bool const is_dot = what == exact_kind::dot;
  check_elements(is_dot ? "x" : "values", x.data(), x.size());
  if (is_dot) {
    check_elements("y", y.data(), y.size());
    if (y.size() != x.size())
      throw argument_error("y", std::to_string(y.size()) + " elements, 'x' has " +
                                    std::to_string(x.size()));
  }
  if (!result) throw argument_error("result", "null");
}

} // namespace

template <class T>
void exact_to(gpu& place, exact_kind what, device_span<T const> x, device_span<T const> y,
              exact_form form, void* result) {
  using namespace reduction::gpu_impl;
  check_arguments(what, x, y, result);
  switch (what) {
  case exact_kind::sum: return exact_sum(place, x, form, result);
  case exact_kind::dot: return exact_dot(place, x, y, form, result);
  case exact_kind::norm2: return exact_norm2(place, x, form, result);
  }
}

template <class T>
void exact_to(host const& place, exact_kind what, std::span<T const> x, std::span<T const> y,
              exact_form form, void* result) {
  using namespace reduction::host_impl;
  check_arguments(what, x, y, result);
  switch (what) {
  case exact_kind::sum: return exact_sum(place, x, form, result);
  case exact_kind::dot: return exact_dot(place, x, y, form, result);
  case exact_kind::norm2: return exact_norm2(place, x, form, result);
  }
}

#define INSTANTIATE(T)                                                                             \
  template void exact_to<T>(gpu&, exact_kind, device_span<T const>, device_span<T const>,          \
                            exact_form, void*);                                                    \
  template void exact_to<T>(host const&, exact_kind, std::span<T const>, std::span<T const>,       \
                            exact_form, void*);
INSTANTIATE(float)
INSTANTIATE(double)
INSTANTIATE(__half)
INSTANTIATE(__nv_bfloat16)

} // namespace warpfold::detail
