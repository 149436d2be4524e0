#pragma once
// Exact sums on a GPU.

#include "checks.hpp"
#include "instances.hpp"

#include <warpfold/detail/reduction/exact.cuh>
#include <warpfold/detail/reduction/fold_reader.hpp>
#include <warpfold/detail/reduction/pair_reader.hpp>
#include <warpfold/reduction/exact.hpp>

#include <cstdint>

namespace warpfold::inline v0::detail {
namespace {

template <class Terms, class Reader>
__global__ __launch_bounds__(exact_tuning<Terms>::threads) void exact_kernel(
    Reader reader, std::int64_t size, exact_scratch scratch, exact_output<Terms> output) {
  using tuning = exact_tuning<Terms>;
  __shared__ exact_shared<Terms, tuning::threads> shared;
  exact_fold<Terms, tuning::threads, tuning::rows>(cuda_block{}, reader, size, shared, scratch,
                                                   output);
}

} // namespace

template <class T>
void exact_to(gpu& place, exact_kind kind, device_span<T const> x, device_span<T const> y,
              exact_form form, void* result) {
  using A = typename default_accumulator<T>::type;
  check_exact(kind == exact_kind::dot, x, y);
  auto const run = [&]<class Terms>(Terms, auto reader) {
    launch_exact<Terms, exact_kernel<Terms, decltype(reader)>>(
        place, reader, x.size(), exact_output<Terms>{kind, form, result});
  };
  using widened = widened<A, identity>;
  if (kind == exact_kind::sum)
    with_reader(x.data(), widened{}, [&](auto reader) { run(exact_values<A>{}, reader); });
  else if (kind == exact_kind::norm2)
    with_reader(x.data(), squared_factors<A>{},
                [&](auto reader) { run(exact_products<A>{}, reader); });
  else
    with_pair_reader<widened, make_factors>(x.data(), y.data(),
                                            [&](auto reader) { run(exact_products<A>{}, reader); });
}

} // namespace warpfold::inline v0::detail

#define INSTANTIATE(T)                                                                             \
  namespace warpfold::inline v0::detail {                                                          \
  template void exact_to<T>(gpu&, exact_kind, device_span<T const>, device_span<T const>,          \
                            exact_form, void*);                                                    \
  }
