// Simulation on the host's threads: the normals of a chunk of samples for a group of options, and
// each option's loop over them in vectors. Sums are added in the tree of the GPU's kernels
// (monte_carlo_body.hpp), so that they have the same bits.

#include "core/host_loops.hpp"
#include "monte_carlo_finish.hpp"
#include "monte_carlo_shape.hpp"
#include "monte_carlo_sources.hpp"

#include <warpfold/detail/core/parallel.hpp>

#include <algorithm>
#include <bit>
#include <vector>

namespace warpfold::inline v0::pricing {
namespace {

/// Path lanes whose sums are in registers together: there are as many, or a multiple.
constexpr std::size_t vector_lanes = 16;

/// Normals of a chunk: those that a path lane sees one after the other stand in a column each.
template <class T>
struct chunk_normals {
  std::size_t lanes, rows; ///< lanes that see some, and how many each
  alignas(64) T of[simulation_shape::most_in_chunk];
};

/// Adds a chunk's payoffs to the sums of the path lanes: totals[m][lane].
template <class Evaluation, class T>
inline __attribute__((always_inline)) void
add_lanes(Evaluation const& evaluation, typename Evaluation::terms const& terms,
          chunk_normals<T> const& normals, std::size_t path_lanes, double* totals,
          std::uint32_t* negative) {
  std::size_t const lanes = normals.lanes, rows = normals.rows;
  for (std::size_t first = 0; first < lanes; first += vector_lanes) {
    T some[Evaluation::sums][vector_lanes] = {};
    std::uint32_t unpaid[vector_lanes] = {};
    for (std::size_t j = 0; j < rows; ++j) {
      T const* const z = normals.of + j * lanes + first;
      for (std::size_t l = 0; l < vector_lanes; ++l)
        evaluation.add(
            terms, z[l], [&](int m) -> T& { return some[m][l]; }, unpaid[l]);
    }
    for (int m = 0; m < Evaluation::sums; ++m) {
      double* const to = totals + static_cast<std::size_t>(m) * path_lanes + first;
      for (std::size_t l = 0; l < vector_lanes; ++l) to[l] += double{some[m][l]};
    }
    for (std::size_t l = 0; l < vector_lanes; ++l) negative[first + l] += unpaid[l];
  }
}

/// Makes the normals of a chunk that begins at sample `first`; NaN from sample `last` on.
template <class T, class Source>
inline __attribute__((always_inline)) void
fill_lanes(Source const& source, std::uint32_t option, std::uint32_t replicate, std::uint64_t first,
           std::uint64_t last, simulation_shape const& shape, chunk_normals<T>& to) {
  constexpr std::size_t width = normals_pack<T>::size;
  std::size_t const packs = shape.chunk / width;
  std::size_t const lanes = std::min<std::size_t>(shape.path_lanes, packs);
  to.lanes = lanes;
  to.rows = packs / lanes * width;
  normals_pack<T> made[simulation_shape::most_in_chunk / width];
  for (std::size_t i = 0; i < packs; ++i)
    made[i] = source.pack(option, replicate, first / width + i);
  for (std::uint64_t s = last; s < first + shape.chunk; ++s)
    made[(s - first) / width].of[(s - first) % width] = simulated_nan<T>;
  for (std::size_t k = 0; k < packs / lanes; ++k)
    for (std::size_t i = 0; i < width; ++i)
      for (std::size_t l = 0; l < lanes; ++l)
        to.of[(k * width + i) * lanes + l] = made[k * lanes + l].of[i];
}

// Overloads, since templates have no clones.
#define WITH_CLONES_OF(T, ...)                                                                     \
  WARPFOLD_CLONES void add_chunk(__VA_ARGS__ const& evaluation, __VA_ARGS__::terms const& terms,   \
                                 chunk_normals<T> const& normals, std::size_t path_lanes,          \
                                 double* totals, std::uint32_t* negative) {                        \
    add_lanes(evaluation, terms, normals, path_lanes, totals, negative);                           \
  }
#define WITH_CLONES_FROM(T, Source)                                                                \
  WARPFOLD_CLONES void fill_chunk(                                                                 \
      Source const& source, std::uint32_t option, std::uint32_t replicate, std::uint64_t first,    \
      std::uint64_t last, simulation_shape const& shape, chunk_normals<T>& to) {                   \
    fill_lanes(source, option, replicate, first, last, shape, to);                                 \
  }
#define WITH_CLONES(T)                                                                             \
  WITH_CLONES_OF(T, plain_evaluation<T, kinds::both>)                                              \
  WITH_CLONES_OF(T, reduced_evaluation<T>)                                                         \
  WITH_CLONES_OF(T, greeks_evaluation<T>)                                                          \
  WITH_CLONES_FROM(T, philox_source<T>)                                                            \
  WITH_CLONES_FROM(T, sobol_source<T>)
WARPFOLD_FOR_EACH_PRICED(WITH_CLONES)

/// Folds the first `lanes` of some values in pairs into the first one, as fold_lanes does.
template <class Value>
void fold_in_pairs(Value* values, std::uint32_t lanes) {
  for (std::uint32_t left = lanes / 2; left > 0; left /= 2)
    for (std::uint32_t i = 0; i < left; ++i) values[i] += values[i + left];
}
/// What path lanes have, as fold_threads adds it: each of `lanes` takes every lanes-th.
template <class Value>
Value fold_path_lanes(Value* values, std::uint32_t path_lanes, std::uint32_t lanes) {
  for (std::uint32_t l = 0; l < lanes; ++l)
    for (std::uint32_t i = l + lanes; i < path_lanes; i += lanes) values[l] += values[i];
  fold_in_pairs(values, lanes);
  return values[0];
}
/// The sum of entry(0) ... entry(count - 1) in the tree of add_entries.
template <class Sums, class Entry>
Sums add_all(simulation_shape const& shape, std::uint32_t count, Entry entry) {
  Sums lanes[simulation_shape::threads];
  // (Lanes that have none of the entries would add zeros.)
  std::uint32_t const some = std::min(shape.lanes, std::bit_ceil(count));
  std::fill_n(lanes, some, Sums{});
  for (std::uint32_t t = 0; t < count; ++t) lanes[t % some] += entry(t);
  fold_in_pairs(lanes, some);
  return lanes[0];
}

/// Adds what an option has of all tiles.
template <class Sums>
Sums add_tiles_of(simulation_shape const& shape, sum_places const& tiles, std::uint64_t option) {
  auto const tile = [&](std::uint32_t t) -> Sums const& { return *tiles.at<Sums>(option, t); };
  if (shape.replicates > 1)
    return add_all<Sums>(shape, shape.replicates, [&](std::uint32_t r) {
      Sums one{};
      for (std::uint32_t t = 0; t < shape.tiles; ++t) one += tile(r * shape.tiles + t);
      return of_means(one, shape.samples);
    });
  if (shape.branches == 0) return add_all<Sums>(shape, shape.tiles, tile);
  return add_all<Sums>(shape, shape.branches, [&](std::uint32_t branch) {
    std::uint32_t const first = branch * simulation_shape::tiles_of_branch;
    return add_all<Sums>(shape, shape.tiles_in_branch(branch),
                         [&](std::uint32_t t) { return tile(first + t); });
  });
}

/// A tile of a group: writes the sums of its options.
template <class T, class Evaluation, class Source>
void simulate_tile(simulation_call<T> const& call, Evaluation const& evaluation,
                   Source const& source, simulation_shape const& shape, std::uint32_t group,
                   std::uint32_t at, sum_places const& tiles) {
  constexpr std::uint32_t sums = Evaluation::sums;
  std::uint32_t const first = group * shape.wide, path_lanes = shape.path_lanes;
  std::uint32_t const options = std::min(shape.wide, shape.options - first);
  std::uint64_t const begin = at % shape.tiles * shape.tile;
  std::uint64_t const end = std::min(begin + shape.tile, shape.samples);
  std::vector<typename Evaluation::terms> terms(options);
  std::vector<double> totals(options * sums * path_lanes);
  std::vector<std::uint32_t> negative(options * path_lanes);
  chunk_normals<T> normals;
  for (std::uint32_t g = 0; g < options; ++g) {
    option_kind const kind = call.kind[first + g];
    terms[g] = evaluation.terms_of(kind, scale_of(kind, call.book[first + g]));
  }
  std::uint64_t evaluated = 0;
  for (std::uint64_t s = begin; s < end; s += shape.chunk, evaluated += shape.chunk) {
    fill_chunk(source, shape.independent ? first : 0, at / shape.tiles, s, end, shape, normals);
    for (std::uint32_t g = 0; g < options; ++g)
      add_chunk(evaluation, terms[g], normals, path_lanes, &totals[g * sums * path_lanes],
                &negative[g * path_lanes]);
  }
  std::uint32_t const lanes = shape.lanes;
  for (std::uint32_t g = 0; g < options; ++g) {
    auto& to = *tiles.at<tile_sums<Evaluation::sums>>(first + g, at);
    for (std::uint32_t m = 0; m < sums; ++m)
      to.of[m] = fold_path_lanes(&totals[(g * sums + m) * path_lanes], path_lanes, lanes);
    evaluation.close(call.kind[first + g], to.of, evaluated,
                     (end - begin) * static_cast<std::uint64_t>(evaluation.paths()),
                     fold_path_lanes(&negative[g * path_lanes], path_lanes, lanes), to.paying);
  }
}

template <class T, class Evaluation, class Source>
void simulate_from(host const& place, simulation_call<T> const& call, Evaluation const& evaluation,
                   Source const& source, tile_sharing* sharing) {
  using sums = tile_sums<Evaluation::sums>;
  auto const shape = shape_of<Evaluation>(call);
  std::uint32_t const pieces = shape.all_tiles;
  piece_range const own = sharing ? sharing->own(pieces) : piece_range{0, pieces};
  std::vector<sums> alone(sharing ? 0 : std::size_t{shape.options} * pieces);
  sum_places const tiles = sharing ? sharing->open(shape.options, pieces, sizeof(sums))
                                   : sum_places::whole(alone.data(), pieces);
  detail::parallel_for(
      place.threads(), std::int64_t{shape.groups} * own.count, [&](std::int64_t unit) {
        auto const group = static_cast<std::uint32_t>(unit / own.count);
        auto const tile = static_cast<std::uint32_t>(unit % own.count);
        simulate_tile(call, evaluation, source, shape, group, own.first + tile, tiles);
      });
  if (sharing) sharing->share();
  finish_option<T, Evaluation> const finish{call, evaluation};
  detail::parallel_for(place.threads(), std::int64_t{shape.options}, [&](std::int64_t i) {
    auto const option = static_cast<std::uint64_t>(i);
    finish(option, scale_of(call.kind[option], call.book[option]),
           add_tiles_of<sums>(shape, tiles, option));
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
