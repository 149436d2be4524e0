#pragma once
// Exact sums on a GPU.

#include "checks.hpp"
#include "instances.hpp"

#include <warpfold/detail/core/cuda_block.cuh>
#include <warpfold/detail/core/launch.cuh>
#include <warpfold/detail/core/scratch.hpp>
#include <warpfold/detail/reduction/exact_body.hpp>
#include <warpfold/detail/reduction/fold_reader.hpp>
#include <warpfold/detail/reduction/pair_reader.hpp>
#include <warpfold/reduction/exact.hpp>

#include <cstdint>

namespace warpfold::inline v0::detail {
namespace {

/// Threads of a block, and rows that it reads before the first is used: as many threads as have
/// room for their words, and enough bytes in flight. One NVIDIA H200, 2026-11-21.
template <class Terms>
struct exact_tuning {
  static constexpr int threads = Terms::layout::size <= 32   ? 256
                                 : Terms::layout::size <= 50 ? 128
                                                             : 64;
  static constexpr int rows = Terms::layout::size <= 32 ? 4 : 8;
};

template <class Terms, class Reader>
__global__ __launch_bounds__(exact_tuning<Terms>::threads) void exact_kernel(
    Reader reader, std::int64_t size, exact_scratch scratch, exact_output<Terms> output) {
  using tuning = exact_tuning<Terms>;
  __shared__ exact_shared<Terms, tuning::threads> shared;
  exact_fold<Terms, tuning::threads, tuning::rows>(cuda_block{}, reader, size, shared, scratch,
                                                   output);
}

template <class Terms, class Reader>
void launch_exact(gpu& place, Reader reader, std::size_t size, exact_output<Terms> output) {
  constexpr auto kernel = exact_kernel<Terms, Reader>;
  constexpr int threads = exact_tuning<Terms>::threads;
  device_guard const current{place.device()};
  static kernel_facts const facts = facts_of(kernel, threads, place.compute_capability());
  constexpr std::size_t batch =
      static_cast<std::size_t>(exact_tuning<Terms>::rows) * threads * Reader::lanes;
  int const blocks = blocks_at_once(place, facts, (size + batch - 1) / batch);
  bool const ahead = facts.waits_for_previous_grid(place.compute_capability());
  launch(place.stream(), {blocks, threads, ahead}, kernel, reader, static_cast<std::int64_t>(size),
         exact_scratch{detail::gpu_scratch(place).counters(), detail::gpu_scratch(place).ticket()},
         output);
}

} // namespace

template <class T>
void exact_to(gpu& place, exact_kind kind, device_span<T const> x, device_span<T const> y,
              exact_form form, void* result) {
  using A = typename default_accumulator<T>::type;
  check_exact(kind == exact_kind::dot, x, y);
  auto const run = [&]<class Terms>(Terms, auto reader) {
    launch_exact(place, reader, x.size(), exact_output<Terms>{kind, form, result});
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
