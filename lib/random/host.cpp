// Words, uniform and normal numbers and points of Sobol's sequence on the host's threads, in loops
// that the compiler turns into vector instructions of whatever the processor has.

#include "backend.hpp"
#include "core/host_loops.hpp"

#include <warpfold/detail/core/parallel.hpp>

#include <algorithm>

namespace warpfold::inline v0::random::host_impl {
namespace {

/// Blocks of words in a loop: their samples stay in a core's first cache.
constexpr std::uint64_t loop_blocks = 256;
/// Blocks that a thread takes at a time.
constexpr std::uint64_t turn_blocks = std::uint64_t{1} << 12;

struct run_of_blocks {
  detail::prepared_address from;
  std::uint64_t first;
  std::uint64_t count;
};

/// The samples of whole blocks, loop_blocks at most: first the words, one array for each of the
/// four, then what is made of them.
template <variate what, class T>
inline __attribute__((always_inline)) void fill_loop(run_of_blocks const& run, T* out) {
  constexpr int width = wanted<T>::width;
  alignas(64) std::uint32_t words[4][loop_blocks];
  alignas(64) T values[width][loop_blocks];
  for (std::uint64_t b = 0; b < run.count; ++b) {
    auto const made = detail::prepared_words(run.from, run.first + b);
    for (int k = 0; k < 4; ++k) words[k][b] = made.of[k];
  }
  for (std::uint64_t b = 0; b < run.count; ++b) {
    auto const made = sample<what, T>({{words[0][b], words[1][b], words[2][b], words[3][b]}});
    for (int k = 0; k < width; ++k) values[k][b] = made.of[k];
  }
  for (std::uint64_t b = 0; b < run.count; ++b)
    for (int k = 0; k < width; ++k) out[b * width + static_cast<std::uint64_t>(k)] = values[k][b];
}

template <class T>
inline __attribute__((always_inline)) void real_loop(variate what, run_of_blocks const& run,
                                                     T* out) {
  if (what == variate::uniform) fill_loop<variate::uniform>(run, out);
  else if (what == variate::box_muller) fill_loop<variate::box_muller>(run, out);
  else fill_loop<variate::inverse>(run, out);
}

WARPFOLD_CLONES void loop_of(variate, run_of_blocks const& run, std::uint32_t* out) {
  fill_loop<variate::bits>(run, out);
}
WARPFOLD_CLONES void loop_of(variate what, run_of_blocks const& run, float* out) {
  real_loop(what, run, out);
}
WARPFOLD_CLONES void loop_of(variate what, run_of_blocks const& run, double* out) {
  real_loop(what, run, out);
}

// ---- Sobol --------------------------------------------------------------------------------------

constexpr std::uint64_t loop_points = 1024;

struct run_of_points {
  std::uint32_t const* directions;
  detail::sobol_key key;
  std::uint32_t first, count;
};

template <variate what, scrambling method, class T>
inline __attribute__((always_inline)) void points_loop(run_of_points const& run, T* out) {
  std::uint32_t words[loop_points];
  words[0] = detail::sobol_word(run.directions, run.first);
  for (std::uint32_t i = 1; i < run.count; ++i)
    words[i] = words[i - 1] ^ run.directions[__builtin_ctz(run.first + i)];
  for (std::uint32_t i = 0; i < run.count; ++i)
    out[i] = from_sobol_word<what, T>(scrambled<method>(words[i], run.key));
}

template <variate what, class T>
inline __attribute__((always_inline)) void scrambled_loop(scrambling method,
                                                          run_of_points const& run, T* out) {
  if (method == scrambling::none) points_loop<what, scrambling::none>(run, out);
  else if (method == scrambling::digital_shift)
    points_loop<what, scrambling::digital_shift>(run, out);
  else points_loop<what, scrambling::owen>(run, out);
}

WARPFOLD_CLONES void loop_of(variate, scrambling method, run_of_points const& run,
                             std::uint32_t* out) {
  scrambled_loop<variate::bits>(method, run, out);
}
WARPFOLD_CLONES void loop_of(variate what, scrambling method, run_of_points const& run,
                             float* out) {
  if (what == variate::uniform) scrambled_loop<variate::uniform>(method, run, out);
  else scrambled_loop<variate::inverse>(method, run, out);
}
WARPFOLD_CLONES void loop_of(variate what, scrambling method, run_of_points const& run,
                             double* out) {
  if (what == variate::uniform) scrambled_loop<variate::uniform>(method, run, out);
  else scrambled_loop<variate::inverse>(method, run, out);
}

} // namespace

template <class T>
void fill(host const& place, variate what, wanted<T> const& all) {
  constexpr std::uint64_t width = wanted<T>::width;
  auto const from = detail::prepared(all.sequence);
  std::uint64_t const blocks = all.blocks(), skipped = static_cast<std::uint64_t>(all.skipped());
  auto const turns = (blocks + turn_blocks - 1) / turn_blocks;
  detail::parallel_for(place.threads(), static_cast<std::int64_t>(turns), [&](std::int64_t turn) {
    std::uint64_t const end = std::min(blocks, static_cast<std::uint64_t>(turn + 1) * turn_blocks);
    for (std::uint64_t b = static_cast<std::uint64_t>(turn) * turn_blocks; b < end;) {
      std::uint64_t const count = std::min(loop_blocks, end - b);
      run_of_blocks const run{from, all.first_block() + b, count};
      // The samples of these blocks are elements [begin - skipped, begin - skipped + count width).
      std::uint64_t const begin = b * width;
      if (begin >= skipped && begin + count * width - skipped <= all.size) {
        loop_of(what, run, all.output + (begin - skipped));
      } else {
        T part[loop_blocks * width];
        loop_of(what, run, part);
        std::uint64_t const low = std::max(begin, skipped);
        std::uint64_t const high = std::min(begin + count * width, skipped + all.size);
        std::copy(part + (low - begin), part + (high - begin), all.output + (low - skipped));
      }
      b += count;
    }
  });
}

template <class T>
void fill_points(host const& place, variate what, wanted_points<T> const& all) {
  std::uint64_t const runs = (all.points + loop_points - 1) / loop_points;
  auto const turns = static_cast<std::int64_t>(runs * all.dimensions);
  detail::parallel_for(place.threads(), turns, [&](std::int64_t turn) {
    auto const dimension = static_cast<std::uint64_t>(turn) / runs;
    std::uint64_t const begin = static_cast<std::uint64_t>(turn) % runs * loop_points;
    loop_of(what, all.scrambling,
            {all.directions + dimension * detail::sobol_bits,
             detail::sobol_key_of(all.seed, all.replicate, static_cast<std::uint32_t>(dimension)),
             static_cast<std::uint32_t>(all.first + begin),
             static_cast<std::uint32_t>(std::min(loop_points, all.points - begin))},
            all.output + dimension * all.points + begin);
  });
}

#define INSTANTIATE(T)                                                                             \
  template void fill(host const&, variate, wanted<T> const&);                                      \
  template void fill_points(host const&, variate, wanted_points<T> const&);
INSTANTIATE(std::uint32_t)
INSTANTIATE(float)
INSTANTIATE(double)

} // namespace warpfold::inline v0::random::host_impl
