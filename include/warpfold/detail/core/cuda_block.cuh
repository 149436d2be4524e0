#pragma once
// A thread block of the GPU, as kernel bodies see it. test/simt/block.hpp is its double on the CPU.

#include <warpfold/detail/core/macros.hpp>

#include <cstdint>
#include <cstring>

namespace warpfold::inline v0::detail {

struct cuda_block {
  __device__ int thread_rank() const { return static_cast<int>(threadIdx.x); }
  __device__ int size() const { return static_cast<int>(blockDim.x); }
  /// Of the caller in its warp.
  __device__ int lane() const {
    unsigned lane;
    asm("mov.u32 %0, %%laneid;" : "=r"(lane));
    return static_cast<int>(lane);
  }
  __device__ int block_rank() const { return static_cast<int>(blockIdx.x); }
  __device__ int grid_size() const { return static_cast<int>(gridDim.x); }

  /// Barrier for all threads of the block.
  __device__ void sync() const { __syncthreads(); }
  /// Barrier for all threads of the caller's warp, ordering their memory accesses.
  __device__ void sync_warp() const { __syncwarp(); }

  // Of blocks that are launched in clusters (compute capability 9.0).

  __device__ int cluster_rank() const {
    unsigned rank = 0;
#if __CUDA_ARCH__ >= 900
    asm("mov.u32 %0, %%cluster_ctarank;" : "=r"(rank));
#endif
    return static_cast<int>(rank);
  }
  /// What another block of the cluster has in shared memory where the caller's has `own`.
  template <class T>
  __device__ T* of_cluster(T* own, int rank) const {
#if __CUDA_ARCH__ >= 900
    T* other;
    asm("mapa.u64 %0, %1, %2;" : "=l"(other) : "l"(own), "r"(rank));
    return other;
#else
    return rank == 0 ? own : nullptr;
#endif
  }
  /// Barrier for all threads of the cluster. Shared memory is there for the others after the first
  /// one and until the last one.
  __device__ void sync_cluster() const {
#if __CUDA_ARCH__ >= 900
    asm volatile("barrier.cluster.arrive.aligned;\n\tbarrier.cluster.wait.aligned;" ::: "memory");
#endif
  }

  /// The value of the thread `by` places up in the same warp; all threads of the warp call it.
  /// What threads without such a neighbour get is unspecified.
  template <class T>
  __device__ T shuffle_down(T const& value, int by) const {
    constexpr int words = (sizeof(T) + 3) / 4;
    unsigned word[words] = {};
    std::memcpy(word, &value, sizeof(T));
    WARPFOLD_UNROLL
    for (unsigned& w : word) w = __shfl_down_sync(0xffffffffu, w, by);
    T moved;
    std::memcpy(&moved, word, sizeof(T));
    return moved;
  }

  /// The value of the first thread of the caller's warp; all threads of the warp call it.
  __device__ bool broadcast(bool value) const { return __shfl_sync(0xffffffffu, value, 0); }

  /// Whether it is true in any thread of the caller's warp; all threads of the warp call it.
  __device__ bool any(bool value) const { return __any_sync(0xffffffffu, value) != 0; }

  /// The least value of the threads of the caller's warp; all of them call it.
  __device__ int reduce_min(int value) const { return __reduce_min_sync(0xffffffffu, value); }

  /// The sum of their values.
  __device__ int reduce_add(int value) const { return __reduce_add_sync(0xffffffffu, value); }

  // Among any threads of a warp. Lanes are bits; all that are named call the same function.

  /// The lanes that are here together with the caller: any of those that come here, but the same
  /// for all of them.
  __device__ unsigned active() const { return __activemask(); }
  /// Those whose value is the caller's.
  __device__ unsigned match(unsigned lanes, int value) const {
    return __match_any_sync(lanes, value);
  }
  /// Those for which it is true.
  __device__ unsigned ballot(unsigned lanes, bool value) const {
    return __ballot_sync(lanes, value);
  }
  /// What lane `from` gives.
  __device__ std::uint64_t shuffle(unsigned lanes, std::uint64_t value, int from) const {
    return __shfl_sync(lanes, static_cast<unsigned long long>(value), from);
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

  /// Takes the value of a number in shared or GPU memory and leaves another one there.
  __device__ unsigned exchange(unsigned* number, unsigned value) const {
    return atomicExch(number, value);
  }
  __device__ std::uint64_t exchange(std::uint64_t* number, std::uint64_t value) const {
    return atomicExch(reinterpret_cast<unsigned long long*>(number),
                      static_cast<unsigned long long>(value));
  }

  // Words in GPU memory that one block writes and others read in the same kernel. What a thread,
  // and its block before a barrier, wrote before store_release is visible to the one that
  // load_acquire shows the word, and to its block after a barrier; the relaxed ones say nothing
  // about other memory.
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

  /// One thread of every block calls it: true in the block that comes last, for which all that the
  /// others wrote to GPU memory before is then visible (to its other threads after a barrier).
  /// Leaves the ticket at 0 for the next kernel.
  __device__ bool arrives_last(unsigned* ticket) const { return arrives_last(ticket, gridDim.x); }
  /// The same among `count` calls with a ticket of their own.
  __device__ bool arrives_last(unsigned* ticket, unsigned count) const {
    unsigned const before =
        __nv_atomic_fetch_add(ticket, 1u, __NV_ATOMIC_ACQ_REL, __NV_THREAD_SCOPE_DEVICE);
    if (before + 1 != count) return false;
    *ticket = 0;
    return true;
  }

  /// Adds to a number in shared or GPU memory and returns what it was before.
  template <class T>
  __device__ T fetch_add(T* number, T by) const {
    // atomicAdd finds out in which memory the number lies; __nv_atomic_fetch_add asks at run time.
    if constexpr (sizeof(T) == sizeof(unsigned long long)) {
      return static_cast<T>(atomicAdd(reinterpret_cast<unsigned long long*>(number),
                                      static_cast<unsigned long long>(by)));
    } else {
      return atomicAdd(number, by);
    }
  }

  /// Sets bits of a number in shared or GPU memory.
  __device__ void set_bits(unsigned* number, unsigned bits) const { atomicOr(number, bits); }
  __device__ void set_bits(std::uint64_t* number, std::uint64_t bits) const {
    atomicOr(reinterpret_cast<unsigned long long*>(number), static_cast<unsigned long long>(bits));
  }

  /// Starts to copy 16 bytes, aligned, from GPU memory to shared memory.
  __device__ void copy_async(void* to, void const* from) const {
    auto const address = static_cast<unsigned>(__cvta_generic_to_shared(to));
    asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"(address), "l"(from) : "memory");
  }
  /// Waits for the copies that the calling thread started; others see them after a barrier.
  __device__ void wait_for_copies() const { asm volatile("cp.async.wait_all;" ::: "memory"); }

  /// Starts to fetch GPU memory into the second cache, for whoever reads it later: the sector at an
  /// address, or so many bytes, a multiple of 16, where the GPU can (compute capability 9.0).
  __device__ void prefetch(void const* from) const {
    asm volatile("prefetch.global.L2 [%0];" ::"l"(from) : "memory");
  }
  __device__ void prefetch(void const* from, unsigned bytes) const {
#if __CUDA_ARCH__ >= 900
    auto const aligned = reinterpret_cast<std::uintptr_t>(from) / 16 * 16;
    asm volatile("cp.async.bulk.prefetch.L2.global [%0], %1;" ::"l"(aligned), "r"(bytes)
                 : "memory");
#endif
  }

  /// Waits until earlier work of the stream is done and visible, when this kernel was started ahead
  /// of its turn (programmatic dependent launch), and lets the next kernel start ahead of its own.
  /// Before, nothing may be written, and nothing read but what no kernel writes, or what the kernel
  /// before has waited for. (Kernels that let the next one start before they wait are slower:
  /// squares of 512^2 took 12.6 us instead of 7.0.)
  __device__ void wait_for_previous_grid() const {
#if __CUDA_ARCH__ >= 900
    asm volatile("griddepcontrol.wait;" ::: "memory");
    asm volatile("griddepcontrol.launch_dependents;" ::: "memory");
#endif
  }
};

} // namespace warpfold::inline v0::detail
