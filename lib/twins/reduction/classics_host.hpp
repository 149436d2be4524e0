#pragma once
// The classics on a host: the additions of each rung's threads, in their order, by loops over the
// threads. A rung that only schedules the same additions differently is the same here.

#include "classics.hpp"
#include "instances.hpp"
#include "ladder_body.hpp"

#include <warpfold/detail/core/parallel.hpp>

#include <vector>

namespace warpfold::inline v0::detail {
namespace {

/// Returns the value that thread `tid` of block `b` puts into shared memory.
template <class A, class Input>
A loaded(Input const& input, twins::classic rung, std::int64_t blocks, int threads, std::int64_t b,
         int tid) {
  std::int64_t const covered = 2 * static_cast<std::int64_t>(threads);
  switch (rung) {
  case twins::ladder_divergent:
  case twins::ladder_strided:
  case twins::ladder_sequential: return input(b * threads + tid);
  case twins::ladder_cascaded: {
    A sum{0};
    for (std::int64_t i = b * covered + tid; i < input.size; i += covered * blocks)
      sum = plus{}(sum, plus{}(input(i), input(i + threads)));
    return sum;
  }
  default: return plus{}(input(b * covered + tid), input(b * covered + tid + threads));
  }
}

template <class A>
A tree(std::vector<A>& shared, twins::classic rung) {
  int const threads = static_cast<int>(shared.size());
  if (rung == twins::ladder_divergent || rung == twins::ladder_strided) {
    for (int s = 1; s < threads; s *= 2)
      for (int at = 0; at < threads; at += 2 * s) shared[at] = plus{}(shared[at], shared[at + s]);
  } else {
    for (int s = threads / 2; s > 0; s /= 2)
      for (int tid = 0; tid < s; ++tid) shared[tid] = plus{}(shared[tid], shared[tid + s]);
  }
  return shared[0];
}

template <class A, class Input>
std::vector<A> launch(host const& place, Input const& input, twins::classic rung, int threads) {
  std::int64_t const left = values_left(rung, input.size, threads);
  std::vector<A> output(static_cast<std::size_t>(left));
  if (rung == twins::halving) {
    std::int64_t const half = input.size / 2;
    for (std::int64_t i = 0; i < left; ++i)
      output[i] = i < half ? plus{}(input(i), input(i + left)) : input(i);
    return output;
  }
  parallel_for(place.threads(), left, [&](std::int64_t b) {
    std::vector<A> shared(static_cast<std::size_t>(threads));
    for (int tid = 0; tid < threads; ++tid)
      shared[tid] = loaded<A>(input, rung, left, threads, b, tid);
    output[b] = tree(shared, rung);
  });
  return output;
}

} // namespace

template <class T, class A>
A sum_by_classic(twins::reducer const& twin, host const& place, std::span<T const> values, A init) {
  twins::classic const rung = twin.as_classic();
  int const block_threads = twin.block_threads();
  auto const size = static_cast<std::int64_t>(values.size());
  auto left = launch<A>(place, ladder_input<T, A>{values.data(), size}, rung, block_threads);
  while (left.size() > 1)
    left = launch<A>(place, ladder_input<A, A>{left.data(), static_cast<std::int64_t>(left.size())},
                     rung, block_threads);
  return plus{}(init, left[0]);
}

} // namespace warpfold::inline v0::detail

#define INSTANTIATE(T, A)                                                                          \
  namespace warpfold::inline v0::detail {                                                          \
  template A sum_by_classic<T, A>(twins::reducer const&, host const&, std::span<T const>, A);      \
  }
