#pragma once
// A CUDA thread block on the CPU, for testing kernel bodies where there is no GPU: the double of
// warpfold::detail::cuda_block. Every thread is a fiber that runs until it waits at a barrier, so
// that what threads do between two barriers happens in one chosen order, and a barrier that is
// missing shows as a wrong result in some other order.

#include "function_ref.hpp"

#include <warpfold/detail/core/block.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <source_location>
#include <stdexcept>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

namespace simt {

using namespace std::string_view_literals; // whose lengths nobody counts when threads wait

/// In which order the threads of a block that can run do so. A thread released from a barrier runs
/// on before any that comes later in the order: forward and reverse let a warp get as far ahead of
/// the others as its barriers allow. random draws a new place for a thread at every barrier.
enum class order { forward, reverse, random };

/// One of the calls of sync and sync_warp that a thread makes in a launch, at which no thread
/// waits; and how many there are.
struct dropped_barrier {
  int index = -1;              ///< from 0 on; -1: none
  int met = 0;                 ///< the most that a thread called
  std::source_location site{}; ///< of the barrier left out
};

struct options {
  order lanes = order::forward;
  order blocks = order::forward; ///< blocks run one after the other
  unsigned seed = 0;             ///< of random orders
  unsigned char poison = 0xff;   ///< fills shared memory before a block starts
  /// Barriers that a block's threads come to, and looks at what others do, before it is taken to
  /// never end: a minute of them.
  long most_steps = 100'000'000;
  dropped_barrier* dropped = nullptr; ///< a mutation that tests worth their time notice
};

/// Threads of a block wait for each other at different barriers, so that it would hang; or for
/// something that nobody does, so that it would not end. The message names the block and says of
/// every thread where it waits.
class divergent_barrier : public std::runtime_error {
public:
  using std::runtime_error::runtime_error;
};

namespace detail {

inline constexpr int warp_size = 32;

class scheduler;

/// Of 16 bytes.
struct copy {
  void* destination;
  void const* source;
};

/// At a group: it waits for lanes of its warp.
enum class state { returned, ready, at_sync, at_sync_cluster, at_active, at_group };

/// A barrier, and the values that lanes of a warp give each other there.
struct exchange {
  std::string_view name;
  std::source_location where{};
  unsigned lanes = 0; ///< that wait for each other; in the end those of them that are there
  void const* given = nullptr;
  void* taken = nullptr; ///< what lane `source` gives, or an array of what each lane does
  std::size_t bytes = 0;
  int source = -1;
};

} // namespace detail

/// A kernel body's view of its block; each thread has its own.
class block {
  using location = std::source_location;
  using state = detail::state;

public:
  int thread_rank() const { return rank_; }
  int lane() const { return rank_ % detail::warp_size; }
  int size() const { return size_; }
  int block_rank() const { return block_rank_; }
  int grid_size() const { return grid_size_; }

  /// Waits for all threads of the block that have not returned.
  void sync(location where = location::current()) const {
    barrier(state::at_sync, {"sync"sv, where});
  }
  /// For the first `threads`, whole warps. The others have returned, or will before they wait.
  void sync(int threads, location where = location::current()) const {
    if (threads % 32 != 0 || thread_rank() >= threads)
      throw std::logic_error("a barrier of some threads is one for whole warps of them");
    sync(where);
  }
  /// Waits for all threads of the warp that have not returned.
  void sync_warp(location where = location::current()) const {
    barrier(state::at_group, {"sync_warp"sv, where, ~0u});
  }

  /// All others that can run do so before the caller does.
  void pause() const { wait(state::ready, {"pause"sv}); }

  void spin(int) const {}

  int cluster_rank() const { return thread_ / size_; }
  template <class T>
  T* map_shared_rank(T* own, int rank) const {
    return reinterpret_cast<T*>(reinterpret_cast<unsigned char*>(own) +
                                (rank - cluster_rank()) * shared_bytes_);
  }
  void sync_cluster(location where = location::current()) const {
    barrier(state::at_sync_cluster, {"sync_cluster"sv, where});
  }

  /// Without a neighbour `delta` places up that takes part, the value is bytes of 0xff.
  template <class T>
  T shuffle_down(T const& value, int delta, location where = location::current()) const {
    return neighbour("shuffle_down"sv, where, value, lane() + delta);
  }
  template <class T>
  T shuffle_up(T const& value, int delta, location where = location::current()) const {
    return neighbour("shuffle_up"sv, where, value,
                     lane() < delta ? detail::warp_size : lane() - delta);
  }
  template <class T>
  T shuffle(T const& value, int source, location where = location::current()) const {
    return neighbour("shuffle"sv, where, value, source);
  }
  /// The wrong value if the first thread of the warp has returned.
  bool broadcast(bool value, location where = location::current()) const {
    bool moved = !value;
    wait(state::at_group, {"broadcast"sv, where, ~0u, &value, &moved, sizeof(bool), 0});
    return moved;
  }
  bool any(bool value, location where = location::current()) const {
    return ballot(~0u, value, where) != 0;
  }
  int reduce_min(int value, location where = location::current()) const {
    return reduce_min(~0u, value, where);
  }
  int reduce_add(int value, location where = location::current()) const {
    return static_cast<int>(reduce_add(~0u, static_cast<unsigned>(value), where));
  }

  /// The lanes of the warp that came to the same line of the source, once all others wait elsewhere
  /// or have returned. As on a GPU these may be all of them or, in random order, only some, and the
  /// rest later.
  unsigned active(location where = location::current()) const {
    unsigned lanes = 0;
    wait(state::at_active, {.name = "active"sv, .where = where, .taken = &lanes});
    return lanes;
  }
  // Exchanges between the lanes of a warp; lanes that do not exist or have returned take no part.
  unsigned match(unsigned lanes, int value, location where = location::current()) const {
    return gather("match"sv, where, lanes, value, 0u,
                  [&](unsigned all, int x, int l) { return all | unsigned{x == value} << l; });
  }
  unsigned ballot(unsigned lanes, bool value, location where = location::current()) const {
    return gather("ballot"sv, where, lanes, value, 0u,
                  [](unsigned all, bool x, int l) { return all | unsigned{x} << l; });
  }
  std::uint64_t shuffle(unsigned lanes, std::uint64_t value, int source,
                        location where = location::current()) const {
    return gather(
        "shuffle"sv, where, lanes, value, ~value,
        [&](std::uint64_t found, std::uint64_t x, int l) { return l == source ? x : found; });
  }
  unsigned reduce_add(unsigned lanes, unsigned value, location where = location::current()) const {
    return gather("reduce_add"sv, where, lanes, value, 0u,
                  [](unsigned sum, unsigned x, int) { return sum + x; });
  }
  unsigned reduce_or(unsigned lanes, unsigned value, location where = location::current()) const {
    return gather("reduce_or"sv, where, lanes, value, 0u,
                  [](unsigned all, unsigned x, int) { return all | x; });
  }
  int reduce_min(unsigned lanes, int value, location where = location::current()) const {
    return gather("reduce_min"sv, where, lanes, value, value,
                  [](int least, int x, int) { return x < least ? x : least; });
  }

  // Nothing happens between the parts of what is atomic on a GPU: no other fiber runs.
  template <class T>
  T exchange(T* number, std::type_identity_t<T> value) const {
    return std::exchange(*number, value);
  }
  template <class T>
  T fetch_add(T* number, T value) const {
    return std::exchange(*number, *number + value);
  }
  void lower(std::uint64_t* number, std::uint64_t value) const {
    if (value < *number) *number = value;
  }
  template <class T>
  void set_bits(T* number, T bits) const {
    *number |= bits;
  }
  bool arrives_last(unsigned* ticket) const {
    return arrives_last(ticket, static_cast<unsigned>(grid_size_));
  }
  bool arrives_last(unsigned* ticket, unsigned count) const {
    if (++*ticket != count) return false;
    *ticket = 0;
    return true;
  }
  std::uint64_t load_relaxed(std::uint64_t const* word) const { return *word; }
  /// Threads poll with this in a loop.
  std::uint64_t load_acquire(std::uint64_t const* word) const {
    count_step();
    return *word;
  }
  void store_relaxed(std::uint64_t* word, std::uint64_t value) const { *word = value; }
  void store_release(std::uint64_t* word, std::uint64_t value) const { *word = value; }

  /// Copies when the thread waits for it, and not before.
  void copy_async(void* destination, void const* source) const;
  std::uint64_t cache_policy(bool) const { return 0; }
  void copy_async(void* destination, void const* source, std::uint64_t) const {
    copy_async(destination, source);
  }
  void wait_for_copies() const {
    for (detail::copy const& one : *copies_) std::memcpy(one.destination, one.source, 16);
    copies_->clear();
  }
  void prefetch(void const*) const {}
  void prefetch(void const*, unsigned bytes) const {
    if (bytes == 0 || bytes % 16 != 0) throw std::logic_error("prefetches are of whole 16 bytes");
  }
  void wait_for_previous_grid() const {}
  void start_next_grid() const {}

private:
  friend class detail::scheduler;
  block() = default;

  /// Waits, unless this barrier is the one that is left out.
  void barrier(state at, detail::exchange const& values) const;
  /// Returns the lanes of a group that are there.
  unsigned wait(state at, detail::exchange const& values) const;
  /// One more step of the block. Throws if there have been too many.
  void count_step() const;

  /// The value of lane `source`, or bytes of 0xff.
  template <class T>
  T neighbour(std::string_view name, location where, T const& value, int source) const {
    static_assert(std::is_trivially_copyable_v<T>);
    T moved = value;
    std::memset(static_cast<void*>(&moved), 0xff, sizeof(T));
    wait(state::at_group, {name, where, ~0u, &value, &moved, sizeof(T), source});
    return moved;
  }
  /// Folds what the lanes give by op(result, value, lane).
  template <class T, class Result, class Op>
  Result gather(std::string_view name, location where, unsigned lanes, T const& value,
                Result result, Op op) const {
    std::array<T, detail::warp_size> all{};
    unsigned const there =
        wait(state::at_group, {name, where, lanes, &value, all.data(), sizeof(T)});
    for (int l = 0; l < detail::warp_size; ++l)
      if ((there >> l & 1) != 0) result = op(result, all[static_cast<std::size_t>(l)], l);
    return result;
  }

  detail::scheduler* scheduler_;
  std::vector<detail::copy>* copies_; ///< that the thread has started
  int thread_;                        ///< among those of the cluster
  int rank_, size_, block_rank_, grid_size_;
  std::ptrdiff_t shared_bytes_;
};

static_assert(warpfold::detail::thread_block<block>);

struct shape {
  int grid, threads;
  std::size_t shared_bytes; ///< of a block
  int cluster = 1;          ///< blocks that run at the same time
};

/// Runs body(block, shared) in every thread of every block; all threads of a block get the same
/// `shared`, memory of its exact size filled with poison.
/// @throws divergent_barrier; std::logic_error if copies are not aligned, or not waited for, or if
/// a prefetch is not of whole 16 bytes; what the body throws. The other threads are unwound
void launch(shape const& of, options const& how,
            test::function_ref<void(block const&, void* shared)> body);

/// As above, with an object `shared`.
template <class Shared, class Body>
void launch(int grid, int threads, options const& how, Body const& body) {
  static_assert(std::is_trivially_copyable_v<Shared> && alignof(Shared) <= 128);
  launch({grid, threads, sizeof(Shared)}, how,
         [&](block const& b, void* shared) { body(b, *static_cast<Shared*>(shared)); });
}

} // namespace simt
