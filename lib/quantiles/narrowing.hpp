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
/// Bins of all ranges of a pass: see pass_shape.
inline constexpr int max_bins_in_all = 24 << 10;

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

/// GPU memory that the kernels of a selection share.
template <class Key>
struct selection_control {
  struct counters {                               // 0 at first
    std::uint64_t bins[max_bins_in_all];          ///< 0 between kernels
    std::uint64_t kept;                           ///< number of keys kept, or that there would be
    std::uint64_t classes[4 * max_positions + 1]; ///< see sampling.hpp
    unsigned failed, has_nan; ///< not 0 if the sample misled, if an element is NaN
    unsigned arrived;         ///< 0 between kernels
  } counts;
  targets<Key> of_sample, of_kept, of_all;
};

/// What the kernels of a selection are told.
template <class Key>
struct selection_work {
  Key const* values;
  std::uint64_t size;
  selection asked;
  pass_shape shape;
  selection_control<Key>* control;
  Key *sample, *kept;
  std::uint64_t sampled = 0, capacity; ///< keys of the sample, or 0; that there is room for
  sample_ends ends[max_positions] = {};

  /// `memory` is laid out for `count` elements.
  selection_work(void const* first, std::size_t count, selection const& what, void* memory,
                 selection_layout const& layout)
      : values{static_cast<Key const*>(first)}, size{count}, asked{what}, shape{what.count},
        control{static_cast<selection_control<Key>*>(memory)},
        sample{reinterpret_cast<Key*>(static_cast<unsigned char*>(memory) + layout.sample)},
        kept{reinterpret_cast<Key*>(static_cast<unsigned char*>(memory) + layout.kept)},
        capacity{layout.capacity} {
    static_assert(sizeof(selection_control<Key>) <= selection_layout::control);
    if (capacity > 0) take(selection_tuning::sample(count, what.count));
  }
  /// What the ranks were narrowed to.
  WARPFOLD_HOST_DEVICE targets<Key> const& found() const {
    return sampled != 0 && control->counts.failed == 0 ? control->of_kept : control->of_all;
  }
  /// Takes a sample of so many keys.
  void take(std::size_t keys) {
    sampled = keys;
    for (int p = 0; p < asked.count; ++p)
      ends[p] = sample_ends::of(asked.rank[2 * p], asked.rank[2 * p + 1],
                                static_cast<std::size_t>(size), keys);
  }
};

/// Which keys a pass looks at: all of them only if there is no sample, or it has misled.
enum class pass_over { sample, kept, all };

template <class Key>
struct key_array {
  Key const* first;
  std::uint64_t size;
  key_map<Key> map;
};

/// Before the bins in shared memory.
template <class Key>
struct narrow_shared {
  key_range<Key> counted[max_targets];
  unsigned char shift[max_targets];
  bool is_last;
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
  std::uint64_t const end = first + keys.size;
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
  auto const lane = static_cast<unsigned>(block.lane());
  for (unsigned count = 1u << bits; count > 1;) {
    unsigned const each = count > 32 ? count / 32 : 1;
    std::uint64_t own = 0; // keys in the lane's bins
    auto const* const from = bins + found.number;
    if (each >= 4) { // lanes in fours read 32 bytes at once, of each one's bins in turn
      unsigned const of_four = lane % 4;
      WARPFOLD_UNROLL
      for (unsigned j = 0; j < 4; ++j) {
        std::uint64_t part = 0;
        WARPFOLD_UNROLL_BY(16)
        for (unsigned k = of_four; k < each; k += 4)
          part += block.load_relaxed(from + (lane - of_four + j) * each + k);
        part += block.shuffle(part, static_cast<int>(lane ^ 1));
        part += block.shuffle(part, static_cast<int>(lane ^ 2));
        if (j == of_four) own = part;
      }
    } else if (lane < count / each) {
      for (unsigned k = 0; k < each; ++k) own += block.load_relaxed(from + lane * each + k);
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

/// Gives equal ranges of targets a group; all threads of a warp call it.
template <class Key, thread_block Block>
WARPFOLD_HOST_DEVICE void group_ranges(Block const& block, targets<Key>& state, int count) {
  int const lane = block.lane();
  key_range<Key> const range = lane < count ? state.range[lane] : key_range<Key>{0, 0};
  int leader = lane;
  for (int other = count - 1; other >= 0; --other) {
    key_range<Key> const theirs = block.shuffle(range, other);
    if (other < lane && theirs == range) leader = other;
  }
  bool const leads = leader == lane && range.width != 0;
  unsigned const leaders = block.ballot(every_lane, leads);
  int const own = number_of(before(leaders, lane));
  int const group = block.shuffle(own, leader);
  if (lane < count) state.group[lane] = range.width != 0 ? group : -1;
  if (leads) state.counted[own] = range;
  if (lane == 0) state.groups = number_of(leaders);
}

/// A number that looks random.
WARPFOLD_HOST_DEVICE inline std::uint64_t scrambled(std::uint64_t x) { // splitmix64
  x += 0x9e3779b97f4a7c15u;
  x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9u;
  x = (x ^ x >> 27) * 0x94d049bb133111ebu;
  return x ^ x >> 31;
}

/// The element that is sampled of part i.
WARPFOLD_HOST_DEVICE inline std::uint64_t sampled_at(std::uint64_t i, std::uint64_t sample,
                                                     std::uint64_t size) {
  std::uint64_t const begin = i * size / sample, end = (i + 1) * size / sample;
  return begin + scrambled(i) % (end - begin);
}

/// Makes the control block ready, and takes the sample; for any grid.
template <class Key, thread_block Block>
WARPFOLD_HOST_DEVICE void prepare(Block const& block, selection_work<Key> const& work) {
  auto const step = static_cast<std::uint64_t>(block.grid_size()) * selection_threads;
  auto const begin = static_cast<std::uint64_t>(block.block_rank()) * selection_threads +
                     static_cast<unsigned>(block.thread_rank());
  auto& control = *work.control;
  // As many bins as there can be ranges, and what is behind all.
  auto* const words = reinterpret_cast<std::uint64_t*>(&control.counts);
  std::uint64_t const used = std::uint64_t{static_cast<unsigned>(work.shape.targets)}
                             << work.shape.bits;
  std::uint64_t const skipped = max_bins_in_all - used;
  for (auto k = begin; k < sizeof control.counts / sizeof *words - skipped; k += step)
    words[k < used ? k : k + skipped] = 0;
  auto const map = key_map<Key>::of(work.asked.kind);
  for (auto i = begin; i < work.sampled; i += step)
    work.sample[i] = map.key(work.values[sampled_at(i, work.sampled, work.size)]);
  if (block.block_rank() != 0 || block.thread_rank() >= 32) return;
  int const lane = block.lane();
  if (lane < work.shape.targets) {
    key_range<Key> const whole{0, static_cast<Key>(-1)};
    auto const& ends = work.ends[lane / 2];
    std::uint64_t const end = lane % 2 == 0 ? ends.low : ends.high;
    control.of_all.left[lane] = work.asked.rank[lane];
    control.of_all.range[lane] = whole;
    control.of_sample.left[lane] = end;
    control.of_sample.range[lane] = end == no_rank ? key_range<Key>{0, 0} : whole;
  }
  group_ranges(block, control.of_all, work.shape.targets);
  group_ranges(block, control.of_sample, work.shape.targets);
}

/// True in all threads of the grid's last block, which sees what the others wrote.
template <class Shared, thread_block Block>
WARPFOLD_HOST_DEVICE bool is_last_block(Block const& block, unsigned* arrived, Shared& shared) {
  block.sync();
  if (block.thread_rank() == 0) shared.is_last = block.arrives_last(arrived);
  block.sync();
  return shared.is_last;
}

/// Counts the keys in the bins of so many ranges; for any grid.
template <class Key, thread_block Block>
WARPFOLD_HOST_DEVICE void
count_bins(Block const& block, key_array<Key> const& keys, key_range<Key> const* ranges, int groups,
           pass_shape const& shape, typename selection_control<Key>::counters& counts,
           narrow_shared<Key>& shared, unsigned* bins) {
  int const rank = block.thread_rank(), bits = shape.bits;
  int log_copies = 0; // of bins, so that few values do not meet in few of them
  while (log_copies < 3 && groups << (log_copies + 1) <= shape.slots) ++log_copies;
  unsigned const copy = static_cast<unsigned>(block.lane()) & ((1u << log_copies) - 1);
  unsigned const count = static_cast<unsigned>(groups) << bits;
  for (unsigned k = static_cast<unsigned>(rank); k < count << log_copies; k += selection_threads)
    bins[k] = 0;
  if (rank < groups) {
    shared.counted[rank] = ranges[rank];
    shared.shift[rank] = static_cast<unsigned char>(ranges[rank].shift(bits));
  }
  block.sync();

  bool has_nan = false;
  for_each_batch(block, keys, [&]<int Size>(Key const(&key)[Size], bool are_there) {
    for (int g = 0; g < groups; ++g) {
      key_range<Key> const range = shared.counted[g];
      int const shift = shared.shift[g];
      unsigned* const own = bins + ((static_cast<unsigned>(g) << (bits + log_copies)) + copy);
      WARPFOLD_UNROLL
      for (int i = 0; i < Size; ++i) {
        Key const distance = key[i] - range.low;
        if (are_there && distance <= range.width)
          block.fetch_add(own + (static_cast<unsigned>(distance >> shift) << log_copies), 1u);
      }
    }
    WARPFOLD_UNROLL
    for (int i = 0; i < Size; ++i) has_nan |= are_there && key[i] > keys.map.last_number;
  });
  if (has_nan) block.set_bits(&counts.has_nan, 1u);
  block.sync();
  for (unsigned k = static_cast<unsigned>(rank); k < count; k += selection_threads) {
    std::uint64_t sum = 0;
    for (unsigned c = 0; c < 1u << log_copies; ++c) sum += bins[(k << log_copies) + c];
    if (sum != 0) block.fetch_add(counts.bins + k, sum);
  }
}

/// One pass over the keys, for any grid.
template <class Key, thread_block Block>
WARPFOLD_HOST_DEVICE void narrow(Block const& block, selection_work<Key> const& work,
                                 pass_over which, narrow_shared<Key>& shared, unsigned* bins) {
  auto& control = *work.control;
  auto& counts = control.counts;
  auto& state = which == pass_over::sample ? control.of_sample
                : which == pass_over::kept ? control.of_kept
                                           : control.of_all;
  key_array<Key> keys{work.sample, work.sampled, key_map<Key>::none()};
  if (which == pass_over::kept) keys = {work.kept, counts.kept, keys.map};
  else if (which == pass_over::all)
    keys = {work.values, work.size, key_map<Key>::of(work.asked.kind)};
  bool const is_idle = which == pass_over::kept  ? counts.failed != 0
                       : which == pass_over::all ? counts.failed == 0 && work.sampled != 0
                                                 : false;
  int const groups = is_idle ? 0 : state.groups;
  if (groups == 0) return;
  int const rank = block.thread_rank(), lane = block.lane(), bits = work.shape.bits;
  count_bins(block, keys, state.counted, groups, work.shape, counts, shared, bins);
  if (!is_last_block(block, &counts.arrived, shared)) return;

  for (int t = rank / 32; t < work.shape.targets; t += selection_warps) {
    int const group = state.group[t];
    if (group < 0) continue;
    found_bin const found =
        find_bin(block, counts.bins + (static_cast<unsigned>(group) << bits), bits, state.left[t]);
    if (lane == 0) {
      key_range<Key> bin = shared.counted[group].bin(found.number, shared.shift[group]);
      // A bracket's end is its bin's outer end once few of the sample's keys between the ends lie
      // in the bin. That saves a pass.
      if (which == pass_over::sample && found.inside <= work.ends[t / 2].between / 64)
        bin = {t % 2 == 0 ? bin.low : static_cast<Key>(bin.low + bin.width), 0};
      state.range[t] = bin;
      state.left[t] -= found.before;
      state.inside[t] = found.inside;
      if (found.is_missing) counts.failed = 1;
    }
  }
  block.sync();
  if (rank < 32) group_ranges(block, state, work.shape.targets);
  unsigned const used = static_cast<unsigned>(groups) << bits;
  for (unsigned k = static_cast<unsigned>(rank); k < used; k += selection_threads)
    counts.bins[k] = 0;
}

/// Writes the results; one block.
template <class Key, thread_block Block>
WARPFOLD_HOST_DEVICE void write_results(Block const& block, selection_work<Key> const& work,
                                        void* results) {
  auto const& state = work.found();
  int const p = block.thread_rank();
  if (p < work.asked.count)
    write_result<Key>(work.asked, p, state.range[2 * p].low, state.range[2 * p + 1].low,
                      work.control->counts.has_nan != 0, results);
}

/// All of it in one block, without a sample.
template <class Key, thread_block Block>
WARPFOLD_HOST_DEVICE void select_alone(Block const& block, selection_work<Key> const& work,
                                       void* results, narrow_shared<Key>& shared, unsigned* bins) {
  prepare(block, work);
  block.sync();
  do {
    narrow(block, work, pass_over::all, shared, bins);
    block.sync();
  } while (work.control->of_all.groups != 0);
  write_results(block, work, results);
}

} // namespace warpfold::inline v0::detail
