#pragma once
// Risk figures on a GPU.

#include "risk.hpp"

#include <warpfold/detail/core/scratch.hpp>
#include <warpfold/detail/reduction/exact.cuh>
#include <warpfold/detail/reduction/fold_reader.hpp>

namespace warpfold::inline v0::detail {
namespace {

template <class T, class Reader>
__global__ __launch_bounds__(exact_tuning<excess_terms<T>>::threads) void excess_kernel(
    Reader losses, std::int64_t size, exact_scratch scratch, risk_threshold<T> threshold,
    risk_output<T> output) {
  using terms = excess_terms<T>;
  using tuning = exact_tuning<terms>;
  __shared__ exact_shared<terms, tuning::threads> shared;
  cuda_block const block;
  block.wait_for_previous_grid(); // which writes the threshold
  exact_fold<terms, tuning::threads, tuning::rows>(
      block, excess_reader<Reader, T>{losses, threshold.value()}, size, shared, scratch, output);
}

} // namespace

template <class T>
void add_excesses(gpu& place, device_span<T const> losses, risk_threshold<T> threshold,
                  risk_output<T> const& to) {
  with_reader(losses.data(), identity{}, [&]<class Reader>(Reader reader) {
    launch_exact<excess_terms<T>, excess_kernel<T, Reader>>(place, reader, losses.size(), threshold,
                                                            to);
  });
}

} // namespace warpfold::inline v0::detail
