// The ray caster on the host: the same bodies in parallel loops.

#include "loops.hpp"
#include "raycast.hpp"

#include <warpfold/detail/core/parallel.hpp>

#include <algorithm>
#include <atomic>

namespace warpfold::raycast {
namespace {

/// body(first, last) for parts of [0, size).
template <class Body>
void for_each_part(host const& place, std::size_t size, Body body) {
  constexpr std::size_t part = 256;
  auto const parts = static_cast<std::int64_t>((size + part - 1) / part);
  detail::parallel_for(place.threads(), parts, [&](std::int64_t p) {
    std::size_t const first = static_cast<std::size_t>(p) * part;
    body(static_cast<std::uint32_t>(first),
         static_cast<std::uint32_t>(std::min(size, first + part)));
  });
}

template <class Body>
void for_each(host const& place, std::size_t size, Body body) {
  for_each_part(place, size, [&](std::uint32_t first, std::uint32_t last) {
    for (std::uint32_t i = first; i < last; ++i) body(i);
  });
}

struct arrives_second {
  bool operator()(unsigned* arrivals) const {
    std::atomic_ref<unsigned> const counter(*arrivals);
    if (counter.fetch_add(1, std::memory_order_acq_rel) == 0) return false;
    counter.store(0, std::memory_order_relaxed);
    return true;
  }
};

void add(std::uint64_t& sum, std::uint64_t by) {
  std::atomic_ref<std::uint64_t>(sum).fetch_add(by, std::memory_order_relaxed);
}

/// Traces all rays; returns the totals if Tally counts them.
template <query What, class Tally>
totals trace_rays(host const& place, tree_view tree, std::span<ray const> rays,
                  std::span<hit> hits) {
  totals sum;
  for_each_part(place, rays.size(), [&](std::uint32_t first, std::uint32_t last) {
    totals part;
    for (std::uint32_t i = first; i < last; ++i) {
      Tally met;
      hits[i] = trace<What>(tree, rays[i], met);
      if constexpr (std::is_same_v<Tally, tally>) {
        part.nodes += met.nodes;
        part.leaves += met.leaves;
        part.tests += met.tests;
      }
    }
    if constexpr (std::is_same_v<Tally, tally>) {
      add(sum.nodes, part.nodes);
      add(sum.leaves, part.leaves);
      add(sum.tests, part.tests);
    }
  });
  return sum;
}

} // namespace

hierarchy<host> build(host const& place, std::span<triangle const> source) {
  check_size(source.size());
  auto const size = static_cast<std::uint32_t>(source.size());
  hierarchy<host> made;
  if (size == 0) return made;
  box scene = empty_box();
  for (triangle const& one : source) scene = unite{}(scene, box_of{}(one));
  // The code above, the number below: every key is different, and equal codes stay in order.
  std::vector<std::uint64_t> keys(size);
  for_each(place, size, [&, code = morton_code{scene}](std::uint32_t i) {
    keys[i] = std::uint64_t{code(source[i])} << 32 | i;
  });
  std::sort(keys.begin(), keys.end());
  std::vector<std::uint32_t> codes(size), order(size);
  for_each(place, size, [&](std::uint32_t i) {
    codes[i] = static_cast<std::uint32_t>(keys[i] >> 32);
    order[i] = static_cast<std::uint32_t>(keys[i]);
  });
  made.extent = extent_of(scene);
  made.nodes.resize(size - 1);
  made.triangles.resize(size);
  std::vector<hook> of_nodes(size), of_triangles(size);
  std::vector<unsigned> arrivals(size, 0);
  building const at{codes.data(),      order.data(),          source.data(),
                    of_nodes.data(),   of_triangles.data(),   arrivals.data(),
                    made.nodes.data(), made.triangles.data(), size};
  for_each(place, size - 1, make_node{at});
  for_each(place, size, unite_boxes<arrives_second>{at, {}});
  return made;
}

void trace_async(host const& place, tree_view tree, std::span<ray const> rays, std::span<hit> hits,
                 std::span<totals> sum, trace_options options) {
  bool const closest = options.query == query::closest;
  totals all = options.strategy == counting::none
                   ? (closest ? trace_rays<query::closest, no_tally>(place, tree, rays, hits)
                              : trace_rays<query::any, no_tally>(place, tree, rays, hits))
                   : (closest ? trace_rays<query::closest, tally>(place, tree, rays, hits)
                              : trace_rays<query::any, tally>(place, tree, rays, hits));
  if (options.moment == moment::each_leaf) all.nodes = all.tests = 0;
  if (options.strategy == counting::any) all = {all.nodes > 0, all.leaves > 0, all.tests > 0};
  sum[0].nodes += all.nodes;
  sum[0].leaves += all.leaves;
  sum[0].tests += all.tests;
}

void trace_all_async(host const& place, std::span<triangle const> triangles, float extent,
                     std::span<ray const> rays, std::span<hit> hits) {
  for_each(place, rays.size(),
           test_all{triangles.data(), static_cast<std::uint32_t>(triangles.size()), extent,
                    rays.data(), hits.data()});
}

template <class Generator, class T>
void fill_async(host const& place, Generator const& generator, std::span<T> values) {
  for_each(place, values.size(), fill_all<Generator, T>{generator, values.data()});
}
template void fill_async(host const&, landscape const&, std::span<triangle>);
template void fill_async(host const&, camera const&, std::span<ray>);
template void fill_async(host const&, random_ray const&, std::span<ray>);

void shade_async(host const& place, shade const& colours, std::span<hit const> hits,
                 std::span<pixel> picture) {
  for_each(place, hits.size(), shade_all{colours, hits.data(), picture.data()});
}

void count_lattice_async(host const& place, int radius, counting strategy,
                         std::span<std::uint64_t> sum) {
  if (strategy == counting::none) return;
  lattice_ray const rays{radius};
  std::uint64_t all = 0;
  for_each_part(place, rays.rays(), [&](std::uint32_t first, std::uint32_t last) {
    std::uint64_t part = 0;
    for (std::uint32_t i = first; i < last; ++i)
      part += meets_sphere(rays(i), static_cast<float>(radius)) ? 1 : 0;
    add(all, part);
  });
  sum[0] += strategy == counting::any ? all > 0 : all;
}

} // namespace warpfold::raycast
