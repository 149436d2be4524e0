#pragma once
// Marks of runs on a host.

#include <warpfold/detail/core/parallel.hpp>
#include <warpfold/detail/segments/by_key.hpp>

#include <algorithm>
#include <bit>
#include <cstdint>
#include <cstring>
#include <utility>

namespace warpfold::inline v0::detail {

/// Parts of marks that a thread takes at a time: a share.
inline constexpr std::int64_t host_marks_parts = 64;

template <class Word>
std::int64_t marks_shares(run_marks<Word> const& marks) {
  return (marks.parts() + host_marks_parts - 1) / host_marks_parts;
}
/// Calls body(first, end) for the parts [first, end) of each share.
template <class Word, class Body>
void for_each_marks_share(int threads, run_marks<Word> const& marks, Body body) {
  parallel_for(threads, marks_shares(marks), [&](std::int64_t share) {
    std::int64_t const first = share * host_marks_parts;
    body(first, std::min(marks.parts(), first + host_marks_parts));
  });
}
/// Calls body(run, begin, end) for each run that begins in the parts [first, end), without those
/// from number `capacity` on.
template <class Word, class Body>
void for_each_run(run_marks<Word> const& marks, std::int64_t first, std::int64_t end,
                  std::uint64_t capacity, Body body) {
  std::uint64_t run = marks.ranks[first] - 1; // of the run that is open at `begin`
  std::int64_t begin = -1;
  auto const close = [&](std::int64_t behind) {
    if (begin >= 0 && run < capacity) body(run, begin, behind);
    begin = behind;
    ++run;
  };
  if (marks.ranks[first] >= capacity) return;
  std::int64_t w = first * run_marks_words;
  for (; w < std::min(end * run_marks_words, marks.words()); ++w)
    for (std::uint32_t bits = marks.bits[w]; bits != 0; bits &= bits - 1)
      close(32 * w + std::countr_zero(bits));
  if (begin < 0) return;
  while (w < marks.words() && marks.bits[w] == 0) ++w;
  close(std::min(marks.size, 32 * w + std::countr_zero(marks.word(w))));
}

/// Bit i: keys[i - 1] does not equal keys[i].
template <class K>
std::uint32_t marks_of_keys(K const* keys) {
  unsigned char differ[32];
  for (int i = 0; i < 32; ++i) differ[i] = keys[i - 1] == keys[i] ? 0 : 1;
  std::uint32_t word = 0;
  for (int b = 0; b < 4; ++b) { // the product moves each byte's bit to one of the highest eight
    std::uint64_t bytes;
    std::memcpy(&bytes, differ + 8 * b, 8);
    word |= static_cast<std::uint32_t>(bytes * 0x0102'0408'1020'4080 >> 56) << 8 * b;
  }
  return word;
}

/// Word w of the marks of `size` keys.
template <class K>
std::uint32_t begins_word(K const* keys, std::int64_t w, std::int64_t size) {
  std::int64_t const begin = 32 * w, behind = std::min(begin + 32, size);
  if (begin > 0 && behind == begin + 32) return marks_of_keys(keys + begin);
  std::uint32_t bits = 0;
  for (std::int64_t i = begin; i < behind; ++i)
    bits |= std::uint32_t{i == 0 || !(keys[i - 1] == keys[i])} << (i - begin);
  return bits;
}

template <class K>
void mark_begins_array(host const& place, K const* keys, std::size_t size, std::uint32_t* begins) {
  constexpr std::int64_t share = host_marks_parts * run_marks_words; // words that a thread takes
  auto const count = static_cast<std::int64_t>(size), words = (count + 31) / 32;
  parallel_for(place.threads(), (words + share - 1) / share, [&](std::int64_t s) {
    for (std::int64_t w = s * share; w < std::min(words, (s + 1) * share); ++w)
      begins[w] = begins_word(keys, w, count);
  });
}

template <class K>
void mark_runs_array(host const& place, K const* keys, std::size_t size, K* unique,
                     std::size_t capacity, marks_output output) {
  run_marks<std::uint64_t> const marks(output.marks, size);
  for_each_marks_share(place.threads(), marks, [&](std::int64_t first, std::int64_t end) {
    for (std::int64_t part = first; part < end; ++part) {
      std::uint64_t heads = 0;
      std::int64_t const words = std::min((part + 1) * run_marks_words, marks.words());
      for (std::int64_t w = part * run_marks_words; w < words; ++w) {
        std::uint32_t const bits = begins_word(keys, w, marks.size);
        marks.bits[w] = bits;
        heads += static_cast<unsigned>(std::popcount(bits));
      }
      marks.ranks[part] = heads;
    }
  });
  if (marks.written_words() > marks.words()) marks.bits[marks.words()] = 0;
  std::uint64_t before = 0;
  for (std::int64_t p = 0; p < marks.parts(); ++p) before += std::exchange(marks.ranks[p], before);
  *marks.count() = *output.count = before;
  for_each_marks_share(place.threads(), marks, [&](std::int64_t first, std::int64_t end) {
    for_each_run(
        marks, first, end, capacity,
        [&](std::uint64_t run, std::int64_t begin, std::int64_t) { unique[run] = keys[begin]; });
  });
}

} // namespace warpfold::inline v0::detail
