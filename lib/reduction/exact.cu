#include "exact_backend.hpp"

#include <warpfold/detail/cuda_block.cuh>
#include <warpfold/detail/exact_body.hpp>
#include <warpfold/detail/fold_reader.hpp>
#include <warpfold/detail/launch.cuh>
#include <warpfold/detail/pair_reader.hpp>
#include <warpfold/error.hpp>

#include <cuda_bf16.h>
#include <cuda_fp16.h>

#include <algorithm>
#include <cstdint>

namespace warpfold::reduction::gpu_impl {
namespace {

using detail::exact_form;
using detail::exact_kind;

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

  __device__ void operator()(detail::exact_row words, detail::word_range range) const {
    using layout = typename Terms::layout;
    if (form == exact_form::as_words) {
      detail::carry<layout>(words);
      words(layout::specials) = detail::counted_once(words(layout::specials));
      auto& to = *static_cast<detail::exact_words<Terms>*>(result);
      for (int k = 0; k < layout::size; ++k) to.word[k] = words(k);
      to.additions = 0;
    } else if (form == exact_form::as_float) {
      *static_cast<float*>(result) = rounded<float>(words, range);
    } else {
      *static_cast<double*>(result) = rounded<double>(words, range);
    }
  }

  template <class T>
  __device__ T rounded(detail::exact_row words, detail::word_range range) const {
    using layout = typename Terms::layout;
    if constexpr (Terms::are_products)
      if (what == exact_kind::norm2) return detail::round_root<T, layout>(words, range);
    return detail::round_sum<T, layout>(words, range);
  }
};

template <class Terms, class Reader>
__global__ __launch_bounds__(exact_tuning<Terms>::threads) void exact_kernel(
    Reader reader, std::int64_t size, detail::exact_scratch scratch, exact_output<Terms> output) {
  using tuning = exact_tuning<Terms>;
  __shared__ detail::exact_shared<Terms, tuning::threads> shared;
  detail::exact_fold<Terms, tuning::threads, tuning::rows>(detail::cuda_block{}, reader, size,
                                                           shared, scratch, output);
}

template <class Terms, class Reader>
void launch_exact(gpu& place, Reader reader, std::size_t size, exact_output<Terms> output) {
  constexpr auto kernel = exact_kernel<Terms, Reader>;
  constexpr int threads = exact_tuning<Terms>::threads;
  device_guard const current{place.device()};
  static detail::kernel_facts const facts =
      detail::facts_of(kernel, threads, place.compute_capability());
  constexpr std::size_t batch =
      static_cast<std::size_t>(exact_tuning<Terms>::rows) * threads * Reader::lanes;
  auto const room = static_cast<std::size_t>(place.multiprocessors()) *
                    static_cast<std::size_t>(facts.blocks_per_multiprocessor);
  auto const blocks = std::clamp((size + batch - 1) / batch, std::size_t{1}, room);
  bool const ahead = facts.waits_for_previous_grid(place.compute_capability());
  detail::launch(place.stream(), {static_cast<int>(blocks), threads, ahead}, kernel, reader,
                 static_cast<std::int64_t>(size),
                 detail::exact_scratch{place.counters(), place.ticket()}, output);
}

template <class T>
using accumulator = typename detail::default_accumulator<T>::type;

bool is_aligned(void const* x) { return reinterpret_cast<std::uintptr_t>(x) % 16 == 0; }

/// One array, whose elements the transform makes terms.
template <class Terms, class Transform, class T>
void launch_on(gpu& place, device_span<T const> x, exact_output<Terms> output) {
  if (is_aligned(x.data()))
    launch_exact(place, detail::packed_reader<T, Transform>{x.data(), {}}, x.size(), output);
  else
    launch_exact(place, detail::element_reader<T const*, Transform>{x.data(), {}}, x.size(),
                 output);
}

} // namespace

template <class T>
void exact_sum(gpu& place, device_span<T const> x, exact_form form, void* result) {
  using A = accumulator<T>;
  launch_on<detail::exact_values<A>, detail::widened<A, identity>>(place, x,
                                                                   {exact_kind::sum, form, result});
}

template <class T>
void exact_norm2(gpu& place, device_span<T const> x, exact_form form, void* result) {
  using A = accumulator<T>;
  launch_on<detail::exact_products<A>, detail::squared_factors<A>>(
      place, x, {exact_kind::norm2, form, result});
}

template <class T>
void exact_dot(gpu& place, device_span<T const> x, device_span<T const> y, exact_form form,
               void* result) {
  using widened = detail::widened<accumulator<T>, identity>;
  exact_output<detail::exact_products<accumulator<T>>> const output{exact_kind::dot, form, result};
  auto const launch_with = [&]<class Reader>(Reader first, Reader second) {
    launch_exact(place, detail::pair_reader<Reader, detail::make_factors>{first, second, {}},
                 x.size(), output);
  };
  if (is_aligned(x.data()) && is_aligned(y.data())) {
    using reader = detail::packed_reader<T, widened>;
    launch_with(reader{x.data(), {}}, reader{y.data(), {}});
  } else {
    using reader = detail::element_reader<T const*, widened>;
    launch_with(reader{x.data(), {}}, reader{y.data(), {}});
  }
}

#define INSTANTIATE(T)                                                                             \
  template void exact_sum<T>(gpu&, device_span<T const>, exact_form, void*);                       \
  template void exact_norm2<T>(gpu&, device_span<T const>, exact_form, void*);                     \
  template void exact_dot<T>(gpu&, device_span<T const>, device_span<T const>, exact_form, void*);
INSTANTIATE(float)
INSTANTIATE(double)
INSTANTIATE(__half)
INSTANTIATE(__nv_bfloat16)

} // namespace warpfold::reduction::gpu_impl
