// <warpfold/counting/aggregated_counter.cuh>: every strategy counts what the host counts.

#include "gpu.hpp"
#include "reduction/exact.hpp"
#include "strategies.hpp"

#include <warpfold/counting/aggregated_counter.cuh>
#include <warpfold/detail/core/launch.cuh>

#include <algorithm>
#include <array>
#include <numeric>

namespace {

namespace wf = warpfold;
using wf::aggregation;

using test::numbers, test::strategy;

/// Calls check(blocks, threads) for grids of many shapes; few for the sanitizers.
template <class Check>
void for_each_grid(bool few, Check check) {
  using grids = std::vector<std::array<int, 2>>;
  for (auto const [blocks, threads] :
       few ? grids{{2, 17}, {5, 160}}
           : grids{{1, 1}, {3, 17}, {7, 32}, {5, 33}, {40, 256}, {3, 1000}, {2, 1024}}) {
    CAPTURE(blocks);
    CAPTURE(threads);
    check(blocks, threads);
  }
}

template <class T>
wf::device_buffer<T> put(wf::gpu& place, std::vector<T> const& values) {
  return {place, std::span<T const>(values)};
}

/// Which counter element i hits, and how often.
struct hit {
  int which;
  std::uint64_t weight;
};

__device__ std::size_t rank_in_grid() { return std::size_t{blockIdx.x} * blockDim.x + threadIdx.x; }
__device__ std::size_t grid_threads() { return std::size_t{gridDim.x} * blockDim.x; }

template <aggregation Strategy, int Counters>
__global__ void count_kernel(hit const* hits, std::size_t size, std::uint64_t* totals) {
  using counter = wf::aggregated_counter<Strategy, Counters>;
  __shared__ typename counter::shared_storage shared;
  counter counted(shared, totals);
  for (std::size_t i = rank_in_grid(); i < size; i += grid_threads()) {
    hit const one = hits[i];
    if (one.weight == 1) counted.add(one.which);
    else if (one.weight != 0 && one.which == Counters - 1)
      counted.template add<Counters - 1>(one.weight);
    else if (one.weight != 0) counted.add(one.which, one.weight);
    if (i % 1024 == 5) counted.template add<0>(); // seldom, and nobody else
  }
  counted.flush();
}

template <aggregation Strategy, int Counters>
void check_counts(unsigned seed, bool few) {
  CAPTURE(seed);
  std::mt19937_64 random{seed};
  wf::gpu place;
  for (int const percent : {0, 100, 2, 50}) {
    if (few && percent != 2) continue;
    std::vector<hit> hits(few ? 3'011 : 30'011);
    for (hit& one : hits) {
      one = {static_cast<int>(random() % Counters), 0};
      if (random() % 100 < static_cast<unsigned>(percent))
        one.weight = random() % 4 == 0 ? random() >> random() % 64 : 1;
    }
    CAPTURE(percent);
    auto const there = put(place, hits);
    for_each_grid(few, [&](int blocks, int threads) {
      numbers expected(Counters);
      std::vector<numbers> of_block(static_cast<std::size_t>(blocks), numbers(Counters));
      for (std::size_t i = 0; i < hits.size(); ++i) {
        auto& block =
            of_block[i / static_cast<std::size_t>(threads) % static_cast<std::size_t>(blocks)];
        block[static_cast<std::size_t>(hits[i].which)] += hits[i].weight;
        block[0] += i % 1024 == 5;
      }
      for (auto const& block : of_block)
        for (std::size_t k = 0; k < Counters; ++k)
          if (Strategy != aggregation::none)
            expected[k] += Strategy == aggregation::any ? block[k] != 0 : block[k];
      auto totals = put(place, numbers(Counters));
      for (std::uint64_t times = 1; times < 3; ++times) { // totals are added to
        wf::detail::launch(place.stream(), {blocks, threads}, count_kernel<Strategy, Counters>,
                           there.data(), hits.size(), totals.data());
        auto const got = wf::to_vector(place, totals.span());
        for (std::size_t k = 0; k < Counters; ++k) CHECK(got[k] == times * expected[k]);
      }
    });
  }
}

/// Lanes of a mask count and append together; those of the other half as well, elsewhere.
template <aggregation Strategy>
__global__ void lanes_kernel(unsigned const* masks, std::uint64_t* totals, std::uint64_t* slots,
                             std::uint64_t* values, std::uint64_t capacity) {
  using counter = wf::aggregated_counter<Strategy, 4>;
  __shared__ typename counter::shared_storage shared;
  counter counted(shared, totals);
  std::size_t const rank = rank_in_grid();
  std::uint64_t slot = wf::no_slot;
  if ((masks[rank / 32] >> rank % 32 & 1) != 0) {
    counted.add(0);
    slot = counted.append(1);
  } else if (rank % 2 == 0) {
    slot = counted.append(values, capacity, std::uint64_t{rank}, 2);
  } else {
    counted.add(3, rank);
  }
  slots[rank] = slot;
  counted.flush();
}

template <aggregation Strategy>
void check_lanes(unsigned seed, bool few) {
  CAPTURE(seed);
  std::mt19937_64 random{seed};
  wf::gpu place;
  for (int const threads : {1, 20, 32, 96, 1023}) {
    if (few && threads != 20) continue;
    CAPTURE(threads);
    constexpr int blocks = 96;
    std::size_t const all = static_cast<std::size_t>(blocks * threads);
    std::vector<unsigned> masks(all / 32 + 1);
    for (std::size_t w = 0; w < masks.size(); ++w) // 1 ... 32 lanes from one end, or any
      masks[w] = w % 3 == 0   ? ~0u >> w / 3 % 32
                 : w % 3 == 1 ? ~0u << w / 3 % 32
                              : static_cast<unsigned>(random());
    numbers expected(4);
    for (std::size_t t = 0; t < all; ++t)
      if ((masks[t / 32] >> t % 32 & 1) != 0) expected[0]++, expected[1]++;
      else if (t % 2 == 0) expected[2]++;
      else expected[3] += t;
    std::uint64_t const capacity = expected[2] / 2;
    auto const there = put(place, masks);
    auto totals = put(place, numbers(4)), values = put(place, numbers(all + 1, 77));
    wf::device_buffer<std::uint64_t> slots(place, all);
    wf::detail::launch(place.stream(), {blocks, threads}, lanes_kernel<Strategy>, there.data(),
                       totals.data(), slots.data(), values.data(), capacity);
    CHECK(wf::to_vector(place, totals.span()) == expected);
    auto const got = wf::to_vector(place, slots.span()),
               written = wf::to_vector(place, values.span());
    numbers masked, others;
    bool all_written = true;
    for (std::size_t t = 0; t < all; ++t) {
      if ((masks[t / 32] >> t % 32 & 1) != 0) masked.push_back(got[t]);
      else if (t % 2 == 0) {
        others.push_back(got[t]);
        all_written = all_written && (got[t] >= capacity || written[got[t]] == t);
      }
    }
    for (numbers* const given : {&masked, &others}) {
      numbers in_order(given->size());
      std::iota(in_order.begin(), in_order.end(), 0);
      std::sort(given->begin(), given->end());
      CHECK(*given == in_order);
    }
    CHECK(all_written);
    CHECK(std::all_of(written.begin() + static_cast<std::ptrdiff_t>(capacity), written.end(),
                      [](std::uint64_t x) { return x == 77; }));
  }
}

/// All threads come to append_all, also where the last have no element.
template <aggregation Strategy>
__global__ void compact_kernel(std::uint32_t const* values, std::size_t size, std::uint32_t* kept,
                               std::uint64_t capacity, std::uint64_t* total) {
  using counter = wf::aggregated_counter<Strategy>;
  __shared__ typename counter::shared_storage shared;
  counter counted(shared, total);
  for (std::size_t first = std::size_t{blockIdx.x} * blockDim.x; first < size;
       first += grid_threads()) {
    std::size_t const i = first + threadIdx.x;
    std::uint32_t const x = i < size ? values[i] : 0;
    counted.append_all(x % 3 == 1, kept, capacity, x);
  }
  counted.flush();
}

template <aggregation Strategy>
void check_compaction(bool few) {
  wf::gpu place;
  std::size_t const size = few ? 2'021 : 50'021;
  std::vector<std::uint32_t> values(size), expected;
  std::iota(values.begin(), values.end(), 0u);
  std::copy_if(values.begin(), values.end(), std::back_inserter(expected),
               [](std::uint32_t x) { return x % 3 == 1; });
  auto const there = put(place, values);
  for (std::size_t const capacity : {std::size_t{500}, std::size_t{0}, expected.size(), size}) {
    if (few && capacity != 500) break;
    CAPTURE(capacity);
    for_each_grid(few, [&](int blocks, int threads) {
      auto kept = put(place, std::vector<std::uint32_t>(size));
      auto total = put(place, numbers(1));
      wf::detail::launch(place.stream(), {blocks, threads}, compact_kernel<Strategy>, there.data(),
                         size, kept.data(), std::uint64_t{capacity}, total.data());
      CHECK(wf::to_vector(place, total.span())[0] == expected.size());
      auto got = wf::to_vector(place, kept.span());
      std::size_t const written = std::min(capacity, expected.size());
      CHECK(std::all_of(got.begin() + static_cast<std::ptrdiff_t>(written), got.end(),
                        [](std::uint32_t x) { return x == 0; }));
      got.resize(written);
      std::sort(got.begin(), got.end());
      if (written == expected.size()) CHECK(got == expected);
      else CHECK(std::includes(expected.begin(), expected.end(), got.begin(), got.end()));
    });
  }
}

/// `each` hits of one counter by every thread.
template <aggregation Strategy, int Counters>
__global__ void many_kernel(unsigned each, int which, std::uint64_t* totals) {
  using counter = wf::aggregated_counter<Strategy, Counters>;
  __shared__ typename counter::shared_storage shared;
  counter counted(shared, totals);
  for (unsigned i = 0; i < each; ++i) counted.add(which);
  counted.flush();
}

template <aggregation Strategy, class T>
__global__ void sum_kernel(T const* values, std::size_t size, std::uint64_t* total) {
  using sum = wf::aggregated_sum<Strategy, T>;
  __shared__ typename sum::shared_storage shared;
  sum added(shared, total);
  for (std::size_t i = rank_in_grid(); i < size; i += grid_threads())
    if (values[i] != 0) added.add(values[i]);
  added.flush();
}

template <aggregation Strategy, class T>
void check_sums(unsigned seed, bool few) {
  CAPTURE(seed);
  std::mt19937_64 random{seed};
  wf::gpu place;
  constexpr std::size_t total_size = wf::aggregated_sum<Strategy, T>::total_size;
  std::size_t const size = few ? 2'011 : 20'011;
  for (int kind = 0; kind < 3; ++kind) {
    auto values =
        kind == 0 ? test::rough_values<T>(size, seed) : test::wild_values<T>(size, random, 20);
    for (std::size_t i = 0; i < values.size(); i += 3) values[i] = 0;
    if (kind == 2) values[7] = -std::numeric_limits<T>::infinity();
    CAPTURE(kind);
    auto const there = put(place, values);
    // From 0, or from words near what they can hold.
    auto start = numbers(total_size);
    if (kind == 1)
      for (std::size_t k = 0; k + 2 < total_size; ++k) start[k] = (1ull << 61) - 1000;
    auto exactly = wf::detail::accumulator_of_total<T>(start);
    exactly.add(values);
    if (kind != 1) CHECK(exactly.template finish<T>() == wf::exact_sum<T>(place, there));
    for_each_grid(few, [&](int blocks, int threads) {
      auto total = put(place, start);
      wf::detail::launch(place.stream(), {blocks, threads}, sum_kernel<Strategy, T>, there.data(),
                         values.size(), total.data());
      auto const sum = wf::to_accumulator<T>(place, total.span());
      CHECK(sum.template finish<T>() == exactly.template finish<T>());
      CHECK(sum == exactly);
    });
  }
}

/// With and without a counter that is compiled out.
template <bool WithCounter>
__global__ void predicate_kernel(float const* values, std::size_t size, float* result,
                                 std::uint64_t* totals) {
  using counter = wf::aggregated_counter<aggregation::none, 3>;
  [[maybe_unused]] __shared__ typename counter::shared_storage shared;
  float largest = 0;
  auto const run = [&](auto&&... counted) {
    for (std::size_t i = rank_in_grid(); i < size; i += grid_threads()) {
      float const x = values[i];
      if (x > largest) {
        largest = x;
        (counted.add(1), ...);
      }
      (counted.add(2, static_cast<std::uint64_t>(x)), ...);
    }
    (counted.flush(), ...);
  };
  if constexpr (WithCounter) run(counter(shared, totals));
  else run();
  result[rank_in_grid()] = largest;
}

template <aggregation Strategy>
void check_all_counts(bool few) {
  check_counts<Strategy, 1>(171, few);
  check_counts<Strategy, 2>(172, few);
  check_counts<Strategy, 7>(173, few);
  check_counts<Strategy, 64>(174, few);
}

TEST_SUITE("gpu") {
  TEST_CASE_TEMPLATE("every strategy counts what the host counts", S, WARPFOLD_TEST_STRATEGIES) {
    check_all_counts<S::value>(false);
  }
  TEST_CASE("any counts blocks with a hit, and none nothing") {
    check_all_counts<aggregation::any>(false);
    check_counts<aggregation::any, 100>(175, false);
    check_all_counts<aggregation::none>(false);
  }
  TEST_CASE_TEMPLATE("any lanes of a warp count and append", S, WARPFOLD_TEST_STRATEGIES) {
    check_lanes<S::value>(179, false);
  }
  TEST_CASE_TEMPLATE("compaction writes within its capacity", S, WARPFOLD_TEST_STRATEGIES) {
    check_compaction<S::value>(false);
  }
  TEST_CASE_TEMPLATE("sums have the bits of the exact sum for every grid", S,
                     WARPFOLD_TEST_STRATEGIES) {
    check_sums<S::value, float>(180, false);
    check_sums<S::value, double>(181, false);
  }
  TEST_CASE("fast: counters, compaction and sums") {
    check_all_counts<aggregation::warp>(true);
    check_all_counts<aggregation::block>(true);
    check_all_counts<aggregation::any>(true);
    check_lanes<aggregation::warp>(183, true);
    check_lanes<aggregation::block>(184, true);
    check_compaction<aggregation::block>(true);
    check_sums<aggregation::warp, double>(185, true);
    check_sums<aggregation::block, double>(186, true);
    check_sums<aggregation::block, float>(187, true);
  }

  TEST_CASE("one block counts more than 2^32 hits") {
    wf::gpu place;
    constexpr unsigned each = (1u << 22) + 1;
    auto totals = put(place, numbers(64));
    auto const run = [&](auto kernel, int which) {
      wf::detail::launch(place.stream(), {1, 1024}, kernel, each, which, totals.data());
    };
    run(many_kernel<aggregation::block, 1>, 0);
    run(many_kernel<aggregation::block, 7>, 5);
    run(many_kernel<aggregation::block, 64>, 63);
    run(many_kernel<aggregation::automatic, 64>, 62);
    auto const got = wf::to_vector(place, totals.span());
    for (std::size_t const k : {0, 5, 62, 63}) CHECK(got[k] == std::uint64_t{each} << 10);
    CHECK(std::accumulate(got.begin(), got.end(), std::uint64_t{0}) == std::uint64_t{each} << 12);
  }

  TEST_CASE("sums of several kernels can be merged, and a total of another size is refused") {
    wf::gpu place;
    auto const values = test::rough_values<double>(5000, 182);
    auto const there = put(place, values);
    auto total = put(place, numbers(wf::aggregated_sum<>::total_size));
    for (int i = 0; i < 2; ++i)
      wf::detail::launch(place.stream(), {4, 96}, sum_kernel<aggregation::automatic, double>,
                         there.data(), values.size(), total.data());
    auto twice = wf::exact_accumulate(place, there);
    twice.merge(twice);
    CHECK(wf::to_accumulator<double>(place, total.span()) == twice);
    CHECK(test::refused_by([&] { wf::to_accumulator<float>(place, total.span()); }) == "total");
  }

  TEST_CASE("a counter that is compiled out costs nothing") {
    wf::gpu place;
    wf::device_guard const current{place.device()};
    cudaFuncAttributes with{}, without{};
    wf::check(cudaFuncGetAttributes(&with, predicate_kernel<true>));
    wf::check(cudaFuncGetAttributes(&without, predicate_kernel<false>));
    CHECK(with.numRegs == without.numRegs);
    CHECK(with.sharedSizeBytes == without.sharedSizeBytes);
    CHECK(with.localSizeBytes == 0);
  }
}

} // namespace
