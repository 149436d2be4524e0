// Weighted histograms, and sums of several numbers for an index, on every place: against integers
// of 128 bits.

#include "contents.hpp"
#include "gpu.hpp"
#include "scatter/scatter_reference.hpp"

#include <warpfold/detail/core/scratch.hpp>
#include <warpfold/scatter.hpp>

namespace weighted_histogram_test {

using namespace test;
namespace wf = warpfold;

template <class Key>
wf::detail::bins_of<Key> bins_for_test(int count) {
  if constexpr (std::floating_point<Key>) return {count, Key(-0.7), Key(1.3)};
  else return {count, 17, 200};
}
/// Some of them are in no bin.
template <class Key>
std::vector<Key> keys_for_test(std::mt19937_64& random, std::size_t size) {
  std::vector<Key> keys(size);
  for (Key& x : keys)
    x = std::floating_point<Key> ? static_cast<Key>(static_cast<double>(random() % 3001) / 1000 - 1)
                                 : static_cast<Key>(random() % 256);
  if constexpr (std::floating_point<Key>)
    for (std::size_t i = 5; i < size; i += 1001) keys[i] = std::numeric_limits<Key>::quiet_NaN();
  return keys;
}
/// The number of the bin of each key by the definition in counting/histogram.hpp, or -1.
template <class Key>
std::vector<int> bins_by_definition(std::vector<Key> const& keys,
                                    wf::detail::bins_of<Key> const& bins) {
  std::vector<int> all;
  for (Key const x : keys) {
    bool const is_inside = x >= bins.lower && x < bins.upper;
    if constexpr (std::floating_point<Key>) {
      Key const scale = static_cast<Key>(bins.count) / (bins.upper - bins.lower);
      Key const from = x - bins.lower;
      all.push_back(is_inside ? std::min(static_cast<int>(from * scale), bins.count - 1) : -1);
    } else {
      all.push_back(
          is_inside ? static_cast<int>((x - bins.lower) * bins.count / (bins.upper - bins.lower))
                    : -1);
    }
  }
  return all;
}

/// The place's memory with `start` elements before.
template <class Place, class T>
struct shifted {
  memory_of<Place, T> memory;
  std::size_t start, size;
  shifted(Place& place, std::vector<T> const& all, std::size_t from)
      : memory(place, behind(all, from)), start{from}, size{all.size()} {}
  static std::vector<T> behind(std::vector<T> all, std::size_t from) {
    all.insert(all.begin(), from, T{});
    return all;
  }
  auto view() { return memory.view(start, size); }
};

template <class T, class Key, class Place>
void check_weights(Place& place, std::mt19937_64& random, std::size_t size, int count,
                   std::size_t start) {
  CAPTURE(size);
  CAPTURE(count);
  auto const bins = bins_for_test<Key>(count);
  auto const keys = keys_for_test<Key>(random, size);
  auto const where = bins_by_definition(keys, bins);
  auto weights = scatter_values<T>(random, size);
  auto inside = weights; // what others weigh is no matter
  T largest{0};
  for (std::size_t i = 0; i < size; ++i)
    if (where[i] < 0) inside[i] = 0;
  for (T const x : weights) largest = std::max(largest, std::abs(x));
  wf::scatter_bound const bound{1, 1.5 * static_cast<double>(size) + 1};
  auto const all_bins = static_cast<std::size_t>(count);
  auto const known =
      scatter_by_definition(inside, where, fraction_bits(bound.sum), 1, bound.sum, all_bins, false);
  auto const found =
      scatter_by_definition(inside, where, fraction_bits(static_cast<double>(largest), size), 1,
                            bound.sum, all_bins, false);
  shifted<Place, Key> k(place, keys, start);
  memory_of<Place, wf::scatter_status> status(place, std::vector<wf::scatter_status>(1));
  auto const expect = [&](std::vector<T> const& expected, auto call) {
    shifted<Place, T> w(place, weights, start);
    memory_of<Place, T> results(place, std::vector<T>(all_bins + 1, T{77}));
    call(w.view(), results.view(0, all_bins));
    auto sums = results.contents();
    CHECK(sums.back() == T{77});
    sums.pop_back();
    CHECK(same_numbers(sums, expected));
  };
  expect(found.results, [&](auto w, auto to) { wf::histogram(place, k.view(), w, bins, to); });
  expect(found.results,
         [&](auto w, auto to) { wf::histogram_async(place, k.view(), w, bins, to, status.all()); });
  CHECK(status.get(0).is_complete());
  bool has_nan = false;
  for (std::size_t i = 0; i < size; ++i)
    if (where[i] < 0 && i % 3 == 0) {
      weights[i] = std::numeric_limits<T>::quiet_NaN();
      has_nan = true;
    }
  if (has_nan) { // for a bound that is found they count
    shifted<Place, T> w(place, weights, start);
    memory_of<Place, T> results(place, std::vector<T>(all_bins, T{77}));
    CHECK_THROWS_AS(wf::histogram(place, k.view(), w.view(), bins, results.all()),
                    wf::argument_error);
    CHECK(same_numbers(results.contents(), std::vector<T>(all_bins, T{77})));
    wf::histogram_async(place, k.view(), w.view(), bins, results.all(), status.all());
    CHECK(status.get(0).overflows == all_bins);
  }
  expect(known.results,
         [&](auto w, auto to) { wf::histogram(place, k.view(), w, bins, bound, to); });
  expect(known.results, [&](auto w, auto to) {
    wf::histogram_async(place, k.view(), w, bins, bound, to, status.all());
  });
  CHECK(status.get(0).is_complete());
}

EVERY_PLACE_OF("weighted histograms are those of 128-bit integers", Key, std::uint8_t, std::int32_t,
               std::uint32_t, float, double) {
  SEEDED(random);
  for (std::size_t const size : {0, 1, 4095, 4096, 4097, 70'001})
    for (int const count : {1, 10, 183, 8192}) {
      check_weights<float, Key>(place, random, size, count, size % 4);
      check_weights<double, Key>(place, random, size, count, size % 2);
    }
  check_weights<float, Key>(place, random, 1'000'003, 4096, 0);
}
FAST_EVERY_PLACE_OF("a few weights in bins", Key, std::uint8_t, std::int32_t, std::uint32_t, float,
                    double) {
  SEEDED(random);
  check_weights<float, Key>(place, random, 20'011, 50, 1);
  check_weights<double, Key>(place, random, 20'011, 5000, 0);
}
EVERY_PLACE("weights of 1 are counts") {
  SEEDED(random);
  for (int const count : {7, 8192}) {
    wf::even_bins<float> const bins{count, -0.7F, 1.3F};
    memory_of<Place, float> values(place, keys_for_test<float>(random, 100'003));
    memory_of<Place, double> ones(place, std::vector<double>(100'003, 1.0));
    memory_of<Place, double> sums(place, std::vector<double>(static_cast<std::size_t>(count)));
    wf::histogram(place, values.all(), ones.all(), bins, sums.all());
    auto const counts = wf::histogram(place, values.all(), bins);
    CHECK(std::ranges::equal(sums.contents(), counts, {}, {},
                             [](std::uint64_t n) { return static_cast<double>(n); }));
  }
}
EVERY_PLACE("a weight that cannot be added is refused by its position") {
  std::vector<float> values(9000, 0.5F), weights(9000, 1.F);
  values[17] = 3; // in no bin
  weights[17] = weights[4567] = weights[8999] = -2;
  memory_of<Place, float> v(place, values), w(place, weights),
      sums(place, std::vector<float>(10, 7.F));
  try {
    wf::histogram(place, v.all(), w.all(), {10, 0, 1}, {1, 10'000}, sums.all());
    FAIL_CHECK("nothing was refused");
  } catch (wf::argument_error const& error) {
    CHECK(error.verb() == "histogram");
    CHECK(error.argument() == "weights");
    CHECK_MESSAGE(contains(error.what(), "element 4567 is -2"), error.what());
  }
  CHECK(sums.contents() == std::vector<float>(10, 7.F));
  memory_of<Place, wf::scatter_status> status(place, std::vector<wf::scatter_status>(1));
  wf::histogram_async(place, v.all(), w.all(), {10, 0, 1}, {1, 10'000}, sums.all(), status.all());
  CHECK(status.get(0) == wf::scatter_status{2, 4567, 0, wf::no_position});
  CHECK(sums.get(5) == 8997);
  CHECK(refused_by([&] {
          wf::histogram(place, v.all(), w.all(), {10, 0, 1}, {2, 4096}, sums.all());
        }) == "bound.sum");
}

/// Vectors of several components are added up as their components are alone.
template <class T, class Index, class Place>
void check_components(Place& place, std::mt19937_64& random, std::size_t size, std::size_t bins,
                      int components, bool is_clustered) {
  CAPTURE(size);
  CAPTURE(bins);
  CAPTURE(components);
  auto const each = static_cast<std::size_t>(components);
  auto const values = scatter_values<T>(random, size * each);
  auto const indices = scatter_indices<Index>(random, size, bins, is_clustered);
  T largest{0};
  for (T const x : values) largest = std::max(largest, std::abs(x));
  shifted<Place, T> v(place, values, size % 3);
  shifted<Place, Index> i(place, indices, size % 2);
  memory_of<Place, T> results(place, std::vector<T>(bins * each));
  for (bool const wide : {false, true}) {
    wf::scatter_options const how{.wide = wide, .components = components};
    auto const reference = [&](int bits) {
      return scatter_by_definition(values, indices, bits, 1, 1e6, bins * each, wide, {}, components)
          .results;
    };
    wf::scatter_sum(place, v.view(), i.view(), {1, 1e6}, results.all(), how);
    auto const sums = results.contents();
    CHECK(same_numbers(sums, reference(fraction_bits(1e6))));
    for (std::size_t c = 0; c < each; ++c) { // and alone
      std::vector<T> column(size), alone(bins);
      for (std::size_t k = 0; k < size; ++k) column[k] = values[k * each + c];
      wf::scatter_sum(wf::host(), column, indices, {1, 1e6}, alone, {.wide = wide});
      bool same = true;
      for (std::size_t b = 0; b < bins; ++b)
        same = same && same_number(alone[b], sums[b * each + c]);
      CHECK(same);
    }
    wf::scatter_sum(place, v.view(), i.view(), results.all(), how);
    CHECK(same_numbers(results.contents(),
                       reference(fraction_bits(static_cast<double>(largest), size))));
  }
}
EVERY_PLACE_OF("vectors are added up by index", T, float, double) {
  SEEDED(random);
  for (int const components : {2, 3, 4, 5})
    for (std::size_t const size : {1, 1365, 1366, 9001})
      for (std::size_t const bins : {1, 100, 30'000})
        check_components<T, std::int32_t>(place, random, size, bins, components, size == 9001);
  check_components<T, std::uint64_t>(place, random, 150'001, 50, 3, false);
}
FAST_EVERY_PLACE("a few vectors by index") {
  SEEDED(random);
  check_components<float, std::uint32_t>(place, random, 7001, 300, 3, true);
  check_components<double, std::int64_t>(place, random, 7001, 30'000, 2, false);
}
EVERY_PLACE("what vectors hold that cannot be added is refused by its position") {
  std::vector<float> values(3 * 5000, 0.5F);
  std::vector<int> indices(5000, 2);
  memory_of<Place, float> results(place, std::vector<float>(30, 7.F));
  auto const refused = [&](char const* argument, std::string const& found) {
    memory_of<Place, float> v(place, values);
    memory_of<Place, int> i(place, indices);
    try {
      wf::scatter_sum(place, v.all(), i.all(), {1, 1e4}, results.all(), {.components = 3});
      FAIL_CHECK("nothing was refused");
    } catch (wf::argument_error const& error) {
      CHECK(error.argument() == argument);
      CHECK_MESSAGE(contains(error.what(), found), error.what());
    }
    CHECK(results.contents() == std::vector<float>(30, 7.F));
  };
  indices[4000] = 10; // of ten bins
  refused("indices", "element 4000 is 10; accepted: 0 to 9");
  values[11'000] = 2;
  refused("values", "element 11000 is 2");
}

TEST_SUITE("gpu") {
  TEST_CASE("fast: captured weighted histograms and sums of vectors, replayed with other values") {
    wf::gpu place;
    SEEDED(random);
    std::size_t const size = 100'003, each = 3;
    wf::even_bins<float> const bins{500, -0.7F, 1.3F};
    wf::device_buffer<float> keys(place, size), values(place, size * each), results(place, 500);
    wf::device_buffer<float> vectors(place, 100 * each);
    wf::device_buffer<std::uint32_t> at(place, size);
    wf::device_buffer<wf::scatter_status> status(place, 2);
    place.reserve(wf::scatter_workspace(500, size * each));
    captured graph(place, [&] {
      wf::histogram_async(place, keys, values.span().subspan(0, size), bins, results,
                          status.span().subspan(0, 1));
      wf::scatter_sum_async(place, values, at, {1, 1e6}, vectors, status.span().subspan(1, 1),
                            {.components = each});
    });
    for (cudaGraphNodeType const node : graph.nodes()) CHECK(node == cudaGraphNodeTypeKernel);
    for (int turn = 0; turn < 3; ++turn) {
      auto const k = keys_for_test<float>(random, size);
      auto const v = scatter_values<float>(random, size * each);
      auto const i = scatter_indices<std::uint32_t>(random, size, 100, turn == 1);
      wf::copy(place, k, keys);
      wf::copy(place, v, values);
      wf::copy(place, i, at);
      graph.launch();
      std::vector<float> expected(500), sums(100 * each);
      wf::histogram(wf::host(), k, std::span(v).first(size), bins, expected);
      wf::scatter_sum(wf::host(), v, i, {1, 1e6}, sums, {.components = each});
      CHECK(same_elements(wf::to_vector(place, results), expected));
      CHECK(same_elements(wf::to_vector(place, vectors), sums));
    }
  }
  TEST_CASE("sums of vectors have the same bits on any grid") {
    wf::gpu place;
    SEEDED(random);
    std::size_t const size = 2'000'003, each = 3;
    auto const v = scatter_values<float>(random, size * each);
    wf::device_buffer<float> values(place, std::span<float const>(v));
    for (std::size_t const bins : {1000, 100'000, 3'000'000}) // in one pass, or in several
      for (bool const is_clustered : {false, true}) {
        CAPTURE(bins);
        CAPTURE(is_clustered);
        auto const i = scatter_indices<std::int64_t>(random, size, bins, is_clustered);
        wf::device_buffer<std::int64_t> indices(place, std::span<std::int64_t const>(i));
        wf::device_buffer<float> results(place, bins * each);
        std::vector<float> expected(bins * each);
        wf::scatter_options const how{.wide = is_clustered, .components = each};
        wf::scatter_sum(wf::host(), v, i, {1, 1e7}, expected, how);
        for (int run = 0; run < 3; ++run) {
          wf::detail::gpu_scratch(place).assume_multiprocessors(1 +
                                                                static_cast<int>(random() % 140));
          wf::scatter_sum(place, values, indices, {1, 1e7}, results, how);
          CHECK(same_elements(wf::to_vector(place, results), expected));
        }
      }
  }
  TEST_CASE("weighted histograms have the same bits on any grid") {
    wf::gpu place;
    SEEDED(random);
    for (int const count : {3, 8192}) {
      auto const k = keys_for_test<double>(random, 3'000'011);
      auto const w = scatter_values<double>(random, k.size());
      wf::even_bins<double> const bins{count, -0.7, 1.3};
      std::vector<double> expected(static_cast<std::size_t>(count));
      wf::histogram(wf::host(), k, w, bins, {1, 1e7}, expected);
      wf::device_buffer<double> keys(place, std::span<double const>(k)),
          weights(place, std::span<double const>(w)), results(place, expected.size());
      for (int run = 0; run < 10; ++run) {
        wf::detail::gpu_scratch(place).assume_multiprocessors(1 + static_cast<int>(random() % 140));
        wf::histogram(place, keys, weights, bins, {1, 1e7}, results);
        CHECK(same_elements(wf::to_vector(place, results), expected));
      }
    }
  }
}

} // namespace weighted_histogram_test
