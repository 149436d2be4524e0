#pragma once
// A ray caster: a workload for the aggregated counter, not a part of warpfold's interface. The same
// calls for both places, with the same bits; and arrays on either place, so that tests, benchmarks
// and the tour have one body for both.
//
// Coordinates are finite and of ordinary size (their products neither overflow nor underflow).

#include "landscape.hpp"
#include "shading.hpp"
#include "traversal.hpp"

#include <warpfold/buffer.hpp>
#include <warpfold/detail/counting/aggregated_counter_body.hpp>
#include <warpfold/execution.hpp>
#include <warpfold/memory.hpp>
#include <warpfold/span.hpp>

#include <cstring>
#include <span>
#include <type_traits>
#include <vector>

namespace warpfold::raycast {

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

/// Arrays in the memory of a place.
template <class Place, class T>
using array = std::conditional_t<std::is_same_v<Place, gpu>, device_buffer<T>, std::vector<T>>;
template <class Place, class T>
using view_t = std::conditional_t<std::is_same_v<Place, gpu>, device_span<T>, std::span<T>>;

/// A tree over triangles. It refers to nothing else.
template <class Place>
struct hierarchy {
  array<Place, node> nodes;
  array<Place, leaf_triangle> triangles;
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

/// The closest hits, by testing all triangles.
void trace_all_async(gpu& place, device_span<triangle const> triangles, float extent,
                     device_span<ray const> rays, device_span<hit> hits);
void trace_all_async(host const& place, std::span<triangle const> triangles, float extent,
                     std::span<ray const> rays, std::span<hit> hits);

/// Fills `values` with elements 0 ... of a generator: a landscape's triangles, or rays of a camera
/// or random_ray.
template <class Generator, class T>
void fill_async(gpu& place, Generator const& generator, device_span<T> values);
template <class Generator, class T>
void fill_async(host const& place, Generator const& generator, std::span<T> values);

/// The picture of the camera's hits, row by row.
void shade_async(gpu& place, shade const& colours, device_span<hit const> hits,
                 device_span<pixel> picture);
void shade_async(host const& place, shade const& colours, std::span<hit const> hits,
                 std::span<pixel> picture);

/// How many of the parallel rays through the points (x, y) of the integer lattice, |x|, |y| <=
/// radius, meet the sphere of this radius around the origin, its outline included: added to `sum`.
/// The arithmetic is exact up to radius 2048.
void count_lattice_async(gpu& place, int radius, counting strategy, device_span<std::uint64_t> sum);
void count_lattice_async(host const& place, int radius, counting strategy,
                         std::span<std::uint64_t> sum);

/// `size` elements of no particular value.
template <class T>
device_buffer<T> make(gpu& place, std::size_t size) {
  return {place, size};
}
template <class T>
std::vector<T> make(host const&, std::size_t size) {
  return std::vector<T>(size);
}

template <class T>
device_buffer<T> put(gpu& place, std::vector<T> const& values) {
  return {place, std::span<T const>(values)};
}
template <class T>
std::vector<T> put(host const&, std::vector<T> const& values) {
  return values;
}

template <class T>
std::vector<T> get(gpu& place, device_buffer<T> const& values) {
  return to_vector(place, values.span());
}
template <class T>
std::vector<T> get(host const&, std::vector<T> const& values) {
  return values;
}

template <class T>
view_t<gpu, T> all(device_buffer<T>& values) {
  return values.span();
}
template <class T>
view_t<host, T> all(std::vector<T>& values) {
  return values;
}

/// The first `size` of what the generator makes.
template <class T, class Place, class Generator>
auto filled(Place& place, Generator const& generator, std::size_t size) {
  auto values = make<T>(place, size);
  fill_async(place, generator, all(values));
  return values;
}

/// Hits of a trace, and its totals if it counts any.
struct outcome {
  std::vector<hit> hits;
  totals sum;
};
template <class Place, class Rays>
outcome trace(Place& place, hierarchy<Place> const& tree, Rays& rays, trace_options options = {}) {
  auto hits = make<hit>(place, rays.size());
  auto sum = put(place, std::vector<totals>(1));
  trace_async(place, tree.view(), all(rays), all(hits), all(sum), options);
  return {get(place, hits), get(place, sum)[0]};
}

template <class T>
bool same_bits(std::vector<T> const& a, std::vector<T> const& b) {
  return a.size() == b.size() &&
         (a.empty() || std::memcmp(a.data(), b.data(), a.size() * sizeof(T)) == 0);
}

} // namespace warpfold::raycast
