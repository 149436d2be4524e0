#pragma once
// Exact sums on a GPU.

#include "exact_checks.hpp"

#include <warpfold/detail/core/cuda_block.cuh>
#include <warpfold/detail/core/launch.cuh>
#include <warpfold/detail/core/scratch.hpp>
#include <warpfold/detail/reduction/exact_body.hpp>
#include <warpfold/detail/reduction/fold_reader.hpp>
#include <warpfold/detail/reduction/pair_reader.hpp>
#include <warpfold/error.hpp>

#include <cuda_bf16.h>
#include <cuda_fp16.h>

#include <algorithm>
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

/// What is written in the end, from words that may be overwritten.
template <class Terms>
struct exact_output {
  exact_kind what;
  exact_form form;
  void* result;

  __device__ void operator()(exact_row words, word_range range) const {
    using layout = typename Terms::layout;
    if (form == exact_form::as_words) {
      carry<layout>(words);
      words(layout::specials) = counted_once(words(layout::specials));
      auto& to = *static_cast<exact_words<Terms>*>(result);
      for (int k = 0; k < layout::size; ++k) to.word[k] = words(k);
      to.additions = 0;
    } else if (form == exact_form::as_float) {
      *static_cast<float*>(result) = rounded<float>(words, range);
    } else {
      *static_cast<double*>(result) = rounded<double>(words, range);
    }
  }

  template <class T>
  __device__ T rounded(exact_row words, word_range range) const {
    using layout = typename Terms::layout;
    if constexpr (Terms::are_products)
      if (what == exact_kind::norm2) return round_root<T, layout>(words, range);
    return round_sum<T, layout>(words, range);
  }
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
  auto const room = static_cast<std::size_t>(place.multiprocessors()) *
                    static_cast<std::size_t>(facts.blocks_per_multiprocessor);
  auto const blocks = std::clamp((size + batch - 1) / batch, std::size_t{1}, room);
  bool const ahead = facts.waits_for_previous_grid(place.compute_capability());
  launch(place.stream(), {static_cast<int>(blocks), threads, ahead}, kernel, reader,
         static_cast<std::int64_t>(size),
         exact_scratch{detail::scratch(place).counters(), detail::scratch(place).ticket()}, output);
}

template <class T>
using accumulator = typename default_accumulator<T>::type;

bool is_aligned(void const* x) { return reinterpret_cast<std::uintptr_t>(x) % 16 == 0; }

/// One array, whose elements the transform makes terms.
template <class Terms, class Transform, class T>
void launch_on(gpu& place, device_span<T const> x, exact_output<Terms> output) {
  if (is_aligned(x.data()))
    launch_exact(place, packed_reader<T, Transform>{x.data(), {}}, x.size(), output);
  else launch_exact(place, element_reader<T const*, Transform>{x.data(), {}}, x.size(), output);
}

template <class T>
void launch_sum(gpu& place, device_span<T const> x, exact_form form, void* result) {
  using A = accumulator<T>;
  launch_on<exact_values<A>, widened<A, identity>>(place, x, {exact_kind::sum, form, result});
}

template <class T>
void launch_norm2(gpu& place, device_span<T const> x, exact_form form, void* result) {
  using A = accumulator<T>;
  launch_on<exact_products<A>, squared_factors<A>>(place, x, {exact_kind::norm2, form, result});
}

template <class T>
void launch_dot(gpu& place, device_span<T const> x, device_span<T const> y, exact_form form,
                void* result) {
  using widened = widened<accumulator<T>, identity>;
  exact_output<exact_products<accumulator<T>>> const output{exact_kind::dot, form, result};
  auto const launch_with = [&]<class Reader>(Reader first, Reader second) {
    launch_exact(place, pair_reader<Reader, make_factors>{first, second, {}}, x.size(), output);
  };
  if (is_aligned(x.data()) && is_aligned(y.data())) {
    using reader = packed_reader<T, widened>;
    launch_with(reader{x.data(), {}}, reader{y.data(), {}});
  } else {
    using reader = element_reader<T const*, widened>;
    launch_with(reader{x.data(), {}}, reader{y.data(), {}});
  }
}

} // namespace

template <class T>
void exact_to(gpu& place, exact_kind what, device_span<T const> x, device_span<T const> y,
              exact_form form, void* result) {
  check_exact(what, x, y);
  switch (what) {
  case exact_kind::sum: return launch_sum(place, x, form, result);
  case exact_kind::dot: return launch_dot(place, x, y, form, result);
  case exact_kind::norm2: return launch_norm2(place, x, form, result);
  }
}

} // namespace warpfold::inline v0::detail

#define INSTANTIATE(T)                                                                             \
  namespace warpfold::inline v0::detail {                                                          \
  template void exact_to<T>(gpu&, exact_kind, device_span<T const>, device_span<T const>,          \
                            exact_form, void*);                                                    \
  }
