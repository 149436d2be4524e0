#pragma once
// Triangles and rays that are hard to get right.

#include <raycast/raycast.hpp>

#include <random>

namespace test {

namespace rc = warpfold::raycast;

/// In the unit cube: triangles of every size, the edges of some shared; every eighth degenerate or
/// the same as an earlier one.
inline std::vector<rc::triangle> triangle_soup(std::size_t size, unsigned seed) {
  std::mt19937_64 random{seed};
  auto const unit = [&] { return 0x1p-24f * static_cast<float>(random() >> 40); };
  auto const near = [&](rc::vec3 p, float reach) {
    return p + rc::vec3{reach * (unit() - 0.5f), reach * (unit() - 0.5f), reach * (unit() - 0.5f)};
  };
  std::vector<rc::triangle> soup;
  while (soup.size() < size) {
    float const reach = std::ldexp(1.0f, -static_cast<int>(random() % 10));
    rc::vec3 const a{unit(), unit(), unit()}, b = near(a, reach), c = near(a, reach);
    switch (random() % 16) {
    case 0: soup.push_back({a, a, c}); break;                            // a line
    case 1: soup.push_back({a, a + (b - a), a + 0.5f * (b - a)}); break; // almost a line
    case 2: soup.push_back({a, a, a}); break;                            // a point
    case 3:
      soup.push_back(soup.empty() ? rc::triangle{a, b, c} : soup[random() % soup.size()]);
      break;
    case 4: soup.push_back({a, {b.x, b.y, a.z}, {c.x, c.y, a.z}}); break; // across an axis
    case 5:                                                               // two that share an edge
      soup.push_back({a, b, c});
      soup.push_back({c, b, near(a, reach)});
      break;
    default: soup.push_back({a, b, c});
    }
  }
  soup.resize(size);
  return soup;
}

/// Rays about the triangles: anywhere, along an axis, along a triangle's plane, and at points of
/// its edges and corners; every eighth of them bounded.
inline std::vector<rc::ray> rays_at(std::vector<rc::triangle> const& soup, std::size_t size,
                                    unsigned seed) {
  std::mt19937_64 random{seed};
  auto const unit = [&] { return 0x1p-24f * static_cast<float>(random() >> 40); };
  auto const somewhere = [&] {
    return rc::vec3{2 * unit() - 0.5f, 2 * unit() - 0.5f, 2 * unit() - 0.5f};
  };
  std::vector<rc::ray> rays(size);
  for (rc::ray& one : rays) {
    rc::triangle const& at = soup[random() % soup.size()];
    rc::vec3 const origin = somewhere();
    rc::vec3 direction = somewhere() - origin;
    one = {origin, 0, direction, 1e30f};
    switch (random() % 8) {
    case 0: one.direction = {0, 0, random() % 2 == 0 ? 1.0f : -1.0f}; break;
    case 1: one.direction = {unit() - 0.5f, 0, unit()}; break;
    case 2: one.direction = at.a - origin; break;
    case 3: one.direction = at.a + 0.5f * (at.b - at.a) - origin; break;
    case 4: one.direction = at.b + unit() * (at.c - at.b) - origin; break;
    case 5: one = {at.a + (at.a - at.b), 0, at.b - at.a, 1e30f}; break;
    default: break;
    }
    if (dot(one.direction, one.direction) == 0) one.direction = {1, 0, 0};
    if (random() % 8 == 0) {
      one.from = 0.5f * unit();
      one.to = one.from + unit();
    }
  }
  return rays;
}

} // namespace test
