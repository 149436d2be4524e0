// <warpfold/counting.cuh>: own predicates, elements and iterators, with one body for both places.

#include "gpu.hpp"

#include <warpfold/counting.cuh>

#include <thrust/iterator/counting_iterator.h>

namespace {

using namespace test;
namespace wf = warpfold;

struct point {
  float x, y, z; // 12 bytes: one a thread
};
struct within {
  float radius;
  __host__ __device__ bool operator()(point const& p) const {
    return p.x * p.x + p.y * p.y + p.z * p.z < radius * radius;
  }
};
struct multiple_of {
  std::uint64_t divisor;
  __host__ __device__ bool operator()(std::uint64_t i) const { return i % divisor == 0; }
};

FAST_EVERY_PLACE("counts by own predicates") {
  unsigned const seed = 161;
  CAPTURE(seed);
  std::mt19937_64 random{seed};
  std::vector<point> points(300'003);
  for (point& p : points) // coordinates and their squares are exact
    p = {static_cast<float>(random() % 64), static_cast<float>(random() % 64),
         static_cast<float>(random() % 64)};
  memory_of<Place, point> there(place, points);
  memory_of<Place, std::uint64_t> result(place, {0});
  for (std::size_t const size : {0, 1, 33, 4'097, 65'537, 300'002})
    for (std::size_t const first : {0, 1}) {
      CAPTURE(size);
      CAPTURE(first);
      std::uint64_t expected = 0;
      for (point const& p : std::span(points).subspan(first, size)) expected += within{50}(p);
      auto const view = there.view(first, size);
      CHECK(wf::count_if(place, view, within{50}) == expected);
      CHECK(wf::count_if(place, view.data(), size, within{50}) == expected);
      CHECK(wf::all_of(place, view, within{200}));
      CHECK(wf::all_of(place, view, within{50}) == (expected == size));
      CHECK(wf::any_of(place, view, within{50}) == (expected > 0));
      CHECK_FALSE(wf::any_of(place, view, within{0}));
      wf::count_if_async(place, view, within{50}, result.all());
      CHECK(result.get(0) == expected);
    }
}

FAST_EVERY_PLACE("counts by lambdas and of numbers that are nowhere") {
  // A lambda over built-in elements, and a predicate of warpfold's over others than its own.
  memory_of<Place, std::int32_t> numbers(place, {1, 2, 3, 4, 5, 6, 7});
  auto const odd = [] __host__ __device__(std::int32_t i) { return i % 2 == 1; };
  CHECK(wf::count_if(place, numbers.all(), odd) == 4);
  CHECK(wf::count_if(place, numbers.all(), wf::less_than<double>{2.5}) == 2);
  CHECK_FALSE(wf::all_of(place, numbers.all(), odd));
  CHECK(wf::any_of(place, numbers.all(), odd));
  auto const all = thrust::counting_iterator<std::uint64_t>(0);
  CHECK(wf::count_if(place, all, 1'000'001, multiple_of{7}) == 142'858);
  CHECK(wf::any_of(place, all, 100, multiple_of{99}));
  CHECK_FALSE(wf::all_of(place, all, 2, multiple_of{2}));
}

FAST_EVERY_PLACE("what counts by own predicates refuse") {
  memory_of<Place, std::uint64_t> result(place, {77});
  memory_of<Place, point> values(place, std::vector<point>(3));
  auto* const null = static_cast<point const*>(nullptr);
  CHECK(refused_by([&] { wf::count_if(place, null, 2, within{1}); }) == "first");
  CHECK(refused_by([&] {
          wf::count_if_async(place, values.all(), within{1}, result.view(0, 0));
        }) == "result");
  CHECK(result.get(0) == 77);
  CHECK(wf::count_if(place, null, 0, within{1}) == 0);
}

TEST_SUITE("gpu") {
  TEST_CASE("more than 2^33 numbers counted") {
    wf::gpu place;
    std::uint64_t const size = (1ull << 33) + 5;
    auto const all = thrust::counting_iterator<std::uint64_t>(0);
    CHECK(wf::count_if(place, all, size, multiple_of{3}) == (size + 2) / 3);
    CHECK(wf::all_of(place, all, size, multiple_of{1}));
  }
}

} // namespace
