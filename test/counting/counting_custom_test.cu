// <warpfold/counting.cuh>, <warpfold/counting/compaction.cuh> and
// <warpfold/counting/histogram.cuh>: own predicates, bins, elements and iterators, with one body
// for both places.

#include "contents.hpp"
#include "reduction/parts.hpp"

#include <warpfold/counting.cuh>
#include <warpfold/counting/compaction.cuh>
#include <warpfold/counting/histogram.cuh>

#include <thrust/iterator/counting_iterator.h>

namespace {

using namespace test;
namespace wf = warpfold;

/// 12 bytes, which are not left as they are where one is made.
struct point {
  __host__ __device__ point() : x{0}, y{0}, z{0} {}
  __host__ __device__ point(float x, float y, float z) : x{x}, y{y}, z{z} {}
  float x, y, z;
};
struct nearer_than {
  float radius;
  __host__ __device__ bool operator()(point const& p) const {
    return p.x * p.x + p.y * p.y + p.z * p.z < radius * radius;
  }
};
struct divisible_by {
  std::uint64_t divisor;
  __host__ __device__ bool operator()(std::uint64_t i) const { return i % divisor == 0; }
};
struct remainder_by {
  std::uint64_t divisor;
  __host__ __device__ int operator()(std::uint64_t i) const {
    return static_cast<int>(i % divisor);
  }
};
/// Bins of spheres' shells; negative, or too large, for points that are not counted.
struct shell {
  __host__ __device__ int operator()(point const& p) const {
    return static_cast<int>(p.x) + static_cast<int>(p.y) - 20;
  }
};

std::vector<point> points(std::size_t size, unsigned seed) {
  std::mt19937_64 random{seed};
  std::vector<point> values(size);
  for (point& p : values)
    p = {static_cast<float>(random() % 64), static_cast<float>(random() % 64),
         static_cast<float>(random() % 64)};
  return values;
}

FAST_EVERY_PLACE("counts by own predicates") {
  unsigned const seed = 161;
  CAPTURE(seed);
  auto const all = points(300'003, seed);
  memory_of<Place, std::uint64_t> result(place, {0});
  constexpr std::size_t some[] = {0, 1, 33, 4'097, 65'537, 300'002};
  for_each_part(place, all, some, {0, 1}, [&](auto part, auto view) {
    std::uint64_t expected = 0;
    for (point const& p : part) expected += nearer_than{50}(p);
    CHECK(wf::count_if(place, view, nearer_than{50}) == expected);
    CHECK(wf::count_if(place, view.data(), part.size(), nearer_than{50}) == expected);
    CHECK(wf::all_of(place, view, nearer_than{200}));
    CHECK(wf::all_of(place, view, nearer_than{50}) == (expected == part.size()));
    CHECK(wf::any_of(place, view, nearer_than{50}) == (expected > 0));
    CHECK_FALSE(wf::any_of(place, view, nearer_than{0}));
    wf::count_if_async(place, view, nearer_than{50}, result.all());
    CHECK(result.get(0) == expected);
  });
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
  CHECK(wf::count_if(place, all, 1'000'001, divisible_by{7}) == 142'858);
  CHECK(wf::any_of(place, all, 100, divisible_by{99}));
  CHECK_FALSE(wf::all_of(place, all, 2, divisible_by{2}));
}

FAST_EVERY_PLACE("what counts by own predicates refuse") {
  memory_of<Place, std::uint64_t> result(place, {77});
  memory_of<Place, point> values(place, std::vector<point>(3));
  auto* const null = static_cast<point const*>(nullptr);
  CHECK(refused_by([&] { wf::count_if(place, null, 2, nearer_than{1}); }) == "first");
  CHECK(refused_by([&] {
          wf::count_if_async(place, values.all(), nearer_than{1}, result.view(0, 0));
        }) == "result");
  CHECK(result.get(0) == 77);
  CHECK(wf::count_if(place, null, 0, nearer_than{1}) == 0);
}

FAST_EVERY_PLACE("own selections and bins") {
  unsigned const seed = 431;
  CAPTURE(seed);
  memory_of<Place, std::uint64_t> count(place, {0});
  constexpr std::size_t some[] = {0, 1, 33, 2'559, 2'560, 2'561, 65'537, 300'002};
  for_each_part(place, points(300'003, seed), some, {0, 1}, [&](auto part, auto view) {
    std::vector<point> expected;
    std::vector<std::uint64_t> bins(50, 0);
    for (point const& p : part) {
      if (nearer_than{50}(p)) expected.push_back(p);
      if (int const bin = shell{}(p); bin >= 0 && bin < 50) ++bins[static_cast<std::size_t>(bin)];
    }
    std::size_t const size = part.size();
    memory_of<Place, point> output(place, std::vector<point>(size + 1));
    auto const same = [&](std::size_t kept) {
      auto const got = contents(place, output.view(0, kept));
      return std::memcmp(got.data(), expected.data(), kept * sizeof(point)) == 0;
    };
    CHECK(wf::compact_if(place, view, nearer_than{50}, output.view(0, size)) == expected.size());
    CHECK(same(expected.size()));
    wf::compact_if_async(place, view, nearer_than{50}, output.view(0, size / 4), count.all());
    CHECK(count.get(0) == expected.size());
    CHECK(same(std::min(expected.size(), size / 4)));
    CHECK(wf::transform_histogram(place, view, shell{}, 50) == bins);
  });
}

FAST_EVERY_PLACE("selections and bins of lambdas, and of numbers that are nowhere") {
  // A lambda over built-in elements, and numbers that are nowhere.
  memory_of<Place, std::int32_t> numbers(place, {1, 2, 3, 4, 5, 6, 7});
  memory_of<Place, std::int32_t> some(place, std::vector<std::int32_t>(7));
  auto const odd = [] __host__ __device__(std::int32_t i) { return i % 2 == 1; };
  CHECK(wf::compact_if(place, numbers.all(), odd, some.all()) == 4);
  CHECK(contents(place, some.view(0, 4)) == std::vector<std::int32_t>{1, 3, 5, 7});
  auto const naturals = thrust::counting_iterator<std::uint64_t>(0);
  memory_of<Place, std::uint64_t> found(place, std::vector<std::uint64_t>(10));
  CHECK(wf::compact_if(place, naturals, 1'000'001, divisible_by{100}, found.all()) == 10'001);
  for (std::size_t i = 0; i < 10; ++i) CHECK(found.get(i) == 100 * i);
  CHECK(wf::transform_histogram(place, naturals, 1'000'001, remainder_by{10}, 3) ==
        std::vector<std::uint64_t>{100'001, 100'000, 100'000});
  // Bytes, whose bins are looked up.
  memory_of<Place, std::uint8_t> bytes(place, {9, 1, 250, 9, 9, 1, 77, 8});
  auto const tens = [] __host__ __device__(std::uint8_t x) { return x / 10; };
  CHECK(wf::transform_histogram(place, bytes.view(1, 7), tens, 8) ==
        std::vector<std::uint64_t>{5, 0, 0, 0, 0, 0, 0, 1});
  wf::transform_histogram_async(place, bytes.all(), tens, found.view(0, 2));
  CHECK(found.get(0) == 6);
  CHECK(found.get(1) == 0);
}

/// 8 bytes that may lie at any multiple of 4, and 128 bytes.
struct pair {
  float key, other;
};
struct alignas(16) large {
  std::uint32_t words[32];
};
struct by_key {
  __host__ __device__ int operator()(pair const& p) const {
    return p.other == p.key + 1 ? static_cast<int>(p.key) : -1;
  }
};
struct first_is_even {
  __host__ __device__ bool operator()(large const& x) const { return x.words[0] % 2 == 0; }
};

FAST_EVERY_PLACE("selections and bins of unusual layouts") {
  constexpr std::size_t size = 3'001;
  std::vector<float> floats(2 * size + 1);
  std::vector<std::uint64_t> bins(5, 0);
  for (std::size_t i = 0; i < size; ++i) {
    floats[2 * i + 1] = static_cast<float>(i % 5);
    floats[2 * i + 2] = static_cast<float>(i % 5 + 1);
    ++bins[i % 5];
  }
  memory_of<Place, float> there(place, floats);
  auto* const pairs = reinterpret_cast<pair const*>(there.view(1, 2 * size).data());
  CHECK(wf::transform_histogram(place, pairs, size, by_key{}, 5) == bins);

  std::vector<large> all(size), kept;
  for (std::size_t i = 0; i < size; ++i) {
    for (std::uint32_t k = 0; k < 32; ++k) all[i].words[k] = static_cast<std::uint32_t>(i * i + k);
    if (i % 2 == 0) kept.push_back(all[i]);
  }
  memory_of<Place, large> values(place, all), output(place, std::vector<large>(size));
  CHECK(wf::compact_if(place, values.all(), first_is_even{}, output.all()) == kept.size());
  auto const got = contents(place, output.view(0, kept.size()));
  CHECK(std::memcmp(got.data(), kept.data(), kept.size() * sizeof(large)) == 0);

  // Characters are none of the numbers that are read past the caches.
  memory_of<Place, char16_t> text(place, std::vector<char16_t>{u'a', u'b', u'a', u'c'});
  memory_of<Place, char16_t> some(place, std::vector<char16_t>(4));
  auto const is_a = [] __host__ __device__(char16_t c) { return c == u'a'; };
  CHECK(wf::compact_if(place, text.all(), is_a, some.all()) == 2);
}

FAST_EVERY_PLACE("what own selections and bins refuse") {
  memory_of<Place, point> values(place, std::vector<point>(3));
  memory_of<Place, point> output(place, std::vector<point>(3));
  memory_of<Place, std::uint64_t> count(place, {77});
  auto* const null = static_cast<point const*>(nullptr);
  CHECK(refused_by([&] { wf::compact_if(place, null, 2, nearer_than{1}, output.all()); }) ==
        "first");
  CHECK(refused_by([&] { wf::compact_if(place, values.all(), nearer_than{1}, values.all()); }) ==
        "output");
  CHECK(refused_by([&] {
          wf::compact_if_async(place, values.all(), nearer_than{1}, output.all(), count.view(0, 0));
        }) == "count");
  CHECK(refused_by([&] { wf::transform_histogram(place, null, 2, shell{}, 3); }) == "first");
  for (std::size_t const bins : {0, 8'193})
    CHECK(refused_by([&] { wf::transform_histogram(place, values.all(), shell{}, bins); }) ==
          "bins");
  CHECK(refused_by([&] {
          wf::transform_histogram_async(place, values.all(), shell{}, count.view(0, 0));
        }) == "counts");
  CHECK(count.get(0) == 77);
}

TEST_SUITE("gpu") {
  TEST_CASE("fast: bins of a transform, captured") {
    wf::gpu place;
    memory_of<wf::gpu, std::uint64_t> counts(place, std::vector<std::uint64_t>(3));
    auto const naturals = thrust::counting_iterator<std::uint64_t>(0);
    captured graph(place, [&] {
      wf::transform_histogram_async(place, naturals, 1'001, remainder_by{10}, counts.all());
    });
    for (int launch = 0; launch < 2; ++launch) {
      graph.launch();
      CHECK(counts.contents() == std::vector<std::uint64_t>{101, 100, 100});
    }
  }

  TEST_CASE("more than 2^33 numbers counted") {
    wf::gpu place;
    std::uint64_t const size = (1ull << 33) + 5;
    auto const all = thrust::counting_iterator<std::uint64_t>(0);
    CHECK(wf::count_if(place, all, size, divisible_by{3}) == (size + 2) / 3);
    CHECK(wf::all_of(place, all, size, divisible_by{1}));
  }
  TEST_CASE("a sparse selection of 2^33 numbers") {
    wf::gpu place;
    std::uint64_t const size = (std::uint64_t{1} << 33) + 5, step = 1'000'003;
    auto const naturals = thrust::counting_iterator<std::uint64_t>(0);
    wf::device_buffer<std::uint64_t> found(place, size / step + 1);
    CHECK(wf::compact_if(place, naturals, size, divisible_by{step}, found) == found.size());
    auto const got = wf::to_vector(place, found.span());
    bool all = true;
    for (std::size_t i = 0; i < got.size(); ++i) all = all && got[i] == step * i;
    CHECK(all);
    CHECK(wf::transform_histogram(place, naturals, size, remainder_by{2}, 2) ==
          std::vector<std::uint64_t>{size / 2 + 1, size / 2});
  }
}

} // namespace
