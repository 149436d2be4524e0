#pragma once
// The body of the kernel that folds marked runs. A warp owns the runs that begin in its part of the
// keys. It fetches their values whole, and gives each as many threads as its length asks for.

#include <warpfold/detail/segments/mark_body.hpp>
#include <warpfold/detail/segments/run_marks.hpp>
#include <warpfold/detail/segments/segments_offsets_body.hpp>

#include <cstdint>

namespace warpfold::inline v0::detail {

/// A part of the values in shared memory: those of its keys, and almost a quarter behind it, for
/// its last run. With what 28 warps need for floats, a multiprocessor's shared memory is full.
template <class T>
struct marked_stage {
  static constexpr int lanes = lanes_per_thread<T>;
  static constexpr int keys = part_keys<T>, room = keys + keys / 4 - 2 * lanes;
  static constexpr int farthest = (lanes > 1 ? keys : 2 * keys) + 17;
  alignas(16) alignas(T) unsigned char elements[(room + lanes) * sizeof(T)];
  std::uint16_t begin[farthest + 1]; ///< of the runs, from the first one's on; then the end
};

/// What a warp needs.
template <class T, class A>
struct marked_shared {
  marked_stage<T> stage;
  warp_totals<A, max_warps> totals;
  int listed[listed_kinds];

  /// Entry `at` of the list of a kind. All lists lie in what is left of `begin`, from its end on.
  /// Numbers of kind 0 are odd, of kind 1 odd numbers times 2, and so on. The last of n runs of
  /// kind k has a number below n << (k + 1). All but one of them have more than lanes << k keys
  /// each in the part, so that fewer runs begin there: numbers and runs do not meet.
  WARPFOLD_HOST_DEVICE std::uint16_t& entry(int kind, int at) {
    int const number = kind < listed_kinds - 1 ? (2 * at + 1) << kind : at << kind;
    return stage.begin[marked_stage<T>::farthest - number];
  }
};

/// The runs that begin in `parts` parts from part `first` on, without those from number `capacity`
/// on; by one warp.
template <class Tuning, class A, class T, thread_block Block, class Transform, class Op>
WARPFOLD_HOST_DEVICE void fold_marked(Block const& block, segments_input<T> const& input,
                                      run_marks<std::uint64_t const> const& marks,
                                      std::int64_t first, int parts, std::uint64_t capacity,
                                      Transform transform, A init, Op op, A* results,
                                      long_segments<A> found, marked_shared<T, A>& own) {
  int const lane = block.lane();
  runs_reader<part_keys<T>, std::uint64_t const> reader(block, marks, first);
  marked_stage<T>& stage = own.stage;
  WARPFOLD_UNROLL_BY(1)
  for (int part = 0; part < parts; ++part) {
    if (lane < listed_kinds) own.listed[lane] = 0;
    runs_of_part const runs = reader.next(block, capacity, stage.begin);
    if (runs.count == 0) continue;
    // A last run that is too long is left.
    bool const fits = runs.end - runs.begin <= stage.room;
    int const staged = fits ? runs.count : runs.count - 1;
    int const before = input.before(runs.begin); // elements before those of the runs
    if (fits && lane == 0) stage.begin[staged] = static_cast<std::uint16_t>(runs.end - runs.begin);
    block.sync_warp();
    if (staged > 0)
      fetch(block, input, runs.begin - before, before + stage.begin[staged], stage.elements);
    if (staged < runs.count) {
      std::int64_t const begin = runs.begin + stage.begin[staged];
      fold_one<Tuning, Tuning::registers_of_marked>(
          block, input, static_cast<std::int64_t>(runs.first) + staged, begin, runs.end - begin,
          transform, init, op, results, found, own.totals.from(0));
    }
    block.wait_for_copies();
    block.sync_warp();
    A* const own_results = results + runs.first;
    auto const* const elements = reinterpret_cast<T const*>(stage.elements) + before;
    constexpr int pack = lanes_per_thread<T>;
    if (pack >= 4 && !runs.may_be_long) {
      WARPFOLD_UNROLL_BY(4)
      for (int i = lane; i < staged; i += warp_size) {
        int const begin = stage.begin[i];
        own_results[i] =
            fold_pack<A>(elements + begin, stage.begin[i + 1] - begin, transform, init, op);
      }
    } else {
      WARPFOLD_UNROLL_BY(1)
      for (int i = lane; i < staged; i += warp_size) {
        int const begin = stage.begin[i], length = stage.begin[i + 1] - begin;
        if (length <= pack) {
          own_results[i] = fold_pack<A>(elements + begin, length, transform, init, op);
        } else {
          int const kind = kind_of_segment<T>(length);
          own.entry(kind, block.fetch_add(&own.listed[kind], 1)) = static_cast<std::uint16_t>(i);
        }
      }
      block.sync_warp();
      fold_listed<Tuning>(block, elements, stage.begin, transform, init, op, own_results, own);
    }
    block.sync_warp();
  }
}

/// What the runs of part `part` of the marks are: where they begin and their lengths, into what is
/// not null. Behind the last run's begin comes its end.
template <thread_block Block>
WARPFOLD_HOST_DEVICE void write_runs(Block const& block,
                                     run_marks<std::uint64_t const> const& marks, std::int64_t part,
                                     std::uint64_t capacity, std::int64_t* begins,
                                     std::uint64_t* lengths, std::uint16_t* begin) {
  runs_reader<run_marks_keys, std::uint64_t const> reader(block, marks, part);
  runs_of_part const runs = reader.next(block, capacity, begin);
  block.sync_warp();
  for (int i = block.lane(); i < runs.count; i += warp_size) {
    std::uint64_t const run = runs.first + static_cast<unsigned>(i);
    std::int64_t const at = runs.begin + begin[i];
    std::int64_t const end = i + 1 < runs.count ? runs.begin + begin[i + 1] : runs.end;
    if (lengths) lengths[run] = static_cast<std::uint64_t>(end - at);
    if (begins) begins[run] = at;
    bool const is_last = end == marks.size || run + 1 == capacity;
    if (begins && is_last) begins[run + 1] = end;
  }
}

/// Sets the bit of each segment's first element, and of the first of all; bits were 0. A thread has
/// an offset, or the end of the last segment.
template <thread_block Block>
WARPFOLD_HOST_DEVICE void mark_begins(Block const& block, segment_list const& segments,
                                      std::uint64_t size, std::uint32_t* begins) {
  std::int64_t const i = std::int64_t{block.block_rank()} * block.size() + block.thread_rank();
  if (i > segments.count()) return;
  auto const begin = static_cast<std::uint64_t>(segments.begin(i));
  if (begin < size) block.set_bits(begins + begin / 32, 1u << begin % 32);
  if (i == 0) block.set_bits(begins, 1u);
}

/// Keys that a warp compares at once: 32 in each of so many rows.
inline constexpr int begins_rows = 16;
inline constexpr int begins_keys = 32 * begins_rows;

/// The same of runs of equal keys. The block's warps have begins_keys each.
template <thread_block Block, class K>
WARPFOLD_HOST_DEVICE void mark_begins(Block const& block, K const* keys, std::uint64_t size,
                                      std::uint32_t* begins) {
  block.wait_for_previous_grid();
  int const lane = block.lane();
  std::uint64_t const warp =
      std::uint64_t(block.block_rank()) * segment_warps + block.thread_rank() / warp_size;
  std::uint64_t const first = warp * begins_keys;
  int const count = first < size ? static_cast<int>(smaller(size - first, begins_keys)) : 0;
  keys += first;
  K key[begins_rows];
  WARPFOLD_UNROLL
  for (int r = 0; r < begins_rows; ++r)
    key[r] = 32 * r + lane < count ? read_once(keys + (32 * r + lane)) : K{};
  K before = first > 0 && count > 0 ? keys[-1] : K{}; // the row, in lane 0
  std::uint32_t word = 0;                             // of row `lane`
  WARPFOLD_UNROLL
  for (int r = 0; r < begins_rows; ++r) {
    // Not selected by lane before the ballots: compilers would part the warp.
    K const left = block.shuffle(key[r], (lane + 31) % 32);
    unsigned const others = block.ballot(every_lane, !(left == key[r])),
                   in_first = block.ballot(every_lane, !(before == key[r]));
    if (lane == r) word = (others & ~1u) | (in_first & 1u);
    before = left;
  }
  if (first == 0 && lane == 0) word |= 1u;
  if (count < 32 * lane + 32) word &= (1u << (count & 31)) - 1; // unless it is not written
  std::uint64_t const at = first / 32 + static_cast<unsigned>(lane);
  if (32 * lane < count) begins[at] = word;
}

} // namespace warpfold::inline v0::detail
