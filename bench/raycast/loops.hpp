#pragma once
// Code common to both places, besides the steps of tree.hpp.

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

template <class Generator, class T>
struct fill_all {
  Generator generator;
  T* values;
  WARPFOLD_HOST_DEVICE void operator()(std::uint32_t i) const { values[i] = generator(i); }
};

struct shade_all {
  shade colours;
  hit const* hits;
  pixel* picture;
  WARPFOLD_HOST_DEVICE void operator()(std::uint32_t i) const {
    picture[colours.from.pixel(i)] = colours(i, hits[i]);
  }
};

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

} // namespace warpfold::raycast
