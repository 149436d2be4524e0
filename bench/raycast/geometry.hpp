#pragma once
// Points, boxes, triangles and rays. All arithmetic of the ray caster is made of operations that
// IEEE 754 rounds in one way (+ - * / sqrt, and multiply_add), and its files are compiled without
// contraction: a GPU and the host get the same bits.

#include <warpfold/detail/core/macros.hpp>

#include <cmath>
#include <cstdint>

namespace warpfold::raycast {

struct vec3 {
  float x, y, z;
};

WARPFOLD_HOST_DEVICE inline vec3 operator+(vec3 a, vec3 b) {
  return {a.x + b.x, a.y + b.y, a.z + b.z};
}
WARPFOLD_HOST_DEVICE inline vec3 operator-(vec3 a, vec3 b) {
  return {a.x - b.x, a.y - b.y, a.z - b.z};
}
WARPFOLD_HOST_DEVICE inline vec3 operator*(float s, vec3 a) { return {s * a.x, s * a.y, s * a.z}; }
WARPFOLD_HOST_DEVICE inline float dot(vec3 a, vec3 b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
WARPFOLD_HOST_DEVICE inline vec3 cross(vec3 a, vec3 b) {
  return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}
/// The vector scaled to length 1; 0 stays 0.
WARPFOLD_HOST_DEVICE inline vec3 normalized(vec3 a) {
  float const length = std::sqrt(dot(a, a));
  return length > 0 ? 1 / length * a : a;
}

/// a * b + c, rounded once.
WARPFOLD_HOST_DEVICE inline float multiply_add(float a, float b, float c) {
#ifdef __CUDA_ARCH__
  return __fmaf_rn(a, b, c);
#else
  return std::fma(a, b, c);
#endif
}

/// a * b - c * d with an error of 1.5 units in the last place and so with the exact sign, but for
/// underflow (Kahan; C. Jeannerod, N. Louvet, J.-M. Muller, Math. Comp. 82, 2013).
WARPFOLD_HOST_DEVICE inline float difference_of_products(float a, float b, float c, float d) {
  float const cd = c * d;
  float const lost = multiply_add(-c, d, cd);
  return multiply_add(a, b, -cd) + lost;
}

/// The lesser and the greater of two numbers; the second where they are equal, so that -0 and 0
/// come out alike everywhere.
WARPFOLD_HOST_DEVICE inline float lesser(float a, float b) { return a < b ? a : b; }
WARPFOLD_HOST_DEVICE inline float greater(float a, float b) { return a > b ? a : b; }

/// lesser and greater in one instruction of a GPU, for results whose zeros are only compared.
WARPFOLD_HOST_DEVICE inline float least(float a, float b) {
#ifdef __CUDA_ARCH__
  return fminf(a, b);
#else
  return lesser(a, b);
#endif
}
WARPFOLD_HOST_DEVICE inline float most(float a, float b) {
#ifdef __CUDA_ARCH__
  return fmaxf(a, b);
#else
  return greater(a, b);
#endif
}

struct box {
  vec3 low, high;

  bool operator==(box const& other) const {
    return low.x == other.low.x && low.y == other.low.y && low.z == other.low.z &&
           high.x == other.high.x && high.y == other.high.y && high.z == other.high.z;
  }
};

/// The smallest box that holds both.
struct unite {
  WARPFOLD_HOST_DEVICE box operator()(box const& a, box const& b) const {
    return {
        {lesser(a.low.x, b.low.x), lesser(a.low.y, b.low.y), lesser(a.low.z, b.low.z)},
        {greater(a.high.x, b.high.x), greater(a.high.y, b.high.y), greater(a.high.z, b.high.z)}};
  }
};

struct triangle {
  vec3 a, b, c;
};

struct box_of {
  WARPFOLD_HOST_DEVICE box operator()(triangle const& t) const {
    return unite{}(unite{}({t.a, t.a}, {t.b, t.b}), {t.c, t.c});
  }
};

/// The points origin + t * direction with from <= t <= to, where -1e30 <= to. The direction is not
/// 0; its length does not matter.
struct ray {
  vec3 origin;
  float from;
  vec3 direction;
  float to;
};

inline constexpr std::uint32_t nothing = 0xffffffff;

/// Where a ray meets a triangle, and the triangle's number: `nothing` if it meets none.
struct hit {
  float t;
  std::uint32_t number;

  bool operator==(hit const& other) const { return t == other.t && number == other.number; }
};

} // namespace warpfold::raycast
