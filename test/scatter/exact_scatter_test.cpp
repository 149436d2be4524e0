// Exact sums by index on every place, against an exact accumulator for each bin: any magnitudes,
// any order, errors; components and weighted histograms.

#include "contents.hpp"
#include "gpu.hpp"
#include "reduction/exact.hpp"
#include "scatter/scatter_reference.hpp"

#include <warpfold/scatter.hpp>

#include <numeric>

namespace exact_scatter_test {

using namespace test;
namespace wf = warpfold;

/// Both forms: results and status.
template <class T, class Index, class Place>
void check_sums(Place& place, std::vector<T> const& values, std::vector<Index> const& indices,
                std::size_t bins, wf::scatter_options how = {}, std::vector<T> before = {}) {
  how.exact = true;
  how.cumulative = !before.empty();
  auto const known = scatter_exactly(values, indices, bins, before, how.components);
  REQUIRE(known.status.is_complete());
  memory_of<Place, T> v(place, values);
  memory_of<Place, Index> i(place, indices);
  memory_of<Place, wf::scatter_status> status(place, std::vector<wf::scatter_status>(1));
  before.resize(bins + 1, T{77}); // the last one is nobody's
  for (bool const waits : {true, false}) {
    memory_of<Place, T> results(place, before);
    auto const to = results.view(0, bins);
    if (waits) wf::scatter_sum(place, v.all(), i.all(), to, how);
    else wf::scatter_sum_async(place, v.all(), i.all(), to, status.all(), how);
    auto found = results.contents();
    CHECK(found.back() == T{77});
    found.pop_back();
    CHECK(same_elements(found, known.results));
  }
  CHECK(status.get(0) == known.status);
}
template <class T, class Index, class Place>
void check_size(Place& place, std::mt19937_64& random, std::size_t size, std::size_t bins,
                bool is_clustered, int below = 40) {
  CAPTURE(size);
  CAPTURE(bins);
  check_sums(place, wild_values<T>(size, random, below),
             scatter_indices<Index>(random, size, bins, is_clustered), bins);
}

EVERY_PLACE_OF("exact sums by index of all exponents", T, float, double) {
  SEEDED(random);
  for (std::size_t const size : {1, 31, 4095, 4096, 4097, 70'001})
    for (std::size_t const bins : {1, 7, 109, 110, 5000, 40'000})
      check_size<T, std::uint32_t>(place, random, size, bins, random() % 2 == 0);
  // Also of a block's own, and sums beyond the type's range.
  for (std::size_t const bins : {1, 5, 30})
    check_size<T, std::int64_t>(place, random, 2'000'003, bins, bins == 5, bins == 1 ? 40 : 0);
}
FAST_EVERY_PLACE("a few exact sums by index") {
  SEEDED(random);
  check_size<float, std::uint32_t>(place, random, 300'011, 11, false);
  check_size<double, std::int64_t>(place, random, 700'011, 2, false);
  check_size<double, std::int32_t>(place, random, 20'011, 3000, true);
}
EVERY_PLACE_OF("exact sums of no values, and of no bins", T, float, double) {
  check_sums(place, std::vector<T>{}, std::vector<int>{}, 5);
  check_sums(place, std::vector<T>{}, std::vector<int>{}, 0);
  check_sums(place, std::vector<T>{}, std::vector<int>{}, 3000);
}
EVERY_PLACE_OF("exact sums by index that are known", T, float, double) {
  using limits = std::numeric_limits<T>;
  T const large = limits::max() / 4, tiny = limits::denorm_min(), inf = limits::infinity();
  struct known_sum {
    std::vector<T> values;
    T sum;
  };
  known_sum const all[]{
      {{large, 1, -large}, 1},
      {{large, tiny, -large, -tiny}, 0},
      {{-T{0}, -T{0}}, 0},
      {{tiny, tiny, -limits::min()}, 2 * tiny - limits::min()},
      {{1, limits::epsilon() / 2}, 1}, // a tie
      {{1, limits::epsilon() / 2, tiny}, 1 + limits::epsilon()},
      {{limits::max(), limits::max(), -limits::max()}, limits::max()},
      {{limits::max(), limits::max()}, inf},
      {{-limits::max(), -limits::max(), large}, -inf},
      {{}, 0},
  };
  std::vector<T> values, sums;
  std::vector<int> indices;
  for (known_sum const& one : all) {
    values.insert(values.end(), one.values.begin(), one.values.end());
    indices.insert(indices.end(), one.values.size(), static_cast<int>(sums.size()));
    sums.push_back(one.sum);
  }
  CHECK(same_elements(scatter_exactly(values, indices, sums.size()).results, sums));
  check_sums(place, values, indices, sums.size());
  // An infinite sum is no error.
  memory_of<Place, T> v(place, values), results(place, sums);
  memory_of<Place, int> i(place, indices);
  wf::scatter_sum(place, v.all(), i.all(), results.all(), {.exact = true});
  CHECK(results.get(7) == inf);
}
EVERY_PLACE_OF("the order of values changes no bit of exact sums", T, float, double) {
  SEEDED(random);
  std::size_t const size = 100'003;
  for (std::size_t const bins : {1, 300, 20'000}) {
    auto const values = wild_values<T>(size, random, 40);
    auto const indices = scatter_indices<std::int32_t>(random, size, bins, true);
    auto const known = scatter_exactly(values, indices, bins).results;
    std::vector<std::size_t> order(size);
    std::iota(order.begin(), order.end(), std::size_t{0});
    for (int turn = 0; turn < 3; ++turn) {
      std::ranges::shuffle(order, random);
      std::vector<T> v;
      std::vector<std::int32_t> at;
      for (std::size_t const k : order) {
        v.push_back(values[k]);
        at.push_back(indices[k]);
      }
      memory_of<Place, T> x(place, v), results(place, std::vector<T>(bins));
      memory_of<Place, std::int32_t> i(place, at);
      wf::scatter_sum(place, x.all(), i.all(), results.all(), {.exact = true});
      CHECK(same_elements(results.contents(), known));
    }
  }
}
EVERY_PLACE_OF("exact sums of vectors, and on top of results", T, float, double) {
  SEEDED(random);
  for (int const components : {1, 3})
    for (std::size_t const bins : {4, 900}) {
      auto const each = static_cast<std::size_t>(components);
      auto const values = wild_values<T>(5001 * each, random, 40);
      auto const indices = scatter_indices<std::uint32_t>(random, 5001, bins, false);
      check_sums(place, values, indices, bins * each, {.components = components});
      check_sums(place, values, indices, bins * each, {.components = components},
                 wild_values<T>(bins * each, random, 40));
    }
}

EVERY_PLACE_OF("what cannot be added exactly is named, or counted", T, float, double) {
  SEEDED(random);
  T const inf = std::numeric_limits<T>::infinity(), nan = std::numeric_limits<T>::quiet_NaN();
  for (std::size_t const bins : {5, 3000}) {
    auto const good = wild_values<T>(9000, random, 40);
    auto const places = scatter_indices<std::int32_t>(random, 9000, bins, false);
    auto const check = [&](auto spoil, char const* argument, std::string const& found,
                           bool cumulative = false) {
      auto values = good;
      auto indices = places;
      std::vector<T> before(bins, T{77});
      spoil(values, indices, before);
      memory_of<Place, T> v(place, values), results(place, before);
      memory_of<Place, std::int32_t> i(place, indices);
      memory_of<Place, wf::scatter_status> status(place, std::vector<wf::scatter_status>(1));
      wf::scatter_options const how{.cumulative = cumulative, .exact = true};
      try {
        wf::scatter_sum(place, v.all(), i.all(), results.all(), how);
        FAIL_CHECK("nothing was refused");
      } catch (wf::argument_error const& error) {
        CHECK(error.argument() == argument);
        CHECK_MESSAGE(contains(error.what(), found), error.what());
      }
      CHECK(same_elements(results.contents(), before));
      wf::scatter_sum_async(place, v.all(), i.all(), results.all(), status.all(), how);
      auto const known =
          scatter_exactly(values, indices, bins, cumulative ? before : std::vector<T>{});
      CHECK(same_numbers(results.contents(), known.results));
      CHECK(status.get(0) == known.status);
    };
    check([&](auto& v, auto&, auto&) { v[8999] = v[4567] = nan; }, "values", "element 4567 is nan");
    check([&](auto& v, auto&, auto&) { v[8999] = inf, v[3] = -inf; }, "values",
          "element 3 is -inf");
    check([&](auto& v, auto& i, auto&) { v[9] = nan, i[8] = -2; }, "indices", "element 8 is -2");
    check([&](auto&, auto&, auto& before) { before[4] = nan; }, "results", "element 4 is nan",
          true);
  }
}

template <class Key, class T, class Place>
void check_histogram(Place& place, std::mt19937_64& random, std::size_t size, int count) {
  CAPTURE(size);
  CAPTURE(count);
  wf::detail::bins_of<Key> const bins{count, Key(3), Key(203)};
  std::vector<Key> keys(size);
  for (Key& x : keys) x = static_cast<Key>(random() % 256);
  auto weights = wild_values<T>(size, random, 40);
  // The bins that histogram counts one key at a time into.
  std::vector<T> known(static_cast<std::size_t>(count));
  std::vector<wf::exact_accumulator<T>> sums(known.size());
  wf::detail::bin_function<Key> const bin_of(bins);
  for (std::size_t i = 0; i < size; ++i) {
    if (int const bin = bin_of(keys[i]); bin >= 0)
      sums[static_cast<std::size_t>(bin)].add(weights[i]);
    else if (i % 3 == 0) weights[i] = std::numeric_limits<T>::quiet_NaN(); // nobody minds
  }
  for (std::size_t b = 0; b < known.size(); ++b) known[b] = sums[b].template finish<T>();
  memory_of<Place, Key> k(place, keys);
  memory_of<Place, T> w(place, weights);
  memory_of<Place, wf::scatter_status> status(place, std::vector<wf::scatter_status>(1));
  for (bool const waits : {true, false}) {
    memory_of<Place, T> results(place, std::vector<T>(known.size(), T{77}));
    if (waits) wf::histogram(place, k.all(), w.all(), bins, results.all(), {.exact = true});
    else
      wf::histogram_async(place, k.all(), w.all(), bins, results.all(), status.all(),
                          {.exact = true});
    CHECK(same_elements(results.contents(), known));
  }
  CHECK(status.get(0).is_complete());
}
EVERY_PLACE_OF("exact weighted histograms", Key, std::uint8_t, std::int32_t, std::uint32_t, float,
               double) {
  SEEDED(random);
  for (std::size_t const size : {0, 1, 4097, 70'001})
    for (int const count : {1, 200}) {
      check_histogram<Key, float>(place, random, size, count);
      check_histogram<Key, double>(place, random, size, count);
    }
  check_histogram<Key, float>(place, random, 10'000, 8192);
  check_histogram<Key, double>(place, random, 10'000, 8192);
}

TEST_CASE("threads share exact sums, or have their own") {
  SEEDED(random);
  wf::host place(4);
  for (std::size_t const bins : {3, 100'000})
    check_size<double, std::uint32_t>(place, random, 300'007, bins, false);
}
TEST_CASE("exact sums tell what scratch memory they need") {
  constexpr wf::scatter_options exact{.exact = true};
  static_assert(wf::scatter_workspace<float>(1'000'000, 10, exact) >= 80'000'000);
  static_assert(wf::scatter_workspace<float>(1'000'000, 10, exact) < 80'100'000);
  static_assert(wf::scatter_workspace(1'000'000, 10, exact) >= 600'000'000);
  static_assert(wf::scatter_workspace(1'000'000, 10, exact) < 600'100'000);
  static_assert(wf::scatter_workspace<float>(1'000'000, 10) ==
                wf::scatter_workspace<double>(1'000'000, 10));
  CHECK(wf::scatter_workspace(1, 1, exact) > 0);
}

TEST_SUITE("gpu") {
  TEST_CASE_TEMPLATE("exact sums by index have the same bits on any grid", T, float, double) {
    SEEDED(random);
    wf::gpu place;
    std::size_t const size = 1'000'003;
    auto const values = wild_values<T>(size, random, 40);
    wf::device_buffer<T> there(place, std::span<T const>(values));
    for (std::size_t const bins : {1, 12, 600, 60'000}) {
      CAPTURE(bins);
      auto const indices = scatter_indices<std::uint32_t>(random, size, bins, bins == 600);
      wf::device_buffer<std::uint32_t> at(place, std::span<std::uint32_t const>(indices));
      wf::device_buffer<T> results(place, bins);
      std::vector<T> expected(bins);
      wf::scatter_sum(wf::host(), values, indices, expected, {.exact = true});
      for (int run = 0; run < 6; ++run) {
        wf::detail::gpu_scratch(place).assume_multiprocessors(1 + static_cast<int>(random() % 140));
        wf::check(cudaMemsetAsync(results.data(), 0xff, bins * sizeof(T), place.stream()));
        wf::scatter_sum(place, there, at, results, {.exact = true});
        CHECK(same_elements(wf::to_vector(place, results), expected));
      }
    }
  }
  TEST_CASE("fast: captured exact sums by index need a workspace, and no more") {
    SEEDED(random);
    wf::gpu place;
    std::size_t const size = 100'003, bins = 20'000;
    wf::scatter_options const how{.exact = true};
    wf::device_buffer<float> values(place, size), results(place, bins);
    wf::device_buffer<std::uint32_t> at(place, size);
    wf::device_buffer<wf::scatter_status> status(place, 1);
    auto const enqueue = [&] { wf::scatter_sum_async(place, values, at, results, status, how); };
    auto const needed = wf::scatter_workspace<float>(bins, size, how);
    if (place.workspace_size() < needed) CHECK(refused_by(enqueue) == "place");
    place.reserve(needed);
    captured graph(place, enqueue);
    for (cudaGraphNodeType const node : graph.nodes()) CHECK(node == cudaGraphNodeTypeKernel);
    for (int turn = 0; turn < 3; ++turn) {
      auto v = wild_values<float>(size, random, 40);
      if (turn == 2) v[99] = std::numeric_limits<float>::infinity();
      auto const i = scatter_indices<std::uint32_t>(random, size, bins, turn == 1);
      wf::copy(place, v, values);
      wf::copy(place, i, at);
      graph.launch();
      auto const known = scatter_exactly(v, i, bins);
      CHECK(same_elements(wf::to_vector(place, results), known.results));
      CHECK(wf::to_vector(place, status)[0] == known.status);
    }
  }
}

} // namespace exact_scatter_test
