#pragma once
// The parts of building a tree that both places share, besides the steps of tree.hpp.

#include "raycast.hpp"

#include <warpfold/detail/core/refusal.hpp>

#include <limits>

namespace warpfold::raycast {

inline void check_size(std::size_t triangles) {
  if (triangles >= most_triangles)
    detail::refuse("triangles", triangles, detail::text("fewer than ", most_triangles));
}

/// United with another, gives the other.
inline box empty_box() {
  constexpr float far = std::numeric_limits<float>::infinity();
  return {{far, far, far}, {-far, -far, -far}};
}

inline float extent_of(box const& scene) {
  float extent = 0;
  for (float const x :
       {scene.low.x, scene.low.y, scene.low.z, scene.high.x, scene.high.y, scene.high.z})
    extent = greater(extent, std::fabs(x));
  return extent;
}

/// The tree over the triangles of a scene: their numbers in the order of their sorted codes.
template <class Place>
hierarchy<Place> tree_over(Place const& place, triangle const* source, box const& scene,
                           memory_on<Place, std::uint32_t> const& codes,
                           memory_on<Place, std::uint32_t> const& order) {
  auto const size = static_cast<std::uint32_t>(codes.size());
  hierarchy<Place> made{make_on<node>(place, size - 1), make_on<leaf_triangle>(place, size),
                        extent_of(scene)};
  auto of_nodes = make_on<hook>(place, size), of_triangles = make_on<hook>(place, size);
  auto arrivals = put_on(place, std::vector<unsigned>(size));
  building const at{codes.data(),      order.data(),          source,
                    of_nodes.data(),   of_triangles.data(),   arrivals.data(),
                    made.nodes.data(), made.triangles.data(), size};
  for_each(place, size - 1, make_node{at});
  for_each(place, size, unite_boxes{at});
  if constexpr (bench::is_gpu<Place>) place.synchronize();
  return made;
}

} // namespace warpfold::raycast
