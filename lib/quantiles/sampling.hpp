#pragma once
// A sample of the keys says between which two keys each rank lies, almost surely. Then one pass
// over all keys counts those below and keeps those between, among which the ranks are found. If few
// different keys make up most of the data, the ends are counted, too, and not kept. So the data may
// be any, as long as they do not know which of them are sampled.

#include "narrowing.hpp"

namespace warpfold::inline v0::detail {

/// Keys that a warp keeps, in shared memory: a column for each lane.
inline constexpr int kept_batches = 2;
template <class Key>
struct kept_columns {
  static constexpr int depth = kept_batches * batch_keys<Key>;
  Key key[selection_warps][depth * 32];
};
template <class Key>
struct keep_shared {
  kept_columns<Key> columns;
  key_range<Key> ends[max_positions];
  bool are_heavy[max_positions]; ///< an end is a key that too much of the data has
  bool is_last;
};

template <class Key, thread_block Block>
class collector {
public:
  WARPFOLD_HOST_DEVICE collector(Block const& block, selection_work<Key> const& work,
                                 kept_columns<Key>& columns)
      : block_{block}, work_{work}, begin_{columns.key[block.thread_rank() / 32] + block.lane()},
        next_{begin_} {}

  WARPFOLD_HOST_DEVICE void add(Key key, bool is_kept) {
    if (is_kept) {
      *next_ = key;
      next_ += 32;
    }
  }
  /// Between batches; all threads of a warp call it.
  WARPFOLD_HOST_DEVICE void make_room() {
    if (block_.any(next_ - begin_ > (kept_columns<Key>::depth - batch_keys<Key>)*32)) flush();
  }
  WARPFOLD_HOST_DEVICE void flush() {
    auto const count = static_cast<unsigned>(next_ - begin_) / 32;
    unsigned const total = block_.reduce_add(every_lane, count);
    std::uint64_t at = 0;
    if (block_.lane() == 0 && total != 0)
      at = block_.fetch_add(&work_.control->counts.kept, std::uint64_t{total});
    at = block_.shuffle(every_lane, at, 0);
    for (unsigned k = 0;; ++k) {
      unsigned const lanes = block_.ballot(every_lane, k < count);
      if (lanes == 0) break;
      std::uint64_t const to = at + static_cast<unsigned>(number_of(before(lanes, block_.lane())));
      if (k < count && to < work_.capacity) work_.kept[to] = begin_[32 * k];
      at += static_cast<unsigned>(number_of(lanes));
    }
    next_ = begin_;
  }

private:
  Block const& block_;
  selection_work<Key> const& work_;
  Key *begin_, *next_;
};

/// key - low; adds 1 to `count` if that is negative.
template <class Key>
WARPFOLD_HOST_DEVICE Key distance_from(Key key, Key low, unsigned& count) {
#ifdef __CUDA_ARCH__
  // Compilers compare and subtract.
  if constexpr (sizeof(Key) == 4) {
    Key distance;
    asm("sub.cc.u32 %0, %2, %3;\n\tsubc.u32 %1, %1, 0;"
        : "=&r"(distance), "+r"(count)
        : "r"(key), "r"(low));
    return distance;
  } else {
    unsigned first, second;
    asm("sub.cc.u32 %0, %3, %5;\n\tsubc.cc.u32 %1, %4, %6;\n\tsubc.u32 %2, %2, 0;"
        : "=&r"(first), "=&r"(second), "+r"(count)
        : "r"(static_cast<unsigned>(key)), "r"(static_cast<unsigned>(key >> 32)),
          "r"(static_cast<unsigned>(low)), "r"(static_cast<unsigned>(low >> 32)));
    return static_cast<Key>(second) << 32 | first;
  }
#else
  count -= key < low ? 1 : 0;
  return key - low;
#endif
}

/// Counts of a thread, of `Count` positions.
template <int Count, class Key>
struct bracket_counts {
  Key low[Count], width[Count];   ///< ends between which a position lies, inclusive
  unsigned below_low[Count] = {}; ///< 0 minus that
  unsigned equal_low[Count] = {}, inside[Count] = {}, equal_high[Count] = {};

  WARPFOLD_HOST_DEVICE explicit bracket_counts(key_range<Key> const* ends) {
    WARPFOLD_UNROLL
    for (int p = 0; p < Count; ++p) {
      low[p] = ends[p].low;
      width[p] = ends[p].width;
    }
  }

  /// True if the key is to be kept.
  template <bool Heavy>
  WARPFOLD_HOST_DEVICE bool count(Key key, bool is_there) {
    bool is_inside = false;
    if (!is_there) return false;
    WARPFOLD_UNROLL
    for (int p = 0; p < Count; ++p) {
      Key const distance = distance_from(key, low[p], below_low[p]);
      if constexpr (Heavy) {
        equal_low[p] += distance == 0 ? 1 : 0;
        inside[p] += distance < width[p] ? 1 : 0;
        equal_high[p] += distance == width[p] ? 1 : 0;
        is_inside |= distance != 0 && distance < width[p];
      } else {
        is_inside |= distance <= width[p];
      }
    }
    return is_inside;
  }
};

/// Where a rank is, as counts of all keys say.
struct rank_place {
  bool is_failed;
  int where; ///< at the low end (0), inside (1), or at the high end (2)
  std::uint64_t left;
};
template <class Key>
WARPFOLD_HOST_DEVICE rank_place locate(typename selection_control<Key>::counters const& counts,
                                       int p, std::uint64_t rank, bool is_heavy) {
  std::uint64_t const below = counts.below_low[p];
  if (rank < below) return {true, 0, 0};
  rank -= below;
  if (!is_heavy) return {false, 1, rank};
  std::uint64_t const equal = counts.equal_low[p], inside = counts.inside[p];
  if (rank < equal) return {false, 0, 0};
  if (rank < inside) return {false, 1, rank - equal};
  return {rank >= inside + counts.equal_high[p], 2, 0};
}

/// The ends between which a position lies. Those behind the last position are the first one's.
template <class Key>
WARPFOLD_HOST_DEVICE void find_ends(selection_work<Key> const& work, int position,
                                    keep_shared<Key>& shared) {
  int const p = position < work.asked.count ? position : 0;
  auto const& sample = work.control->of_sample;
  std::uint64_t const many = work.ends[p].between / 2;
  Key low = 0, high = static_cast<Key>(-1);
  bool is_heavy = false;
  if (work.ends[p].low != no_rank) {
    low = sample.range[2 * p].low;
    is_heavy = sample.inside[2 * p] > many;
  }
  if (work.ends[p].high != no_rank) {
    high = sample.range[2 * p + 1].low;
    is_heavy |= sample.inside[2 * p + 1] > many;
  }
  shared.ends[position] = {low, static_cast<Key>(high - low)};
  shared.are_heavy[position] = is_heavy || low == high;
}

/// Keeps the keys in which the ranks will be found; for any grid.
template <int Count, class Key, thread_block Block>
WARPFOLD_HOST_DEVICE void keep(Block const& block, selection_work<Key> const& work,
                               keep_shared<Key>& shared) {
  auto& control = *work.control;
  auto& totals = control.counts;
  if (block.thread_rank() < max_positions) find_ends(work, block.thread_rank(), shared);
  block.sync();
  bracket_counts<Count, Key> counts(shared.ends);
  bool is_heavy = false;
  for (int p = 0; p < Count; ++p) is_heavy |= shared.are_heavy[p];
  collector<Key, Block> kept(block, work, shared.columns);
  key_array<Key> const keys{work.values, work.size, key_map<Key>::of(work.asked.kind)};
  Key greatest = 0;
  auto const run = [&](auto heavy) {
    for_each_batch(block, keys, [&]<int Size>(Key const(&key)[Size], bool are_there) {
      WARPFOLD_UNROLL
      for (int i = 0; i < Size; ++i) {
        greatest = are_there && key[i] > greatest ? key[i] : greatest;
        kept.add(key[i], counts.template count<decltype(heavy)::value>(key[i], are_there));
      }
      kept.make_room();
    });
  };
  if (is_heavy) run(std::true_type{});
  else run(std::false_type{});
  kept.flush();
  if (greatest > keys.map.last_number) block.set_bits(&totals.has_nan, 1u);
  auto const add = [&](std::uint64_t* to, unsigned own) {
    std::uint64_t const sum = sum_of_lanes(block, every_lane, own);
    if (block.lane() == 0 && sum != 0) block.fetch_add(to, sum);
  };
  WARPFOLD_UNROLL
  for (int p = 0; p < Count; ++p)
    if (p < work.asked.count) {
      add(totals.below_low + p, 0u - counts.below_low[p]);
      if (is_heavy) {
        add(totals.equal_low + p, counts.equal_low[p]);
        add(totals.inside + p, counts.inside[p]);
        add(totals.equal_high + p, counts.equal_high[p]);
      }
    }
  if (!is_last_block(block, &totals.arrived, shared) || block.thread_rank() >= 32) return;

  int const lane = block.lane();
  bool failed = block.load_relaxed(&totals.kept) > work.capacity;
  if (lane < work.shape.targets) {
    int const p = lane / 2;
    rank_place const at = locate<Key>(totals, p, work.asked.rank[lane], is_heavy);
    auto const [low, width] = shared.ends[p];
    auto& range = control.of_kept.range[lane];
    if (at.where == 0) range = {low, 0};
    else if (at.where == 2) range = {static_cast<Key>(low + width), 0};
    else if (is_heavy) range = {static_cast<Key>(low + 1), static_cast<Key>(width - 2)};
    else range = {low, width};
    control.of_kept.left[lane] = at.left;
    failed |= at.is_failed;
  }
  if (block.any(failed)) totals.failed = 1;
  group_ranges(block, control.of_kept, work.shape.targets);
}

} // namespace warpfold::inline v0::detail
