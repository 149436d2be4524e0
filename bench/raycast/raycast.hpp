#pragma once
// A ray caster: a workload for the aggregated counter, not a part of warpfold's interface. The same
// calls for both places, with the same bits, so that tests, benchmarks and the tour have one body
// for both.
//
// Coordinates are finite and of ordinary size (their products neither overflow nor underflow).

#include "landscape.hpp"
#include "on_place.hpp"
#include "shading.hpp"
#include "traversal.hpp"

#include <warpfold/detail/counting/aggregated_counter_body.hpp>

#include <cstring>
#include <source_location>
#include <type_traits>
#include <vector>

namespace warpfold::raycast {

using bench::contents_of, bench::make_on, bench::memory_on, bench::put_on, bench::span_on;

/// How a gpu's threads put their counts together; under `any` totals are numbers of blocks. The
/// host counts or, with `none`, does not.
using counting = aggregation;
inline constexpr counting strategies[] = {counting::none,  counting::global, counting::warp,
                                          counting::block, counting::any,    counting::automatic};
inline char const* to_string(counting strategy) {
  constexpr char const* names[] = {"none", "global", "warp", "block", "any", "automatic"};
  return names[static_cast<int>(strategy)];
}

/// When a ray counts.
enum class moment {
  at_end,   ///< nodes, leaves and tests once, when it is done
  each_leaf ///< a leaf when it finds one, as in the article; nothing else. Closest hits only.
};

/// Counts of a trace, in the order of the totals.
struct totals {
  std::uint64_t nodes = 0, leaves = 0, tests = 0;

  bool operator==(totals const&) const = default;
};

struct trace_options {
  raycast::query query = raycast::query::closest;
  counting strategy = counting::automatic;
  raycast::moment moment = raycast::moment::at_end;
};

/// A tree over triangles. It refers to nothing else.
template <class Place>
struct hierarchy {
  memory_on<Place, node> nodes;
  memory_on<Place, leaf_triangle> triangles;
  float extent = 0;

  [[nodiscard]] tree_view view() const {
    return {nodes.data(), triangles.data(), static_cast<std::uint32_t>(triangles.size()), extent};
  }
};

/// Blocking.
/// @throws argument_error if there are 2^30 triangles or more
hierarchy<gpu> build(gpu& place, device_span<triangle const> source);
hierarchy<host> build(host const& place, std::span<triangle const> source);

/// hits[i] = the hit of rays[i]; what is met on the way is added to `sum`, unless nothing is
/// counted. On a gpu it is enqueued on the stream.
void trace_async(gpu& place, tree_view tree, device_span<ray const> rays, device_span<hit> hits,
                 device_span<totals> sum, trace_options options = {});
void trace_async(host const& place, tree_view tree, std::span<ray const> rays, std::span<hit> hits,
                 std::span<totals> sum, trace_options options = {});

/// How many of the parallel rays through the points (x, y) of the integer lattice, |x|, |y| <=
/// radius, meet the sphere of this radius around the origin, its outline included: added to `sum`.
/// The arithmetic is exact up to radius 2048.
void count_lattice_async(gpu& place, int radius, counting strategy, device_span<std::uint64_t> sum);
void count_lattice_async(host const& place, int radius, counting strategy,
                         std::span<std::uint64_t> sum);

// ---- loops over an index, and what they do
// -------------------------------------------------------

/// body(i) for all i < size, on the place's stream; compiled for the bodies below.
template <class Body>
void for_each(gpu const& place, std::size_t size, Body body,
              std::source_location where = std::source_location::current());
template <class Body>
void for_each(host const& place, std::size_t size, Body body);

/// Elements 0 ... of a generator: a landscape's triangles, or rays of a camera or random_ray.
template <class Generator>
struct fill_all {
  Generator generator;
  std::invoke_result_t<Generator, std::uint32_t>* values;
  WARPFOLD_HOST_DEVICE void operator()(std::uint32_t i) const { values[i] = generator(i); }
};
template <class Place, class Generator>
auto filled(Place const& place, Generator const& generator, std::size_t size) {
  auto values = make_on<std::invoke_result_t<Generator, std::uint32_t>>(place, size);
  for_each(place, size, fill_all<Generator>{generator, values.data()});
  return values;
}

/// The closest hits, by testing all triangles.
struct test_all {
  triangle const* triangles;
  std::uint32_t size;
  float extent;
  ray const* rays;
  hit* hits;
  WARPFOLD_HOST_DEVICE void operator()(std::uint32_t i) const {
    ray const from = rays[i];
    hit best{from.to, nothing};
    prepared_ray const r = prepare(from, extent);
    for (std::uint32_t k = 0; k < size; ++k) meet(r, from.from, triangles[k], k, best);
    hits[i] = best;
  }
};
template <class Place>
std::vector<hit> trace_all(Place const& place, memory_on<Place, triangle> const& triangles,
                           float extent, memory_on<Place, ray> const& rays) {
  auto hits = make_on<hit>(place, rays.size());
  for_each(place, rays.size(),
           test_all{triangles.data(), static_cast<std::uint32_t>(triangles.size()), extent,
                    rays.data(), hits.data()});
  return contents_of(place, hits);
}

/// Hits of a trace, and its totals if it counts any.
struct outcome {
  std::vector<hit> hits;
  totals sum;
};
template <class Place>
outcome trace(Place& place, hierarchy<Place> const& tree, memory_on<Place, ray> const& rays,
              trace_options options = {}) {
  auto hits = make_on<hit>(place, rays.size());
  auto sum = put_on(place, std::vector<totals>(1));
  trace_async(place, tree.view(), rays, hits, sum, options);
  return {contents_of(place, hits), contents_of(place, sum)[0]};
}

struct shade_all {
  shade colours;
  hit const* hits;
  pixel* picture;
  WARPFOLD_HOST_DEVICE void operator()(std::uint32_t i) const {
    picture[colours.from.pixel(i)] = colours(i, hits[i]);
  }
};

/// The landscape on a place, its tree, and rays at it.
template <class Place>
struct laboratory {
  Place& place;
  camera from;
  memory_on<Place, triangle> triangles;
  hierarchy<Place> tree;
  memory_on<Place, ray> coherent, incoherent;

  laboratory(Place& on, camera const& seen_from, std::uint64_t seed = 2)
      : place{on}, from{seen_from}, triangles{filled(on, landscape{}, landscape{}.triangles())},
        tree{build(on, triangles)}, coherent{filled(on, from, from.rays())},
        incoherent{filled(on, random_ray{seed}, from.rays())} {}

  memory_on<Place, ray> const& rays(bool are_coherent) const {
    return are_coherent ? coherent : incoherent;
  }

  /// The picture of the camera's hits, row by row.
  std::vector<pixel> picture(std::vector<hit> const& found) const {
    auto const hits = put_on(place, found);
    auto pixels = make_on<pixel>(place, found.size());
    for_each(place, found.size(),
             shade_all{{tree.view(), triangles.data(), from}, hits.data(), pixels.data()});
    return contents_of(place, pixels);
  }
};

template <class T>
bool same_bits(std::vector<T> const& a, std::vector<T> const& b) {
  return a.size() == b.size() &&
         (a.empty() || std::memcmp(a.data(), b.data(), a.size() * sizeof(T)) == 0);
}

} // namespace warpfold::raycast
