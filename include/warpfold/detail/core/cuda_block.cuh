#pragma once
// A thread block of the GPU, as kernel bodies see it.

#ifndef __CUDACC__
#error "warpfold's headers that end in .cuh are for nvcc: compile this source as CUDA (.cu)"
#endif

#include <warpfold/detail/core/block.hpp>
#include <warpfold/detail/core/macros.hpp>

#include <cstdint>
#include <cstring>

namespace warpfold::inline v0::detail {

struct cuda_block {
  __device__ int thread_rank() const { return static_cast<int>(threadIdx.x); }
  __device__ int size() const { return static_cast<int>(blockDim.x); }
  /// The caller's place in its warp.
  __device__ int lane() const {
    unsigned lane;
    asm("mov.u32 %0, %%laneid;" : "=r"(lane));
    return static_cast<int>(lane);
  }
  __device__ int block_rank() const { return static_cast<int>(blockIdx.x); }
  __device__ int grid_size() const { return static_cast<int>(gridDim.x); }

  /// Barrier for all threads of the block.
  __device__ void sync() const { __syncthreads(); }
  /// Barrier for the first `threads` of them, whole warps; the others have returned, or will.
  __device__ void sync(int threads) const {
    asm volatile("bar.sync 1, %0;" ::"r"(threads) : "memory");
  }
  /// Barrier for all threads of the caller's warp, ordering their memory accesses.
  __device__ void sync_warp() const { __syncwarp(); }

  /// Stands where a thread polls: it lets others run where threads take turns.
  __device__ void pause() const {}
  /// Lets so many cycles pass.
  __device__ void spin(int cycles) const {
    long long const begin = clock64();
    while (clock64() - begin < cycles) {
    }
  }

  // Clusters of blocks (compute capability 9.0).

  __device__ int cluster_rank() const {
    unsigned rank = 0;
#if __CUDA_ARCH__ >= 900
    asm("mov.u32 %0, %%cluster_ctarank;" : "=r"(rank));
#endif
    return static_cast<int>(rank);
  }
  /// The address in the shared memory of the cluster's block `rank` where the caller's is `own`.
  template <class T>
  __device__ T* map_shared_rank(T* own, int rank) const {
#if __CUDA_ARCH__ >= 900
    T* other;
    asm("mapa.u64 %0, %1, %2;" : "=l"(other) : "l"(own), "r"(rank));
    return other;
#else
    return rank == 0 ? own : nullptr;
#endif
  }
  /// Barrier for all threads of the cluster. Blocks may read each other's shared memory between the
  /// first and the last one. Not the aligned kind, which wants all threads of a warp together.
  __device__ void sync_cluster() const {
#if __CUDA_ARCH__ >= 900
    asm volatile("barrier.cluster.arrive;\n\tbarrier.cluster.wait;" ::: "memory");
#endif
  }

  // All threads of a warp call these.

  /// The value of the thread `delta` places up; unspecified without such a neighbour.
  template <class T>
  __device__ T shuffle_down(T const& value, int delta) const {
    return moved(value, [&](unsigned w) { return __shfl_down_sync(0xffffffffu, w, delta); });
  }
  /// The value of the thread `delta` places down.
  template <class T>
  __device__ T shuffle_up(T const& value, int delta) const {
    return moved(value, [&](unsigned w) { return __shfl_up_sync(0xffffffffu, w, delta); });
  }
  /// The value of lane `source`.
  template <class T>
  __device__ T shuffle(T const& value, int source) const {
    return moved(value, [&](unsigned w) { return __shfl_sync(0xffffffffu, w, source); });
  }
  /// The value of the warp's first thread.
  __device__ bool broadcast(bool value) const { return __shfl_sync(0xffffffffu, value, 0); }
  __device__ bool any(bool value) const { return __any_sync(0xffffffffu, value) != 0; }
  __device__ int reduce_min(int value) const { return __reduce_min_sync(0xffffffffu, value); }
  __device__ int reduce_add(int value) const { return __reduce_add_sync(0xffffffffu, value); }

  // Some lanes of a warp, as bits. All lanes that are named call the function.

  /// The caller's lane and some of those that come here with it: the same lanes for all of them.
  __device__ unsigned active() const { return __activemask(); }
  /// The lanes that have the caller's value.
  __device__ unsigned match(unsigned lanes, int value) const {
    return __match_any_sync(lanes, value);
  }
  __device__ unsigned ballot(unsigned lanes, bool value) const {
    return __ballot_sync(lanes, value);
  }
  /// The value of lane `source`.
  __device__ std::uint64_t shuffle(unsigned lanes, std::uint64_t value, int source) const {
    return __shfl_sync(lanes, static_cast<unsigned long long>(value), source);
  }
  __device__ unsigned reduce_add(unsigned lanes, unsigned value) const {
    return __reduce_add_sync(lanes, value);
  }
  __device__ unsigned reduce_or(unsigned lanes, unsigned value) const {
    return __reduce_or_sync(lanes, value);
  }
  __device__ int reduce_min(unsigned lanes, int value) const {
    return __reduce_min_sync(lanes, value);
  }

  // Atomic operations on numbers in shared or GPU memory. CUDA's functions of old find out at
  // compile time in which memory a number lies; __nv_atomic_fetch_add asks at run time.

  /// Returns the number before.
  __device__ unsigned exchange(unsigned* number, unsigned value) const {
    return atomicExch(number, value);
  }
  __device__ std::uint64_t exchange(std::uint64_t* number, std::uint64_t value) const {
    return atomicExch(wide(number), static_cast<unsigned long long>(value));
  }
  /// Returns the number before.
  template <class T>
  __device__ T fetch_add(T* number, T value) const {
    if constexpr (sizeof(T) == sizeof(unsigned long long))
      return static_cast<T>(atomicAdd(wide(number), static_cast<unsigned long long>(value)));
    else return atomicAdd(number, value);
  }
  /// Makes the number at most `value`.
  __device__ void lower(std::uint64_t* number, std::uint64_t value) const {
    atomicMin(wide(number), static_cast<unsigned long long>(value));
  }
  __device__ void set_bits(unsigned* number, unsigned bits) const { atomicOr(number, bits); }
  __device__ void set_bits(std::uint64_t* number, std::uint64_t bits) const {
    atomicOr(wide(number), static_cast<unsigned long long>(bits));
  }

  // Words in GPU memory that one block writes and others read in the same kernel. A thread that
  // loads, by load_acquire, a word stored by store_release sees all that the storing thread wrote
  // before, and its block before a barrier. Relaxed accesses order no other memory.

  __device__ std::uint64_t load_relaxed(std::uint64_t const* word) const {
    std::uint64_t value;
    asm volatile("ld.relaxed.gpu.global.u64 %0, [%1];" : "=l"(value) : "l"(word) : "memory");
    return value;
  }
  __device__ std::uint64_t load_acquire(std::uint64_t const* word) const {
    std::uint64_t value;
    asm volatile("ld.acquire.gpu.global.u64 %0, [%1];" : "=l"(value) : "l"(word) : "memory");
    return value;
  }
  __device__ void store_relaxed(std::uint64_t* word, std::uint64_t value) const {
    asm volatile("st.relaxed.gpu.global.u64 [%0], %1;" ::"l"(word), "l"(value) : "memory");
  }
  __device__ void store_release(std::uint64_t* word, std::uint64_t value) const {
    asm volatile("st.release.gpu.global.u64 [%0], %1;" ::"l"(word), "l"(value) : "memory");
  }

  /// One thread of every block calls it: true in the last one, which then sees all that the other
  /// blocks wrote to GPU memory before, and its block after a barrier. Leaves the ticket at 0.
  __device__ bool arrives_last(unsigned* ticket) const { return arrives_last(ticket, gridDim.x); }
  /// As above, for `count` calls that share a ticket of their own.
  __device__ bool arrives_last(unsigned* ticket, unsigned count) const {
    unsigned const before =
        __nv_atomic_fetch_add(ticket, 1u, __NV_ATOMIC_ACQ_REL, __NV_THREAD_SCOPE_DEVICE);
    if (before + 1 != count) return false;
    *ticket = 0;
    return true;
  }

  /// Starts to copy 16 bytes, aligned, from GPU memory to shared memory.
  __device__ void copy_async(void* destination, void const* source) const {
    auto const address = static_cast<unsigned>(__cvta_generic_to_shared(destination));
    asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"(address), "l"(source)
                 : "memory");
  }
  /// An L2 cache policy: lines that are evicted first, or like all others.
  __device__ std::uint64_t cache_policy(bool evict_first) const {
    std::uint64_t first, normal;
    asm("createpolicy.fractional.L2::evict_first.b64 %0, 1.0;" : "=l"(first));
    asm("createpolicy.fractional.L2::evict_normal.b64 %0, 1.0;" : "=l"(normal));
    return evict_first ? first : normal;
  }
  __device__ void copy_async(void* destination, void const* source, std::uint64_t policy) const {
    auto const address = static_cast<unsigned>(__cvta_generic_to_shared(destination));
    asm volatile("cp.async.cg.shared.global.L2::cache_hint [%0], [%1], 16, %2;" ::"r"(address),
                 "l"(source), "l"(policy)
                 : "memory");
  }
  /// Waits for the copies that the calling thread started; others see them after a barrier.
  __device__ void wait_for_copies() const { asm volatile("cp.async.wait_all;" ::: "memory"); }

  /// Fetches the sector at an address of GPU memory into L2.
  __device__ void prefetch(void const* address) const {
    asm volatile("prefetch.global.L2 [%0];" ::"l"(address) : "memory");
  }
  /// Prefetches `bytes` bytes into L2, a multiple of 16; before compute capability 9.0 it does
  /// nothing.
  __device__ void prefetch(void const* address, unsigned bytes) const {
#if __CUDA_ARCH__ >= 900
    auto const aligned = reinterpret_cast<std::uintptr_t>(address) / 16 * 16;
    asm volatile("cp.async.bulk.prefetch.L2.global [%0], %1;" ::"l"(aligned), "r"(bytes)
                 : "memory");
#endif
  }

  /// Waits until earlier work of the stream is done and visible, where this kernel started ahead of
  /// its turn (programmatic dependent launch), and lets the next kernel start. Before it a thread
  /// writes nothing, and reads only what no kernel writes or what the previous kernel waited for,
  /// unless that one calls start_next_grid() before its wait.
  /// Kernels that let the next one start before they wait are mostly slower: squares of 512^2 took
  /// 12.6 us instead of 7.0.
  __device__ void wait_for_previous_grid() const {
#if __CUDA_ARCH__ >= 900
    asm volatile("griddepcontrol.wait;" ::: "memory");
    asm volatile("griddepcontrol.launch_dependents;" ::: "memory");
#endif
  }

  /// Lets the next kernel start, once all blocks came here. Before the wait it is worth it where
  /// all blocks are there at once, and where the next kernel, too, has much to do before it waits.
  __device__ void start_next_grid() const {
#if __CUDA_ARCH__ >= 900
    asm volatile("griddepcontrol.launch_dependents;" ::: "memory");
#endif
  }

private:
  /// What the words of a value become.
  template <class T, class Move>
  __device__ static T moved(T const& value, Move move) {
    constexpr int words = (sizeof(T) + 3) / 4;
    unsigned word[words] = {};
    std::memcpy(word, &value, sizeof(T));
    WARPFOLD_UNROLL
    for (unsigned& w : word) w = move(w);
    T result;
    std::memcpy(&result, word, sizeof(T));
    return result;
  }
  template <class T>
  __device__ static unsigned long long* wide(T* number) {
    return reinterpret_cast<unsigned long long*>(number);
  }
};

static_assert(thread_block<cuda_block>);

} // namespace warpfold::inline v0::detail
