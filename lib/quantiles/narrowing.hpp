#pragma once
// Selection by rank, over a grid: a pass over keys counts them in bins of the range in which a rank
// is known to lie, and the last block goes on with the bin that the rank is in. Several ranks share
// the passes, and those with the same range share its bins. A few passes leave one key a rank.

#include <warpfold/detail/core/block.hpp>
#include <warpfold/detail/core/lanes.hpp>
#include <warpfold/detail/core/streaming.hpp>
#include <warpfold/detail/quantiles/selection.hpp>

#include "tuning.hpp"

#include <cstddef>
#include <cstdint>
#include <type_traits>

namespace warpfold::inline v0::detail {

inline constexpr int selection_threads = 512, selection_warps = selection_threads / 32;
/// Bins of all ranges of a pass.
inline constexpr int max_bins_in_all = 1 << 15;

/// Keys of an array: `size` of them, or as many as *count says, but no more than `size`.
template <class Key>
struct key_array {
  Key const* first;
  std::uint64_t size;
  std::uint64_t const* count;
  key_map<Key> map;

  WARPFOLD_HOST_DEVICE std::uint64_t length() const {
    return count == nullptr || *count > size ? size : *count;
  }
};

/// What is known of the ranks asked for, in GPU memory.
template <class Key>
struct targets {
  key_range<Key> range[max_targets]; ///< of one key in the end
  std::uint64_t left[max_targets];   ///< rank among the keys in the range
  std::uint64_t inside[max_targets]; ///< keys in the range, once it was a bin
  int group[max_targets];            ///< which of the ranges that are still counted; or -1
  key_range<Key> counted[max_targets];
  int groups;
};

/// GPU memory that the passes of a selection share, all 0 before.
template <class Key>
struct selection_control {
  std::uint64_t bins[max_bins_in_all]; ///< 0 between kernels
  targets<Key> of_sample, of_kept, of_all;
  std::uint64_t kept; ///< number of keys kept, or that there would be
  std::uint64_t below_low[max_positions], equal_low[max_positions];
  std::uint64_t inside[max_positions], equal_high[max_positions];
  unsigned failed;  ///< not 0 if the sample misled
  unsigned has_nan; ///< not 0 if an element is NaN
  unsigned arrived; ///< 0 between kernels
};

inline constexpr std::uint64_t no_rank = sample_ends::no_rank;

/// A pass.
template <class Key>
struct narrow_job {
  enum condition { always, if_failed, unless_failed };

  key_array<Key> keys;
  selection_control<Key>* control;
  targets<Key>* state;
  condition when;
  bool is_first; ///< all keys are one range, and ranks are:
  int count;     ///< of targets
  std::uint64_t rank[max_targets];
  int bits;  ///< 2^bits bins a range
  int slots; ///< ranges that there are bins for in shared memory
};

/// Before the bins in dynamic shared memory.
template <class Key>
struct narrow_shared {
  key_range<Key> counted[max_targets];
  int shift[max_targets];
  Key bin[max_targets];
  std::uint64_t before[max_targets], inside[max_targets];
  bool is_last, is_missing;
};

/// Keys that a lane has at a time, in packs of 16 bytes.
template <class Key>
inline constexpr int pack_keys = 16 / static_cast<int>(sizeof(Key));
template <class Key>
inline constexpr int batch_keys = 4 * pack_keys<Key>;

/// Calls act(keys, are_there) for all keys: batch_keys of them at a time in every lane of a warp,
/// and at either end of the array one, which not every lane has.
template <class Key, thread_block Block, class Act>
WARPFOLD_HOST_DEVICE void for_each_batch(Block const& block, key_array<Key> const& keys, Act act) {
  constexpr int of_pack = pack_keys<Key>, packs = 4, of_warp = 32 * batch_keys<Key>;
  struct alignas(16) pack {
    Key key[of_pack];
  };
  // Batches begin at an aligned address, up to three keys before the first.
  std::uint64_t const first = reinterpret_cast<std::uintptr_t>(keys.first) % 16 / sizeof(Key);
  std::uint64_t const end = first + keys.length();
  Key const* const base = keys.first - first;
  std::uint64_t const batches = (end + of_warp - 1) / of_warp;
  auto const warps =
      static_cast<std::uint64_t>(block.grid_size()) * static_cast<unsigned>(block.size() / 32);
  std::uint64_t batch =
      static_cast<std::uint64_t>(block.block_rank()) * static_cast<unsigned>(block.size() / 32) +
      static_cast<unsigned>(block.thread_rank() / 32);
  for (; batch < batches; batch += warps) {
    std::uint64_t const begin = batch * of_warp; // from the base on
    if (begin >= first && begin + of_warp <= end) {
      auto const* const from = reinterpret_cast<pack const*>(base + begin) + block.lane();
      pack read[packs];
      WARPFOLD_UNROLL
      for (int j = 0; j < packs; ++j) read[j] = read_pack(from + 32 * j);
      Key key[batch_keys<Key>];
      WARPFOLD_UNROLL
      for (int j = 0; j < packs; ++j) {
        WARPFOLD_UNROLL
        for (int v = 0; v < of_pack; ++v) key[j * of_pack + v] = keys.map.key(read[j].key[v]);
      }
      act(key, true);
    } else {
      WARPFOLD_UNROLL_BY(1)
      for (int i = 0; i < batch_keys<Key>; ++i) {
        std::uint64_t const at = begin + static_cast<unsigned>(32 * i + block.lane());
        bool const is_there = at >= first && at < end;
        Key const key[1] = {is_there ? keys.map.key(base[at]) : Key{0}};
        act(key, is_there);
      }
    }
  }
}

/// The inclusive sums of the lanes' values.
WARPFOLD_HOST_DEVICE std::uint64_t sums_of_lanes(thread_block auto const& block,
                                                 std::uint64_t value) {
  WARPFOLD_UNROLL
  for (int step = 1; step < 32; step *= 2) {
    std::uint64_t const other = block.shuffle_up(value, step);
    if (block.lane() >= step) value += other;
  }
  return value;
}

struct found_bin {
  unsigned number;
  std::uint64_t before, inside; ///< keys in the bins before, and in it
  bool is_missing;              ///< there are not so many keys
};
/// The bin of a rank among 2^bits bins; all threads of a warp call it.
template <thread_block Block>
WARPFOLD_HOST_DEVICE found_bin find_bin(Block const& block, std::uint64_t const* bins, int bits,
                                        std::uint64_t rank) {
  found_bin found{0, 0, 0, false};
  for (unsigned count = 1u << bits; count > 1;) {
    unsigned const each = count > 32 ? count / 32 : 1;
    std::uint64_t own = 0;
    if (static_cast<unsigned>(block.lane()) < count / each) {
      auto const* const from = bins + found.number + static_cast<unsigned>(block.lane()) * each;
      WARPFOLD_UNROLL_BY(16)
      for (unsigned k = 0; k < each; ++k) own += block.load_relaxed(from + k);
    }
    std::uint64_t const sum = found.before + sums_of_lanes(block, own);
    unsigned const reached = block.ballot(every_lane, sum > rank);
    if (reached == 0) {
      found.is_missing = true;
      return found;
    }
    int const owner = first_of(reached);
    found.number += static_cast<unsigned>(owner) * each;
    found.before = block.shuffle(every_lane, sum - own, owner);
    found.inside = block.shuffle(every_lane, own, owner);
    count = each;
  }
  return found;
}

/// Stores a target's range, and gives equal ranges a group; all lanes of a warp, one for a target.
template <class Key, thread_block Block>
WARPFOLD_HOST_DEVICE void store_ranges(Block const& block, targets<Key>* state, int count,
                                       key_range<Key> range) {
  int const lane = block.lane();
  int leader = lane;
  for (int other = count - 1; other >= 0; --other) {
    key_range<Key> const theirs = block.shuffle(range, other);
    if (other < lane && theirs == range) leader = other;
  }
  bool const leads = lane < count && leader == lane && range.width != 0;
  unsigned const leaders = block.ballot(every_lane, leads);
  int const own = number_of(before(leaders, lane));
  int const group =
      static_cast<int>(block.shuffle(every_lane, static_cast<std::uint64_t>(own), leader));
  if (lane < count) {
    state->range[lane] = range;
    state->group[lane] = range.width != 0 ? group : -1;
  }
  if (leads) state->counted[own] = range;
  if (lane == 0) state->groups = number_of(leaders);
}

/// True in all threads of the grid's last block, which sees what the others wrote.
template <class Shared, thread_block Block>
WARPFOLD_HOST_DEVICE bool is_last_block(Block const& block, unsigned* arrived, Shared& shared) {
  block.sync();
  if (block.thread_rank() == 0) shared.is_last = block.arrives_last(arrived);
  block.sync();
  return shared.is_last;
}

/// One pass over the keys, for any grid.
template <class Key, thread_block Block>
WARPFOLD_HOST_DEVICE void narrow(Block const& block, narrow_job<Key> const& job,
                                 narrow_shared<Key>& shared, unsigned* bins) {
  auto& control = *job.control;
  auto& state = *job.state;
  int const rank = block.thread_rank(), lane = block.lane(), warp = rank / 32;
  if (job.when != job.always && (control.failed != 0) != (job.when == job.if_failed)) return;
  int const groups = job.is_first ? 1 : state.groups;
  if (groups == 0) return;

  int log_copies = 0; // of bins, so that few values do not meet in few of them
  while (log_copies < 3 && groups << (log_copies + 1) <= job.slots) ++log_copies;
  unsigned const copy = static_cast<unsigned>(lane) & ((1u << log_copies) - 1);
  unsigned const count = static_cast<unsigned>(groups) << job.bits;
  for (unsigned k = static_cast<unsigned>(rank); k < count << log_copies; k += selection_threads)
    bins[k] = 0;
  if (rank < groups) {
    key_range<Key> const range =
        job.is_first ? key_range<Key>{0, static_cast<Key>(-1)} : state.counted[rank];
    shared.counted[rank] = range;
    shared.shift[rank] = range.shift(job.bits);
  }
  if (rank == 0) shared.is_missing = false;
  block.sync();

  Key const last_number = job.keys.map.last_number;
  bool has_nan = false;
  for_each_batch(block, job.keys, [&]<int Size>(Key const(&key)[Size], bool are_there) {
    for (int g = 0; g < groups; ++g) {
      key_range<Key> const range = shared.counted[g];
      int const shift = shared.shift[g];
      unsigned* const own = bins + ((static_cast<unsigned>(g) << (job.bits + log_copies)) + copy);
      WARPFOLD_UNROLL
      for (int i = 0; i < Size; ++i) {
        Key const distance = key[i] - range.low;
        if (are_there && distance <= range.width)
          block.fetch_add(own + (static_cast<unsigned>(distance >> shift) << log_copies), 1u);
      }
    }
    WARPFOLD_UNROLL
    for (int i = 0; i < Size; ++i) has_nan |= are_there && key[i] > last_number;
  });
  if (has_nan) block.set_bits(&control.has_nan, 1u);
  block.sync();
  for (unsigned k = static_cast<unsigned>(rank); k < count; k += selection_threads) {
    std::uint64_t sum = 0;
    for (unsigned c = 0; c < 1u << log_copies; ++c) sum += bins[(k << log_copies) + c];
    if (sum != 0) block.fetch_add(control.bins + k, sum);
  }
  if (!is_last_block(block, &control.arrived, shared)) return;

  for (int t = warp; t < job.count; t += selection_warps) {
    int const group = job.is_first ? 0 : state.group[t];
    std::uint64_t const left = job.is_first ? job.rank[t] : state.left[t];
    if (group < 0 || left == no_rank) continue;
    found_bin const found =
        find_bin(block, control.bins + (static_cast<unsigned>(group) << job.bits), job.bits, left);
    if (lane == 0) {
      shared.bin[t] = found.number;
      shared.before[t] = found.before;
      shared.inside[t] = found.inside;
      if (found.is_missing) shared.is_missing = true;
    }
  }
  block.sync();
  if (warp == 0) {
    key_range<Key> range{0, 0};
    if (lane < job.count) {
      int const group = job.is_first ? 0 : state.group[lane];
      std::uint64_t const left = job.is_first ? job.rank[lane] : state.left[lane];
      if (group >= 0 && left != no_rank) {
        range = shared.counted[group].bin(shared.bin[lane], shared.shift[group]);
        state.left[lane] = left - shared.before[lane];
        state.inside[lane] = shared.inside[lane];
      } else {
        if (!job.is_first) range = state.range[lane];
        state.left[lane] = left;
      }
    }
    store_ranges(block, job.state, job.count, range);
    if (lane == 0 && shared.is_missing) control.failed = 1;
  }
  for (unsigned k = static_cast<unsigned>(rank); k < count; k += selection_threads)
    control.bins[k] = 0;
}

/// Writes the results; one block.
template <class Key, thread_block Block>
WARPFOLD_HOST_DEVICE void write_results(Block const& block, selection const& asked,
                                        targets<Key> const& state, bool has_nan, void* results) {
  int const p = block.thread_rank();
  if (p < asked.count)
    write_result<Key>(asked, p, state.range[2 * p].low, state.range[2 * p + 1].low, has_nan,
                      results);
}

/// All passes in one block, which clears the control block itself.
template <class Key, thread_block Block>
WARPFOLD_HOST_DEVICE void narrow_alone(Block const& block, narrow_job<Key> job,
                                       selection const& asked, void* results,
                                       narrow_shared<Key>& shared, unsigned* bins) {
  auto& control = *job.control;
  unsigned const used = static_cast<unsigned>(job.slots) << job.bits;
  for (unsigned k = static_cast<unsigned>(block.thread_rank()); k < used; k += selection_threads)
    control.bins[k] = 0;
  if (block.thread_rank() == 0) control.has_nan = control.arrived = control.failed = 0;
  do {
    narrow(block, job, shared, bins);
    block.sync();
    job.is_first = false;
  } while (job.state->groups != 0);
  write_results(block, asked, *job.state, control.has_nan != 0, results);
}

} // namespace warpfold::inline v0::detail
