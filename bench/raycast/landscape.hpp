#pragma once
// The scene: rough hills with dented spheres above them. Every triangle is a function of its
// number, and a vertex of its place in a lattice, so that neighbours share vertices in all bits.

#include "geometry.hpp"

namespace warpfold::raycast {

/// 32 bits that look random (splitmix64; G. Steele, D. Lea, C. Flood, OOPSLA 2014).
WARPFOLD_HOST_DEVICE inline std::uint32_t scatter(std::uint64_t number) {
  std::uint64_t bits = (number + 1) * 0x9e3779b97f4a7c15u;
  bits = (bits ^ (bits >> 30)) * 0xbf58476d1ce4e5b9u;
  bits = (bits ^ (bits >> 27)) * 0x94d049bb133111ebu;
  return static_cast<std::uint32_t>((bits ^ (bits >> 31)) >> 32);
}
/// In [0, 1), a multiple of 2^-24.
WARPFOLD_HOST_DEVICE inline float scattered(std::uint64_t number) {
  return 0x1p-24f * static_cast<float>(scatter(number) >> 8);
}

/// Random values at the points of the integer lattice, smoothly interpolated: in [0, 1].
WARPFOLD_HOST_DEVICE inline float noise(vec3 at) {
  struct coordinate {
    std::int64_t cell;
    float blend;
    WARPFOLD_HOST_DEVICE explicit coordinate(float x) {
      float const below = std::floor(x), f = x - below;
      cell = static_cast<std::int64_t>(below);
      blend = f * f * f * (f * (f * 6 - 15) + 10); // K. Perlin, "Improving Noise", SIGGRAPH 2002
    }
  };
  coordinate const x(at.x), y(at.y), z(at.z);
  float sum = 0;
  for (int corner = 0; corner < 8; ++corner) {
    int const dx = corner & 1, dy = corner >> 1 & 1, dz = corner >> 2;
    auto const key =
        static_cast<std::uint64_t>(((z.cell + dz) * 4099 + y.cell + dy) * 4099 + x.cell + dx);
    sum += (dx != 0 ? x.blend : 1 - x.blend) * (dy != 0 ? y.blend : 1 - y.blend) *
           (dz != 0 ? z.blend : 1 - z.blend) * scattered(key);
  }
  return sum;
}

/// Triangle i of landscape::triangles().
struct landscape {
  /// Squares along a side of the ground, of 1/8 each at full size; spheres along a side; squares
  /// along an edge of the cube that a sphere is made from.
  std::uint32_t ground = 400, spheres = 7, facets = 24;

  static constexpr float side = 50;

  WARPFOLD_HOST_DEVICE std::uint32_t ground_triangles() const { return 2 * ground * ground; }
  WARPFOLD_HOST_DEVICE std::uint32_t sphere_triangles() const { return 12 * facets * facets; }
  WARPFOLD_HOST_DEVICE std::uint32_t triangles() const {
    return ground_triangles() + spheres * spheres * sphere_triangles();
  }

  WARPFOLD_HOST_DEVICE triangle operator()(std::uint32_t i) const {
    if (i < ground_triangles()) {
      std::uint32_t const square = i / 2, x = square % ground, y = square / ground;
      return i % 2 == 0 ? triangle{hill(x, y), hill(x + 1, y), hill(x, y + 1)}
                        : triangle{hill(x + 1, y + 1), hill(x, y + 1), hill(x + 1, y)};
    }
    i -= ground_triangles();
    std::uint32_t const sphere = i / sphere_triangles(), square = i % sphere_triangles() / 2;
    std::uint32_t const face = square / (facets * facets), u = square % facets,
                        v = square / facets % facets;
    return i % 2 == 0 ? triangle{dent(sphere, face, u, v), dent(sphere, face, u + 1, v),
                                 dent(sphere, face, u, v + 1)}
                      : triangle{dent(sphere, face, u + 1, v + 1), dent(sphere, face, u, v + 1),
                                 dent(sphere, face, u + 1, v)};
  }

  WARPFOLD_HOST_DEVICE static float height(float x, float y) {
    float sum = 0, size = 5, frequency = 0.09f;
    for (int octave = 0; octave < 5; ++octave) {
      sum += size * noise({x * frequency, y * frequency, static_cast<float>(octave)});
      size *= 0.45f;
      frequency *= 2.1f;
    }
    return sum;
  }

private:
  WARPFOLD_HOST_DEVICE vec3 hill(std::uint32_t ix, std::uint32_t iy) const {
    float const step = side / static_cast<float>(ground);
    float const x = static_cast<float>(ix) * step, y = static_cast<float>(iy) * step;
    return {x, y, height(x, y)};
  }

  /// Point (u, v) of a face of a sphere's cube, pushed onto the sphere and dented.
  WARPFOLD_HOST_DEVICE vec3 dent(std::uint32_t sphere, std::uint32_t face, std::uint32_t u,
                                 std::uint32_t v) const {
    auto const n = static_cast<float>(facets);
    float const a = 2 * static_cast<float>(u) - n, b = 2 * static_cast<float>(v) - n;
    float const c = face % 2 == 0 ? n : -n;
    vec3 const on_cube = face < 2 ? vec3{c, a, b} : face < 4 ? vec3{a, c, b} : vec3{a, b, c};
    vec3 const outward = normalized(on_cube);
    float const cell = side / static_cast<float>(spheres);
    auto const column = static_cast<float>(sphere % spheres);
    std::uint32_t const rows_before = sphere / spheres;
    auto const row = static_cast<float>(rows_before);
    float const radius = cell * (0.14f + 0.14f * scattered(3 * sphere));
    float const x = cell * (column + 0.3f + 0.4f * scattered(3 * sphere + 1));
    float const y = cell * (row + 0.3f + 0.4f * scattered(3 * sphere + 2));
    vec3 const centre{x, y, height(x, y) + 1.1f * radius};
    float const dents = noise(4 * outward + vec3{100 * static_cast<float>(sphere), 50, 50});
    return centre + radius * (0.8f + 0.4f * dents) * outward;
  }
};

/// Ray i of a picture of width * height points seen from a corner above the landscape, in tiles of
/// 8 * 4, so that the rays of a warp stay together. The width is a multiple of 8, the height of 4.
struct camera {
  std::uint32_t width, height;

  WARPFOLD_HOST_DEVICE std::uint32_t rays() const { return width * height; }

  /// Where ray i belongs, row by row from the top.
  WARPFOLD_HOST_DEVICE std::uint32_t pixel(std::uint32_t i) const {
    std::uint32_t const tile = i / 32, in_tile = i % 32, across = width / 8;
    std::uint32_t const x = tile % across * 8 + in_tile % 8, y = tile / across * 4 + in_tile / 8;
    return y * width + x;
  }

  WARPFOLD_HOST_DEVICE ray operator()(std::uint32_t i) const {
    std::uint32_t const at = pixel(i);
    auto const w = static_cast<float>(width), h = static_cast<float>(height);
    float const x = (2 * static_cast<float>(at % width) + 1 - w) / h;
    std::uint32_t const row = at / width;
    float const y = (h - 2 * static_cast<float>(row) - 1) / h;
    vec3 const eye{2, 1, 14}, target{22, 24, 0};
    vec3 const ahead = normalized(target - eye);
    vec3 const right = normalized(cross(ahead, vec3{0, 0, 1})), up = cross(right, ahead);
    vec3 const direction = 1.5f * ahead + x * right + y * up;
    return {eye, 0, normalized(direction), 1e30f};
  }
};

/// Ray i of those that begin anywhere above the ground and go anywhere.
struct random_ray {
  std::uint64_t seed;

  WARPFOLD_HOST_DEVICE ray operator()(std::uint32_t i) const {
    std::uint64_t number = (seed << 32 | i) * 16;
    auto const next = [&] { return scattered(number++); };
    float const x = landscape::side * next(), y = landscape::side * next(), z = 3 + 9 * next();
    // G. Marsaglia, Ann. Math. Stat. 43, 1972; most pairs are within the circle, and the last one
    // is taken as it is.
    float u = 0, v = 0, square = 1;
    for (int trial = 0; trial < 6 && square >= 1; ++trial) {
      u = 2 * next() - 1;
      v = 2 * next() - 1;
      square = u * u + v * v;
    }
    if (square >= 1) u = v = square = 0;
    float const root = 2 * std::sqrt(1 - square);
    return {{x, y, z}, 0, {u * root, v * root, 1 - 2 * square}, 1e30f};
  }
};

} // namespace warpfold::raycast
