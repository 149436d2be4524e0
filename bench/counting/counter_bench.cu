// Counting the elements below a bound in a kernel of one's own: the strategies of
// aggregated_counter beside atomicAdd as the compiler aggregates it, and as it cannot; all on the
// same data in one paired measurement for each size and rate of hits.

#include "rows_together.hpp"

#include <warpfold/counting/aggregated_counter.cuh>
#include <warpfold/detail/core/launch.cuh>
#include <warpfold/twins/counting.hpp>

namespace warpfold::bench {
namespace {

constexpr int threads = 512, rows = 4;
constexpr std::size_t batch = std::size_t{threads} * rows * 4;

// Ways to count a hit of x.

/// No counter, but all is read.
struct reading {
  struct shared_storage {};
  std::uint64_t* totals;
  float largest = 0;

  __device__ reading(shared_storage&, std::uint64_t* to) : totals{to} {}
  __device__ void add(float x) { largest = x > largest ? x : largest; }
  __device__ void flush() {
    if (largest > 1e30F) *totals = 1; // there is none
  }
};

/// An atomic addition a hit, at one address: the compiler adds once for the lanes of a warp.
struct plain {
  struct shared_storage {};
  std::uint64_t* totals;

  __device__ plain(shared_storage&, std::uint64_t* to) : totals{to} {}
  __device__ void add(float) { atomicAdd(reinterpret_cast<unsigned long long*>(totals), 1ull); }
  __device__ void flush() {}
};

/// As plain, at an address that depends on the element as far as the compiler knows.
struct naive : plain {
  using plain::plain;
  __device__ void add(float x) {
    std::uint64_t* const total = totals + (x == 12345.678F ? 1 : 0); // there is none
    atomicAdd(reinterpret_cast<unsigned long long*>(total), 1ull);
  }
};

/// One counter, or one of several.
template <aggregation Strategy, int Counters = 1>
struct aggregated : aggregated_counter<Strategy, Counters> {
  using base = aggregated_counter<Strategy, Counters>;
  using base::base;
  __device__ void add(float x) {
    if constexpr (Counters == 1) base::add();
    else base::add(static_cast<int>(x * 4 + 1000) % Counters); // a quarter of a deviation each
  }
};

/// Three counters that are known when compiling, or not told so.
template <aggregation Strategy, bool Known>
struct three : aggregated_counter<Strategy, 3> {
  using base = aggregated_counter<Strategy, 3>;
  using base::base;
  __device__ void add(float x) {
    if constexpr (Known) {
      base::template add<0>();
      if (x < 1) base::template add<1>();
      if (x < -1) base::template add<2>();
    } else {
      base::add(0);
      if (x < 1) base::add(1);
      if (x < -1) base::add(2);
    }
  }
};

/// Not counted, but added up exactly.
template <aggregation Strategy>
struct summed : aggregated_sum<Strategy, float> {
  using aggregated_sum<Strategy, float>::aggregated_sum;
};

template <class Way>
__global__ __launch_bounds__(threads) void below_kernel(float const* values, std::size_t size,
                                                        float bound, std::uint64_t* totals) {
  __shared__ typename Way::shared_storage shared;
  Way hits(shared, totals);
  for (std::size_t first = blockIdx.x * batch; first < size; first += gridDim.x * batch) {
    float4 const* const packs = reinterpret_cast<float4 const*>(values + first) + threadIdx.x;
    float4 row[rows];
#pragma unroll
    for (int i = 0; i < rows; ++i) row[i] = __ldcs(packs + i * threads);
#pragma unroll
    for (float4 const& pack : row)
      for (float const x : {pack.x, pack.y, pack.z, pack.w})
        if (x < bound) hits.add(x);
  }
  hits.flush();
}

struct way {
  char const* name;
  void (*kernel)(float const*, std::size_t, float, std::uint64_t*);
  bool counts = true; ///< hits, and not something else
};
template <class Counter>
way way_of(char const* name, bool counts = true) {
  return {name, below_kernel<Counter>, counts};
}

/// Percent of normal random numbers below a bound.
struct rate {
  int percent;
  float bound;
};
constexpr rate rates[] = {
    {0, -100.F}, {1, -2.3263479F}, {10, -1.2815516F}, {50, 0.F}, {100, 100.F}};

void measure(session& run, std::size_t size, rate hits, std::vector<way> const& ways,
             std::vector<rows_together::outcome>& outcomes) {
  gpu& place = *run.place;
  device_guard const current{place.device()};
  // Few calls of large arrays: one addition after the other takes its time.
  timing_plan const plan{
      static_cast<int>(std::clamp((std::size_t{1} << 26) / size, std::size_t{2}, std::size_t{64})),
      run.quick ? 11 : 31};
  int const arrays = run.pool->prepare<float>(size, plan.calls, pattern::normals);
  if (arrays == 0) throw error("the arrays do not fit into this GPU's memory");
  auto const array = [&](int i) { return run.pool->array<float>(i % arrays, size); };

  constexpr std::size_t room = 64; // of totals for each way
  device_buffer<std::uint64_t> totals(
      place, std::span<std::uint64_t const>(std::vector<std::uint64_t>(ways.size() * room)));
  std::vector<contender> contenders;
  for (std::size_t w = 0; w < ways.size(); ++w) {
    auto const facts = detail::facts_of(ways[w].kernel, threads, place.compute_capability());
    int const blocks = detail::blocks_at_once(place, facts, size / batch);
    contenders.push_back({[&, w, blocks](int i) {
      detail::launch(place.stream(), {blocks, threads}, ways[w].kernel, array(i).data(), size,
                     hits.bound, totals.data() + w * room);
    }});
    contenders.back().call(plan.calls - 1);
  }
  auto const times = time_paired(place, *run.flush, contenders, plan);
  for (std::size_t w = 0; w < ways.size(); ++w) outcomes[w].times = times[w];

  std::uint64_t expected = 0;
  for (int i = 0; i < plan.calls; ++i) {
    std::uint64_t const count = count_if(place, array(i), less_than<float>{hits.bound}, twins::cub);
    expected += static_cast<std::uint64_t>(plan.samples + 1) * count;
    if (i == plan.calls - 1) expected += count;
  }
  auto const got = to_vector(place, totals.span());
  for (std::size_t w = 0; w < ways.size(); ++w) {
    std::uint64_t found = 0;
    for (std::size_t k = 0; k < room; ++k) found += got[w * room + k];
    if (ways[w].counts && found != expected)
      throw error(std::string(ways[w].name) + " counted " + std::to_string(found) + ", not " +
                  std::to_string(expected));
  }
}

void add(session& run, std::string const& name, std::size_t size, rate hits,
         std::vector<way> const& ways) {
  rows_together rows(
      run, [&run, size, hits, ways](auto& outcomes) { measure(run, size, hits, ways, outcomes); });
  auto const items = static_cast<double>(size);
  for (way const& one : ways)
    rows.add(name + "_" + std::to_string(hits.percent) + "/float/" + one.name +
                 "/n:" + std::to_string(size),
             items * sizeof(float), items);
}

template <int Counters>
std::vector<way> of_several() {
  return {way_of<aggregated<aggregation::global, Counters>>("global"),
          way_of<aggregated<aggregation::warp, Counters>>("warp"),
          way_of<aggregated<aggregation::block, Counters>>("block"),
          way_of<aggregated<aggregation::any, Counters>>("any", false),
          way_of<aggregated<aggregation::automatic, Counters>>("automatic")};
}

} // namespace

void add_counters(session& run) {
  if (!run.place) return;
  std::vector<way> one{way_of<reading>("read", false),
                       way_of<aggregated<aggregation::global>>("global"),
                       way_of<aggregated<aggregation::warp>>("warp"),
                       way_of<aggregated<aggregation::block>>("block"),
                       way_of<aggregated<aggregation::any>>("any", false),
                       way_of<aggregated<aggregation::automatic>>("automatic"),
                       way_of<plain>("plain")};
  auto all = one;
  all.push_back(way_of<naive>("naive"));
  std::vector<int> exponents{20, 24};
  if (!run.quick) exponents = {20, 22, 24, 26, 28};
  for (int const e : exponents)
    for (rate const& hits : rates)
      // One addition a hit of 2^28 takes a tenth of a second or more.
      add(run, "counter", std::size_t{1} << e, hits, e <= 24 || hits.percent < 10 ? all : one);

  // More counters.
  for (rate const& hits : {rates[2], rates[4]}) {
    std::size_t const size = std::size_t{1} << 24;
    add(run, "counters_3", size, hits,
        {way_of<three<aggregation::block, true>>("known", false),
         way_of<three<aggregation::block, false>>("block", false),
         way_of<three<aggregation::warp, false>>("warp", false),
         way_of<three<aggregation::global, false>>("global", false)});
    add(run, "sum_of_floats", size, hits,
        {way_of<reading>("read", false), way_of<summed<aggregation::block>>("block", false),
         way_of<summed<aggregation::warp>>("warp", false),
         way_of<summed<aggregation::global>>("global", false)});
    add(run, "counters_8", size, hits, of_several<8>());
    add(run, "counters_64", size, hits, of_several<64>());
  }
}

} // namespace warpfold::bench
