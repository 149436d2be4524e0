#pragma once
// A sample of the keys says between which two keys each rank lies, almost surely. The ends of these
// brackets divide the keys into classes. One pass over all keys counts the classes' keys and keeps
// those between two ends, among which the ranks are found. If few different keys make up most of
// the data, ends are classes of their own, and not kept. So the data may be any, as long as they do
// not know which of them are sampled.

#include "narrowing.hpp"

namespace warpfold::inline v0::detail {

/// Keys that a warp keeps, in shared memory: a column for each lane.
inline constexpr int kept_batches = 2;
template <class Key>
struct kept_columns {
  static constexpr int depth = kept_batches * batch_keys<Key>;
  Key key[selection_warps][depth * 32];
};
/// Classes of keys: each begins at a start, and the first one before them. What is wanted of the
/// data is how many keys each has; some are kept.
inline constexpr int max_starts = 4 * max_positions, class_room = 2 * max_starts;
template <class Key>
struct keep_shared {
  kept_columns<Key> columns;
  int starts;
  unsigned one;                ///< which compilers must not know
  Key start[class_room];       ///< rising; behind the last one it is repeated
  Key limit[class_room];       ///< the last key to be kept of the class from there on; 0: none
  unsigned counts[class_room]; ///< of keys in classes
  Key wanted[max_starts];      ///< starts in the order of positions, with equal ones
  bool is_wanted[max_starts], is_first[max_starts];
  Key first[max_positions], last[max_positions]; ///< keys to keep; none if they fall
  std::uint64_t below[max_starts];               ///< keys before a start
  bool is_last;

  WARPFOLD_HOST_DEVICE Key end(int s) const { ///< the last key of the class from start s on
    return s + 1 < starts ? static_cast<Key>(start[s + 1] - 1) : static_cast<Key>(-1);
  }
};

template <class Key, thread_block Block>
class collector {
public:
  WARPFOLD_HOST_DEVICE collector(Block const& block, selection_work<Key> const& work,
                                 kept_columns<Key>& columns)
      : block_{block}, work_{work}, column_{columns.key[block.thread_rank() / 32] + block.lane()} {
#ifdef __CUDA_ARCH__
    // Compilers would work the address out anew for each key.
    asm volatile("cvta.to.shared.u64 %0, %1;" : "=l"(address_) : "l"(column_));
#endif
  }

  WARPFOLD_HOST_DEVICE void add(Key key, bool is_kept) {
    if (!is_kept) return;
#ifdef __CUDA_ARCH__
    auto const to = static_cast<unsigned>(address_) + next_ * static_cast<unsigned>(sizeof(Key));
    if constexpr (sizeof(Key) == 4)
      asm volatile("st.shared.u32 [%0], %1;" ::"r"(to), "r"(key) : "memory");
    else asm volatile("st.shared.u64 [%0], %1;" ::"r"(to), "l"(key) : "memory");
#else
    column_[next_] = key;
#endif
    next_ += 32;
  }
  /// Between batches; all threads of a warp call it.
  WARPFOLD_HOST_DEVICE void make_room() {
    if (block_.any(next_ > (kept_columns<Key>::depth - batch_keys<Key>)*32)) flush();
  }
  WARPFOLD_HOST_DEVICE void flush() {
    unsigned const count = next_ / 32;
    unsigned const total = block_.reduce_add(every_lane, count);
    std::uint64_t at = 0;
    if (block_.lane() == 0 && total != 0)
      at = block_.fetch_add(&work_.control->counts.kept, std::uint64_t{total});
    at = block_.shuffle(every_lane, at, 0);
    for (unsigned k = 0;; ++k) {
      unsigned const lanes = block_.ballot(every_lane, k < count);
      if (lanes == 0) break;
      std::uint64_t const to = at + static_cast<unsigned>(number_of(before(lanes, block_.lane())));
      if (k < count && to < work_.capacity) work_.kept[to] = column_[32 * k];
      at += static_cast<unsigned>(number_of(lanes));
    }
    next_ = 0;
  }

private:
  Block const& block_;
  selection_work<Key> const& work_;
  Key* column_;
  std::uint64_t address_ = 0; ///< of the column in shared memory
  unsigned next_ = 0;         ///< of the column: 32 a key
};

/// sum += by if key >= start. `one` is 1, which the compiler must not know.
template <class Key, class Sum>
WARPFOLD_HOST_DEVICE void add_from(Key start, Key key, Sum& sum, Sum by, unsigned one) {
#ifdef __CUDA_ARCH__
  // Products have units of their own, and comparisons keep the others busy.
  if constexpr (sizeof(Sum) == 4) {
    if constexpr (sizeof(Key) == 4)
      asm("{\n\t.reg .pred p;\n\tsetp.ge.u32 p, %1, %2;\n\t@p mad.lo.u32 %0, %3, %4, %0;\n\t}"
          : "+r"(sum)
          : "r"(key), "r"(start), "r"(by), "r"(one));
    else
      asm("{\n\t.reg .pred p;\n\tsetp.ge.u64 p, %1, %2;\n\t@p mad.lo.u32 %0, %3, %4, %0;\n\t}"
          : "+r"(sum)
          : "l"(key), "l"(start), "r"(by), "r"(one));
    return;
  }
#endif
  if (key >= start) sum += by * one;
}

/// Counts of a thread, of up to `Count` starts.
template <int Count, class Key>
class few_classes {
public:
  WARPFOLD_HOST_DEVICE explicit few_classes(keep_shared<Key> const& shared) : one_{shared.one} {
    WARPFOLD_UNROLL
    for (int s = 0; s < Count; ++s) {
      start_[s] = shared.start[s];
      further_[s] = static_cast<Key>(shared.limit[s] - (s > 0 ? shared.limit[s - 1] : 0));
    }
  }
  template <int Size>
  WARPFOLD_HOST_DEVICE void count(Key const (&key)[Size], bool (&is_kept)[Size]) {
    WARPFOLD_UNROLL
    for (int i = 0; i < Size; ++i) {
      Key limit = further_[0];
      WARPFOLD_UNROLL
      for (int s = 0; s < Count; ++s) {
        add_from(start_[s], key[i], reached_[s], one_, one_);
        if (s > 0) add_from(start_[s], key[i], limit, further_[s], one_);
      }
      is_kept[i] = key[i] >= start_[0] && key[i] <= limit;
    }
  }
  /// Counts of classes; all threads of the block call it.
  template <thread_block Block>
  WARPFOLD_HOST_DEVICE void add_to(Block const& block, std::uint64_t* totals, int starts) const {
    WARPFOLD_UNROLL
    for (int s = 0; s < Count; ++s) {
      std::uint64_t const own = reached_[s] - (s + 1 < Count ? reached_[s + 1] : 0);
      std::uint64_t const sum = sum_of_lanes(block, every_lane, own);
      if (block.lane() == 0 && sum != 0)
        block.fetch_add(totals + (s + 1 < starts ? s + 1 : starts), sum);
    }
  }

private:
  Key start_[Count], further_[Count]; ///< than the limit before
  unsigned one_;
  unsigned reached_[Count] = {}; ///< keys from a start on
};

/// Counts of a block, of any number of starts, which are searched.
template <class Key, thread_block Block>
class many_classes {
public:
  WARPFOLD_HOST_DEVICE many_classes(Block const& block, keep_shared<Key>& shared)
      : block_{block}, shared_{shared} {
    while (step_ * 2 <= shared.starts) step_ *= 2;
  }
  template <int Size>
  WARPFOLD_HOST_DEVICE void count(Key const (&key)[Size], bool (&is_kept)[Size]) {
    int reached[Size] = {}; // starts
    for (int step = step_; step > 0; step /= 2) {
      WARPFOLD_UNROLL
      for (int i = 0; i < Size; ++i)
        reached[i] += shared_.start[reached[i] + step - 1] <= key[i] ? step : 0;
    }
    WARPFOLD_UNROLL
    for (int i = 0; i < Size; ++i) {
      is_kept[i] = reached[i] > 0 && key[i] <= shared_.limit[reached[i] - 1];
      block_.fetch_add(shared_.counts + reached[i], 1u);
    }
  }
  WARPFOLD_HOST_DEVICE void add_to(Block const& block, std::uint64_t* totals, int starts) const {
    block.sync();
    int const c = block.thread_rank();
    if (c > 0 && c < class_room && shared_.counts[c] != 0)
      block.fetch_add(totals + (c < starts ? c : starts), std::uint64_t{shared_.counts[c]});
  }

private:
  Block const& block_;
  keep_shared<Key>& shared_;
  int step_ = 1;
};

/// Finds the classes from the ends of the sample's brackets; all threads of the block call it. If
/// too much of the data equals an end, both ends are classes of one key, which are never kept.
template <class Key, thread_block Block>
WARPFOLD_HOST_DEVICE void find_classes(Block const& block, selection_work<Key> const& work,
                                       keep_shared<Key>& shared) {
  int const i = block.thread_rank(), p = i / 4, candidates = 4 * work.asked.count;
  Key own = 0;
  if (i < candidates) {
    auto const& sample = work.control->of_sample;
    auto const& ends = work.ends[p];
    Key low = 0, high = static_cast<Key>(-1);
    bool is_heavy = false;
    if (ends.low != no_rank) {
      low = sample.range[2 * p].low;
      is_heavy = sample.inside[2 * p] > ends.between / 2;
    }
    if (ends.high != no_rank) {
      high = sample.range[2 * p + 1].low;
      is_heavy |= sample.inside[2 * p + 1] > ends.between / 2;
    }
    is_heavy |= low == high;
    own = static_cast<Key>((i % 4 < 2 ? low : high) + static_cast<Key>(i % 2));
    shared.wanted[i] = own;
    shared.is_wanted[i] = is_heavy ? own != 0 : i % 4 == 0; // nothing is before 0 or behind the end
    if (i % 4 == 0) {
      bool const is_kept = !is_heavy || high - low > 1;
      shared.first[p] = is_kept ? static_cast<Key>(low + (is_heavy ? 1 : 0)) : Key{1};
      shared.last[p] = is_kept ? static_cast<Key>(high - (is_heavy ? 1 : 0)) : Key{0};
    }
  }
  if (i < class_room) shared.counts[i] = 0;
  block.sync();
  if (i < candidates) {
    bool is_first = shared.is_wanted[i];
    for (int j = 0; j < i; ++j) is_first &= !shared.is_wanted[j] || shared.wanted[j] != own;
    shared.is_first[i] = is_first;
  }
  block.sync();
  if (i < class_room) {
    int at = 0, starts = 0;
    Key greatest = 0;
    for (int j = 0; j < candidates; ++j)
      if (shared.is_first[j]) {
        at += shared.wanted[j] < own ? 1 : 0;
        ++starts;
        if (shared.wanted[j] > greatest) greatest = shared.wanted[j];
      }
    if (i >= starts) shared.start[i] = greatest;
    if (i < candidates && shared.is_first[i]) shared.start[at] = own;
    if (i == 0) {
      shared.starts = starts;
      shared.one = 1;
    }
  }
  block.sync();
  if (i < class_room) {
    Key const start = shared.start[i];
    Key limit = 0;
    for (int q = 0; q < work.asked.count; ++q)
      if (shared.first[q] <= start && start <= shared.last[q] && shared.last[q] > limit)
        limit = shared.last[q];
    shared.limit[i] = i < shared.starts && shared.end(i) == start ? Key{0} : limit;
  }
  block.sync();
}

/// Keys among which a rank is, as counts of all keys say.
template <class Key>
struct rank_place {
  bool is_failed;
  key_range<Key> range;
  std::uint64_t left; ///< rank in the range
};
template <class Key>
WARPFOLD_HOST_DEVICE rank_place<Key> locate(keep_shared<Key> const& shared, std::uint64_t rank) {
  int s = -1; // the start of its class
  while (s + 1 < shared.starts && shared.below[s + 1] <= rank) ++s;
  if (s < 0) return {shared.start[0] > 1, {0, 0}, 0};
  Key const start = shared.start[s], end = shared.end(s), limit = shared.limit[s];
  if (start == end) return {false, {start, 0}, 0};
  // Not one key, of which there might be too few.
  Key const width = limit < end ? limit - start : end - start;
  return {limit < start, {start, width > 0 ? width : Key{1}}, rank - shared.below[s]};
}

/// Keeps the keys in which the ranks will be found; for any grid.
template <class Key, thread_block Block>
WARPFOLD_HOST_DEVICE void keep(Block const& block, selection_work<Key> const& work,
                               keep_shared<Key>& shared) {
  auto& control = *work.control;
  auto& totals = control.counts;
  int const rank = block.thread_rank();
  find_classes(block, work, shared);
  collector<Key, Block> kept(block, work, shared.columns);
  key_array<Key> const keys{work.values, work.size, key_map<Key>::of(work.asked.kind)};
  Key greatest = 0;
  int const starts = shared.starts;
  auto const run = [&](auto classes) {
    for_each_batch(block, keys, [&]<int Size>(Key const(&key)[Size], bool are_there) {
      if (are_there) {
        bool is_kept[Size];
        classes.count(key, is_kept);
        WARPFOLD_UNROLL
        for (int i = 0; i < Size; ++i) {
          greatest = key[i] > greatest ? key[i] : greatest;
          kept.add(key[i], is_kept[i]);
        }
      }
      kept.make_room();
    });
    classes.add_to(block, totals.classes, starts);
  };
  if (starts <= 2) run(few_classes<2, Key>(shared));
  else if (starts <= 5) run(few_classes<5, Key>(shared));
  else run(many_classes<Key, Block>(block, shared));
  kept.flush();
  if (greatest > keys.map.last_number) block.set_bits(&totals.has_nan, 1u);
  if (!is_last_block(block, &totals.arrived, shared)) return;

  if (rank < starts) {
    std::uint64_t below = work.size;
    for (int c = starts; c > rank; --c) below -= totals.classes[c];
    shared.below[rank] = below;
  }
  block.sync();
  if (rank >= 32) return;
  bool failed = block.load_relaxed(&totals.kept) > work.capacity;
  if (rank < work.shape.targets) {
    rank_place<Key> const at = locate(shared, work.asked.rank[rank]);
    control.of_kept.range[rank] = at.range;
    control.of_kept.left[rank] = at.left;
    failed |= at.is_failed;
  }
  if (block.any(failed)) totals.failed = 1;
  group_ranges(block, control.of_kept, work.shape.targets);
}

} // namespace warpfold::inline v0::detail
