#pragma once
// Marks of runs on a host.

#include <warpfold/detail/core/parallel.hpp>
#include <warpfold/detail/segments/by_key.hpp>

#include <algorithm>
#include <bit>
#include <cstdint>

namespace warpfold::inline v0::detail {

/// Parts of marks that a thread takes at a time.
inline constexpr std::int64_t host_marks_parts = 64;

/// Calls body(part) for each part of marks.
template <class Word, class Body>
void for_each_marks_part(int threads, run_marks<Word> const& marks, Body body) {
  std::int64_t const parts = marks.parts();
  parallel_for(threads, (parts + host_marks_parts - 1) / host_marks_parts, [&](std::int64_t share) {
    for (std::int64_t p = share * host_marks_parts;
         p < std::min(parts, (share + 1) * host_marks_parts); ++p)
      body(p);
  });
}
/// Calls body(run, key) for each run that begins in a part, at its first key.
template <class Word, class Body>
void for_each_run(run_marks<Word> const& marks, std::int64_t part, Body body) {
  std::uint64_t run = marks.ranks[part];
  for (std::int64_t w = part * run_marks_words; w < (part + 1) * run_marks_words; ++w)
    for (std::uint32_t bits = marks.word(w); bits != 0; bits &= bits - 1)
      body(run++, 32 * w + std::countr_zero(bits));
}

template <class K>
void mark_runs_array(host const& place, K const* keys, std::size_t size, K* unique,
                     std::size_t capacity, marks_output output) {
  run_marks<std::uint64_t> const marks(output.marks, size);
  for_each_marks_part(place.threads(), marks, [&](std::int64_t part) {
    std::uint64_t heads = 0;
    std::int64_t const end = std::min((part + 1) * run_marks_words, marks.words());
    for (std::int64_t w = part * run_marks_words; w < end; ++w) {
      std::int64_t const first = 32 * w, behind = std::min(first + 32, marks.size);
      std::uint32_t bits = first == 0 || !(keys[first - 1] == keys[first]) ? 1 : 0;
      for (std::int64_t i = first + 1; i < behind; ++i)
        bits |= std::uint32_t{!(keys[i - 1] == keys[i])} << (i - first);
      marks.bits[w] = bits;
      heads += static_cast<unsigned>(std::popcount(bits));
    }
    marks.ranks[part] = heads;
  });
  if (marks.written_words() > marks.words()) marks.bits[marks.words()] = 0;
  std::uint64_t before = 0;
  for (std::int64_t p = 0; p < marks.parts(); ++p) before += std::exchange(marks.ranks[p], before);
  *marks.count() = *output.count = before;
  for_each_marks_part(place.threads(), marks, [&](std::int64_t part) {
    if (marks.ranks[part] >= capacity) return;
    for_each_run(marks, part, [&](std::uint64_t run, std::int64_t key) {
      if (run < capacity) unique[run] = keys[key];
    });
  });
}

/// Where the first runs begin, up to `capacity`, and behind them the end of the last one.
inline void write_begins(int threads, run_marks<std::uint64_t const> const& marks,
                         std::uint64_t capacity, std::int64_t* begins) {
  for_each_marks_part(threads, marks, [&](std::int64_t part) {
    if (marks.ranks[part] > capacity) return;
    for_each_run(marks, part, [&](std::uint64_t run, std::int64_t key) {
      if (run <= capacity) begins[run] = key;
    });
  });
  if (*marks.count() <= capacity) begins[*marks.count()] = marks.size;
}

} // namespace warpfold::inline v0::detail
