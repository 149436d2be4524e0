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

template <kind what, scrambling how, class T>
inline __attribute__((always_inline)) void points_loop(run_of_points const& run, T* out) {
  std::uint32_t words[loop_points];
  words[0] = detail::sobol_word(run.directions, run.first);
  for (std::uint32_t i = 1; i < run.count; ++i)
    words[i] = words[i - 1] ^ run.directions[__builtin_ctz(run.first + i)];
  for (std::uint32_t i = 0; i < run.count; ++i)
    out[i] = from_sobol_word<what, T>(scrambled<how>(words[i], run.key));
}

template <kind what, class T>
inline __attribute__((always_inline)) void scrambled_loop(scrambling how, run_of_points const& run,
                                                          T* out) {
  if (how == scrambling::none) points_loop<what, scrambling::none>(run, out);
  else if (how == scrambling::digital_shift) points_loop<what, scrambling::digital_shift>(run, out);
  else points_loop<what, scrambling::owen>(run, out);
}

WARPFOLD_CLONES void loop_of(kind, scrambling how, run_of_points const& run, std::uint32_t* out) {
  scrambled_loop<kind::bits>(how, run, out);
}
WARPFOLD_CLONES void loop_of(kind what, scrambling how, run_of_points const& run, float* out) {
  if (what == kind::uniform) scrambled_loop<kind::uniform>(how, run, out);
  else scrambled_loop<kind::inverse>(how, run, out);
}
WARPFOLD_CLONES void loop_of(kind what, scrambling how, run_of_points const& run, double* out) {
  if (what == kind::uniform) scrambled_loop<kind::uniform>(how, run, out);
  else scrambled_loop<kind::inverse>(how, run, out);
}

} // namespace

template <class T>
void fill_points(host const& place, kind what, wanted_points<T> const& all) {
  std::uint64_t const runs = (all.points + loop_points - 1) / loop_points;
  auto const turns = static_cast<std::int64_t>(runs * all.dimensions);
  detail::parallel_for(place.threads(), turns, [&](std::int64_t turn) {
    auto const dimension = static_cast<std::uint64_t>(turn) / runs;
    std::uint64_t const begin = static_cast<std::uint64_t>(turn) % runs * loop_points;
    loop_of(what, all.how,
            {all.directions + dimension * detail::sobol_bits,
             detail::sobol_key_of(all.seed, all.replicate, static_cast<std::uint32_t>(dimension)),
             static_cast<std::uint32_t>(all.first + begin),
             static_cast<std::uint32_t>(std::min(loop_points, all.points - begin))},
            all.out + dimension * all.points + begin);
  });
}

template void fill_points(host const&, kind, wanted_points<std::uint32_t> const&);
template void fill_points(host const&, kind, wanted_points<float> const&);
template void fill_points(host const&, kind, wanted_points<double> const&);

} // namespace warpfold::inline v0::random::host_impl
