#pragma once
// Loops on the host's threads, for the vector instructions of whatever processor is there.

#include <warpfold/detail/core/parallel.hpp>
#include <warpfold/execution.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>

// A copy of a function for every generation of processors, with all that it calls inside: its bits
// are the same in each, because nothing is contracted and fma is fma. The choice is made before the
// sanitizers are ready for it, so they get one copy.
#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__) &&                             \
    !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
#define WARPFOLD_CLONES                                                                            \
  __attribute__((flatten, target_clones("default", "arch=x86-64-v3", "arch=x86-64-v4")))
// Without one for vectors of 512 bits, in sources that would grow by more than it gains.
#define WARPFOLD_TWO_CLONES __attribute__((flatten, target_clones("default", "arch=x86-64-v3")))
#else
#define WARPFOLD_CLONES
#define WARPFOLD_TWO_CLONES
#endif

namespace warpfold::inline v0::detail {

/// Calls work(first, count) for parts of up to `turn` of `size` elements, from the place's threads.
template <class Work>
void for_each_turn(host const& place, std::size_t size, std::size_t turn, Work work) {
  std::size_t const turns = (size + turn - 1) / turn;
  parallel_for(place.threads(), static_cast<std::int64_t>(turns), [&](std::int64_t number) {
    std::size_t const first = static_cast<std::size_t>(number) * turn;
    work(first, std::min(turn, size - first));
  });
}

} // namespace warpfold::inline v0::detail
