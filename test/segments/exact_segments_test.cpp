// Exact sums of segments: each is the exact sum of its elements as an array of their own.

#include "gpu.hpp"
#include "reduction/exact.hpp"
#include "segments.hpp"

#include <numeric>

namespace exact_segments_test {

using namespace test;
namespace wf = warpfold;

/// Lengths of all kinds: empty ones in runs, short, around a warp's and a thread's limits, long.
template <class Offset>
std::vector<Offset> mixed_offsets(std::mt19937_64& random, std::size_t size) {
  std::vector<Offset> offsets{static_cast<Offset>(random() % 5)};
  while (offsets.size() < 3000) {
    std::size_t const lengths[] = {0, 0, 1, 3, 31, 32, 33, 127, 1000, 4096, 5000, 70'000};
    std::size_t length = lengths[random() % 12];
    std::size_t const copies = length == 0 ? random() % 100 : length < 100 ? random() % 50 : 1;
    for (std::size_t k = 0; k < copies; ++k) {
      std::size_t const next = static_cast<std::size_t>(offsets.back()) + length;
      if (next + 7 > size) return offsets; // a few elements at the end are in no segment
      offsets.push_back(static_cast<Offset>(next));
    }
  }
  return offsets;
}

template <class T, class Offset, class Place>
void check_offsets(Place& place, std::size_t size) {
  using A = accumulator_t<T>;
  auto const seed = std::random_device{}();
  CAPTURE(seed);
  std::mt19937_64 random{seed};
  wf::host const reference{1};
  for (std::size_t const one_in : {0, 1, 500}) {
    CAPTURE(one_in);
    auto values = partly_wild_values<T>(size + 1, one_in, random, 40);
    if (one_in == 500)
      for (int i = 0; i < 5; ++i)
        values[random() % size] = static_cast<T>(std::numeric_limits<float>::infinity());
    auto const offsets = mixed_offsets<Offset>(random, size);
    std::size_t const count = offsets.size() - 1;
    memory_of<Place, T> there(place, values);
    memory_of<Place, Offset> positions(place, offsets);
    for (std::size_t const first : {0, 1}) {
      memory_of<Place, A> results(place, std::vector<A>(count, A(-77)));
      wf::exact_segmented_sum(place, there.view(first, size), positions.all(), results.all());
      for (std::size_t i = 0; i < count; ++i) {
        auto const segment = segment_of(values, offsets, i, first);
        CAPTURE(i);
        CAPTURE(segment.size());
        REQUIRE(same_number(results.get(i), A{wf::exact_sum(reference, segment)}));
      }
    }
  }
}

EVERY_PLACE("exact sums of fixed lengths") {
  std::mt19937_64 random{5};
  wf::host const reference{1};
  for (std::size_t const length : {1, 7, 32, 33, 4096, 30'000}) {
    CAPTURE(length);
    std::size_t const count = 90'000 / length;
    auto const values = wild_values<double>(count * length, random, 40);
    memory_of<Place, double> there(place, values), results(place, std::vector<double>(count, 0.0));
    wf::exact_segmented_sum(place, there.all(), wf::fixed_length{length}, results.all());
    for (std::size_t i = 0; i < count; ++i)
      REQUIRE(same_bits(
          results.get(i),
          wf::exact_sum(reference, std::span<double const>(values).subspan(i * length, length))));
  }
}

template <class Place>
void check_edges(Place& place) {
  memory_of<Place, float> values(place, {1e30F, 1.0F, -1e30F}), results(place, {9.0F, 9.0F, 9.0F});
  memory_of<Place, std::int64_t> one(place, {0}), all(place, {0, 3, 3, 3});
  wf::exact_segmented_sum(place, values.all(), one.all(), results.view(0, 0)); // no segment
  CHECK(results.get(0) == 9.0F);
  wf::exact_segmented_sum(place, values.all(), all.all(), results.all());
  CHECK(results.get(0) == 1.0F);
  CHECK(results.get(1) == 0.0F);
  CHECK(results.get(2) == 0.0F);
  wf::exact_segmented_sum_async(place, values.all(), wf::fixed_length{1}, results.all());
  CHECK(results.get(2) == -1e30F);
}

EVERY_PLACE_OF("exact sums of segments", T, WARPFOLD_TEST_FLOATS) {
  check_offsets<T, std::int32_t>(place, 200'000);
  check_offsets<T, std::int64_t>(place, 50'000);
}

FAST_EVERY_PLACE("exact sums of few segments") {
  check_offsets<float, std::int32_t>(place, 9'000);
  check_offsets<double, std::int64_t>(place, 9'000);
  check_edges(place);
}

TEST_SUITE("gpu") {
  TEST_CASE("exact sums of segments: one long, and millions of empty ones") {
    counting_resource memory;
    wf::gpu place(0, &memory);
    place.reserve(wf::exact_segmented_workspace<float>(20'000'000));
    auto const values = rough_values<float>(20'000'000, 3);
    wf::device_buffer<float> there(place, std::span<float const>(values));
    std::vector<std::int32_t> offsets(5'000'000, 17);
    offsets.front() = 0;
    offsets.back() = 20'000'000;
    wf::device_buffer<std::int32_t> positions(place, std::span<std::int32_t const>(offsets));
    wf::device_buffer<float> results(place, offsets.size() - 1);
    int const allocations = memory.allocations;
    captured graph(place,
                   [&] { wf::exact_segmented_sum_async(place, there, positions, results.span()); });
    CHECK(memory.allocations == allocations);
    for (int i = 0; i < 2; ++i) {
      graph.launch();
      auto const found = wf::to_vector(place, results.span());
      auto const all = std::span<float const>(values);
      CHECK(found.front() == wf::exact_sum(wf::host{2}, all.first(17)));
      CHECK(found.back() == wf::exact_sum(wf::host{2}, all.subspan(17)));
      CHECK(std::accumulate(found.begin() + 1, found.end() - 1, 0.0F) == 0.0F);
    }
  }
}

} // namespace exact_segments_test
