#pragma once
// Where runs of equal neighbouring keys begin: a bit for each key, and for every 1024 keys how many
// runs begin before them.

#include <warpfold/detail/core/block.hpp>
#include <warpfold/detail/core/lanes.hpp>

#include <cstddef>
#include <cstdint>
#include <type_traits>

namespace warpfold::inline v0::detail {

inline constexpr int run_marks_words = 32; ///< of 32 bits each: a part, which a warp reads at once
inline constexpr int run_marks_keys = 32 * run_marks_words;

/// Views of the memory of marks. `Word` is std::uint64_t, or const if they are only read.
template <class Word>
struct run_marks {
  using bits_word = std::conditional_t<std::is_const_v<Word>, std::uint32_t const, std::uint32_t>;
  Word* ranks;       ///< [p]: runs that begin before part p; behind the last one the number of all
  bits_word* bits;   ///< bit i % 32 of word i / 32: a run begins at key i
  std::int64_t size; ///< keys

  run_marks(Word* memory, std::size_t keys)
      : ranks{memory}, bits{reinterpret_cast<bits_word*>(memory + parts_of(keys) + 1)},
        size{static_cast<std::int64_t>(keys)} {}

  static constexpr std::size_t parts_of(std::size_t keys) {
    return (keys + run_marks_keys - 1) / run_marks_keys;
  }
  /// Words of memory.
  static constexpr std::size_t memory(std::size_t keys) {
    return parts_of(keys) + 1 + (keys + 63) / 64;
  }
  WARPFOLD_HOST_DEVICE std::int64_t parts() const {
    return (size + run_marks_keys - 1) / run_marks_keys;
  }
  WARPFOLD_HOST_DEVICE std::int64_t words() const { return (size + 31) / 32; }
  /// And a last one without bits, where it takes two to be one of memory.
  WARPFOLD_HOST_DEVICE std::int64_t written_words() const { return (size + 63) / 64 * 2; }
  /// The number of runs.
  WARPFOLD_HOST_DEVICE Word* count() const { return ranks + parts(); }
  WARPFOLD_HOST_DEVICE std::uint32_t word(std::int64_t i) const {
    return i < words() ? bits[i] : 0;
  }
};

/// The first key of run `run`, or `size` if there are only so many: runs up to part `part` come
/// before it. All threads of a warp call it.
template <thread_block Block, class Word>
WARPFOLD_HOST_DEVICE std::int64_t begin_of_run(Block const& block, run_marks<Word> const& marks,
                                               std::uint64_t run, std::int64_t part) {
  int const lane = block.lane();
  // The part is in [low, high).
  std::int64_t low = part, high = marks.parts();
  if (low >= high || run >= *marks.count()) return marks.size;
  // Most often it is one of the next 32.
  bool const is_beyond = low + 1 + lane < high && marks.ranks[low + 1 + lane] > run;
  unsigned const beyond = block.ballot(every_lane, is_beyond);
  if (beyond != 0) {
    low += first_of(beyond);
    high = low + 1;
  }
  while (high - low > 1) {
    std::int64_t const step = (high - low + 31) / 32, probe = low + (lane + 1) * step;
    bool const is_before = probe < high && marks.ranks[probe] <= run;
    int const steps = number_of(block.ballot(every_lane, is_before));
    std::int64_t const end = low + (steps + 1) * step;
    low += steps * step;
    if (end < high) high = end;
  }
  std::uint32_t const word = marks.word(low * run_marks_words + lane);
  int const first = first_of(block.ballot(every_lane, word != 0));
  std::uint32_t const bits = block.shuffle(word, first);
  return low * run_marks_keys + 32 * first + first_of(bits);
}

/// Runs that begin at 32 keys, up to which a lane looks at each alone.
inline constexpr int few_runs = 8;

/// The runs that begin in some of the keys.
struct runs_of_part {
  std::uint64_t first; ///< number of the first one
  std::int64_t begin;  ///< its first key
  std::int64_t end;    ///< behind the last one
  int count;
  bool may_be_long; ///< false if none has more than four keys
};

/// A warp's place in marks, from which it reads the runs that begin in `Keys` keys after the other.
template <int Keys, class Word>
class runs_reader {
  static_assert(run_marks_keys % Keys == 0 && Keys % 32 == 0);
  static constexpr int words = Keys / 32, parts = run_marks_words / words;

public:
  /// Begins with keys [part * Keys, (part + 1) * Keys). All threads of a warp call this and next().
  template <thread_block Block>
  WARPFOLD_HOST_DEVICE runs_reader(Block const& block, run_marks<Word> const& marks,
                                   std::int64_t part)
      : marks_{marks}, home_{part / parts}, first_word_{static_cast<int>(part % parts) * words},
        rank_{home_ < marks.parts() ? marks.ranks[home_] : 0} {
    word_ = read(block, 0);
    behind_ = read(block, 1);
    enter(block);
  }

  /// The next runs, without those from number `capacity` on. begin[i] becomes the first key of run
  /// i of them, counted from the first run's; there is room for Keys + 1. They are there behind the
  /// warp's next barrier.
  template <thread_block Block>
  WARPFOLD_HOST_DEVICE runs_of_part next(Block const& block, std::uint64_t capacity,
                                         std::uint16_t* begin) {
    runs_of_part const runs = here(block, capacity, begin);
    first_word_ += words;
    if (first_word_ < run_marks_words) return runs;
    first_word_ = 0;
    ++home_;
    rank_ += static_cast<unsigned>(block.shuffle(prefix_, 31));
    word_ = behind_;
    behind_ = read(block, 1);
    enter(block);
    return runs;
  }

private:
  template <thread_block Block>
  WARPFOLD_HOST_DEVICE std::uint32_t read(Block const& block, int ahead) const {
    return marks_.word((home_ + ahead) * run_marks_words + block.lane());
  }
  template <thread_block Block>
  WARPFOLD_HOST_DEVICE void enter(Block const& block) {
    prefix_ = number_of(word_);
    WARPFOLD_UNROLL
    for (int distance = 1; distance < 32; distance *= 2) {
      int const other = block.shuffle_up(prefix_, distance);
      if (block.lane() >= distance) prefix_ += other;
    }
  }

  template <thread_block Block>
  WARPFOLD_HOST_DEVICE runs_of_part here(Block const& block, std::uint64_t capacity,
                                         std::uint16_t* begin) const {
    int const lane = block.lane(), end_word = first_word_ + words;
    std::int64_t const start = home_ * run_marks_keys;
    std::uint32_t const own = lane >= first_word_ && lane < end_word ? word_ : 0;
    unsigned const filled = block.ballot(every_lane, own != 0);
    if (filled == 0) return {};
    int const earlier = first_word_ > 0 ? block.shuffle(prefix_, (first_word_ + 31) % 32) : 0;
    runs_of_part runs{};
    runs.first = rank_ + static_cast<unsigned>(earlier);
    if (runs.first >= capacity) return {};
    runs.count = block.shuffle(prefix_, end_word - 1) - earlier;
    int const first = first_of(filled);
    int const origin = 32 * first + first_of(block.shuffle(own, first));
    runs.begin = start + origin;

    // A lane writes what its word says, or all lanes do word after word, where many runs begin.
    int const base = prefix_ - number_of(word_) - earlier; // before the lane's word
    if (!block.any(number_of(own) > few_runs)) {
      std::uint32_t left = own;
      for (int i = base; left != 0; ++i, left &= left - 1)
        begin[i] = static_cast<std::uint16_t>(32 * lane + first_of(left) - origin);
    } else {
      WARPFOLD_UNROLL_BY(8)
      for (int w = 0; w < words; ++w) {
        std::uint32_t const bits = block.shuffle(own, first_word_ + w);
        int const at = block.shuffle(base, first_word_ + w) + number_of(before(bits, lane));
        if ((bits >> lane & 1) != 0)
          begin[at] = static_cast<std::uint16_t>(32 * (first_word_ + w) + lane - origin);
      }
    }

    // Runs that begin in the lane's word, and have no other one begin within four keys.
    std::uint32_t const other = block.shuffle(word_, (lane + 1) % 32);
    std::uint32_t const first_behind = block.shuffle(behind_, 0);
    std::uint64_t const pair = std::uint64_t{lane == 31 ? first_behind : other} << 32 | word_;
    auto const near = static_cast<std::uint32_t>(pair >> 1 | pair >> 2 | pair >> 3 | pair >> 4);
    runs.may_be_long = block.any((own & ~near) != 0);

    std::uint64_t const room = capacity - runs.first;
    if (static_cast<unsigned>(runs.count) > room) {
      block.sync_warp();
      runs.count = static_cast<int>(room);
      runs.end = runs.begin + begin[runs.count];
      block.sync_warp(); // the caller may write there
      return runs;
    }
    auto const first_bit = [&](std::int64_t from, std::uint32_t word, unsigned lanes) {
      int const w = first_of(lanes);
      return from + 32 * w + first_of(block.shuffle(word, w));
    };
    unsigned const later = block.ballot(every_lane, lane >= end_word && word_ != 0);
    unsigned const next = block.ballot(every_lane, behind_ != 0);
    if (later != 0) runs.end = first_bit(start, word_, later);
    else if (next != 0) runs.end = first_bit(start + run_marks_keys, behind_, next);
    else
      runs.end =
          begin_of_run(block, marks_, runs.first + static_cast<unsigned>(runs.count), home_ + 1);
    return runs;
  }

  run_marks<Word> marks_;
  std::int64_t home_;
  int first_word_;       ///< of the next keys in their part of the marks
  std::uint64_t rank_;   ///< runs before the part
  std::uint32_t word_;   ///< the lane's, of the part
  std::uint32_t behind_; ///< and of the one behind it
  int prefix_;           ///< runs that begin in the lane's word and those before, in the part
};

} // namespace warpfold::inline v0::detail
