// Reductions by key beside CUB's on a gpu and Thrust's on a host, where sums are exact; of many
// runs and keys; and sums of minus zeros.

#include "contents.hpp"
#include "gpu.hpp"
#include "segments.hpp"
#include "twins.hpp"

#include <warpfold/twins/by_key.hpp>

#include <algorithm>
#include <cmath>
#include <random>

namespace by_key_gpu_test {

using namespace test;
namespace wf = warpfold;

/// Keys of runs of such lengths, any of few: equal neighbours make a longer run.
std::vector<std::uint32_t> any_keys(std::vector<std::size_t> const& lengths, std::mt19937& random) {
  std::vector<std::uint32_t> keys;
  for (std::size_t const length : lengths)
    keys.insert(keys.end(), length, static_cast<std::uint32_t>(random() % 5) * 0x3fff'ffff);
  return keys;
}

/// What a call finds, with room for all runs and 3 more.
template <class Place, class A>
struct outcome {
  memory_of<Place, std::uint32_t> unique;
  memory_of<Place, A> results;
  memory_of<Place, std::uint64_t> count;

  outcome(Place& place, std::size_t size)
      : unique(place, std::vector<std::uint32_t>(size + 3, 77)),
        results(place, std::vector<A>(size + 3, A(77))),
        count(place, std::vector<std::uint64_t>(1, 77)) {}
};

/// The fold and the place's vendor, blocking or not, find the same: by now(unique, results,
/// twin...) and later(unique, results, count, twin...).
template <class A, class Place, class Now, class Later>
void check_agreement(Place& place, std::size_t size, Now now, Later later) {
  outcome<Place, A> fold(place, size);
  std::uint64_t const count = now(fold.unique.all(), fold.results.all());
  REQUIRE(count <= size);
  auto const check = [&](outcome<Place, A>& other, std::uint64_t found) {
    CHECK(found == count);
    CHECK(part_of(other.unique.contents(), 0, count) == part_of(fold.unique.contents(), 0, count));
    CHECK(differences(part_of(other.results.contents(), 0, count),
                      part_of(fold.results.contents(), 0, count)) == "");
  };
  for (twins::vendor const vendor : {twins::fold, vendor_of(place)}) {
    CAPTURE(to_string(vendor));
    outcome<Place, A> blocking(place, size), other(place, size);
    check(blocking, now(blocking.unique.all(), blocking.results.all(), vendor));
    later(other.unique.all(), other.results.all(), other.count.all(), vendor);
    check(other, other.count.contents().front());
  }
}

EVERY_PLACE_OF("vendors and the fold agree by key where sums are exact", T, std::int32_t, float,
               double) {
  unsigned const seed = std::random_device{}();
  CAPTURE(seed);
  std::mt19937 random{seed};
  for (std::size_t const most : {0, 10, 30'000}) {
    CAPTURE(most);
    auto const keys =
        any_keys(most > 0 ? mixed_lengths(seed, most) : std::vector<std::size_t>{}, random);
    memory_of<Place, std::uint32_t> there(place, keys);
    memory_of<Place, T> values(place, exact_values<T>(keys.size(), seed));
    wf::plus const op;
    check_agreement<T>(
        place, keys.size(),
        [&](auto unique, auto results, auto... twin) {
          return wf::reduce_by_key(place, there.all(), values.all(), T{0}, op, unique, results,
                                   twin...);
        },
        [&](auto unique, auto results, auto count, auto... twin) {
          wf::reduce_by_key_async(place, there.all(), values.all(), T{0}, op, unique, results,
                                  count, twin...);
        });
  }
}

EVERY_PLACE("vendors find the same lengths of runs") {
  unsigned const seed = std::random_device{}();
  CAPTURE(seed);
  std::mt19937 random{seed};
  for (std::size_t const most : {0, 10, 30'000}) {
    CAPTURE(most);
    auto const keys =
        any_keys(most > 0 ? mixed_lengths(seed, most) : std::vector<std::size_t>{}, random);
    memory_of<Place, std::uint32_t> there(place, keys);
    check_agreement<std::uint64_t>(
        place, keys.size(),
        [&](auto unique, auto lengths, auto... twin) {
          return wf::run_length_encode(place, there.all(), unique, lengths, twin...);
        },
        [&](auto unique, auto lengths, auto count, auto... twin) {
          wf::run_length_encode_async(place, there.all(), unique, lengths, count, twin...);
        });
  }
}

EVERY_PLACE("runs by key, so many that blocks take several parts, and the last ones one") {
  unsigned const seed = std::random_device{}();
  CAPTURE(seed);
  std::mt19937 random{seed};
  constexpr std::size_t size = 18'000'000;
  std::vector<std::uint32_t> keys;
  std::vector<float> values, expected;
  while (keys.size() < size) {
    std::size_t const length = random() % 60 + 1;
    keys.insert(keys.end(), length, static_cast<std::uint32_t>(expected.size()));
    int sum = 0;
    for (std::size_t i = 0; i < length; ++i) {
      int const value = static_cast<int>(random() % 100);
      values.push_back(static_cast<float>(value));
      sum += value;
    }
    expected.push_back(static_cast<float>(sum));
  }
  memory_of<Place, std::uint32_t> there(place, keys), none(place, std::vector<std::uint32_t>(1));
  memory_of<Place, float> elements(place, values),
      sums(place, std::vector<float>(expected.size(), -1.0F));
  CHECK(wf::sum_by_key(place, there.all(), elements.all(), none.view(0, 0), sums.all()) ==
        expected.size());
  CHECK(sums.contents() == expected);
}

EVERY_PLACE("sums of minus zeros by key stay minus zero") {
  std::vector<std::uint32_t> keys;
  std::uint32_t runs = 0;
  for (std::size_t length = 1; length <= 300; ++length) keys.insert(keys.end(), length, runs++);
  for (std::size_t const length : {1'279, 1'285, 2'600, 4'096, 5'000, 30'000})
    keys.insert(keys.end(), length, runs++);
  memory_of<Place, std::uint32_t> there(place, keys), none(place, std::vector<std::uint32_t>(1));
  memory_of<Place, double> values(place, std::vector<double>(keys.size(), -0.0)),
      results(place, std::vector<double>(runs, 1.0));
  CHECK(wf::reduce_by_key(place, there.all(), values.all(), -0.0, wf::plus{}, none.view(0, 0),
                          results.all()) == runs);
  std::vector<double> const found = results.contents();
  CHECK(std::ranges::count_if(found, [](double x) { return x == 0 && std::signbit(x); }) == runs);
}

TEST_SUITE("large") {
  TEST_CASE("runs beyond 2^32 keys") {
    wf::gpu place;
    std::size_t const size = (std::size_t{1} << 32) + 11;
    wf::device_buffer<std::uint32_t> keys(place, size);
    wf::device_buffer<float> values(place, size);
    wf::check(cudaMemsetAsync(keys.data(), 0, size * sizeof(std::uint32_t), place.stream()));
    wf::check(cudaMemsetAsync(values.data(), 0, size * sizeof(float), place.stream()));
    std::vector<std::uint32_t> const last{5, 5, 6, 7, 7, 7};
    std::vector<float> const ones(6, 1.F);
    wf::copy(place, last, keys.span().subspan(size - 6));
    wf::copy(place, ones, values.span().subspan(size - 6));
    wf::device_buffer<std::uint32_t> unique(place, 5);
    wf::device_buffer<float> sums(place, 5);
    wf::device_buffer<std::uint64_t> lengths(place, 5);
    CHECK(wf::sum_by_key(place, keys, values, unique, sums) == 4);
    wf::run_length_encode(place, keys, unique, lengths);
    CHECK(wf::to_vector(place, unique.span().subspan(0, 4)) ==
          std::vector<std::uint32_t>{0, 5, 6, 7});
    CHECK(wf::to_vector(place, sums.span().subspan(0, 4)) == std::vector<float>{0, 2, 1, 3});
    CHECK(wf::to_vector(place, lengths.span().subspan(0, 4)) ==
          std::vector<std::uint64_t>{size - 6, 2, 1, 3});
  }
}

} // namespace by_key_gpu_test
