// The ray caster on the host: the same bodies in parallel loops.

#include "growth.hpp"

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

template <class Body>
void for_each(host const& place, std::size_t size, Body body) {
  for_each_part(place, size, [&](std::uint32_t first, std::uint32_t last) {
    for (std::uint32_t i = first; i < last; ++i) body(i);
  });
}
template void for_each(host const&, std::size_t, fill_all<landscape>);
template void for_each(host const&, std::size_t, fill_all<camera>);
template void for_each(host const&, std::size_t, fill_all<random_ray>);
template void for_each(host const&, std::size_t, test_all);
template void for_each(host const&, std::size_t, shade_all);

hierarchy<host> build(host const& place, std::span<triangle const> source) {
  check_size(source.size());
  auto const size = static_cast<std::uint32_t>(source.size());
  if (size == 0) return {};
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
  return tree_over(place, source.data(), scene, codes, order);
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
