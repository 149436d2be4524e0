// Runs of keys, values and operators of one's own, against reduce of each run alone.

#include "gpu.hpp"
#include "segments.hpp"

#include <warpfold/segments.cuh>
#include <warpfold/segments/by_key.cuh>

#include <random>

namespace by_key_custom_test {

using namespace test;
namespace wf = warpfold;

/// A date and a place; what was noted of them makes no difference.
struct label {
  std::int32_t day, shop, note;
  WARPFOLD_HOST_DEVICE bool operator==(label const& other) const {
    return day == other.day && shop == other.shop;
  }
};
static_assert(sizeof(label) == 12);

struct sum_and_largest {
  std::int32_t sum, largest;
  bool operator==(sum_and_largest const&) const = default;
};
struct merge {
  using is_commutative = void;
  WARPFOLD_HOST_DEVICE sum_and_largest operator()(sum_and_largest a, sum_and_largest b) const {
    return {a.sum + b.sum, a.largest < b.largest ? b.largest : a.largest};
  }
};

/// The same and the least, in 12 bytes.
struct sum_and_both {
  std::int32_t sum, largest, least;
  bool operator==(sum_and_both const&) const = default;
};
struct merge_both {
  using is_commutative = void;
  WARPFOLD_HOST_DEVICE sum_and_both operator()(sum_and_both a, sum_and_both b) const {
    return {a.sum + b.sum, a.largest < b.largest ? b.largest : a.largest,
            b.least < a.least ? b.least : a.least};
  }
};

/// By a walk over the keys.
struct walk {
  std::vector<label> unique;
  std::vector<std::uint64_t> lengths;
  std::vector<sum_and_largest> results;
};
walk walked(std::vector<label> const& keys, std::vector<sum_and_largest> const& values,
            sum_and_largest init) {
  walk all;
  for (std::size_t i = 0; i < keys.size(); ++i) {
    if (i == 0 || !(keys[i - 1] == keys[i])) {
      all.unique.push_back(keys[i]);
      all.lengths.push_back(0);
      all.results.push_back(init);
    }
    ++all.lengths.back();
    all.results.back() = merge{}(all.results.back(), values[i]);
  }
  return all;
}

bool same_labels(std::vector<label> const& a, std::vector<label> const& b) {
  return std::ranges::equal(
      a, b, [](label const& x, label const& y) { return x == y && x.note == y.note; });
}

FAST_EVERY_PLACE("runs of keys and operators of one's own") {
  unsigned const seed = std::random_device{}();
  CAPTURE(seed);
  std::mt19937 random{seed};
  std::vector<label> keys;
  for (std::size_t const length : mixed_lengths(seed, 5'000)) {
    auto const day = static_cast<std::int32_t>(random() % 3),
               shop = static_cast<std::int32_t>(random() % 3);
    for (std::size_t i = 0; i < length; ++i)
      keys.push_back({day, shop, static_cast<std::int32_t>(random() % 1000)});
  }
  std::vector<sum_and_largest> values(keys.size());
  for (auto& x : values) {
    auto const value = static_cast<std::int32_t>(random() % 2001) - 1000;
    x = {value, value};
  }
  sum_and_largest const init{5, -2000};
  walk const expected = walked(keys, values, init);
  std::size_t const count = expected.unique.size();
  memory_of<Place, label> there(place, keys);
  memory_of<Place, sum_and_largest> elements(place, values);
  memory_of<Place, label> unique(place, std::vector<label>(count));
  memory_of<Place, sum_and_largest> results(place, std::vector<sum_and_largest>(count));
  CHECK(wf::reduce_by_key(place, there.all(), elements.all(), init, merge{}, unique.all(),
                          results.all()) == count);
  CHECK(same_labels(unique.contents(), expected.unique));
  CHECK(results.contents() == expected.results);

  std::vector<sum_and_both> triples, expected_triples;
  for (auto const& x : values) triples.push_back({x.sum, x.largest, x.sum});
  for (std::size_t run = 0, at = 0; run < count; ++run) {
    expected_triples.push_back({0, -2000, 2000});
    for (std::uint64_t i = 0; i < expected.lengths[run]; ++i, ++at)
      expected_triples.back() = merge_both{}(expected_triples.back(), triples[at]);
  }
  memory_of<Place, sum_and_both> wide(place, triples),
      wide_results(place, std::vector<sum_and_both>(count));
  CHECK(wf::reduce_by_key(place, there.all(), wide.all(), sum_and_both{0, -2000, 2000},
                          merge_both{}, unique.all(), wide_results.all()) == count);
  CHECK(wide_results.contents() == expected_triples);

  memory_of<Place, std::uint64_t> lengths(place, std::vector<std::uint64_t>(count));
  memory_of<Place, std::uint64_t> found(place, std::vector<std::uint64_t>(1));
  wf::run_length_encode_async(place, there.all(), unique.view(0, 0), lengths.all(), found.all());
  CHECK(lengths.contents() == expected.lengths);
  CHECK(found.contents().front() == count);

  // Own keys with a built-in sum, whose bits are those of each run alone.
  auto const floats = rough_values<float>(keys.size(), seed);
  memory_of<Place, float> column(place, floats);
  memory_of<Place, float> sums(place, std::vector<float>(count));
  wf::reduce_by_key_async(place, there.all(), column.all(), 0.F, wf::plus{}, unique.all(),
                          sums.all(), found.all());
  std::vector<float> alone;
  std::size_t at = 0;
  for (std::uint64_t const length : expected.lengths) {
    alone.push_back(wf::sum(wf::host(1), std::span(floats).subspan(at, length)));
    at += length;
  }
  CHECK(differences(sums.contents(), alone) == "");

  // And marks of them, for a column of one's own.
  memory_of<Place, std::uint64_t> marks(
      place, std::vector<std::uint64_t>(wf::run_marks_size(keys.size())));
  CHECK(wf::mark_runs(place, there.all(), unique.all(), marks.all()) == count);
  memory_of<Place, sum_and_largest> again(place, std::vector<sum_and_largest>(count));
  wf::segmented_reduce(place, elements.all(), wf::marked_runs{marks.all()}, init, merge{},
                       again.all());
  CHECK(again.contents() == expected.results);
}

} // namespace by_key_custom_test
