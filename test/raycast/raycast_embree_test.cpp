// The ray caster's hits against those of Intel Embree, in its robust mode. The two round
// differently: they may name different triangles as far away, and disagree where a ray touches the
// outline of a triangle, which is computed here in double.

#include "gpu.hpp"
#include "raycast_scenes.hpp"

#include <embree3/rtcore.h>

#include <algorithm>
#include <cstdio>

namespace {

using namespace test;
namespace wf = warpfold;

class embree_scene {
public:
  explicit embree_scene(std::vector<rc::triangle> const& triangles)
      : device_{rtcNewDevice(nullptr)}, scene_{rtcNewScene(device_)} {
    REQUIRE(device_);
    rtcSetSceneFlags(scene_, RTC_SCENE_FLAG_ROBUST);
    RTCGeometry const geometry = rtcNewGeometry(device_, RTC_GEOMETRY_TYPE_TRIANGLE);
    auto* const corners = static_cast<rc::triangle*>(
        rtcSetNewGeometryBuffer(geometry, RTC_BUFFER_TYPE_VERTEX, 0, RTC_FORMAT_FLOAT3,
                                sizeof(rc::vec3), 3 * triangles.size()));
    auto* const indices = static_cast<unsigned*>(
        rtcSetNewGeometryBuffer(geometry, RTC_BUFFER_TYPE_INDEX, 0, RTC_FORMAT_UINT3,
                                3 * sizeof(unsigned), triangles.size()));
    for (std::size_t i = 0; i < triangles.size(); ++i) corners[i] = triangles[i];
    for (unsigned i = 0; i < 3 * triangles.size(); ++i) indices[i] = i;
    rtcCommitGeometry(geometry);
    rtcAttachGeometry(scene_, geometry);
    rtcReleaseGeometry(geometry);
    rtcCommitScene(scene_);
  }
  ~embree_scene() {
    rtcReleaseScene(scene_);
    rtcReleaseDevice(device_);
  }
  embree_scene(embree_scene const&) = delete;
  embree_scene& operator=(embree_scene const&) = delete;

  rc::hit closest(rc::ray const& from) const {
    RTCIntersectContext context;
    rtcInitIntersectContext(&context);
    RTCRayHit one{};
    one.ray = query_of(from);
    one.hit.geomID = RTC_INVALID_GEOMETRY_ID;
    rtcIntersect1(scene_, &context, &one);
    return {one.ray.tfar, one.hit.geomID == RTC_INVALID_GEOMETRY_ID ? rc::nothing : one.hit.primID};
  }
  bool any(rc::ray const& from) const {
    RTCIntersectContext context;
    rtcInitIntersectContext(&context);
    RTCRay one = query_of(from);
    rtcOccluded1(scene_, &context, &one);
    return one.tfar < 0;
  }

private:
  static RTCRay query_of(rc::ray const& from) {
    RTCRay one{};
    one.org_x = from.origin.x;
    one.org_y = from.origin.y;
    one.org_z = from.origin.z;
    one.dir_x = from.direction.x;
    one.dir_y = from.direction.y;
    one.dir_z = from.direction.z;
    one.tnear = from.from;
    one.tfar = from.to;
    one.mask = 0xffffffff;
    return one;
  }

  RTCDevice device_;
  RTCScene scene_;
};

struct point {
  double x, y, z;
};
double dot(point a, point b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
point minus(point a, double by, point b) {
  return {a.x - by * b.x, a.y - by * b.y, a.z - by * b.z};
}

/// From the ray's line to the triangle's nearest edge.
double distance_to_outline(rc::ray const& from, rc::triangle const& at) {
  auto const wide = [](rc::vec3 p) { return point{p.x, p.y, p.z}; };
  point const direction = wide(from.direction), origin = wide(from.origin);
  double const square = dot(direction, direction);
  auto const seen = [&](rc::vec3 corner) { // across the ray
    point const p = minus(wide(corner), 1, origin);
    return minus(p, dot(p, direction) / square, direction);
  };
  double nearest = HUGE_VAL;
  for (auto const& [start, end] :
       {std::pair{at.a, at.b}, std::pair{at.b, at.c}, std::pair{at.c, at.a}}) {
    point const p = seen(start), edge = minus(seen(end), 1, p);
    double const length = dot(edge, edge);
    double const part = length > 0 ? std::clamp(-dot(p, edge) / length, 0.0, 1.0) : 0;
    point const at_part = minus(p, -part, edge);
    nearest = std::min(nearest, std::sqrt(dot(at_part, at_part)));
  }
  return nearest;
}

/// By how much t may be off: a distance that is a rounding, over the cosine of the angle at which
/// the ray meets the triangle.
double rounding_of_t(rc::ray const& from, rc::triangle const& at, double distance) {
  auto const wide = [](rc::vec3 p) { return point{p.x, p.y, p.z}; };
  point const direction = wide(from.direction), u = minus(wide(at.b), 1, wide(at.a)),
              v = minus(wide(at.c), 1, wide(at.a));
  point const normal{u.y * v.z - u.z * v.y, u.z * v.x - u.x * v.z, u.x * v.y - u.y * v.x};
  return distance * std::sqrt(dot(normal, normal)) / std::abs(dot(normal, direction));
}

struct comparison {
  std::size_t hits = 0, same = 0, as_far = 0, at_outlines = 0, unexplained = 0;
};

comparison compare(std::vector<rc::triangle> triangles, std::vector<rc::ray> rays) {
  wf::host place;
  auto const tree = rc::build(place, triangles);
  double const rounding = 2e-6 * tree.extent;
  auto const found = trace(place, tree, rays).hits;
  auto const any = trace(place, tree, rays, {.query = rc::query::any}).hits;
  embree_scene const other(triangles);
  comparison all;
  for (std::size_t i = 0; i < rays.size(); ++i) {
    rc::hit const ours = found[i], theirs = other.closest(rays[i]);
    bool const we_hit = ours.number != rc::nothing, they_hit = theirs.number != rc::nothing;
    bool const same_any = other.any(rays[i]) == (any[i].number != rc::nothing);
    all.hits += we_hit ? 1 : 0;
    bool const as_far =
        we_hit && they_hit && same_any &&
        std::abs(ours.t - theirs.t) <= rounding_of_t(rays[i], triangles[ours.number], rounding);
    if (ours.number == theirs.number && same_any && (!we_hit || as_far)) ++all.same;
    else if (as_far) ++all.as_far;
    else {
      rc::hit const nearer = !they_hit || (we_hit && ours.t < theirs.t) ? ours : theirs;
      bool const touches = nearer.number != rc::nothing &&
                           distance_to_outline(rays[i], triangles[nearer.number]) <= rounding;
      ++(touches ? all.at_outlines : all.unexplained);
    }
  }
  std::printf("Embree: %zu rays, %zu hits: %zu the same, %zu others as far, %zu at an outline, %zu "
              "unexplained\n",
              rays.size(), all.hits, all.same, all.as_far, all.at_outlines, all.unexplained);
  return all;
}

TEST_CASE("the ray caster's hits are Embree's in the landscape") {
  wf::host place;
  rc::camera const from{400, 300};
  rc::laboratory<wf::host> const lab(place, from, 191);
  for (bool const seen : {true, false}) {
    CAPTURE(seen);
    auto const all = compare(lab.triangles, lab.rays(seen));
    CHECK(all.unexplained == 0);
    CHECK(all.hits > from.rays() / 4);
    CHECK(all.same > from.rays() - from.rays() / 10'000);
  }
}

TEST_CASE("the ray caster's hits are Embree's among triangles that are hard to hit") {
  unsigned const seed = 192;
  CAPTURE(seed);
  auto const soup = triangle_soup(10'000, seed);
  auto const all = compare(soup, rays_at(soup, 100'000, seed));
  CHECK(all.unexplained == 0);
  CHECK(all.hits > 50'000);
  CHECK(all.same > 98'000);
}

} // namespace
