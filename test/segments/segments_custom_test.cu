// Segments of elements, accumulators and operators of one's own, against reduce of each alone.

#include "gpu.hpp"
#include "segments.hpp"

#include <warpfold/segments.cuh>

namespace {

using namespace test;
namespace wf = warpfold;

/// Greatest common divisor; 0 of nothing.
struct gcd {
  using is_commutative = void;
  __host__ __device__ std::uint32_t operator()(std::uint32_t a, std::uint32_t b) const {
    while (b != 0) {
      std::uint32_t const rest = a % b;
      a = b;
      b = rest;
    }
    return a;
  }
};

/// Sum and number of elements: three words, so that a thread has one lane.
struct tally {
  float least, greatest;
  std::int32_t count;
  bool operator==(tally const&) const = default;
};
struct combine {
  using is_commutative = void;
  __host__ __device__ tally operator()(tally a, tally b) const {
    return {a.least < b.least ? a.least : b.least,
            a.greatest < b.greatest ? b.greatest : a.greatest, a.count + b.count};
  }
};

/// A number that is far from the next one: what one block folds are few of them.
template <int Between>
struct far_apart {
  float x;
  float between[Between];
  __host__ __device__ operator float() const { return x; }
};

template <class T, class A, class Op, class Place>
void check(Place& place, std::vector<T> const& values, A init, Op op) {
  auto const size = static_cast<std::int64_t>(values.size());
  std::vector<std::int64_t> const offsets{0,    0,    1,    6,    40,         100,
                                          1000, 1000, 6000, 9000, size - 700, size};
  wf::host const one(1);
  auto const alone = [&](std::size_t first, std::size_t length, std::size_t stride) {
    std::vector<T> segment;
    for (std::size_t i = 0; i < length; ++i) segment.push_back(values[first + i * stride]);
    return wf::reduce(one, segment, init, op);
  };
  memory_of<Place, T> there(place, values);
  memory_of<Place, std::int64_t> positions(place, offsets);
  memory_of<Place, A> results(place, std::vector<A>(700, init));
  std::size_t const count = offsets.size() - 1;
  wf::segmented_reduce(place, there.all(), positions.all(), init, op, results.view(0, count));
  for (std::size_t i = 0; i < count; ++i)
    CHECK(results.get(i) == alone(static_cast<std::size_t>(offsets[i]),
                                  static_cast<std::size_t>(offsets[i + 1] - offsets[i]), 1));
  wf::segmented_reduce(place, there.view(0, 7000), wf::fixed_length{10}, init, op,
                       results.view(0, 700));
  for (std::size_t const i : {0, 1, 350, 699}) CHECK(results.get(i) == alone(i * 10, 10, 1));
  wf::matrix_shape const shape{150, 100, 120};
  wf::reduce_rows(place, there.all(), shape, init, op, results.view(0, 150));
  for (std::size_t const i : {0, 77, 149}) CHECK(results.get(i) == alone(i * 120, 100, 1));
  wf::reduce_columns(place, there.all(), shape, init, op, results.view(0, 100));
  for (std::size_t const i : {0, 33, 99}) CHECK(results.get(i) == alone(i, 150, 120));
  memory_of<Place, std::int64_t> whole(place, {0, 600}); // few, but long where they are wide
  wf::segmented_reduce(place, there.view(0, 600), whole.all(), init, op, results.view(0, 1));
  CHECK(results.get(0) == alone(0, 600, 1));
}

FAST_EVERY_PLACE("segments with operators of one's own") {
  unsigned const seed = std::random_device{}();
  CAPTURE(seed);
  std::mt19937 random{seed};
  std::vector<std::uint32_t> numbers(60'000);
  for (auto& x : numbers) x = static_cast<std::uint32_t>(random() % 1000 * 6);
  check(place, numbers, std::uint32_t{0}, gcd{});
  std::vector<tally> tallies(60'000);
  for (auto& x : tallies) {
    auto const value = static_cast<float>(random() % 100'000);
    x = {value, value, 1};
  }
  check(place, tallies, tally{1e9F, -1e9F, 0}, combine{});
  std::vector<far_apart<31>> distant(60'000);
  for (auto& one : distant) one.x = static_cast<float>(random()) * 0x1p-32F;
  check(place, distant, 0.F, wf::plus{});
}

TEST_SUITE("gpu") {
  TEST_CASE("many wide elements, in segments around what one block folds") {
    using wide = far_apart<17>;
    constexpr std::size_t size = 9 << 20;
    constexpr int one_block = (64 << 10) / sizeof(wide);
    unsigned const seed = std::random_device{}();
    CAPTURE(seed);
    std::mt19937 random{seed};
    std::vector<wide> values(size);
    for (auto& one : values) one.x = static_cast<float>(random()) * 0x1p-32F;
    // Half are just too long, or all: as many long ones as there can be.
    for (int const shortest : {one_block - 7, one_block + 1}) {
      CAPTURE(shortest);
      std::vector<std::int64_t> offsets{0};
      while (offsets.back() < static_cast<std::int64_t>(size))
        offsets.push_back(std::min(static_cast<std::int64_t>(size),
                                   offsets.back() + shortest + static_cast<int>(random() % 16)));
      wf::host const all;
      std::vector<float> expected(offsets.size() - 1);
      wf::segmented_reduce(all, values, offsets, 0.F, wf::plus{}, expected);
      wf::gpu place;
      wf::device_buffer<wide> const there(place, std::span<wide const>(values));
      wf::device_buffer<std::int64_t> const positions(place,
                                                      std::span<std::int64_t const>(offsets));
      wf::device_buffer<float> results(place, expected.size());
      wf::segmented_reduce(place, there, positions, 0.F, wf::plus{}, results);
      CHECK(differences(wf::to_vector(place, results.span()), expected) == "");
    }
  }
}

} // namespace
