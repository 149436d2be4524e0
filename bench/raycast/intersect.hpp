#pragma once
// Tests of a ray against a box or a triangle.
//
// Triangles: S. Woop, C. Benthin, I. Wald, "Watertight Ray/Triangle Intersection", JCGT 2(1), 2013.
// The triangle is sheared so that the ray runs along one axis; a hit is where the three edge
// functions have one sign. A vertex's sheared coordinates depend on the ray and the vertex alone,
// and the signs are exact for them, so that two triangles with a common edge cannot both be missed
// there. (The paper falls back to double precision for the sign of 0; difference_of_products needs
// no such case.)
//
// Boxes: T. Ize, "Robust BVH Ray Traversal", JCGT 2(2), 2013. Boxes are widened so that no rounding
// loses a hit; here by a length, a few roundings of the largest coordinate, since the triangle's
// test too may be off by that much.
//
// A hit's t is clamped to the ray's interval in the triangle's own box. The bounds of that interval
// are monotone in the box (rounding is), so they lie in the computed interval of every box around
// it: no order of traversal can lose a hit that a test of all triangles would find, not even one of
// a triangle so thin that its t is noise. That, and the rule that of equal t the least number wins,
// makes the result that of brute force in all bits.

#include "geometry.hpp"

namespace warpfold::raycast {

/// A ray, prepared for the tests.
struct prepared_ray {
  vec3 origin;
  /// A plane x = c is met at c * inverse.x + low.x if it is the lower side of a box, and at
  /// c * inverse.x + high.x if it is the upper one.
  vec3 inverse, low, high;
  /// The axis of the direction's largest component, and the shear along it.
  int axis;
  float shear_p, shear_q, scale;
};

/// `size`: the largest absolute value of the scene's coordinates.
WARPFOLD_HOST_DEVICE inline prepared_ray prepare(ray const& from, float size) {
  vec3 const d = from.direction, o = from.origin;
  float const x = std::fabs(d.x), y = std::fabs(d.y), z = std::fabs(d.z);
  float const longest = greater(greater(x, y), z);
  float const least_component = 1e-18f * longest; // what is less moves nothing within the scene
  auto const inverse_of = [=](float component) {
    return 1 / (std::fabs(component) < least_component ? std::copysign(least_component, component)
                                                       : component);
  };
  prepared_ray r;
  r.origin = o;
  r.inverse = {inverse_of(d.x), inverse_of(d.y), inverse_of(d.z)};
  float const far = greater(greater(greater(std::fabs(o.x), std::fabs(o.y)), std::fabs(o.z)), size);
  float const margin = 0x1p-19f * far; // 32 roundings
  r.low = {-(o.x + margin) * r.inverse.x, -(o.y + margin) * r.inverse.y,
           -(o.z + margin) * r.inverse.z};
  r.high = {-(o.x - margin) * r.inverse.x, -(o.y - margin) * r.inverse.y,
            -(o.z - margin) * r.inverse.z};
  r.axis = x == longest ? 0 : y == longest ? 1 : 2;
  float const along = r.axis == 0 ? d.x : r.axis == 1 ? d.y : d.z;
  r.shear_p = (r.axis == 0 ? d.y : r.axis == 1 ? d.z : d.x) / along;
  r.shear_q = (r.axis == 0 ? d.z : r.axis == 1 ? d.x : d.y) / along;
  r.scale = 1 / along;
  return r;
}

/// A part of a ray; empty unless from <= to.
struct interval {
  float from, to;
};

/// The part of the line that lies in a box.
WARPFOLD_HOST_DEVICE inline interval clip(prepared_ray const& r, vec3 low, vec3 high) {
  float const x0 = multiply_add(low.x, r.inverse.x, r.low.x);
  float const x1 = multiply_add(high.x, r.inverse.x, r.high.x);
  float const y0 = multiply_add(low.y, r.inverse.y, r.low.y);
  float const y1 = multiply_add(high.y, r.inverse.y, r.high.y);
  float const z0 = multiply_add(low.z, r.inverse.z, r.low.z);
  float const z1 = multiply_add(high.z, r.inverse.z, r.high.z);
  return {most(most(least(x0, x1), least(y0, y1)), least(z0, z1)),
          least(least(most(x0, x1), most(y0, y1)), most(z0, z1))};
}

/// Makes `best` the hit of this triangle if that is nearer, or as near and of a lower number.
WARPFOLD_HOST_DEVICE inline void meet(prepared_ray const& r, float from, triangle const& corners,
                                      std::uint32_t number, hit& best) {
  struct sheared {
    float p, q, along;
  };
  auto const shear = [&r](vec3 corner) {
    vec3 const v = corner - r.origin;
    float const along = r.axis == 0 ? v.x : r.axis == 1 ? v.y : v.z;
    float const p = r.axis == 0 ? v.y : r.axis == 1 ? v.z : v.x;
    float const q = r.axis == 0 ? v.z : r.axis == 1 ? v.x : v.y;
    return sheared{multiply_add(-r.shear_p, along, p), multiply_add(-r.shear_q, along, q),
                   r.scale * along};
  };
  sheared const a = shear(corners.a), b = shear(corners.b), c = shear(corners.c);
  float const u = difference_of_products(c.p, b.q, c.q, b.p);
  float const v = difference_of_products(a.p, c.q, a.q, c.p);
  float const w = difference_of_products(b.p, a.q, b.q, a.p);
  if ((u < 0 || v < 0 || w < 0) && (u > 0 || v > 0 || w > 0)) return;
  float const determinant = u + v + w;
  if (determinant == 0) return; // seen edge on, or without an area

  box const own = box_of{}(corners);
  interval const within = clip(r, own.low, own.high);
  if (!(within.from <= within.to)) return;
  float t = (u * a.along + v * b.along + w * c.along) / determinant;
  t = lesser(greater(t, within.from), within.to) + 0.0f; // never -0
  if (!(t >= from && t <= best.t)) return;
  if (t < best.t || number < best.number) best = {t, number};
}

/// Returns true if the line meets the sphere around the origin, or touches it. The direction's
/// length is 1.
WARPFOLD_HOST_DEVICE inline bool meets_sphere(ray const& r, float radius) {
  float const half = dot(r.origin, r.direction);
  return half * half - (dot(r.origin, r.origin) - radius * radius) >= 0;
}

/// Ray i of those that run along z through the integer points of a square of 2 * radius + 1 by
/// 2 * radius + 1, in the middle of which the origin is.
struct lattice_ray {
  int radius;

  WARPFOLD_HOST_DEVICE std::uint32_t rays() const {
    auto const side = static_cast<std::uint32_t>(2 * radius + 1);
    return side * side;
  }
  WARPFOLD_HOST_DEVICE ray operator()(std::uint32_t i) const {
    auto const side = static_cast<std::uint32_t>(2 * radius + 1);
    auto const r = static_cast<float>(radius);
    std::uint32_t const row = i / side;
    float const x = static_cast<float>(i % side) - r, y = static_cast<float>(row) - r;
    return {{x, y, -r}, 0, {0, 0, 1}, 1e30f};
  }
};

} // namespace warpfold::raycast
