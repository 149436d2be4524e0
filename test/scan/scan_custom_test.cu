// Scans of elements, accumulators and operators of one's own, against the tree of docs/scan.md.

#include "affine.hpp"
#include "gpu.hpp"
#include "scan/scan_tree.hpp"

#include <warpfold/scan.cuh>

#include <thrust/iterator/counting_iterator.h>

#include <random>

namespace scan_custom_test {

using namespace test;
namespace wf = warpfold;

/// Of 40 bytes: a thread has one.
struct wide_affine {
  affine map;
  std::uint64_t other[4];
  bool operator==(wide_affine const&) const = default;
};
struct then_wide {
  __host__ __device__ wide_affine operator()(wide_affine const& f, wide_affine const& g) const {
    wide_affine both{then{}(f.map, g.map), {}};
    for (int i = 0; i < 4; ++i) both.other[i] = 3 * f.other[i] + 5 * g.other[i];
    return both;
  }
};
/// The sum since the last element that begins a segment.
struct part {
  std::int32_t begins;
  float sum;
  bool operator==(part const&) const = default;
};
struct add_parts {
  __host__ __device__ part operator()(part a, part b) const {
    return b.begins ? b : part{a.begins, wf::plus{}(a.sum, b.sum)};
  }
};
struct halved {
  __host__ __device__ float operator()(std::int64_t i) const { return 0.5F * float(i % 1000); }
};

template <class A, class Op, class Place>
void check(Place& place, std::vector<A> const& all, Op op) {
  for (std::size_t const size :
       {std::size_t{0}, std::size_t{1}, std::size_t{257}, std::size_t{2049}, all.size()}) {
    CAPTURE(size);
    std::vector<A> const values(all.begin(), all.begin() + static_cast<std::ptrdiff_t>(size));
    scan_tree<A, Op> const tree(values, op);
    memory_of<Place, A> there(place, values);
    memory_of<Place, A> results(place, std::vector<A>(size));
    wf::inclusive_scan(place, there.all(), op, results.all());
    CHECK(results.contents() == tree.inclusive());
    wf::exclusive_scan_async(place, there.all(), all[0], op, results.all());
    CHECK(results.contents() == tree.exclusive(all[0]));
    A const* const first = there.all().data(); // of the type that ranges have: the same kernels
    wf::inclusive_scan_async(place, first, size, op, there.all()); // in place
    CHECK(there.contents() == tree.inclusive());
  }
}

/// Elements that are nowhere in memory, and a transform.
template <class Place>
void check_transforms(Place& place, std::size_t size) {
  std::vector<float> values(size);
  for (std::size_t i = 0; i < size; ++i) values[i] = halved{}(static_cast<std::int64_t>(i));
  scan_tree<float, wf::plus> const tree(values, wf::plus{});
  memory_of<Place, float> results(place, std::vector<float>(size));
  thrust::counting_iterator<std::int64_t> const first(0);
  wf::transform_inclusive_scan(place, first, size, wf::plus{}, halved{}, results.all());
  CHECK(results.contents() == tree.inclusive());
  wf::transform_exclusive_scan_async(place, first, size, 2.5F, wf::plus{}, halved{}, results.all());
  CHECK(results.contents() == tree.exclusive(2.5F));
}

template <class Place>
void check_all(Place& place) {
  std::mt19937_64 random{531};
  auto const word = [&] { return static_cast<std::uint32_t>(random()); };
  std::vector<affine> maps(600'007);
  for (affine& f : maps) f = {word() | 1, word()};
  check(place, maps, then{});
  std::vector<wide_affine> wides(50'003);
  for (wide_affine& f : wides) f = {{word(), word()}, {random(), random(), random(), random()}};
  check(place, wides, then_wide{});
  std::vector<part> parts(200'001);
  for (part& x : parts)
    x = {random() % 50 == 0, static_cast<float>(random() % 2001) / 8 - 125.0F / 3};
  check(place, parts, add_parts{});
  check_transforms(place, 70'001);
}

TEST_CASE("scans of one's own, on the host") {
  wf::host place(3);
  check_all(place);
}
TEST_CASE("scans of one's own, on a gpu" * doctest::test_suite("gpu")) {
  wf::gpu place;
  check_all(place);
}
TEST_CASE("fast: scans of a transform, captured" * doctest::test_suite("gpu")) {
  wf::gpu place;
  std::size_t const size = 20'011;
  check_transforms(place, size);
  std::vector<float> values(size);
  for (std::size_t i = 0; i < size; ++i) values[i] = halved{}(static_cast<std::int64_t>(i));
  scan_tree<float, wf::plus> const tree(values, wf::plus{});
  memory_of<wf::gpu, float> sums(place, std::vector<float>(size)), from_one(place, values);
  thrust::counting_iterator<std::int64_t> const first(0);
  captured graph(place, [&] {
    wf::transform_inclusive_scan_async(place, first, size, wf::plus{}, halved{}, sums.all());
    wf::transform_exclusive_scan_async(place, first, size, 1.F, wf::plus{}, halved{},
                                       from_one.all());
  });
  for (int launch = 0; launch < 2; ++launch) {
    graph.launch();
    CHECK(sums.contents() == tree.inclusive());
    CHECK(from_one.contents() == tree.exclusive(1.F));
  }
}

} // namespace scan_custom_test
