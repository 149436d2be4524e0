#pragma once
// A CUDA thread block on the CPU, for testing kernel bodies where there is no GPU: the double of
// warpfold::detail::cuda_block. Every thread is a fiber that runs until it waits at a barrier, so
// that what threads do between two barriers happens in one chosen order, and a barrier that is
// missing shows as a wrong result in some other order.

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <functional>
#include <memory>
#include <source_location>
#include <stdexcept>
#include <type_traits>
#include <utility>

namespace simt {

/// In which order the threads of a block that can run do so. A thread released from a barrier runs
/// on before any that comes later in the order: forward and reverse let a warp get as far ahead of
/// the others as its barriers allow. random draws a new place for a thread at every barrier.
enum class order { forward, reverse, random };

struct options {
  order lanes = order::forward;
  order blocks = order::forward; ///< blocks run one after the other
  unsigned seed = 0;             ///< of random orders
  unsigned char poison = 0xff;   ///< fills shared memory before a block starts
  /// Barriers that a block's threads come to, and looks at what others do, before it is taken to
  /// never end: a minute of them.
  long most_steps = 100'000'000;
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

/// What a thread gives to the others of its warp, and where it puts what thread `from` gives or,
/// of a group, what each of its lanes does.
struct exchange {
  void const* given = nullptr;
  void* taken = nullptr;
  std::size_t bytes = 0;
  int from = 0;
  unsigned lanes = 0; ///< of the group; in the end those of them that are there
};

enum class state {
  ready,
  at_sync,
  at_sync_warp,
  at_shuffle_down,
  at_broadcast,
  at_active,
  at_group,
  returned
};

class scheduler;
void wait(scheduler& of_block, int thread, state at, std::source_location where,
          exchange const& values = {});
/// One more step of the block. Throws if there have been too many.
void count_step(scheduler& of_block);
unsigned wait_for_group(scheduler& of_block, int thread, std::source_location where,
                        exchange const& values);

} // namespace detail

/// What a kernel body sees of its block; a thread each has its own.
class block {
public:
  int thread_rank() const { return thread_rank_; }
  int lane() const { return thread_rank_ % detail::warp_size; }
  int size() const { return size_; }
  int block_rank() const { return block_rank_; }
  int grid_size() const { return grid_size_; }

  /// Waits for all threads of the block that have not returned.
  void sync(std::source_location where = std::source_location::current()) const {
    detail::wait(*scheduler_, thread_rank_, detail::state::at_sync, where);
  }
  /// Waits for all threads of the warp that have not returned.
  void sync_warp(std::source_location where = std::source_location::current()) const {
    detail::wait(*scheduler_, thread_rank_, detail::state::at_sync_warp, where);
  }

  /// Without a neighbour `by` places up that takes part, the value is bytes of 0xff.
  template <class T>
  T shuffle_down(T const& value, int by,
                 std::source_location where = std::source_location::current()) const {
    static_assert(std::is_trivially_copyable_v<T>);
    T moved = value;
    std::memset(static_cast<void*>(&moved), 0xff, sizeof(T));
    detail::wait(*scheduler_, thread_rank_, detail::state::at_shuffle_down, where,
                 {&value, &moved, sizeof(T), thread_rank_ + by});
    return moved;
  }

  /// The wrong value if the first thread of the warp has returned.
  bool broadcast(bool value, std::source_location where = std::source_location::current()) const {
    bool moved = !value;
    detail::wait(
        *scheduler_, thread_rank_, detail::state::at_broadcast, where,
        {&value, &moved, sizeof(bool), thread_rank_ / detail::warp_size * detail::warp_size});
    return moved;
  }

  /// What all threads of a warp of 32 learn from each other; ones that have returned must be none.
  bool any(bool value, std::source_location where = std::source_location::current()) const {
    return all_of_warp(
               value, [](int a, int b) { return a | b; }, where) != 0;
  }
  int reduce_min(int value, std::source_location where = std::source_location::current()) const {
    return all_of_warp(
        value, [](int a, int b) { return a < b ? a : b; }, where);
  }
  int reduce_add(int value, std::source_location where = std::source_location::current()) const {
    return all_of_warp(
        value, [](int a, int b) { return a + b; }, where);
  }

  /// Those of the warp that came to the same line of the source, once all others wait elsewhere or
  /// have returned: all of them or, in random order and as a GPU may have it, only some, and the
  /// rest later.
  unsigned active(std::source_location where = std::source_location::current()) const {
    unsigned lanes = 0;
    detail::wait(*scheduler_, thread_rank_, detail::state::at_active, where,
                 {.taken = &lanes, .bytes = sizeof lanes});
    return lanes;
  }
  // What lanes of a warp learn from each other; ones that do not exist or have returned are none.
  unsigned match(unsigned lanes, int value,
                 std::source_location where = std::source_location::current()) const {
    unsigned same = 0;
    gather(lanes, value, where, [&](int other, int l) { same |= unsigned{other == value} << l; });
    return same;
  }
  unsigned ballot(unsigned lanes, bool value,
                  std::source_location where = std::source_location::current()) const {
    unsigned set = 0;
    gather(lanes, value, where, [&](bool other, int l) { set |= unsigned{other} << l; });
    return set;
  }
  std::uint64_t shuffle(unsigned lanes, std::uint64_t value, int from,
                        std::source_location where = std::source_location::current()) const {
    std::uint64_t moved = ~value;
    gather(lanes, value, where,
           [&](std::uint64_t other, int l) { moved = l == from ? other : moved; });
    return moved;
  }
  unsigned reduce_add(unsigned lanes, unsigned value,
                      std::source_location where = std::source_location::current()) const {
    unsigned sum = 0;
    gather(lanes, value, where, [&](unsigned other, int) { sum += other; });
    return sum;
  }
  unsigned reduce_or(unsigned lanes, unsigned value,
                     std::source_location where = std::source_location::current()) const {
    unsigned set = 0;
    gather(lanes, value, where, [&](unsigned other, int) { set |= other; });
    return set;
  }
  int reduce_min(unsigned lanes, int value,
                 std::source_location where = std::source_location::current()) const {
    int least = value;
    gather(lanes, value, where, [&](int other, int) { least = other < least ? other : least; });
    return least;
  }

  unsigned exchange(unsigned* number, unsigned value) const {
    return std::exchange(*number, value);
  }
  std::uint64_t exchange(std::uint64_t* number, std::uint64_t value) const {
    return std::exchange(*number, value);
  }

  std::uint64_t load_relaxed(std::uint64_t const* word) const { return *word; }
  /// What threads wait for in a loop.
  std::uint64_t load_acquire(std::uint64_t const* word) const {
    detail::count_step(*scheduler_);
    return *word;
  }
  void store_relaxed(std::uint64_t* word, std::uint64_t value) const { *word = value; }
  void store_release(std::uint64_t* word, std::uint64_t value) const { *word = value; }

  bool arrives_last(unsigned* ticket) const {
    return arrives_last(ticket, static_cast<unsigned>(grid_size_));
  }
  bool arrives_last(unsigned* ticket, unsigned count) const {
    if (++*ticket != count) return false;
    *ticket = 0;
    return true;
  }

  template <class T>
  T fetch_add(T* number, T by) const {
    T const before = *number;
    *number = before + by;
    return before;
  }

  template <class T>
  void set_bits(T* number, T bits) const {
    *number |= bits;
  }

  void copy_async(void* to, void const* from) const { std::memcpy(to, from, 16); }
  void wait_for_copies() const {}

  void prefetch(void const*) const {}
  void prefetch(void const*, unsigned) const {}

  void wait_for_previous_grid() const {}

private:
  /// Calls use(value, lane) for what each of the lanes gives.
  template <class T, class Use>
  void gather(unsigned lanes, T const& value, std::source_location where, Use use) const {
    std::array<T, detail::warp_size> all{};
    unsigned const there = detail::wait_for_group(
        *scheduler_, thread_rank_, where,
        {.given = &value, .taken = all.data(), .bytes = sizeof(T), .lanes = lanes});
    for (int l = 0; l < detail::warp_size; ++l)
      if ((there >> l & 1) != 0) use(all[static_cast<std::size_t>(l)], l);
  }

  template <class Op>
  int all_of_warp(int value, Op op, std::source_location where) const {
    int const lane = thread_rank_ % detail::warp_size;
    for (int step = 1; step < detail::warp_size; step *= 2) {
      int const other = shuffle_down(value, step, where);
      if (lane % (2 * step) == 0) value = op(value, other);
    }
    int moved = 0;
    detail::wait(*scheduler_, thread_rank_, detail::state::at_broadcast, where,
                 {&value, &moved, sizeof(int), thread_rank_ - lane});
    return moved;
  }

  friend class detail::scheduler;
  block(detail::scheduler& s, int thread_rank, int size, int block_rank, int grid_size)
      : scheduler_(&s), thread_rank_(thread_rank), size_(size), block_rank_(block_rank),
        grid_size_(grid_size) {}

  detail::scheduler* scheduler_;
  int thread_rank_, size_, block_rank_, grid_size_;
};

namespace detail {
void launch(int grid, int threads, options const& how, std::function<void()> const& before_block,
            std::function<void(block const&)> const& body);
} // namespace detail

/// Runs body(block, shared) in every thread of every block; all threads of a block get the same
/// object `shared`, raw storage filled with poison.
/// @throws divergent_barrier, and what the body throws; the other threads are unwound
template <class Shared, class Body>
void launch(int grid, int threads, options const& how, Body const& body) {
  static_assert(std::is_trivially_copyable_v<Shared>);
  std::unique_ptr<Shared> shared;
  detail::launch(
      grid, threads, how,
      [&] {
        shared = std::make_unique_for_overwrite<Shared>();
        std::memset(static_cast<void*>(shared.get()), how.poison, sizeof(Shared));
      },
      [&](block const& b) { body(b, *shared); });
}

/// Which barrier `skipping` leaves out, and what it saw.
struct dropped_barrier {
  int index = -1;              ///< among a thread's calls of sync and sync_warp; -1: none
  int met = 0;                 ///< the most that a thread called
  std::source_location site{}; ///< of the barrier left out
};

/// A block of which every thread runs through one of its barriers without waiting: what a test
/// that is worth its time must notice. Made anew by every thread.
class skipping {
public:
  skipping(block const& whole, dropped_barrier& dropped) : whole_(whole), dropped_(&dropped) {}

  int thread_rank() const { return whole_.thread_rank(); }
  int lane() const { return whole_.lane(); }
  int size() const { return whole_.size(); }
  int block_rank() const { return whole_.block_rank(); }
  int grid_size() const { return whole_.grid_size(); }
  void sync(std::source_location where = std::source_location::current()) const {
    if (!skips(where)) whole_.sync(where);
  }
  void sync_warp(std::source_location where = std::source_location::current()) const {
    if (!skips(where)) whole_.sync_warp(where);
  }
  template <class T>
  T shuffle_down(T const& value, int by,
                 std::source_location where = std::source_location::current()) const {
    return whole_.shuffle_down(value, by, where);
  }
  bool broadcast(bool value, std::source_location where = std::source_location::current()) const {
    return whole_.broadcast(value, where);
  }
  bool any(bool value, std::source_location where = std::source_location::current()) const {
    return whole_.any(value, where);
  }
  int reduce_min(int value, std::source_location where = std::source_location::current()) const {
    return whole_.reduce_min(value, where);
  }
  int reduce_add(int value, std::source_location where = std::source_location::current()) const {
    return whole_.reduce_add(value, where);
  }
  unsigned active(std::source_location where = std::source_location::current()) const {
    return whole_.active(where);
  }
  unsigned match(unsigned lanes, int value,
                 std::source_location where = std::source_location::current()) const {
    return whole_.match(lanes, value, where);
  }
  unsigned ballot(unsigned lanes, bool value,
                  std::source_location where = std::source_location::current()) const {
    return whole_.ballot(lanes, value, where);
  }
  std::uint64_t shuffle(unsigned lanes, std::uint64_t value, int from,
                        std::source_location where = std::source_location::current()) const {
    return whole_.shuffle(lanes, value, from, where);
  }
  unsigned reduce_add(unsigned lanes, unsigned value,
                      std::source_location where = std::source_location::current()) const {
    return whole_.reduce_add(lanes, value, where);
  }
  unsigned reduce_or(unsigned lanes, unsigned value,
                     std::source_location where = std::source_location::current()) const {
    return whole_.reduce_or(lanes, value, where);
  }
  int reduce_min(unsigned lanes, int value,
                 std::source_location where = std::source_location::current()) const {
    return whole_.reduce_min(lanes, value, where);
  }
  unsigned exchange(unsigned* number, unsigned value) const {
    return whole_.exchange(number, value);
  }
  std::uint64_t exchange(std::uint64_t* number, std::uint64_t value) const {
    return whole_.exchange(number, value);
  }
  std::uint64_t load_relaxed(std::uint64_t const* word) const { return whole_.load_relaxed(word); }
  std::uint64_t load_acquire(std::uint64_t const* word) const { return whole_.load_acquire(word); }
  void store_relaxed(std::uint64_t* word, std::uint64_t value) const {
    whole_.store_relaxed(word, value);
  }
  void store_release(std::uint64_t* word, std::uint64_t value) const {
    whole_.store_release(word, value);
  }
  bool arrives_last(unsigned* ticket) const { return whole_.arrives_last(ticket); }
  bool arrives_last(unsigned* ticket, unsigned count) const {
    return whole_.arrives_last(ticket, count);
  }
  template <class T>
  T fetch_add(T* number, T by) const {
    return whole_.fetch_add(number, by);
  }
  template <class T>
  void set_bits(T* number, T bits) const {
    whole_.set_bits(number, bits);
  }
  void copy_async(void* to, void const* from) const { whole_.copy_async(to, from); }
  void wait_for_copies() const { whole_.wait_for_copies(); }
  void prefetch(void const* from) const { whole_.prefetch(from); }
  void prefetch(void const* from, unsigned bytes) const { whole_.prefetch(from, bytes); }
  void wait_for_previous_grid() const { whole_.wait_for_previous_grid(); }

private:
  bool skips(std::source_location where) const {
    bool const skipped = met_ == dropped_->index;
    if (skipped) dropped_->site = where;
    if (++met_ > dropped_->met) dropped_->met = met_;
    return skipped;
  }

  block whole_;
  dropped_barrier* dropped_;
  mutable int met_ = 0;
};

} // namespace simt
