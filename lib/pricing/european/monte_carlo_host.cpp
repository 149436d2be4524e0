// Simulation on the host's threads: the normals of a chunk of samples for a group of options, and
// each option's loop over them in vectors.

#include "core/host_loops.hpp"
#include "monte_carlo_finish.hpp"
#include "monte_carlo_sources.hpp"

#include <warpfold/detail/core/parallel.hpp>

#include <algorithm>
#include <bit>
#include <vector>

namespace warpfold::inline v0::pricing {
namespace {

/// Normals made at a time; they stay in a core's first cache.
constexpr std::uint64_t chunk_samples = 1024;
constexpr std::uint64_t group_options = 64;

/// Adds the payoffs of some samples, in sixteen sums side by side.
template <class Evaluation, class T>
inline __attribute__((always_inline)) void
add_samples(Evaluation const& evaluation, typename Evaluation::terms const& terms, T const* z,
            std::uint64_t count, tile_sums<Evaluation::sums>& to, std::uint64_t& negative) {
  constexpr std::uint64_t lanes = 16;
  T some[Evaluation::sums][lanes] = {};
  std::uint32_t unpaid[lanes] = {};
  std::uint64_t i = 0;
  for (; i + lanes <= count; i += lanes)
    for (std::uint64_t l = 0; l < lanes; ++l)
      evaluation.add(
          terms, z[i + l], [&](int m) -> T& { return some[m][l]; }, unpaid[l]);
  for (std::uint64_t l = 0; i + l < count; ++l)
    evaluation.add(
        terms, z[i + l], [&](int m) -> T& { return some[m][l]; }, unpaid[l]);
  for (std::uint64_t l = 0; l < lanes; ++l) {
    for (int m = 0; m < Evaluation::sums; ++m) to.of[m] += double{some[m][l]};
    negative += unpaid[l];
  }
}

// Overloads, since templates have no clones.
#define WITH_CLONES_OF(T, ...)                                                                     \
  WARPFOLD_CLONES void add_chunk(__VA_ARGS__ const& evaluation, __VA_ARGS__::terms const& terms,   \
                                 T const* z, std::uint64_t count,                                  \
                                 tile_sums<__VA_ARGS__::sums>& to, std::uint64_t& negative) {      \
    add_samples(evaluation, terms, z, count, to, negative);                                        \
  }
#define WITH_CLONES_FROM(T, Source)                                                                \
  WARPFOLD_CLONES void fill_chunk(Source const& source, std::uint32_t option,                      \
                                  std::uint32_t replicate, std::uint64_t first,                    \
                                  std::uint64_t count, normals_pack<T>* to) {                      \
    for (std::uint64_t i = 0; i < count; ++i) to[i] = source.pack(option, replicate, first + i);   \
  }
#define WITH_CLONES(T)                                                                             \
  WITH_CLONES_OF(T, plain_evaluation<T, kinds::both>)                                              \
  WITH_CLONES_OF(T, reduced_evaluation<T>)                                                         \
  WITH_CLONES_OF(T, greeks_evaluation<T>)                                                          \
  WITH_CLONES_FROM(T, philox_source<T>)                                                            \
  WITH_CLONES_FROM(T, sobol_source<T>)
WARPFOLD_FOR_EACH_PRICED(WITH_CLONES)

template <class T, class Evaluation, class Source>
void simulate_from(host const& place, simulation_call<T> const& call, Evaluation const& evaluation,
                   Source const& source, tile_sharing* sharing) {
  using sums = tile_sums<Evaluation::sums>;
  using pack = normals_pack<T>;
  std::uint64_t const options = call.book.size;
  std::uint64_t const wide = call.independent ? 1 : group_options;
  std::uint64_t const groups = (options + wide - 1) / wide;
  std::uint64_t const tile = std::max<std::uint64_t>(4096, std::bit_floor(call.samples / 1024 + 1));
  std::uint64_t const tiles = (call.samples + tile - 1) / tile;
  std::uint64_t const all_tiles = tiles * call.replicates;
  auto const counted = static_cast<std::uint32_t>(all_tiles);
  piece_range const own = sharing ? sharing->own(counted) : piece_range{0, counted};
  std::vector<sums> alone(sharing ? 0 : options * all_tiles);
  sum_places const partials = sharing ? sharing->open(options, counted, sizeof(sums))
                                      : sum_places::whole(alone.data(), counted);
  detail::parallel_for(
      place.threads(), static_cast<std::int64_t>(groups * own.count), [&](std::int64_t unit) {
        std::uint64_t const group = static_cast<std::uint64_t>(unit) / own.count;
        auto const at =
            own.first + static_cast<std::uint32_t>(static_cast<std::uint64_t>(unit) % own.count);
        std::uint64_t const begin = at % tiles * tile, end = std::min(begin + tile, call.samples);
        std::uint64_t const first = group * wide, last = std::min(first + wide, options);
        pack normals[chunk_samples / pack::size];
        typename Evaluation::terms terms[group_options];
        std::uint64_t negative[group_options] = {};
        for (std::uint64_t o = first; o < last; ++o) {
          terms[o - first] =
              evaluation.terms_of(call.kind[o], scale_of(call.kind[o], call.book[o]));
          *partials.at<sums>(o, at) = {};
        }
        for (std::uint64_t s = begin; s < end; s += chunk_samples) {
          std::uint64_t const count = std::min(chunk_samples, end - s);
          fill_chunk(source, static_cast<std::uint32_t>(call.independent ? first : 0),
                     static_cast<std::uint32_t>(at / tiles), s / pack::size,
                     (count + pack::size - 1) / pack::size, normals);
          for (std::uint64_t o = first; o < last; ++o)
            add_chunk(evaluation, terms[o - first], normals[0].of, count, *partials.at<sums>(o, at),
                      negative[o - first]);
        }
        for (std::uint64_t o = first; o < last; ++o) {
          sums& to = *partials.at<sums>(o, at);
          evaluation.close(call.kind[o], to.of, end - begin,
                           (end - begin) * static_cast<std::uint64_t>(evaluation.paths()),
                           negative[o - first], to.paying);
        }
      });

  if (sharing) sharing->share();
  finish_option<T, Evaluation> const finish{call, evaluation};
  detail::parallel_for(place.threads(), static_cast<std::int64_t>(options), [&](std::int64_t i) {
    auto const option = static_cast<std::uint64_t>(i);
    sums total{};
    for (std::uint32_t r = 0; r < call.replicates; ++r) {
      sums one{};
      for (std::uint64_t t = 0; t < tiles; ++t)
        one += *partials.at<sums>(option, static_cast<std::uint32_t>(r * tiles + t));
      total += call.replicates > 1 ? of_means(one, call.samples) : one;
    }
    finish(option, scale_of(call.kind[option], call.book[option]), total);
  });
}

} // namespace

template <class T, class Evaluation>
void simulate_evaluation(host const& place, simulation_call<T> const& call,
                         Evaluation const& evaluation, bool, tile_sharing* sharing) {
  if (call.sobol) simulate_from(place, call, evaluation, sobol_source<T>{call.from}, sharing);
  else simulate_from(place, call, evaluation, philox_source_of<T>(call.from, call.first), sharing);
}

#define INSTANTIATE_WITH(T, ...)                                                                   \
  template void simulate_evaluation(host const&, simulation_call<T> const&, __VA_ARGS__ const&,    \
                                    bool, tile_sharing*);
#define INSTANTIATE(T)                                                                             \
  INSTANTIATE_WITH(T, plain_evaluation<T, kinds::both>)                                            \
  INSTANTIATE_WITH(T, reduced_evaluation<T>)                                                       \
  INSTANTIATE_WITH(T, greeks_evaluation<T>)
WARPFOLD_FOR_EACH_PRICED(INSTANTIATE)

} // namespace warpfold::inline v0::pricing
