#pragma once
// The seven rungs of the reduction course and the tutorial's fold, as kernel bodies over a block
// (see detail/core/cuda_block.cuh). Each block sums its part of the input and writes one partial;
// the host launches again on the partials until one block is left. docs/reduction.md tells the
// story.

#include <warpfold/detail/core/block.hpp>
#include <warpfold/reduction.hpp>
#include <warpfold/twins/tags.hpp>

#include <algorithm>
#include <cstdint>
#include <type_traits>

namespace warpfold::inline v0::detail {

inline constexpr int max_ladder_threads = 1024;

/// Where a block's total, shared[0], goes: to its partial, or from the last block left to *result.
template <class A>
struct ladder_output {
  A* partials;
  A* result;
  A init;

  template <thread_block Block>
  WARPFOLD_HOST_DEVICE void store(Block const& block, A const* shared) const {
    if (block.thread_rank() != 0) return;
    if (block.grid_size() == 1) *result = plus{}(init, *shared);
    else partials[block.block_rank()] = *shared;
  }
};

/// The input: converts to the accumulator, and reads as 0 past its end.
template <class T, class A>
struct ladder_input {
  T const* values;
  std::int64_t size;

  WARPFOLD_HOST_DEVICE A operator()(std::int64_t i) const {
    return i < size ? widen<A>(values[i]) : A{0};
  }
};

/// This thread's index in the whole grid, each block covering `per_thread` times its size.
template <thread_block Block>
WARPFOLD_HOST_DEVICE std::int64_t first_index(Block const& block, int per_thread) {
  return static_cast<std::int64_t>(block.block_rank()) * block.size() * per_thread +
         block.thread_rank();
}

// A rung leaves the block's total in shared[0], for thread 0 to read.

/// Rung 1. Neighbours are added first; the threads at work are spread ever wider over the warps, so
/// that every warp keeps stepping through the branch.
struct divergent {
  template <class A, thread_block Block, class Input>
  WARPFOLD_HOST_DEVICE static void run(Block const& block, Input input, A* shared) {
    int const tid = block.thread_rank();
    shared[tid] = input(first_index(block, 1));
    block.sync();
    for (int s = 1; s < block.size(); s *= 2) {
      if (tid % (2 * s) == 0) shared[tid] = plus{}(shared[tid], shared[tid + s]);
      block.sync();
    }
  }
};

/// Rung 2. The same additions by the first threads: whole warps fall idle, but the stride between
/// neighbouring threads' accesses is a power of two, and they meet in the same banks.
struct strided {
  template <class A, thread_block Block, class Input>
  WARPFOLD_HOST_DEVICE static void run(Block const& block, Input input, A* shared) {
    int const tid = block.thread_rank();
    shared[tid] = input(first_index(block, 1));
    block.sync();
    for (int s = 1; s < block.size(); s *= 2) {
      int const at = 2 * s * tid;
      if (at < block.size()) shared[at] = plus{}(shared[at], shared[at + s]);
      block.sync();
    }
  }
};

/// shared[0 .. s) += shared[s .. 2s) for s = from, from / 2, ... while s > past.
template <class A, thread_block Block>
WARPFOLD_HOST_DEVICE void halve(Block const& block, A* shared, int from, int past) {
  int const tid = block.thread_rank();
  for (int s = from; s > past; s /= 2) {
    if (tid < s) shared[tid] = plus{}(shared[tid], shared[tid + s]);
    block.sync();
  }
}

/// Rung 3. The upper half is added to the lower: neighbouring threads, neighbouring banks.
struct sequential {
  template <class A, thread_block Block, class Input>
  WARPFOLD_HOST_DEVICE static void run(Block const& block, Input input, A* shared) {
    shared[block.thread_rank()] = input(first_index(block, 1));
    block.sync();
    halve(block, shared, block.size() / 2, 0);
  }
};

/// Rung 4. In rung 3 half of the threads only load. Here each adds two elements on the way in.
struct first_add {
  template <class A, thread_block Block, class Input>
  WARPFOLD_HOST_DEVICE static void run(Block const& block, Input input, A* shared) {
    std::int64_t const i = first_index(block, 2);
    shared[block.thread_rank()] = plus{}(input(i), input(i + block.size()));
    block.sync();
    halve(block, shared, block.size() / 2, 0);
  }
};

/// One step of the last warp. In 2008 a warp ran in lockstep and this was one line; threads of a
/// warp are independent now, so reads and writes are kept apart by barriers of the warp.
template <int Step, class A, thread_block Block>
WARPFOLD_HOST_DEVICE void warp_step(Block const& block, A* shared) {
  int const tid = block.thread_rank();
  if (block.size() < 2 * Step) return;
  A const upper = tid < Step ? shared[tid + Step] : A{0};
  block.sync_warp();
  if (tid < Step) shared[tid] = plus{}(shared[tid], upper);
  block.sync_warp();
}

template <class A, thread_block Block>
WARPFOLD_HOST_DEVICE void last_warp_steps(Block const& block, A* shared) {
  if (block.thread_rank() >= 32) return;
  warp_step<32>(block, shared);
  warp_step<16>(block, shared);
  warp_step<8>(block, shared);
  warp_step<4>(block, shared);
  warp_step<2>(block, shared);
  warp_step<1>(block, shared);
}

/// Rung 5. Once a single warp works, the block needs no barrier any more.
struct last_warp {
  template <class A, thread_block Block, class Input>
  WARPFOLD_HOST_DEVICE static void run(Block const& block, Input input, A* shared) {
    std::int64_t const i = first_index(block, 2);
    shared[block.thread_rank()] = plus{}(input(i), input(i + block.size()));
    block.sync();
    halve(block, shared, block.size() / 2, 32);
    last_warp_steps(block, shared);
  }
};

/// The tree for a block size that the compiler knows: no loop is left.
template <int Size, class A, thread_block Block>
WARPFOLD_HOST_DEVICE void unrolled_tree(Block const& block, A* shared) {
  int const tid = block.thread_rank();
  auto const step = [&](int s) {
    if (tid < s) shared[tid] = plus{}(shared[tid], shared[tid + s]);
    block.sync();
  };
  if constexpr (Size >= 1024) step(512);
  if constexpr (Size >= 512) step(256);
  if constexpr (Size >= 256) step(128);
  if constexpr (Size >= 128) step(64);
  last_warp_steps(block, shared);
}

/// Rung 6. Rung 5 with the block size as a template argument.
template <int Size>
struct unrolled {
  template <class A, thread_block Block, class Input>
  WARPFOLD_HOST_DEVICE static void run(Block const& block, Input input, A* shared) {
    std::int64_t const i = first_index(block, 2);
    shared[block.thread_rank()] = plus{}(input(i), input(i + Size));
    block.sync();
    unrolled_tree<Size>(block, shared);
  }
};

/// Rung 7. Few blocks; each thread first sums many elements by itself (Brent's cascading). The
/// course's loop read past the end when the size was no multiple of two blocks; `input` does not.
template <int Size>
struct cascaded {
  template <class A, thread_block Block, class Input>
  WARPFOLD_HOST_DEVICE static void run(Block const& block, Input input, A* shared) {
    std::int64_t const stride = std::int64_t{2} * Size * block.grid_size();
    A sum{0};
    for (std::int64_t i = first_index(block, 2); i < input.size; i += stride)
      sum = plus{}(sum, plus{}(input(i), input(i + Size)));
    shared[block.thread_rank()] = sum;
    block.sync();
    unrolled_tree<Size>(block, shared);
  }
};

/// One step of the tutorial's fold: the input's upper part is laid over its lower part. With half =
/// size / 2 and remain = size - half, element i of the output is input i, plus input i + remain
/// where i < half. (The tutorial let threads beyond `remain` write.)
template <class A, thread_block Block, class Input>
WARPFOLD_HOST_DEVICE void halving_step(Block const& block, Input input, ladder_output<A> output) {
  std::int64_t const half = input.size / 2;
  std::int64_t const remain = input.size - half;
  std::int64_t const i = first_index(block, 1);
  if (i >= remain) return;
  A const folded = i < half ? plus{}(input(i), input(i + remain)) : input(i);
  if (remain == 1) *output.result = plus{}(output.init, folded);
  else output.partials[i] = folded;
}

/// How many values are left when `rung` has been launched once over `size` of them.
inline std::int64_t values_left(twins::classic rung, std::int64_t size, int threads) {
  auto const blocks_of = [&](std::int64_t covered) { return (size + covered - 1) / covered; };
  switch (rung) {
  case twins::halving: return size - size / 2;
  case twins::ladder_divergent:
  case twins::ladder_strided:
  case twins::ladder_sequential: return blocks_of(threads);
  case twins::ladder_cascaded: return std::min<std::int64_t>(blocks_of(2 * threads), 256);
  default: return blocks_of(2 * threads);
  }
}

/// Calls use(rung{}) with the type of a rung of the ladder; `threads` must be one of the block
/// sizes of a reducer.
template <class Use>
void with_rung(twins::classic rung, int threads, Use use) {
  auto const with_size = [&](auto sized) {
    switch (threads) {
    case 32: return sized(std::integral_constant<int, 32>{});
    case 64: return sized(std::integral_constant<int, 64>{});
    case 128: return sized(std::integral_constant<int, 128>{});
    case 256: return sized(std::integral_constant<int, 256>{});
    case 512: return sized(std::integral_constant<int, 512>{});
    default: return sized(std::integral_constant<int, 1024>{});
    }
  };
  switch (rung) {
  case twins::ladder_divergent: return use(divergent{});
  case twins::ladder_strided: return use(strided{});
  case twins::ladder_sequential: return use(sequential{});
  case twins::ladder_first_add: return use(first_add{});
  case twins::ladder_last_warp: return use(last_warp{});
  case twins::ladder_unrolled: return with_size([&](auto n) { use(unrolled<n.value>{}); });
  default: return with_size([&](auto n) { use(cascaded<n.value>{}); });
  }
}

} // namespace warpfold::inline v0::detail
