#pragma once
// The picture: what a person looks at to see that the hits are right.

#include "landscape.hpp"
#include "traversal.hpp"

namespace warpfold::raycast {

struct pixel {
  std::uint8_t red, green, blue;

  bool operator==(pixel const&) const = default;
};

/// The colour of the hit of camera ray i: its normal as a colour, lit by a sun that throws shadows,
/// and paler the farther it is.
struct shade {
  tree_view tree;
  triangle const* triangles; ///< as they were numbered
  camera from;

  WARPFOLD_HOST_DEVICE pixel operator()(std::uint32_t i, hit const& found) const {
    ray const seen = from(i);
    vec3 const sky =
        vec3{0.55f, 0.68f, 0.85f} + (0.5f - 0.5f * seen.direction.z) * vec3{0.25f, 0.2f, 0.1f};
    if (found.number == nothing) return quantized(sky);
    triangle const& met = triangles[found.number];
    vec3 normal = normalized(cross(met.b - met.a, met.c - met.a));
    if (dot(normal, seen.direction) > 0) normal = -1.0f * normal;
    vec3 const sun = normalized({-0.7f, -0.1f, 0.7f});
    vec3 const point = seen.origin + found.t * seen.direction;
    float light = 0.3f;
    float const facing = dot(normal, sun);
    if (facing > 0) {
      no_tally none;
      hit const shadow =
          trace<query::any>(tree, ray{point + 1e-3f * normal, 1e-3f, sun, 1e30f}, none);
      if (shadow.number == nothing) light += 0.7f * facing;
    }
    float const clear = 1 / (1 + 1.5e-4f * found.t * found.t);
    vec3 const colour = vec3{0.5f, 0.5f, 0.5f} + 0.5f * normal;
    return quantized(clear * light * colour + (1 - clear) * sky);
  }

private:
  WARPFOLD_HOST_DEVICE static std::uint8_t quantized(float x) {
    // NOLINTNEXTLINE(bugprone-incorrect-roundings): x is not negative then
    return static_cast<std::uint8_t>(static_cast<int>(lesser(greater(x, 0), 1) * 255 + 0.5f));
  }
  WARPFOLD_HOST_DEVICE static pixel quantized(vec3 colour) {
    return {quantized(colour.x), quantized(colour.y), quantized(colour.z)};
  }
};

} // namespace warpfold::raycast
