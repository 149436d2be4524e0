// Sums by index over ranks: the bits of one place that has all values, however they are spread.

#include "communicator.hpp"
#include "reduction/exact.hpp"
#include "scatter/scatter_reference.hpp"

#include <numeric>

namespace collective_scatter_test {

using namespace test;
namespace wf = warpfold;

/// Every rank calls call(comm, values, keys, results) with the values that are its own in `owner`,
/// and has the expected results then.
template <class Place, class T, class Key, class Call>
void check_spread(wf::local_group<Place>& group, std::vector<T> const& values,
                  std::vector<Key> const& keys, std::vector<int> const& owner,
                  std::vector<T> const& expected, std::vector<T> const& before, Call call) {
  std::size_t const each = keys.empty() ? 1 : values.size() / keys.size();
  group.run([&](wf::communicator<Place>& comm) {
    CAPTURE(current_seed);
    std::vector<T> own;
    std::vector<Key> own_keys;
    for (std::size_t i = 0; i < keys.size(); ++i)
      if (owner[i] % comm.size() == comm.rank()) {
        for (std::size_t c = 0; c < each; ++c) own.push_back(values[i * each + c]);
        own_keys.push_back(keys[i]);
      }
    memory_of<Place, T> v(comm.place(), own);
    memory_of<Place, Key> k(comm.place(), own_keys);
    memory_of<Place, T> results(comm.place(), before);
    call(comm, v.all(), k.all(), results.all());
    CHECK(same_elements(results.contents(), expected));
  });
}

template <class Place, class T>
void check_sums(wf::local_group<Place>& group, std::mt19937_64& random, std::size_t bins,
                int components) {
  CAPTURE(bins);
  CAPTURE(components);
  wf::host const whole(1); // ThreadSanitizer does not know how OpenMP waits
  std::size_t const size = 3'011;
  auto const each = static_cast<std::size_t>(components);
  auto const values = scatter_values<T>(random, size * each);
  auto const indices = scatter_indices<std::int32_t>(random, size, bins, random() % 2 == 0);
  std::vector<int> owner(size);
  auto const few = 1 + random() % 3; // some ranks have nothing
  for (int& r : owner) r = static_cast<int>(random() % few);
  auto const wild = wild_values<T>(size * each, random, 40);
  for (bool const cumulative : {false, true}) {
    wf::scatter_options const how{
        .cumulative = cumulative, .components = components, .exact = true};
    auto const before = wild_values<T>(bins * each, random, 40);
    auto expected = before;
    wf::scatter_sum(whole, wild, indices, expected, how);
    check_spread(group, wild, indices, owner, expected, before,
                 [&](auto& comm, auto v, auto i, auto results) {
                   wf::scatter_sum(comm, v, i, results, how);
                 });
  }
  for (bool const wide : {false, true})
    for (bool const cumulative : {false, true}) {
      wf::scatter_options const how{
          .wide = wide, .cumulative = cumulative, .components = components};
      wf::scatter_bound const bound{1, 4000};
      auto const before = scatter_values<T>(random, bins * each);
      auto expected = before;
      wf::scatter_sum(whole, values, indices, bound, expected, how);
      check_spread(group, values, indices, owner, expected, before,
                   [&](auto& comm, auto v, auto i, auto results) {
                     wf::scatter_sum(comm, v, i, bound, results, how);
                   });
      if (cumulative) continue;
      wf::scatter_sum(whole, values, indices, expected, how);
      check_spread(group, values, indices, owner, expected, before,
                   [&](auto& comm, auto v, auto i, auto results) {
                     wf::scatter_sum(comm, v, i, results, how);
                   });
    }
}

EVERY_GROUP("sums by index of ranks are those of one place") {
  CAPTURE(new_seed());
  std::mt19937_64 random(current_seed);
  for (std::size_t const bins : {1, 2, 7, 300, 20'000}) { // fewer than ranks, too
    check_sums<Place, float>(group, random, bins, 1);
    check_sums<Place, double>(group, random, bins, 3);
  }
}

template <class Place, class T, class Key>
void check_weights(wf::local_group<Place>& group, std::mt19937_64& random,
                   wf::detail::bins_of<Key> const& bins) {
  CAPTURE(bins.count);
  wf::host const whole(1);
  std::size_t const size = 3'011;
  auto const weights = scatter_values<T>(random, size);
  std::vector<Key> values(size);
  std::vector<int> owner(size);
  for (int& r : owner) r = static_cast<int>(random() % 8);
  for (Key& x : values) x = static_cast<Key>(static_cast<double>(random() % 256) / 100);
  std::vector<T> expected(static_cast<std::size_t>(bins.count));
  std::vector<T> const before(expected.size(), T{77});
  wf::scatter_bound const bound{1, 4000};
  wf::histogram(whole, values, weights, bins, bound, expected);
  check_spread(group, weights, values, owner, expected, before,
               [&](auto& comm, auto w, auto v, auto results) {
                 wf::histogram(comm, v, w, bins, bound, results);
               });
  wf::histogram(whole, values, weights, bins, expected);
  check_spread(
      group, weights, values, owner, expected, before,
      [&](auto& comm, auto w, auto v, auto results) { wf::histogram(comm, v, w, bins, results); });
  wf::histogram(whole, values, weights, bins, expected, {.exact = true});
  check_spread(group, weights, values, owner, expected, before,
               [&](auto& comm, auto w, auto v, auto results) {
                 wf::histogram(comm, v, w, bins, results, {.exact = true});
               });
}
EVERY_GROUP("weighted histograms of ranks are those of one place") {
  CAPTURE(new_seed());
  std::mt19937_64 random(current_seed);
  check_weights<Place, float, float>(group, random, {10, 0.25F, 2.25F});
  check_weights<Place, double, double>(group, random, {8192, 0, 2.5});
  check_weights<Place, double, std::uint8_t>(group, random, {2, 0, 2});
}

EVERY_GROUP("ranks without values, and sums without bins") {
  std::vector<float> const none;
  std::vector<int> const nowhere, everywhere(1, 0);
  auto const sum = [](auto& comm, auto v, auto i, auto results) {
    wf::scatter_sum(comm, v, i, results);
  };
  check_spread(group, none, nowhere, nowhere, std::vector<float>(5), std::vector<float>(5, 7.F),
               sum);
  check_spread(group, none, nowhere, nowhere, none, none, sum);
  check_spread(group, {2.5F}, std::vector<int>{3}, everywhere, {0, 0, 0, 2.5F, 0},
               std::vector<float>(5, 7.F), sum);
}

/// Rank 1 has what `spoil` makes of 100 ones and the indices 0 to 99.
template <class Place, class Spoil>
failures spoiled(wf::local_group<Place>& group, std::string_view what, std::string_view argument,
                 wf::scatter_bound bound, Spoil spoil) {
  return failing(
      group, what,
      [&](wf::communicator<Place>& comm) {
        std::vector<float> values(100, 1.F);
        std::vector<int> indices(100);
        std::iota(indices.begin(), indices.end(), 0);
        if (comm.rank() == 1) spoil(values, indices);
        memory_of<Place, float> v(comm.place(), values),
            results(comm.place(), std::vector<float>(100, 7.F));
        memory_of<Place, int> i(comm.place(), indices);
        try {
          wf::scatter_sum(comm, v.all(), i.all(), bound, results.all());
        } catch (wf::argument_error const&) {
          CHECK(results.contents() == std::vector<float>(100, 7.F));
          throw;
        } catch (wf::communication_error const&) {
          CHECK(results.contents() == std::vector<float>(100, 7.F));
          throw;
        }
      },
      argument);
}
TEST_CASE("what one rank cannot add is an error on all, which say where it is") {
  auto const group = [] { return wf::local_group<wf::host>(3); };
  auto three = group();
  CHECK(spoiled(three, "rank 1 refuses element 42", "values", {1, 1000},
                [](auto& v, auto&) { v[42] = v[77] = 2; }) == failures{1, 2});
  three = group();
  CHECK(spoiled(three, "rank 1 refuses element 7", "indices", {1, 1000},
                [](auto&, auto& i) { i[7] = i[99] = -3; }) == failures{1, 2});
  three = group(); // arguments
  CHECK(spoiled(three, "", "indices", {1, 1000}, [](auto&, auto& i) { i.pop_back(); }) ==
        failures{1, 2});
  three = group(); // 43 in one bin
  CHECK(spoiled(three, "", "bound.sum", {1, 32},
                [](auto&, auto& i) { std::fill_n(i.begin(), 40, 50); }) == failures{3, 0});
}

TEST_CASE("ranks that disagree about bounds, bins or options notice") {
  std::vector<float> const values(100, 1.F);
  std::vector<int> const indices(100, 3);
  auto const disagree = [&](auto call) {
    wf::local_group<wf::host> group(3);
    return failing(group, "other arguments", [&](wf::communicator<wf::host>& comm) {
             std::vector<float> results(20), more(22);
             call(comm, comm.rank() == 1, results, more);
           }) == failures{0, 3};
  };
  CHECK(disagree([&](auto& comm, bool other, auto& results, auto&) {
    wf::scatter_sum(comm, values, indices, {1, other ? 300. : 301.}, results);
  }));
  CHECK(disagree([&](auto& comm, bool other, auto& results, auto&) {
    wf::scatter_sum(comm, values, indices, {other ? 1. : 2., 301.}, results);
  }));
  CHECK(disagree([&](auto& comm, bool other, auto& results, auto&) {
    wf::scatter_sum(comm, values, indices, {1, 300}, results, {.wide = other});
  }));
  CHECK(disagree([&](auto& comm, bool other, auto& results, auto&) {
    wf::scatter_sum(comm, values, indices, {1, 300}, results, {.cumulative = other});
  }));
  CHECK(disagree([&](auto& comm, bool other, auto& results, auto&) {
    wf::scatter_sum(comm, values, indices, results, {.cumulative = other, .exact = true});
  }));
  CHECK(disagree([&](auto& comm, bool other, auto& results, auto& more) {
    wf::scatter_sum(comm, values, indices, {1, 300}, other ? more : results);
  }));
  CHECK(disagree([&](auto& comm, bool other, auto& results, auto&) {
    if (other) wf::scatter_sum(comm, values, indices, results);
    else wf::scatter_sum(comm, values, indices, {1, 300}, results);
  }));
  CHECK(disagree([&](auto& comm, bool other, auto& results, auto&) {
    wf::histogram(comm, values, values, {20, 0, other ? 2.F : 3.F}, results);
  }));
  std::vector<unsigned> const others(100, 3);
  CHECK(disagree([&](auto& comm, bool other, auto& results, auto&) {
    if (other) wf::histogram(comm, others, values, {20, 0, 20}, results);
    else wf::histogram(comm, indices, values, {20, 0, 20}, results);
  }));
}

TEST_SUITE("gpu") {
  TEST_CASE("what one GPU cannot add is an error on all") {
    wf::local_group<wf::gpu> group{std::span<int const>{}};
    int const ranks = group.size();
    auto const found = spoiled(group, "", "values", {1, 1000}, [](auto& v, auto&) { v[42] = 2; });
    CHECK(found == (ranks > 1 ? failures{1, ranks - 1} : failures{0, 0}));
  }
}

} // namespace collective_scatter_test
