// Sums by index on every place, against integers of 128 bits; the same bits for every order;
// errors; twins.

#include "contents.hpp"
#include "gpu.hpp"
#include "scatter/scatter_reference.hpp"

#include <warpfold/scatter.hpp>
#include <warpfold/twins/scatter.hpp>

#include <numeric>

namespace scatter_test {

using namespace test;
namespace wf = warpfold;
namespace twins = warpfold::twins;

constexpr wf::scatter_status complete{0, wf::no_position, 0, wf::no_position};

/// Values and indices in the memory of a place, `start` elements from an aligned address.
template <class Place, class T, class Index>
struct arrays {
  memory_of<Place, T> values;
  memory_of<Place, Index> indices;
  std::size_t start;

  arrays(Place& place, std::vector<T> v, std::vector<Index> i, std::size_t from = 0)
      : values(place, shifted(std::move(v), from)),
        indices(place, shifted(std::move(i), from)), start{from} {}

  auto from() { return values.view(start, values.all().size() - start); }
  auto at() { return indices.view(start, indices.all().size() - start); }

private:
  template <class X>
  static std::vector<X> shifted(std::vector<X> all, std::size_t by) {
    all.insert(all.begin(), by, X{});
    return all;
  }
};

/// Every form of a call with a bound and without: results and status.
template <class T, class Index, class Place>
void check_forms(Place& place, std::vector<T> const& values, std::vector<Index> const& indices,
                 std::size_t bins, std::size_t start = 0) {
  arrays<Place, T, Index> in(place, values, indices, start);
  memory_of<Place, wf::scatter_status> status(place, std::vector<wf::scatter_status>(1));
  wf::scatter_bound const bound{1.0, 1.5 * static_cast<double>(values.size()) + 1};
  T most{0};
  for (T const x : values) most = std::max(most, std::abs(x));
  for (bool const wide : {false, true}) {
    CAPTURE(wide);
    wf::scatter_options const how{.wide = wide};
    auto const expect = [&](std::vector<T> const& expected, auto scatter) {
      memory_of<Place, T> results(place, std::vector<T>(bins + 1, T{77}));
      scatter(results.view(0, bins));
      auto found = contents(place, results.all());
      CHECK(found.back() == T{77});
      found.pop_back();
      CHECK(same_numbers(found, expected));
    };
    auto const known = scatter_by_definition(values, indices, fraction_bits(bound.sum), bound.value,
                                             bound.sum, bins, wide);
    expect(known.results,
           [&](auto to) { wf::scatter_sum(place, in.from(), in.at(), bound, to, how); });
    expect(known.results, [&](auto to) {
      wf::scatter_sum_async(place, in.from(), in.at(), bound, to, status.all(), how);
    });
    CHECK(status.get(0) == complete);
    double const largest_value = static_cast<double>(most);
    auto const found =
        scatter_by_definition(values, indices, fraction_bits(largest_value, values.size()),
                              largest_value, largest_value, bins, wide);
    expect(found.results, [&](auto to) { wf::scatter_sum(place, in.from(), in.at(), to, how); });
    expect(found.results, [&](auto to) {
      wf::scatter_sum_async(place, in.from(), in.at(), to, status.all(), how);
    });
    CHECK(status.get(0) == complete);
  }
}
template <class T, class Index, class Place>
void check_size(Place& place, std::size_t size, std::size_t bins, bool is_clustered, unsigned seed,
                std::size_t start = 0) {
  CAPTURE(size);
  CAPTURE(bins);
  CAPTURE(is_clustered);
  std::mt19937_64 random{seed};
  auto const values = scatter_values<T>(random, size);
  check_forms<T>(place, values, scatter_indices<Index>(random, size, bins, is_clustered), bins,
                 start);
}

EVERY_PLACE_OF("sums by index are those of 128-bit integers", T, float, double) {
  for (std::size_t const size : {1, 31, 4095, 4096, 4097, 70'001})
    for (std::size_t const bins : {1, 7, 300, 5000, 40'000})
      for (bool const is_clustered : {false, true})
        check_size<T, std::uint32_t>(place, size, bins, is_clustered, 611, size % 4);
}
EVERY_PLACE_OF("indices of every type", Index, std::int32_t, std::uint32_t, std::int64_t,
               std::uint64_t) {
  for (std::size_t const start : {0, 1, 2}) {
    check_size<float, Index>(place, 20'011, 3000, true, 612, start);
    check_size<double, Index>(place, 20'011, 30, false, 613, start);
  }
}
EVERY_PLACE_OF("as many bins as there are in shared memory, and more", T, float, double) {
  std::size_t const size = std::same_as<Place, wf::gpu> ? 2'200'003 : 70'003;
  for (std::size_t const bins : {256, 257, 4096, 4097, 8192, 8193})
    if (std::same_as<T, float> || bins > 4000)
      check_size<T, std::int32_t>(place, size, bins, bins % 2 == 0, 614);
}
FAST_EVERY_PLACE("sums of a few by index") {
  check_size<float, std::uint32_t>(place, 20'011, 500, true, 615);
  check_size<double, std::int64_t>(place, 20'011, 20'000, false, 616);
  check_size<float, std::uint32_t>(place, 300'011, 11, false, 617);
}
EVERY_PLACE("no values, and no bins") {
  check_forms<float, int>(place, {}, {}, 5);
  check_forms<float, int>(place, {}, {}, 0);
  check_forms<double, std::int64_t>(place, {}, {}, 3000);
}
EVERY_PLACE_OF("zeros", T, float, double) {
  std::vector<T> const zeros(5000, -T{0});
  std::vector<int> const indices(5000, 3);
  check_forms<T>(place, zeros, indices, 5);
  arrays<Place, T, int> in(place, zeros, indices);
  memory_of<Place, T> results(place, std::vector<T>(4, T{1}));
  wf::scatter_sum(place, in.from(), in.at(), {0, 0}, results.all());
  CHECK(same_elements(results.contents(), std::vector<T>(4, T{0}))); // +0
}
EVERY_PLACE_OF("the order of values changes no bit", T, float, double) {
  std::mt19937_64 random{621};
  for (std::size_t const bins : {20, 50'000}) {
    std::size_t const size = 200'003;
    auto const values = scatter_values<T>(random, size);
    auto const indices = scatter_indices<std::int32_t>(random, size, bins, true);
    std::vector<std::size_t> order(size);
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::vector<T> first;
    for (int turn = 0; turn < 4; ++turn) {
      auto v = values;
      auto i = indices;
      for (std::size_t k = 0; k < size; ++k) {
        v[k] = values[order[k]];
        i[k] = indices[order[k]];
      }
      arrays<Place, T, std::int32_t> in(place, v, i);
      memory_of<Place, T> results(place, std::vector<T>(bins));
      wf::scatter_sum(place, in.from(), in.at(), {1, 1e5}, results.all());
      if (turn == 0) first = results.contents();
      CHECK(same_elements(results.contents(), first));
      if (turn == 0) std::ranges::reverse(order);
      else std::ranges::shuffle(order, random);
    }
    CHECK(std::ranges::count(first, T{0}) < static_cast<std::ptrdiff_t>(bins / 5 + 1));
  }
}

struct refusal {
  std::string argument, message;
  bool is_untouched;
};
template <class T, class Index, class Place>
refusal refused(Place& place, std::vector<T> const& values, std::vector<Index> const& indices,
                std::size_t bins, wf::scatter_bound const* bound, wf::scatter_options how = {},
                std::vector<T> before = {}) {
  arrays<Place, T, Index> in(place, values, indices);
  before.resize(bins, T{77});
  memory_of<Place, T> results(place, before);
  try {
    if (bound) wf::scatter_sum(place, in.from(), in.at(), *bound, results.all(), how);
    else wf::scatter_sum(place, in.from(), in.at(), results.all(), how);
  } catch (wf::argument_error const& error) {
    CHECK(error.verb() == "scatter_sum");
    return {error.argument(), error.what(), same_elements(results.contents(), before)};
  }
  return {"", "", false};
}
EVERY_PLACE_OF("what cannot be added is refused by its place, and nothing is written", T, float,
               double) {
  T const inf = std::numeric_limits<T>::infinity(), nan = std::numeric_limits<T>::quiet_NaN();
  wf::scatter_bound const bound{1, 20'000};
  for (std::size_t const bins : {100, 30'000})
    for (bool const wide : {false, true}) {
      std::mt19937_64 random{631};
      auto const good = scatter_values<T>(random, 9000);
      auto const places = scatter_indices<std::int32_t>(random, 9000, bins, false);
      auto const check = [&](auto spoil, char const* argument, std::string const& found,
                             bool also_without_bound = true) {
        auto values = good;
        auto indices = places;
        spoil(values, indices);
        for (wf::scatter_bound const* known :
             {&bound, static_cast<wf::scatter_bound const*>(nullptr)}) {
          if (known == nullptr && !also_without_bound) continue;
          auto const got = refused(place, values, indices, bins, known, {.wide = wide});
          CHECK(got.argument == argument);
          CHECK_MESSAGE(contains(got.message, found), got.message);
          CHECK(got.is_untouched);
        }
      };
      check([&](auto& v, auto&) { v[8999] = v[4567] = nan; }, "values", "element 4567 is nan");
      check([&](auto& v, auto&) { v[8999] = v[3] = -inf; }, "values", "element 3 is -inf");
      check([&](auto& v, auto&) { v[6000] = v[6001] = T{1.5}; }, "values", "element 6000 is 1.5",
            false);
      check([&](auto&, auto& i) { i[8998] = i[8999] = -2; }, "indices", "element 8998 is -2");
      check([&](auto& v, auto& i) { v[9] = nan, i[8] = static_cast<int>(bins); }, "indices",
            "element 8 is " + std::to_string(bins));
      check([&](auto& v, auto& i) { v[7] = nan, i[8] = static_cast<int>(bins); }, "values",
            "element 7 is nan");
      auto const sums = refused(place, std::vector<T>(9000, T{1}), std::vector<int>(9000, 17), bins,
                                std::array{wf::scatter_bound{1, 4096}}.data(), {.wide = wide});
      CHECK(sums.argument == "bound.sum");
      CHECK_MESSAGE(contains(sums.message, "bin 17"), sums.message);
      CHECK(sums.is_untouched);
      std::vector<T> before(bins, T{1});
      before[5] = inf;
      auto const old = refused(place, good, places, bins, &bound, {wide, true}, before);
      CHECK(old.argument == "results");
      CHECK_MESSAGE(contains(old.message, "element 5 is inf"), old.message);
      CHECK(old.is_untouched);
    }
  // No result is there.
  auto const none = refused(place, std::vector<T>{T{1}}, std::vector<int>{0}, 0, &bound);
  CHECK(none.argument == "indices");
}
EVERY_PLACE_OF("what cannot be added is left out of an _async call, and counted", T, float,
               double) {
  std::mt19937_64 random{641};
  for (std::size_t const bins : {60, 20'000}) {
    std::size_t const size = 150'001;
    auto values = scatter_values<T>(random, size);
    auto indices = scatter_indices<std::int64_t>(random, size, bins, true);
    for (std::size_t i = 70; i < size; i += 1 + random() % 500) {
      if (i % 3 == 0) values[i] = std::numeric_limits<T>::quiet_NaN();
      else if (i % 3 == 1) values[i] = T{2};
      else indices[i] = i % 2 ? -1 : std::int64_t{1} << 33;
    }
    auto const known =
        scatter_by_definition(values, indices, fraction_bits(1e6), 1, 1e6, bins, false);
    CHECK(known.status.refused > 100);
    arrays<Place, T, std::int64_t> in(place, values, indices);
    memory_of<Place, T> results(place, std::vector<T>(bins, T{77}));
    memory_of<Place, wf::scatter_status> status(place, std::vector<wf::scatter_status>(1));
    wf::scatter_sum_async(place, in.from(), in.at(), {1, 1e6}, results.all(), status.all());
    CHECK(same_numbers(results.contents(), known.results));
    CHECK(status.get(0) == known.status);
  }
}
EVERY_PLACE_OF("sums above a bound that is finer than the finest unit", T, float, double) {
  // 2^62 units of the type's lowest bit are the range; 256 values are as much.
  T const range = std::same_as<T, float> ? static_cast<T>(0x1p-87) : static_cast<T>(0x1p-1012);
  T const value = range / 256;
  wf::scatter_bound const bound{static_cast<double>(value), static_cast<double>(value)};
  for (bool const wide : {false, true})
    for (std::size_t const bins : {1, 20'000}) {
      wf::scatter_options const how{.wide = wide};
      // 260 values are (1 + 2^-6) of the range, 764 are (3 - 2^-6) of it.
      for (std::size_t const count : {2, 255, 256, 260}) {
        arrays<Place, T, int> in(place, std::vector<T>(count, -value), std::vector<int>(count, 0));
        memory_of<Place, T> results(place, std::vector<T>(bins, T{77}));
        wf::scatter_sum(place, in.from(), in.at(), bound, results.all(), how);
        CHECK(results.get(0) == -value * static_cast<T>(count));
      }
      for (std::size_t const count : {261, 512, 763}) {
        std::vector<T> const values(count, value);
        std::vector<int> const indices(count, 0);
        auto const got = refused(place, values, indices, bins, &bound, how);
        CHECK(got.argument == "bound.sum");
        CHECK(got.is_untouched);
        arrays<Place, T, int> in(place, values, indices);
        memory_of<Place, T> results(place, std::vector<T>(bins, T{77}));
        memory_of<Place, wf::scatter_status> status(place, std::vector<wf::scatter_status>(1));
        wf::scatter_sum_async(place, in.from(), in.at(), bound, results.all(), status.all(), how);
        CHECK(std::isnan(results.get(0)));
        CHECK(status.get(0) == wf::scatter_status{0, wf::no_position, 1, 0});
      }
    }
}
EVERY_PLACE_OF("results that are added to", T, float, double) {
  std::mt19937_64 random{651};
  for (bool const wide : {false, true})
    for (std::size_t const bins : {60, 20'000}) {
      auto const values = scatter_values<T>(random, 50'001);
      auto const indices = scatter_indices<std::uint32_t>(random, 50'001, bins, false);
      auto before = scatter_values<T>(random, bins);
      for (T& x : before) x *= 1000;
      auto const known =
          scatter_by_definition(values, indices, fraction_bits(1e5), 1, 1e5, bins, wide, before);
      arrays<Place, T, std::uint32_t> in(place, values, indices);
      memory_of<Place, T> results(place, before);
      wf::scatter_options const how{.wide = wide, .cumulative = true};
      wf::scatter_sum(place, in.from(), in.at(), {1, 1e5}, results.all(), how);
      CHECK(same_numbers(results.contents(), known.results));
    }
}
EVERY_PLACE_OF("twins agree within their errors", T, float, double) {
  std::mt19937_64 random{661};
  for (std::size_t const bins : {30, 5000}) {
    std::size_t const size = 100'003;
    auto const values = scatter_values<T>(random, size);
    auto const indices = scatter_indices<std::uint32_t>(random, size, bins, true);
    arrays<Place, T, std::uint32_t> in(place, values, indices);
    memory_of<Place, T> ours(place, std::vector<T>(bins)), theirs(place, std::vector<T>(bins));
    memory_of<Place, wf::scatter_status> status(place, std::vector<wf::scatter_status>(1));
    wf::scatter_bound const bound{1, 1e5};
    wf::scatter_sum(place, in.from(), in.at(), bound, ours.all(), twins::scattering::fixed_point);
    std::vector<double> magnitudes(bins), counts(bins);
    for (std::size_t i = 0; i < size; ++i) {
      magnitudes[indices[i]] += std::abs(static_cast<double>(values[i]));
      ++counts[indices[i]];
    }
    for (bool const blocking : {false, true}) {
      constexpr auto atomics = twins::scattering::atomics;
      if (blocking) wf::scatter_sum(place, in.from(), in.at(), bound, theirs.all(), atomics);
      else
        wf::scatter_sum_async(place, in.from(), in.at(), bound, theirs.all(), status.all(),
                              atomics);
      auto const a = ours.contents(), b = theirs.contents();
      bool near = true;
      for (std::size_t k = 0; k < bins; ++k) {
        double const unit =
            std::ldexp(1e5, -62) + std::numeric_limits<T>::epsilon() * magnitudes[k];
        near = near && std::abs(static_cast<double>(a[k]) - static_cast<double>(b[k])) <=
                           unit * (counts[k] + 1);
      }
      CHECK(near);
    }
    CHECK(status.get(0) == complete);
  }
}

} // namespace scatter_test
