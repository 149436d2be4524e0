// Sobol's sequence on the host's threads.

#include "core/host_loops.hpp"
#include "sobol_backend.hpp"

#include <warpfold/detail/core/parallel.hpp>

#include <algorithm>

namespace warpfold::inline v0::random::host_impl {
namespace {

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

template void fill_points(host const&, variate, wanted_points<std::uint32_t> const&);
template void fill_points(host const&, variate, wanted_points<float> const&);
template void fill_points(host const&, variate, wanted_points<double> const&);

} // namespace warpfold::inline v0::random::host_impl
