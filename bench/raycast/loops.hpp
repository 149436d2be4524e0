#pragma once
// What the two places have in common besides the steps of tree.hpp.

#include "raycast.hpp"

#include <limits>
#include <string>

namespace warpfold::raycast {

inline void check_size(std::size_t triangles) {
  if (triangles >= most_triangles)
    throw argument_error("triangles", "there are " + std::to_string(triangles) +
                                          " of them, more than a leaf can name");
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

template <class From, class T>
struct generate {
  From from;
  T* to;
  WARPFOLD_HOST_DEVICE void operator()(std::uint32_t i) const { to[i] = from(i); }
};

struct shade_all {
  shade how;
  hit const* hits;
  pixel* picture;
  WARPFOLD_HOST_DEVICE void operator()(std::uint32_t i) const {
    picture[how.from.pixel(i)] = how(i, hits[i]);
  }
};

struct test_all {
  triangle const* triangles;
  std::uint32_t size;
  float extent;
  ray const* rays;
  hit* hits;
  WARPFOLD_HOST_DEVICE void operator()(std::uint32_t i) const {
    hits[i] = trace_all(triangles, size, extent, rays[i]);
  }
};

} // namespace warpfold::raycast
