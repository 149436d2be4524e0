// The ray caster: its tree, its hits against brute force, and its counts, with one body for both
// places. raycast_embree_test.cpp compares hits with another library's.

#include "gpu.hpp"
#include "raycast_scenes.hpp"

#include <algorithm>

namespace {

using namespace test;
namespace wf = warpfold;

std::vector<rc::counting> strategies_of(wf::host const&) {
  return {rc::counting::none, rc::counting::automatic, rc::counting::any};
}
std::vector<rc::counting> strategies_of(wf::gpu const&) {
  return {std::begin(rc::strategies), std::end(rc::strategies)};
}

/// Under each strategy the same hits, and the same counts as `expected`.
template <class Place>
void check_strategies(Place& place, rc::hierarchy<Place> const& tree,
                      rc::memory_on<Place, rc::ray> const& rays, rc::query query,
                      std::vector<rc::hit> const& hits, rc::totals expected) {
  for (rc::counting const strategy : strategies_of(place))
    for (rc::moment const moment : {rc::moment::at_end, rc::moment::each_leaf}) {
      if (moment == rc::moment::each_leaf && query == rc::query::any) continue;
      CAPTURE(rc::to_string(strategy));
      auto const got = trace(place, tree, rays, {query, strategy, moment});
      CHECK(rc::same_bits(got.hits, hits));
      bool const all = moment == rc::moment::at_end;
      rc::totals const counted{all ? expected.nodes : 0, expected.leaves, all ? expected.tests : 0};
      if (strategy == rc::counting::none) CHECK(got.sum == rc::totals{});
      else if (strategy != rc::counting::any) CHECK(got.sum == counted);
      else {
        CHECK((got.sum.leaves > 0) == (counted.leaves > 0));
        CHECK(got.sum.leaves <= counted.leaves);
      }
    }
}

template <class Place>
void check_hits(Place& place, std::size_t triangles, std::size_t ray_count, unsigned seed) {
  CAPTURE(seed);
  CAPTURE(triangles);
  auto const soup = triangle_soup(triangles, seed);
  auto const aimed = rays_at(soup, ray_count, seed + 1);
  auto const source = put_on(place, soup);
  auto const rays = put_on(place, aimed);
  auto const tree = rc::build(place, source);
  auto const expected = trace_all(place, source, tree.extent, rays);
  auto const found = trace(place, tree, rays);
  CHECK(rc::same_bits(found.hits, expected));
  check_strategies(place, tree, rays, rc::query::closest, expected, found.sum);

  auto const any = trace(place, tree, rays, {.query = rc::query::any});
  std::size_t hit = 0, disagree = 0;
  for (std::size_t i = 0; i < ray_count; ++i) {
    bool const is_hit = expected[i].number != rc::nothing;
    hit += is_hit ? 1 : 0;
    bool const agrees = is_hit ? any.hits[i].number < triangles && any.hits[i].t >= expected[i].t &&
                                     any.hits[i].t <= aimed[i].to
                               : any.hits[i] == expected[i];
    disagree += agrees ? 0 : 1;
  }
  CHECK(disagree == 0);
  if (triangles >= 500) {
    CHECK(hit > ray_count / 4);
    CHECK(hit < ray_count);
  }
  check_strategies(place, tree, rays, rc::query::any, any.hits, any.sum);
}

/// From inside a closed surface, at its corners and at points of its edges: nothing leaks.
template <class Place>
void check_closed(Place& place, std::uint32_t facets) {
  rc::landscape const sphere{.ground = 0, .spheres = 1, .facets = facets};
  auto const source = filled(place, sphere, sphere.triangles());
  auto const triangles = contents_of(place, source);
  rc::vec3 centre{0, 0, 0};
  for (auto const& one : triangles)
    centre = centre + 1 / static_cast<float>(triangles.size()) * one.a;
  std::vector<rc::ray> out;
  for (auto const& one : triangles)
    for (auto const& [from, to] : {std::pair{one.a, one.b}, {one.b, one.c}, {one.c, one.a}})
      for (float const part : {0.0f, 0.3f, 0.5f})
        out.push_back({centre, 0, from + part * (to - from) - centre, 1e30f});
  auto const found = trace(place, rc::build(place, source), put_on(place, out)).hits;
  CHECK(found.size() == triangles.size() * 9);
  CHECK(std::count_if(found.begin(), found.end(),
                      [](rc::hit const& h) { return h.number == rc::nothing; }) == 0);
}

bool holds(rc::box const& outer, rc::box const& inner) {
  return rc::unite{}(outer, inner) == outer;
}

/// Every triangle in one leaf, and every box as small as it can be.
struct tree_walk {
  std::vector<rc::node> nodes;
  std::vector<rc::leaf_triangle> triangles;
  std::vector<int> seen;
  int depth = 0;
  bool tight = true;

  rc::box walk(rc::reference at, int level) {
    depth = std::max(depth, level);
    if (at.is_leaf()) {
      rc::box all = rc::box_of{}(triangles.at(at.first()).corners);
      for (std::uint32_t i = at.first(); i < at.first() + at.count(); ++i) {
        ++seen.at(i);
        all = rc::unite{}(all, rc::box_of{}(triangles.at(i).corners));
      }
      return all;
    }
    rc::node const& here = nodes.at(at.node());
    for (int side = 0; side < 2; ++side)
      tight = tight && walk(here.children[side], level + 1) == here.boxes[side];
    return rc::unite{}(here.boxes[0], here.boxes[1]);
  }
};

template <class Place>
void check_tree(Place& place, std::vector<rc::triangle> const& triangles) {
  CAPTURE(triangles.size());
  auto const tree = rc::build(place, put_on(place, triangles));
  tree_walk walk{contents_of(place, tree.nodes), contents_of(place, tree.triangles),
                 std::vector<int>(triangles.size(), 0)};
  REQUIRE(walk.triangles.size() == triangles.size());
  std::vector<rc::ray> const aimed{{{0, 0, 0}, 0, {1, 1, 1}, 1e30f}};
  auto const found = trace(place, tree, put_on(place, aimed)); // of an empty tree, too
  CHECK((triangles.empty() ? found.hits[0].number == rc::nothing : true));
  if (triangles.empty()) return;
  rc::box const all = walk.walk(tree.view().root(), 0);
  CHECK(walk.tight);
  CHECK(walk.depth <= rc::deepest);
  CHECK(std::all_of(walk.seen.begin(), walk.seen.end(), [](int times) { return times == 1; }));
  std::vector<int> numbers(triangles.size(), 0);
  for (auto const& one : walk.triangles) {
    ++numbers.at(one.number);
    CHECK_MESSAGE(same_bits(one.corners, triangles[one.number]), one.number);
    CHECK(holds(all, rc::box_of{}(one.corners)));
  }
  CHECK(std::all_of(numbers.begin(), numbers.end(), [](int times) { return times == 1; }));
}

EVERY_PLACE("the ray caster's trees") {
  for (std::size_t const size : {0, 1, 2, 3, 4, 5, 8, 9, 33, 1000, 5000})
    check_tree(place, triangle_soup(size, 41));
  check_tree(place, std::vector<rc::triangle>(777, {{1, 2, 3}, {2, 2, 3}, {1, 4, 3}}));
  check_tree(place, std::vector<rc::triangle>(5, {{0, 0, 0}, {0, 0, 0}, {0, 0, 0}}));
}

template <class Place>
void check_lattice(Place& place, std::initializer_list<std::pair<int, std::uint64_t>> circles) {
  for (auto const& circle : circles) // OEIS A000328
    for (rc::counting const strategy : strategies_of(place)) {
      int const radius = circle.first;
      std::uint64_t const points = circle.second;
      CAPTURE(radius);
      CAPTURE(rc::to_string(strategy));
      auto sum = rc::put_on(place, std::vector<std::uint64_t>(1, 5));
      rc::count_lattice_async(place, radius, strategy, sum);
      std::uint64_t const got = rc::contents_of(place, sum)[0] - 5;
      if (strategy == rc::counting::none) CHECK(got == 0);
      else if (strategy != rc::counting::any) CHECK(got == points);
      else {
        CHECK(got > 0);
        CHECK(got <= points);
      }
    }
}

EVERY_PLACE("the ray caster's hits are those of all triangles") {
  if constexpr (std::same_as<Place, wf::host>) {
    check_hits(place, 10'000, 3'000, 171);
    for (std::size_t const triangles : {1, 2, 3, 4, 5, 9, 100})
      check_hits(place, triangles, 500, 172);
  } else {
    check_hits(place, 10'000, 100'000, 183);
    check_hits(place, 10'007, 100'000, 184);
    for (std::size_t const triangles : {2, 3, 9, 100}) check_hits(place, triangles, 10'000, 185);
  }
}
FAST_EVERY_PLACE("the ray caster's closed surfaces") {
  for (std::uint32_t const facets : {1, 7, 40}) check_closed(place, facets);
}
FAST_EVERY_PLACE("the ray caster's small lattice") {
  check_lattice(place, {{0, 1}, {1, 5}, {10, 317}, {100, 31'417}});
}
EVERY_PLACE("the ray caster's lattice") { check_lattice(place, {{1000, 3'141'549}}); }
TEST_CASE("the ray caster's host trees do not depend on the threads") {
  auto const soup = triangle_soup(5000, 173);
  auto const one = rc::build(wf::host(1), soup), four = rc::build(wf::host(4), soup);
  CHECK(rc::same_bits(one.nodes, four.nodes));
  CHECK(rc::same_bits(one.triangles, four.triangles));
}
TEST_CASE("the ray caster refuses more triangles than leaves can name") {
  rc::triangle const one{};
  CHECK(refused_by([&] {
          rc::build(wf::host(1), std::span<rc::triangle const>(&one, rc::most_triangles));
        }) == "triangles");
}

TEST_SUITE("gpu") {
  TEST_CASE("fast: the ray caster's hits on a gpu") {
    wf::gpu place;
    check_hits(place, 500, 1'000, 181);
    for (std::size_t const triangles : {1, 4, 5}) check_hits(place, triangles, 100, 182);
  }
  TEST_CASE("the ray caster is the same on a gpu and on the host") {
    wf::gpu place;
    wf::host processor;
    rc::camera const from{400, 300};
    rc::laboratory<wf::gpu> const there(place, from, 186);
    rc::laboratory<wf::host> const here(processor, from, 186);
    REQUIRE(rc::same_bits(contents_of(place, there.triangles), here.triangles));
    CHECK(there.tree.extent == here.tree.extent);
    CHECK(rc::same_bits(contents_of(place, there.tree.nodes), here.tree.nodes));
    CHECK(rc::same_bits(contents_of(place, there.tree.triangles), here.tree.triangles));
    for (auto const seen : {true, false}) {
      CAPTURE(seen);
      CHECK(rc::same_bits(contents_of(place, there.rays(seen)), here.rays(seen)));
      for (auto const query : {rc::query::closest, rc::query::any}) {
        auto const expected = trace(processor, here.tree, here.rays(seen), {.query = query});
        check_strategies(place, there.tree, there.rays(seen), query, expected.hits, expected.sum);
      }
    }
    auto const hits = trace(processor, here.tree, here.coherent).hits;
    CHECK(rc::same_bits(there.picture(hits), here.picture(hits)));
  }
}

} // namespace
