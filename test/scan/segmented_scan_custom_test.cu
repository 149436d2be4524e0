// Segmented scans of elements, accumulators and operators of one's own.

#include "affine.hpp"
#include "gpu.hpp"
#include "scan/segmented_tree.hpp"

#include <warpfold/scan.cuh>
#include <warpfold/scan/segmented.hpp>

#include <cuda_fp16.h>

#include <random>

namespace segmented_scan_custom_test {

using namespace test;
namespace wf = warpfold;

/// Of 40 bytes: a thread has one.
struct wide_affine {
  affine map;
  std::uint32_t other[8];
  bool operator==(wide_affine const&) const = default;
};
struct then_wide {
  std::uint32_t factor; ///< an operator with a state
  __host__ __device__ wide_affine operator()(wide_affine const& f, wide_affine const& g) const {
    wide_affine both{then{}(f.map, g.map), {}};
    for (int i = 0; i < 8; ++i) both.other[i] = factor * f.other[i] + g.other[i];
    return both;
  }
};

template <class A, class T, class Op, class Place>
void check(Place& place, std::vector<T> const& values, Op op, A init) {
  std::mt19937 random{571};
  std::size_t const size = values.size();
  std::vector<bool> begins(size);
  std::vector<std::uint64_t> keys(size);
  std::vector<std::int32_t> offsets;
  std::vector<A> widened;
  for (std::size_t i = 0; i < size; ++i) {
    begins[i] = i == 0 || random() % (i < size / 2 ? 10 : 3000) == 0;
    keys[i] = (i > 0 ? keys[i - 1] : 0) + begins[i];
    if (begins[i]) offsets.push_back(static_cast<std::int32_t>(i));
    widened.push_back(static_cast<A>(values[i]));
  }
  memory_of<Place, T> there(place, values);
  memory_of<Place, std::uint64_t> runs(place, keys);
  memory_of<Place, std::int32_t> at(place, offsets);
  memory_of<Place, A> results(place, std::vector<A>(size));
  auto const inclusive = segmented_tree(widened, begins, op);
  auto const exclusive = segmented_tree(widened, begins, op, true, init);
  wf::inclusive_scan_by_key(place, runs.all(), there.all(), op, results.all());
  CHECK(results.contents() == inclusive);
  wf::exclusive_scan_by_key_async(place, runs.all(), there.all(), init, op, results.all());
  CHECK(results.contents() == exclusive);
  wf::segmented_inclusive_scan_async(place, there.all(), at.all(), op, results.all());
  CHECK(results.contents() == inclusive);
  if constexpr (std::same_as<T, A>) { // in place
    wf::segmented_exclusive_scan(place, there.all(), at.all(), init, op, there.all());
    CHECK(there.contents() == exclusive);
  }
}

template <class Place>
void check_all(Place& place) {
  std::mt19937_64 random{572};
  auto const word = [&] { return static_cast<std::uint32_t>(random()); };
  std::vector<affine> maps(300'007);
  for (affine& f : maps) f = {word() | 1, word()};
  check<affine>(place, maps, then{}, affine{3, 5});
  std::vector<wide_affine> wides(20'003);
  for (wide_affine& f : wides) {
    f = {{word(), word()}, {}};
    for (std::uint32_t& x : f.other) x = word();
  }
  check<wide_affine>(place, wides, then_wide{7}, wides[0]);
  std::vector<__half> halves(70'001);
  std::vector<std::uint32_t> numbers(70'001);
  for (__half& x : halves) x = static_cast<float>(random() % 1000) / 64;
  for (std::uint32_t& x : numbers) x = word();
  check<float>(place, halves, wf::plus{}, 0.1F);
  std::vector<std::int64_t> wide_numbers(5001);
  for (std::int64_t& x : wide_numbers) x = static_cast<std::int64_t>(random() % 100'000);
  check<float>(place, wide_numbers, wf::plus{}, 0.1F);
  check<std::uint32_t>(place, numbers, wf::plus{}, 7u);
  check<std::uint64_t>(place, numbers, wf::plus{}, std::uint64_t{7});
}

TEST_CASE("segmented scans of one's own, on the host") {
  wf::host place(3);
  check_all(place);
}
TEST_CASE("segmented scans of one's own, on a gpu" * doctest::test_suite("gpu")) {
  wf::gpu place;
  check_all(place);
}

} // namespace segmented_scan_custom_test
