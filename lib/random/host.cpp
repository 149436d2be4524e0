// Words, uniform and normal numbers on the host's threads, in loops that the compiler turns into
// vector instructions of whatever the processor has.

#include "backend.hpp"
#include "core/host_loops.hpp"
#include "samplers.hpp"

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
template <class Sampler, class T>
inline __attribute__((always_inline)) void fill_loop(run_of_blocks const& run, T* out) {
  constexpr int width = wanted<T>::width;
  alignas(64) std::uint32_t words[4][loop_blocks];
  alignas(64) T values[width][loop_blocks];
  for (std::uint64_t b = 0; b < run.count; ++b) {
    auto const made = detail::prepared_words(run.from, run.first + b);
    for (int k = 0; k < 4; ++k) words[k][b] = made.of[k];
  }
  for (std::uint64_t b = 0; b < run.count; ++b) {
    auto const made = Sampler::sample({{words[0][b], words[1][b], words[2][b], words[3][b]}});
    for (int k = 0; k < width; ++k) values[k][b] = made.of[k];
  }
  for (std::uint64_t b = 0; b < run.count; ++b)
    for (int k = 0; k < width; ++k) out[b * width + static_cast<std::uint64_t>(k)] = values[k][b];
}

WARPFOLD_CLONES void loop_of(variate, run_of_blocks const& run, std::uint32_t* out) {
  fill_loop<word_sampler>(run, out);
}
WARPFOLD_CLONES void loop_of(variate what, run_of_blocks const& run, float* out) {
  if (what == variate::uniform) fill_loop<uniform_sampler<float>>(run, out);
  else if (what == variate::box_muller) fill_loop<box_muller_sampler<float>>(run, out);
  else fill_loop<inverse_sampler<float>>(run, out);
}
WARPFOLD_CLONES void loop_of(variate what, run_of_blocks const& run, double* out) {
  if (what == variate::uniform) fill_loop<uniform_sampler<double>>(run, out);
  else if (what == variate::box_muller) fill_loop<box_muller_sampler<double>>(run, out);
  else fill_loop<inverse_sampler<double>>(run, out);
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

template void fill(host const&, variate, wanted<std::uint32_t> const&);
template void fill(host const&, variate, wanted<float> const&);
template void fill(host const&, variate, wanted<double> const&);

} // namespace warpfold::inline v0::random::host_impl
