// Order statistics and quantiles: against std::nth_element, numpy's numbers and the vendors; the
// same bits everywhere.

#include "contents.hpp"
#include "gpu.hpp"
#include "quantiles/element_order.hpp"
#include "quantiles/sampling.hpp"
#include "twins.hpp"

#include <warpfold/detail/core/scratch.hpp>
#include <warpfold/quantiles.hpp>
#include <warpfold/twins/quantiles.hpp>

#include <algorithm>
#include <functional>
#include <limits>
#include <numeric>

namespace quantiles_test {

using namespace test;
namespace wf = warpfold;

using ranks_t = std::vector<std::uint64_t>;

/// In order; none is NaN.
template <class T>
std::vector<T> sorted(std::vector<T> values) {
  std::ranges::sort(values, is_before<T>);
  return values;
}
template <class T>
std::vector<T> at_ranks(std::vector<T> const& in_order, ranks_t const& ranks) {
  std::vector<T> found;
  for (std::uint64_t const rank : ranks) found.push_back(in_order[rank]);
  return found;
}
template <class T>
std::vector<T> elements_at(std::vector<T> const& values, ranks_t const& ranks) {
  return at_ranks(sorted(values), ranks);
}
template <class T>
bool same_numbers(std::vector<T> const& a, std::vector<T> const& b) {
  return std::ranges::equal(a, b, [](T x, T y) { return same_number(x, y); });
}

/// Every form of a selection of `ranks`.
template <class T, class Place>
void check_forms(Place& place, view_t<Place, T const> values, ranks_t const& ranks,
                 std::vector<T> const& expected) {
  std::vector<T> const before(ranks.size() + 2, T(77));
  for (bool const blocking : {true, false}) {
    memory_of<Place, T> there(place, before);
    auto const results = there.view(1, ranks.size());
    if (blocking) wf::order_statistics(place, values, ranks, results);
    else wf::order_statistics_async(place, values, ranks, results);
    std::vector<T> after = before;
    std::ranges::copy(expected, after.begin() + 1);
    CHECK(same_numbers(contents(place, there.all()), after)); // and nothing else was touched
  }
  CHECK(same_number(wf::nth_element(place, values, ranks[0]), expected[0]));
  memory_of<Place, T> one(place, std::vector<T>(1));
  wf::nth_element_async(place, values, ranks.back(), one.all());
  CHECK(same_number(one.get(0), expected.back()));
}

template <class T>
using generator = std::function<std::vector<T>(std::size_t size, std::mt19937_64& random)>;
template <class T, class Make>
generator<T> each(Make make) {
  return [make](std::size_t size, std::mt19937_64& random) {
    std::vector<T> values(size);
    for (T& x : values) x = static_cast<T>(make(random));
    return values;
  };
}
template <class T>
std::vector<std::pair<std::string, generator<T>>> kinds_of_values() {
  auto const rising = [](std::size_t size, std::mt19937_64& random) {
    auto values = rough_values<T>(size, static_cast<unsigned>(random()));
    std::ranges::sort(values);
    return values;
  };
  return {{"rough",
           [](std::size_t size, std::mt19937_64& random) {
             return rough_values<T>(size, static_cast<unsigned>(random()));
           }},
          {"all equal", each<T>([](auto&) { return 3; })},
          {"two values", each<T>([](auto& random) { return random() % 2 ? 2 : 5; })},
          {"few values", each<T>([](auto& random) { return random() % 11; })},
          {"narrow", each<T>([](auto& random) { return 100'000 + random() % 5000; })},
          {"mostly one value",
           each<T>([](auto& random) { return random() % 8 ? 7 : random() % 1'000'000; })},
          {"sorted", rising},
          {"reversed", [rising](std::size_t size, std::mt19937_64& random) {
             auto values = rising(size, random);
             std::ranges::reverse(values);
             return values;
           }}};
}
/// `count` ranks: the ends, equal ones, neighbours, and any.
ranks_t ranks_for(std::size_t size, std::size_t count, std::mt19937_64& random) {
  ranks_t ranks{size / 2, 0, size - 1, size / 2, (size - 1) / 2};
  while (ranks.size() < count) ranks.push_back(random() % size);
  ranks.resize(count);
  return ranks;
}

template <class T, class Place>
void check_kinds(Place& place, size_list sizes, unsigned seed) {
  std::mt19937_64 random{seed};
  for (auto const& named : kinds_of_values<T>())
    for (std::size_t const size : sizes)
      for (std::size_t const first : {std::size_t{0}, std::size_t{1 + random() % 3}}) {
        if (first > 0 && size > 100'000 && named.first != "rough") continue;
        CAPTURE(named.first);
        CAPTURE(size);
        auto const values = named.second(size + first, random);
        memory_of<Place, T> there(place, values);
        auto const in_order = sorted(part_of(values, first, size));
        for (std::size_t const count : {5, 1, 16}) {
          bool const is_enough = count != 5 && size == 300'001;
          if (is_enough) break;
          auto const ranks = ranks_for(size, count, random);
          check_forms<T>(place, there.view(first, size), ranks, at_ranks(in_order, ranks));
        }
      }
}

// Around warps, batches, and the sizes at which one block no longer does it, and samples are taken.
FAST_EVERY_PLACE_OF("order statistics of few", T, float, double) {
  std::size_t const few[] = {33, 700};
  check_kinds<T>(place, few, 600);
}
EVERY_PLACE_OF("order statistics of some", T, std::int32_t, std::uint32_t, std::int64_t,
               std::uint64_t, float, double) {
  std::size_t const some[] = {1, 2, 31, 32, 33, 511, 512, 513, 8191, 8193};
  check_kinds<T>(place, some, 601);
}
EVERY_PLACE_OF("order statistics", T, std::int32_t, std::uint32_t, std::int64_t, std::uint64_t,
               float, double) {
  std::size_t const more[] = {32'767, 32'768, 32'769, 300'001};
  check_kinds<T>(place, more, 602);
}
EVERY_PLACE_OF("zeros, infinities and NaN", T, float, double) {
  T const inf = std::numeric_limits<T>::infinity(), nan = std::numeric_limits<T>::quiet_NaN();
  for (std::size_t const size : {std::size_t{1000}, std::size_t{70'001}}) {
    std::vector<T> values(size);
    for (std::size_t i = 0; i < size; ++i)
      values[i] = std::array{T(0), -T(0), inf, -inf, T(1)}[i % 5];
    memory_of<Place, T> there(place, values);
    ranks_t const ranks{0, size / 5 - 1, size / 5 + 1, size * 3 / 10, size / 2, size - 1};
    auto const expected = elements_at(values, ranks);
    CHECK(std::signbit(expected[2]));
    CHECK_FALSE(std::signbit(expected[4]));
    check_forms<T>(place, there.all(), ranks, expected);
    CHECK(wf::quantile(place, there.all(), 1.) == inf);
    CHECK(wf::quantile(place, there.all(), 0.) == -inf);
    for (T const broken : {nan, -nan}) {
      there.set(size / 3, broken);
      check_forms<T>(place, there.all(), ranks, std::vector<T>(ranks.size(), nan));
      T const middle = wf::median(place, there.all());
      CHECK(middle != middle);
    }
  }
  // As arithmetic has it, but equal infinities are their mean.
  auto const median_of = [&](std::vector<T> values) {
    memory_of<Place, T> there(place, std::move(values));
    return wf::median(place, there.all());
  };
  CHECK(median_of({inf, inf}) == inf);
  CHECK(median_of({-inf, 5}) == -inf);
  CHECK(median_of({inf, 5, 5, 5}) == 5);
  T const between = median_of({inf, -inf});
  CHECK(between != between);
}

/// Quantiles of values[i], by hand from numpy.quantile's definitions; numpy 2.0's documentation has
/// the median of the first row of values. The nearest of two equally near elements is the even one.
struct known_quantiles {
  std::vector<double> values;
  double q;
  std::array<double, 5> expected; ///< lower, higher, nearest, midpoint, linear
};
std::vector<known_quantiles> const known{{{10, 7, 4, 3, 2, 1}, 0.5, {3, 4, 3, 3.5, 3.5}},
                                         {{50, 10, 40, 20, 30}, 0, {10, 10, 10, 10, 10}},
                                         {{50, 10, 40, 20, 30}, 0.1, {10, 20, 10, 15, 14}},
                                         {{50, 10, 40, 20, 30}, 0.125, {10, 20, 10, 15, 15}},
                                         {{50, 10, 40, 20, 30}, 0.25, {20, 20, 20, 20, 20}},
                                         {{50, 10, 40, 20, 30}, 0.375, {20, 30, 30, 25, 25}},
                                         {{50, 10, 40, 20, 30}, 0.6875, {30, 40, 40, 35, 37.5}},
                                         {{50, 10, 40, 20, 30}, 1, {50, 50, 50, 50, 50}},
                                         {{4, -1, 3, 2}, 0.75, {3, 4, 3, 3.5, 3.25}},
                                         {{8}, 0.3, {8, 8, 8, 8, 8}}};
constexpr wf::interpolation every_interpolation[] = {
    wf::interpolation::lower, wf::interpolation::higher, wf::interpolation::nearest,
    wf::interpolation::midpoint, wf::interpolation::linear};

EVERY_PLACE_OF("quantiles are numpy's", T, std::int32_t, std::int64_t, float, double) {
  using Q = wf::detail::quantile_value<T>;
  for (known_quantiles const& one : known) {
    auto const& values = one.values;
    double const q = one.q;
    memory_of<Place, T> there(place, std::vector<T>(values.begin(), values.end()));
    memory_of<Place, Q> results(place, std::vector<Q>(2));
    for (std::size_t i = 0; i < 5; ++i) {
      CAPTURE(q);
      CAPTURE(i);
      auto const between = every_interpolation[i];
      Q const right = static_cast<Q>(one.expected[i]);
      CHECK(wf::quantile(place, there.all(), q, between) == doctest::Approx(right).epsilon(1e-7));
      bool const is_exact = q != 0.1;
      if (is_exact) CHECK(wf::quantile(place, there.all(), q, between) == right);
      std::array<double, 2> const both{1, q};
      wf::quantiles(place, there.all(), both, results.all(), between);
      Q const alone = wf::quantile(place, there.all(), q, between);
      CHECK(results.get(0) == static_cast<Q>(*std::ranges::max_element(values)));
      CHECK(results.get(1) == alone);
      wf::quantile_async(place, there.all(), q, results.view(0, 1), between);
      CHECK(results.get(0) == alone);
      wf::quantiles_async(place, there.all(), both, results.all(), between);
      CHECK(results.get(1) == alone);
    }
    wf::median_async(place, there.all(), results.view(0, 1));
    CHECK(results.get(0) == wf::median(place, there.all()));
    CHECK(results.get(0) == wf::quantile(place, there.all(), 0.5));
  }
}

/// What std::sort and the definition say, every operation rounded to double.
template <class T>
double by_definition(std::vector<T> const& sorted, double q) {
  double const position = q * static_cast<double>(sorted.size() - 1);
  auto const lower = static_cast<std::size_t>(position);
  auto const a = static_cast<double>(sorted[lower]),
             b = static_cast<double>(sorted[std::min(lower + 1, sorted.size() - 1)]);
  double const t = position - std::floor(position);
  volatile double const apart = b - a, near = t < 0.5 ? apart * t : apart * (1 - t);
  return t < 0.5 ? a + near : b - near;
}
EVERY_PLACE_OF("quantiles are rounded as the definition says", T, std::int32_t, std::int64_t, float,
               double) {
  using Q = wf::detail::quantile_value<T>;
  std::mt19937_64 random{605};
  std::vector<double> qs(wf::max_quantiles);
  for (std::size_t const size : {2u, 100u, 50'001u}) {
    auto values = rough_values<T>(size, 606);
    memory_of<Place, T> there(place, values);
    memory_of<Place, Q> results(place, std::vector<Q>(qs.size()));
    std::ranges::sort(values);
    for (double& q : qs) q = static_cast<double>(random() % 1'000'001) / 1e6;
    wf::quantiles(place, there.all(), qs, results.all());
    auto const found = results.contents();
    for (std::size_t i = 0; i < qs.size(); ++i)
      CHECK(found[i] == static_cast<Q>(by_definition(values, qs[i])));
  }
}

EVERY_PLACE_OF("vendors' sorts have the same elements", T, std::int32_t, float, double) {
  for (std::size_t const size : {std::size_t{1}, std::size_t{1025}, std::size_t{300'001}}) {
    memory_of<Place, T> there(place, rough_values<T>(size, 607));
    ranks_t const ranks{size / 3, 0, size - 1};
    memory_of<Place, T> ours(place, std::vector<T>(3)), theirs(place, std::vector<T>(3));
    wf::order_statistics(place, there.all(), ranks, ours.all());
    wf::order_statistics(place, there.all(), ranks, theirs.all(), vendor_of(place));
    CHECK(same_elements(ours.contents(), theirs.contents()));
    wf::order_statistics_async(place, there.all(), ranks, theirs.all(), vendor_of(place));
    CHECK(same_elements(ours.contents(), theirs.contents()));
    wf::order_statistics(place, there.all(), ranks, theirs.all(), twins::fold);
    CHECK(same_elements(ours.contents(), theirs.contents()));
  }
}

TEST_CASE("hosts of any number of threads have the same quantiles") {
  auto const values = rough_values<double>(700'001, 608);
  std::vector<double> const qs{0, 0.1, 0.5, 0.999};
  std::vector<double> expected(4), found(4);
  wf::quantiles(wf::host(1), values, qs, expected);
  for (int const threads : {2, 3, 7}) {
    wf::quantiles(wf::host(threads), values, qs, found);
    CHECK(same_elements(found, expected));
  }
}

TEST_SUITE("gpu") {
  TEST_CASE_TEMPLATE("order statistics by a sample", T, std::int32_t, float, double) {
    wf::gpu place;
    std::size_t const many[] = {wf::detail::selection_layout::sampled + 13};
    check_kinds<T>(place, many, 603);
  }
  TEST_CASE_TEMPLATE("data that mislead the sample", T, float, double) {
    wf::gpu place;
    std::size_t const size = wf::detail::selection_layout::sampled + 77;
    std::mt19937_64 random{604};
    for (std::size_t const count : {1, 2, 7}) {
      std::size_t const sample =
          wf::detail::selection_tuning::sample(size, static_cast<int>(count));
      std::vector<T> values(size);
      for (T& x : values) x = static_cast<T>(1 + random() % 1'000'000);
      T const sampled = count == 1 ? -1000 : 2'000'000; // before or behind all others
      for (std::size_t i = 0; i < sample; ++i)
        values[wf::detail::sampled_at(i, sample, size)] = sampled + static_cast<T>(random() % 1000);
      wf::device_buffer<T> there(place, values);
      auto const ranks = ranks_for(size, count, random);
      check_forms<T>(place, there.span(), ranks, elements_at(values, ranks));
    }
  }
  TEST_CASE("selections have the same results on any grid") {
    wf::gpu place;
    for (std::size_t const size : {std::size_t{100'001}, wf::detail::selection_layout::sampled}) {
      auto const values = rough_values<float>(size, 609);
      wf::device_buffer<float> there(place, values), results(place, 3);
      ranks_t const ranks{size / 2, 5, size - 4};
      auto const expected = elements_at(values, ranks);
      for (int const multiprocessors : {0, 1, 3, 50}) {
        wf::detail::gpu_scratch(place).assume_multiprocessors(multiprocessors);
        wf::order_statistics(place, there, ranks, results);
        CHECK(same_elements(wf::to_vector(place, results), expected));
      }
    }
  }
  TEST_CASE("fast: captured selections find what is there when they run") {
    wf::gpu place;
    std::size_t const sizes[] = {9000, 200'001, wf::detail::selection_layout::sampled + 1};
    for (std::size_t const size : sizes) {
      place.reserve(wf::quantiles_workspace<double>(size));
      wf::device_buffer<double> values(place, size), results(place, 2), middle(place, 1);
      ranks_t const ranks{size - 1, size / 7};
      captured graph(place, [&] {
        wf::order_statistics_async(place, values, ranks, results);
        wf::median_async(place, values, middle);
      });
      for (unsigned const seed : {610, 611, 612}) {
        auto other = rough_values<double>(size, seed);
        if (seed == 611) std::ranges::fill(other, 8.);
        if (seed == 612) other[3] = std::numeric_limits<double>::quiet_NaN();
        wf::copy(place, other, values.span());
        graph.launch();
        auto const found = wf::to_vector(place, results);
        auto const found_middle = wf::to_vector(place, middle)[0];
        if (seed == 612) {
          CHECK(found[0] != found[0]);
          CHECK(found_middle != found_middle);
        } else {
          CHECK(same_elements(found, elements_at(other, ranks)));
          CHECK(same_number(found_middle, wf::median(wf::host(), other)));
        }
        // Calls between replays use the same memory.
        static_cast<void>(wf::nth_element(place, results, 0));
      }
    }
  }
  TEST_CASE("fast: a selection of a few is one kernel") {
    wf::gpu place;
    wf::device_buffer<float> values(place, rough_values<float>(1000, 613)), result(place, 1);
    CHECK(captured(place, [&] { wf::median_async(place, values, result); }).is_one_kernel());
  }
}

TEST_SUITE("large") {
  TEST_CASE("order statistics of more than 2^32 elements") {
    std::size_t const size = (std::size_t{1} << 32) + 11, twos = (std::size_t{1} << 31) + 7;
    wf::gpu place;
    wf::device_buffer<std::int32_t> values(place, size);
    wf::check(cudaMemsetAsync(values.data(), 2, twos * sizeof(std::int32_t), place.stream()));
    wf::check(cudaMemsetAsync(values.data() + twos, 1, (size - twos) * sizeof(std::int32_t),
                              place.stream()));
    wf::copy(place, std::vector<std::int32_t>{-5, 9}, values.span().subspan(size - 2, 2));
    // -5, 9, ones, twos
    std::size_t const ones = size - twos - 2;
    ranks_t const ranks{0, 1, 2, ones + 1, ones + 2, size - 1};
    wf::device_buffer<std::int32_t> results(place, ranks.size());
    wf::order_statistics(place, values, ranks, results);
    std::int32_t const one = 0x01010101, two = 0x02020202;
    CHECK(wf::to_vector(place, results) == std::vector<std::int32_t>{-5, 9, one, one, two, two});
  }
}

} // namespace quantiles_test
