#pragma once
// <warpfold/counting/aggregated_counter.cuh>, over a block.

#include <warpfold/detail/core/block.hpp>
#include <warpfold/detail/core/lanes.hpp>

#include <cstdint>
#include <type_traits>

namespace warpfold::inline v0 {

/// Where the hits of a kernel's threads come together before they are added to a total in GPU
/// memory. All are exact; `any` counts something else.
enum class aggregation {
  none,     ///< not at all: nothing is counted, and nothing is compiled
  global,   ///< nowhere: one atomic addition a hit
  warp,     ///< one atomic addition for those lanes of a warp that hit the same counter together
  block,    ///< in registers and shared memory; one atomic addition a block and counter
  any,      ///< one a block: a total is the number of blocks in which any thread hit
  automatic ///< block, which was the fastest or as fast wherever it was measured
};

/// append_all() returns this to threads without a hit.
inline constexpr std::uint64_t no_slot = ~std::uint64_t{0};

namespace detail {

constexpr aggregation resolved(aggregation strategy) {
  return strategy == aggregation::automatic ? aggregation::block : strategy;
}

/// The most counters, known when compiling, that a thread keeps in registers.
inline constexpr int counters_in_registers = 16;

/// The most counters of `any` whose flags a thread keeps in a register.
inline constexpr int flags_in_a_register = 64;

inline constexpr int most_warps = 32;

/// One number a block from one a warp.
struct append_storage {
  std::uint64_t base;
  unsigned of_warp[most_warps];
};

struct empty_storage {};

struct staged_in_registers {
  std::uint64_t of_warp[most_warps];
  append_storage append;
};
template <int Counters>
struct staged_in_memory {
  unsigned counts[Counters];
  append_storage append;
};
template <int Words>
struct flags_in_registers {
  unsigned of_warp[Words][most_warps];
};
template <int Counters>
struct flags_in_memory {
  unsigned words[(Counters + 31) / 32];
};

template <aggregation Strategy, int Counters>
using counter_storage = std::conditional_t<
    Strategy == aggregation::block,
    std::conditional_t<Counters == 1, staged_in_registers, staged_in_memory<Counters>>,
    std::conditional_t<
        Strategy == aggregation::any,
        std::conditional_t<Counters <= flags_in_a_register,
                           flags_in_registers<(Counters + 31) / 32>, flags_in_memory<Counters>>,
        empty_storage>>;

} // namespace detail

template <aggregation Strategy, int Counters, detail::thread_block Block>
class aggregated_counter {
  static_assert(Counters >= 1);
  static constexpr aggregation strategy = detail::resolved(Strategy);
  static constexpr bool staged = strategy == aggregation::block;
  static constexpr bool flagged = strategy == aggregation::any;
  static constexpr bool in_registers =
      staged ? Counters == 1 : flagged && Counters <= detail::flags_in_a_register;
  static constexpr bool in_memory = (staged || flagged) && !in_registers;
  static constexpr bool has_registers = staged && Counters <= detail::counters_in_registers;
  static constexpr bool can_append = strategy != aggregation::none && !flagged;

public:
  /// A kernel declares one of these __shared__, for all threads of the block. It is empty for none,
  /// global and warp. After flush() its memory is free for something else, or for another counter.
  struct shared_storage : detail::counter_storage<strategy, Counters> {};

  /// A thread's access to `totals`, Counters of them in GPU memory. With block, any and automatic
  /// all threads of the block come here, as to a barrier.
  WARPFOLD_HOST_DEVICE aggregated_counter(shared_storage& shared, std::uint64_t* totals,
                                          Block const& block = {})
      : block_(block), totals_{totals}, shared_{&shared} {
    if constexpr (in_memory) {
      for (int k = block_.thread_rank(); k < words; k += block_.size()) word(k) = 0;
      block_.sync();
    }
  }
  aggregated_counter(aggregated_counter const&) = delete;
  aggregated_counter& operator=(aggregated_counter const&) = delete;

  /// A hit of counter `index`, 0 ... Counters - 1. Any threads may call it, together or not.
  WARPFOLD_HOST_DEVICE void add(int index = 0) {
    if constexpr (strategy == aggregation::global) {
      block_.fetch_add(totals_ + index, std::uint64_t{1});
    } else if constexpr (strategy == aggregation::warp) {
      unsigned const peers = peers_of(block_.active(), index);
      if (block_.lane() == detail::first_of(peers))
        block_.fetch_add(totals_ + index, std::uint64_t(detail::number_of(peers)));
    } else {
      add(index, 1);
    }
  }

  /// add() for a counter that is known when compiling. With block and automatic, and up to 16
  /// counters, a register counts it. That is much faster than shared memory, where all others are
  /// counted.
  template <int Index>
  WARPFOLD_HOST_DEVICE void add() {
    static_assert(Index >= 0 && Index < Counters);
    if constexpr (has_registers) ++counts_[Index];
    else add(Index);
  }
  template <int Index>
  WARPFOLD_HOST_DEVICE void add(std::uint64_t weight) {
    static_assert(Index >= 0 && Index < Counters);
    if constexpr (has_registers) counts_[Index] += weight;
    else add(Index, weight);
  }

  /// A hit that counts `weight` times; with any once, or not at all if that is 0.
  WARPFOLD_HOST_DEVICE void add(int index, std::uint64_t weight) {
    if constexpr (strategy == aggregation::global) {
      block_.fetch_add(totals_ + index, weight);
    } else if constexpr (strategy == aggregation::warp) {
      unsigned const peers = peers_of(block_.active(), index);
      std::uint64_t const sum = detail::sum_of_lanes(block_, peers, weight);
      if (block_.lane() == detail::first_of(peers)) block_.fetch_add(totals_ + index, sum);
    } else if constexpr (staged && in_registers) {
      counts_[0] += weight; // there is no other
    } else if constexpr (staged) {
      add_to_shared(index, weight);
    } else if constexpr (flagged && in_registers) {
      bits_ |= bits{weight != 0} << index;
    } else if constexpr (flagged) {
      if (weight != 0) block_.set_bits(&word(index / 32), 1u << index % 32);
    }
  }

  /// A hit, and what the total was before it, as if the hits came one after the other: for each of
  /// n hits another of 0 ... n - 1, if the total was 0 and add is not used for the same counter.
  /// Any threads may call it, together or not. Not for none and any. It costs what it does with
  /// warp, also with block and automatic, which cannot put off what is asked for now: see
  /// append_all.
  WARPFOLD_HOST_DEVICE std::uint64_t append(int index = 0) {
    static_assert(can_append, "none and any have no slots");
    if constexpr (strategy == aggregation::global) {
      return block_.fetch_add(totals_ + index, std::uint64_t{1});
    } else {
      unsigned const peers = peers_of(block_.active(), index);
      int const first = detail::first_of(peers), lane = block_.lane();
      std::uint64_t base = 0;
      if (lane == first)
        base = block_.fetch_add(totals_ + index, std::uint64_t(detail::number_of(peers)));
      return block_.shuffle(peers, base, first) + number_before(peers, lane);
    }
  }

  /// append() by all threads of the block, with one `index`. With block and automatic
  /// it is a barrier, and one atomic addition for all of them, and their slots are in the threads'
  /// order. Those without a hit get no_slot.
  WARPFOLD_HOST_DEVICE std::uint64_t append_all(bool hit, int index = 0) {
    static_assert(can_append, "none and any have no slots");
    if constexpr (!staged) {
      return hit ? append(index) : no_slot;
    } else {
      detail::append_storage& shared = shared_->append;
      int const rank = block_.thread_rank(), lane = block_.lane(), own_warp = rank / 32;
      unsigned const hits = block_.ballot(detail::every_lane, hit);
      if (lane == 0) shared.of_warp[own_warp] = static_cast<unsigned>(detail::number_of(hits));
      block_.sync();
      std::uint64_t before = number_before(hits, lane), all = 0;
      for (int w = 0; w < detail::warps_of(block_.size()); ++w) {
        if (w == own_warp) before += all;
        all += shared.of_warp[w];
      }
      if (rank == 0 && all != 0) shared.base = block_.fetch_add(totals_ + index, all);
      block_.sync();
      return hit ? shared.base + before : no_slot;
    }
  }

  /// append() or append_all(), and values[slot] = value where the slot is below capacity. A total
  /// above the capacity says how much room was wanted.
  template <class T>
  WARPFOLD_HOST_DEVICE std::uint64_t append(T* values, std::uint64_t capacity,
                                            std::type_identity_t<T> const& value, int index = 0) {
    std::uint64_t const slot = append(index);
    if (slot < capacity) values[slot] = value;
    return slot;
  }
  template <class T>
  WARPFOLD_HOST_DEVICE std::uint64_t append_all(bool hit, T* values, std::uint64_t capacity,
                                                std::type_identity_t<T> const& value,
                                                int index = 0) {
    std::uint64_t const slot = append_all(hit, index);
    if (slot < capacity) values[slot] = value;
    return slot;
  }

  /// Adds what the block has counted to the totals. With block, any and automatic all threads of
  /// the block come here, as to a barrier, once before the kernel ends or more often; any then
  /// counts once each time.
  WARPFOLD_HOST_DEVICE void flush() {
    if constexpr (staged && in_registers) flush_count();
    else if constexpr (flagged && in_registers) flush_bits();
    if constexpr (in_memory) {
      if constexpr (has_registers) stage_counts();
      block_.sync();
      for (int k = block_.thread_rank(); k < words; k += block_.size()) drain(k);
      block_.sync();
    }
  }

private:
  using bits = std::conditional_t<(Counters > 32), std::uint64_t, unsigned>;
  /// Words of 32 bits: one a counter, or one for 32 flags.
  static constexpr int words = flagged ? (Counters + 31) / 32 : Counters;
  /// A thread that has added this much to shared memory empties it. Its last addition and flush()
  /// may add as much again each: for 1024 threads less than 2^32 in all.
  static constexpr unsigned limit = 1u << 20;

  WARPFOLD_HOST_DEVICE unsigned& word(int k) {
    if constexpr (flagged) return shared_->words[k];
    else return shared_->counts[k];
  }

  WARPFOLD_HOST_DEVICE static std::uint64_t number_before(unsigned lanes, int lane) {
    return static_cast<std::uint64_t>(detail::number_of(detail::before(lanes, lane)));
  }

  /// The lanes, of those that are here, that hit the same counter as the caller. Each function
  /// itself asks which lanes are here: all of them must go on to the same place.
  WARPFOLD_HOST_DEVICE unsigned peers_of(unsigned here, int index) {
    return Counters == 1 ? here : block_.match(here, index);
  }

  /// Needs no barrier, and so may happen wherever threads are.
  WARPFOLD_HOST_DEVICE void drain(int k) {
    unsigned const counted = block_.exchange(&word(k), 0u);
    if constexpr (staged) {
      if (counted != 0) block_.fetch_add(totals_ + k, std::uint64_t{counted});
    } else {
      for (int i = 0; i < 32 && 32 * k + i < Counters; ++i)
        if ((counted >> i & 1) != 0) block_.fetch_add(totals_ + 32 * k + i, std::uint64_t{1});
    }
  }

  WARPFOLD_HOST_DEVICE void add_to_shared(int index, std::uint64_t weight) {
    if (weight >= limit) {
      block_.fetch_add(totals_ + index, weight);
      return;
    }
    block_.fetch_add(&word(index), static_cast<unsigned>(weight));
    added_ += static_cast<unsigned>(weight);
    if (added_ < limit) return;
    WARPFOLD_UNROLL_BY(1)
    for (int k = 0; k < words; ++k) drain(k);
    added_ = 0;
  }

  /// Moves counts from registers to shared memory, where `limit` leaves room for them.
  WARPFOLD_HOST_DEVICE void stage_counts() {
    WARPFOLD_UNROLL
    for (int k = 0; k < Counters; ++k) {
      std::uint64_t const count = counts_[k];
      counts_[k] = 0;
      if (count >= limit) block_.fetch_add(totals_ + k, count);
      else if (count != 0) block_.fetch_add(&word(k), static_cast<unsigned>(count));
    }
  }

  WARPFOLD_HOST_DEVICE void flush_count() {
    int const rank = block_.thread_rank();
    std::uint64_t const sum = detail::sum_of_lanes(block_, detail::every_lane, counts_[0]);
    if (block_.lane() == 0) shared_->of_warp[rank / 32] = sum;
    counts_[0] = 0;
    block_.sync();
    if (rank < 32) {
      bool const has_warp = rank < detail::warps_of(block_.size());
      std::uint64_t const all =
          detail::sum_of_lanes(block_, detail::every_lane, has_warp ? shared_->of_warp[rank] : 0);
      if (rank == 0 && all != 0) block_.fetch_add(totals_, all);
    }
    block_.sync();
  }

  WARPFOLD_HOST_DEVICE void flush_bits() {
    int const rank = block_.thread_rank();
    WARPFOLD_UNROLL
    for (int i = 0; i < words; ++i) {
      unsigned const set =
          block_.reduce_or(detail::every_lane, static_cast<unsigned>(bits_ >> 32 * i));
      if (block_.lane() == 0) shared_->of_warp[i][rank / 32] = set;
    }
    bits_ = 0;
    block_.sync();
    if (rank < 32) {
      int const lanes = block_.size() < 32 ? block_.size() : 32;
      bool const has_warp = rank < detail::warps_of(block_.size());
      WARPFOLD_UNROLL
      for (int i = 0; i < words; ++i) {
        unsigned const all =
            block_.reduce_or(detail::every_lane, has_warp ? shared_->of_warp[i][rank] : 0u);
        for (int k = rank; k < 32 && 32 * i + k < Counters; k += lanes)
          if ((all >> k & 1) != 0) block_.fetch_add(totals_ + 32 * i + k, std::uint64_t{1});
      }
    }
    block_.sync();
  }

  Block block_;
  std::uint64_t* totals_;
  shared_storage* shared_;
  // Unused members take no register.
  std::uint64_t counts_[has_registers ? Counters : 1] = {};
  bits bits_ = 0;
  unsigned added_ = 0; ///< to shared memory since it was emptied by this thread
};

} // namespace warpfold::inline v0
