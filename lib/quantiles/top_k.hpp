#pragma once
// The first elements of an order, over a grid. The selection has found the last of them. A split by
// class gathers those before it and, behind them, its equals, both in the order of positions.
// Splits by digits of the keys, the least one first, then sort (LSD radix sort). A split counts the
// classes of each part, which a warp reads, and writes what has its place among the first.

#include "narrowing.hpp"

namespace warpfold::inline v0::detail {

/// What the kernels of a top_k are told. Pairs go to and fro between two arrays.
template <class Key>
struct top_work {
  selection_work<Key> selected;
  bool is_rising;
  std::uint64_t count;
  Key* keys[2]; ///< the caller's results, and scratch memory
  std::uint64_t* positions[2];
  std::uint64_t* counts; ///< of each class and part; then elements before those
};

struct split_shared {
  union {
    unsigned counts[selection_warps][digit_classes];
    std::uint64_t next[selection_warps][digit_classes]; ///< places
  };
  std::uint64_t sums[selection_warps];
  bool is_last;
};

/// The split by class (0), or by digit `number` - 1.
template <class Key, thread_block Block>
class splitter {
public:
  WARPFOLD_HOST_DEVICE splitter(Block const& block, top_work<Key> const& work, int number,
                                split_shared& shared)
      : block_{block}, work_{work}, shared_{shared}, number_{number}, lane_{block.lane()},
        warp_{block.thread_rank() / 32}, classes_{number == 0 ? top_classes : digit_classes},
        size_{number == 0 ? work.selected.size : work.count},
        first_{static_cast<unsigned>(block.block_rank() * selection_warps + warp_)},
        step_{static_cast<unsigned>(block.grid_size() * selection_warps)}, shape_{size_, classes_},
        map_{key_map<Key>::of(work.selected.asked.kind)}, end_{map_.place(
                                                              work.selected.found().range[0].low,
                                                              work.is_rising)} {}

  /// Any grid.
  WARPFOLD_HOST_DEVICE void count() const {
    unsigned* const counts = shared_.counts[warp_];
    for (auto part = first_; part < shape_.parts; part += step_) {
      for (auto c = static_cast<unsigned>(lane_); c < classes_; c += 32) counts[c] = 0;
      block_.sync_warp();
      for_each_batch(part, [&](batch const& own) {
        for (unsigned const one : own.classes)
          if (one < classes_) block_.fetch_add(counts + one, 1u);
      });
      block_.sync_warp();
      for (auto c = static_cast<unsigned>(lane_); c < classes_; c += 32)
        *count_of(c, part) = counts[c];
    }
    if (is_last_block(block_, &work_.selected.control->counts.arrived, shared_)) add_up_counts();
  }

  /// Any grid. The last split writes results.
  WARPFOLD_HOST_DEVICE void place() const {
    int const to = number_ % 2;
    bool const is_last = number_ == static_cast<int>(sizeof(Key));
    std::uint64_t* const next = shared_.next[warp_];
    for (auto part = first_; part < shape_.parts; part += step_) {
      if (number_ == 0 && !has_place(0, part) && !has_place(1, part)) continue;
      for (auto c = static_cast<unsigned>(lane_); c < classes_; c += 32)
        next[c] = *count_of(c, part);
      block_.sync_warp();
      for_each_batch(part, [&](batch const& own) {
        std::uint64_t position[items];
        WARPFOLD_UNROLL
        for (int i = 0; i < items; ++i)
          position[i] =
              number_ == 0 || own.at(i) >= size_ ? own.at(i) : work_.positions[1 - to][own.at(i)];
        WARPFOLD_UNROLL
        for (int i = 0; i < items; ++i) {
          unsigned const one = own.classes[i];
          unsigned const equal = block_.match(every_lane, static_cast<int>(one));
          int const leader = first_of(equal);
          std::uint64_t at = 0;
          if (one < classes_ && lane_ == leader) {
            at = next[one];
            next[one] = at + static_cast<unsigned>(number_of(equal));
          }
          at = block_.shuffle(at, leader) + static_cast<unsigned>(number_of(before(equal, lane_)));
          block_.sync_warp();
          if (one >= classes_ || at >= work_.count) continue;
          work_.positions[to][at] = position[i];
          work_.keys[to][at] = is_last ? work_.selected.values[position[i]] : own.key[i];
        }
      });
    }
  }

private:
  static constexpr int items = 32 / static_cast<int>(sizeof(Key));

  /// A lane's elements of `items` rows of a warp.
  struct batch {
    Key key[items];
    unsigned classes[items]; ///< not below classes_ for those behind the last one
    std::uint64_t first;

    WARPFOLD_HOST_DEVICE batch(splitter const& all, std::uint64_t begin)
        : first{begin + static_cast<unsigned>(all.lane_)} {
      auto const* const from =
          all.number_ == 0 ? all.work_.selected.values : all.work_.keys[1 - all.number_ % 2];
      WARPFOLD_UNROLL
      for (int i = 0; i < items; ++i) key[i] = at(i) < all.size_ ? read_once(from + at(i)) : Key{0};
      WARPFOLD_UNROLL
      for (int i = 0; i < items; ++i) {
        if (all.number_ == 0) key[i] = all.map_.place(all.map_.key(key[i]), all.work_.is_rising);
        classes[i] = at(i) < all.size_ ? all.class_of(key[i]) : ~0u;
      }
    }
    WARPFOLD_HOST_DEVICE std::uint64_t at(int i) const {
      return first + static_cast<unsigned>(32 * i);
    }
  };
  template <class Act>
  WARPFOLD_HOST_DEVICE void for_each_batch(std::uint64_t part, Act act) const {
    std::uint64_t const begin = part * shape_.length, end = begin + shape_.length;
    for (auto first = begin; first < end && first < size_; first += 32 * items)
      act(batch(*this, first));
  }

  /// Counts become sums of those before, of lower classes first.
  WARPFOLD_HOST_DEVICE void add_up_counts() const {
    std::uint64_t const all = classes_ * shape_.parts, each = all / selection_threads + 1;
    auto const rank = static_cast<unsigned>(block_.thread_rank());
    std::uint64_t const begin = rank * each, end = begin + each < all ? begin + each : all;
    std::uint64_t own = 0;
    WARPFOLD_UNROLL_BY(8)
    for (auto i = begin; i < end; ++i) own += work_.counts[i];
    std::uint64_t before = sums_of_lanes(block_, own);
    if (lane_ == 31) shared_.sums[warp_] = before;
    before -= own;
    block_.sync();
    for (int warp = 0; warp < warp_; ++warp) before += shared_.sums[warp];
    WARPFOLD_UNROLL_BY(8)
    for (auto i = begin; i < end; ++i) {
      std::uint64_t const here = work_.counts[i];
      work_.counts[i] = before;
      before += here;
    }
    if (rank == selection_threads - 1) work_.counts[all] = before;
  }

  WARPFOLD_HOST_DEVICE unsigned class_of(Key key) const {
    if (number_ == 0) return key < end_ ? 0 : key == end_ ? 1 : 2;
    return static_cast<unsigned>(key >> (8 * number_ - 8)) % digit_classes;
  }
  WARPFOLD_HOST_DEVICE std::uint64_t* count_of(unsigned of, std::uint64_t part) const {
    return work_.counts + of * shape_.parts + part;
  }
  WARPFOLD_HOST_DEVICE bool has_place(unsigned of, std::uint64_t part) const {
    auto const* const before = count_of(of, part);
    return before[0] < before[1] && before[0] < work_.count;
  }

  Block const& block_;
  top_work<Key> const& work_;
  split_shared& shared_;
  int number_, lane_, warp_;
  unsigned classes_;
  std::uint64_t size_, first_, step_; ///< of elements; parts of this warp
  split_shape shape_;
  key_map<Key> map_;
  Key end_; ///< the last element's
};

/// Steps from `first` to before `end`: even ones count, odd ones place. Several are for one block.
template <class Key, thread_block Block>
WARPFOLD_HOST_DEVICE void split(Block const& block, top_work<Key> const& work, int first, int end,
                                split_shared& shared) {
  for (int step = first; step < end; ++step) {
    splitter<Key, Block> const now(block, work, step / 2, shared);
    if (step % 2 == 0) now.count();
    else now.place();
    block.sync();
  }
}

} // namespace warpfold::inline v0::detail
