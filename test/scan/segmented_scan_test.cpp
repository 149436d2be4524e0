// Segmented scans: against the tree of docs/scan.md and additions one after the other; by keys,
// marks, offsets and lengths; what one segment knows of another; the same bits everywhere.

#include "contents.hpp"
#include "gpu.hpp"
#include "scan/segmented_tree.hpp"
#include "segments/segments.hpp"
#include "twins.hpp"

#include <warpfold/scan/segmented.hpp>
#include <warpfold/twins/scan.hpp>

#include <algorithm>
#include <limits>

namespace segmented_scan_test {

using namespace test;
namespace wf = warpfold;

constexpr auto plus_one_after_the_other = [](auto a, auto b) { return wf::plus{}(a, b); };

/// Where segments begin, from offsets.
template <class Offset>
std::vector<bool> begins_of(std::vector<Offset> const& offsets, std::size_t size) {
  std::vector<bool> begins(size);
  if (size > 0) begins[0] = true;
  for (Offset const at : offsets)
    if (static_cast<std::size_t>(at) < size) begins[static_cast<std::size_t>(at)] = true;
  return begins;
}
/// Keys of the segments: neighbours differ, and those of every third come again.
template <class K>
std::vector<K> keys_of(std::vector<bool> const& begins) {
  std::vector<K> keys;
  int run = 0;
  for (bool const begins_here : begins) {
    run += begins_here;
    keys.push_back(static_cast<K>(run % 3));
  }
  return keys;
}

/// Calls with results `start` elements from an aligned address, beside which nothing may change.
template <class Place, class A, class Call>
void expect(Place& place, std::vector<A> const& expected, std::size_t start, Call call) {
  std::vector<A> after(start + expected.size() + 3, A(77));
  memory_of<Place, A> there(place, after);
  call(there.view(start, expected.size()));
  std::ranges::copy(expected, after.begin() + static_cast<std::ptrdiff_t>(start));
  CHECK(differences(there.contents(), after) == "");
}

/// Both scans of values in both forms, and over the values.
template <class A, class Op, class Place, class Segments>
void check_forms(Place& place, view_t<Place, A> values, Segments const& segments,
                 std::vector<A> const& inclusive, std::vector<A> const& exclusive, A init, Op op,
                 std::size_t start) {
  expect(place, inclusive, start,
         [&](auto to) { wf::segmented_inclusive_scan(place, values, segments, op, to); });
  expect(place, exclusive, start,
         [&](auto to) { wf::segmented_exclusive_scan(place, values, segments, init, op, to); });
  std::vector<A> const given = contents(place, values);
  memory_of<Place, A> both(place, given);
  wf::segmented_inclusive_scan_async(place, both.all(), segments, op, both.all());
  CHECK(differences(both.contents(), inclusive) == "");
  memory_of<Place, A> other(place, given);
  wf::segmented_exclusive_scan_async(place, other.all(), segments, init, op, other.all());
  CHECK(differences(other.contents(), exclusive) == "");
}

/// Segments between offsets, as keys, and as marks.
template <class A, class Offset, class K, class Op, class Place>
void check_segments(Place& place, std::vector<A> const& all, std::vector<Offset> const& offsets,
                    Op op, std::size_t first) {
  std::vector<A> const values(all.begin() + static_cast<std::ptrdiff_t>(first), all.end());
  std::size_t const size = values.size();
  CAPTURE(size);
  A const init(3);
  auto const begins = begins_of(offsets, size);
  auto const inclusive = segmented_tree(values, begins, op);
  auto const exclusive = segmented_tree(values, begins, op, true, init);
  memory_of<Place, A> there(place, all);
  memory_of<Place, Offset> at(place, offsets);
  auto const view = there.view(first, size);
  check_forms(place, view, at.all(), inclusive, exclusive, init, op, first);

  memory_of<Place, K> keys(place, keys_of<K>(begins));
  expect(place, inclusive, first, [&](auto to) {
    wf::inclusive_scan_by_key(place, keys.all(), view, op, to);
    wf::inclusive_scan_by_key_async(place, keys.all(), view, op, to);
  });
  expect(place, exclusive, first, [&](auto to) {
    wf::exclusive_scan_by_key(place, keys.all(), view, init, op, to);
    wf::exclusive_scan_by_key_async(place, keys.all(), view, init, op, to);
  });

  memory_of<Place, std::uint64_t> marks(place,
                                        std::vector<std::uint64_t>(wf::run_marks_size(size)));
  memory_of<Place, K> none(place, {K{}});
  wf::mark_runs(place, keys.all(), none.view(0, 0), marks.all());
  check_forms(place, view, wf::marked_runs{marks.all()}, inclusive, exclusive, init, op, 0);
}

template <class A, class Op, class Place>
void check_sizes(Place& place, Op op, unsigned seed) {
  // Around a row, a unit and a group of units of pairs, and where a gpu's tiles change.
  for (std::size_t const size :
       {0, 1, 2, 31, 33, 63, 65, 255, 257, 511, 513, 1025, 8191, 16'385, 140'001, 1'100'001})
    for (std::size_t const longest : {1, 5, 60, 3000, 2'000'000}) {
      if (size > 20'000 && longest != 3000) continue;
      if (size > 1'000'000 && !std::same_as<A, float>) continue; // the reference takes its time
      std::mt19937 random{seed + static_cast<unsigned>(size + longest)};
      std::vector<std::size_t> lengths;
      for (std::size_t sum = 0; sum < size; sum += lengths.back())
        lengths.push_back(random() % 4 == 0 ? 0 : 1 + random() % longest);
      auto offsets = positions(lengths, size > 3 ? random() % 3 : 0);
      for (auto& at : offsets) at = std::min(at, static_cast<std::int64_t>(size));
      std::size_t const first = random() % 3;
      auto const values = rough_values<A>(first + size, seed);
      if (longest == 60)
        check_segments<A, std::int32_t, std::uint64_t>(
            place, values, std::vector<std::int32_t>(offsets.begin(), offsets.end()), op, first);
      else check_segments<A, std::int64_t, std::int32_t>(place, values, offsets, op, first);
    }
}

EVERY_PLACE_OF("segmented sums have the tree's bits", T, std::int32_t, std::int64_t, float,
               double) {
  check_sizes<T>(place, wf::plus{}, 541);
}
EVERY_PLACE_OF("segmented extrema", T, std::int32_t, std::int64_t, float, double) {
  auto const values = rough_values<T>(9001, 542);
  auto const offsets = positions(mixed_lengths(542, 900), 5);
  std::vector<std::int64_t> some;
  for (auto const at : offsets) some.push_back(std::min<std::int64_t>(at, 9001));
  check_segments<T, std::int64_t, double>(place, values, some, wf::minimum<>{}, 0);
  check_segments<T, std::int64_t, float>(place, values, some, wf::maximum<>{}, 0);
}

EVERY_PLACE_OF("segmented sums are those of one addition after the other, where they are exact", T,
               std::int32_t, std::int64_t, float, double) {
  std::size_t const size = 700'001;
  auto const values = exact_values<T>(size, 543);
  auto const offsets = positions(mixed_lengths(543, 70'000), 11);
  std::vector<std::int64_t> some;
  for (auto const at : offsets) some.push_back(std::min<std::int64_t>(at, size));
  auto const begins = begins_of(some, size);
  memory_of<Place, T> there(place, values);
  memory_of<Place, std::int64_t> at(place, some);
  check_forms(
      place, there.all(), at.all(), segmented_in_turn(values, begins, plus_one_after_the_other),
      segmented_in_turn(values, begins, plus_one_after_the_other, true, T(5)), T(5), wf::plus{}, 1);
}

EVERY_PLACE("segments of a fixed length, and unusual offsets") {
  for (std::size_t const length : {1, 2, 7, 28, 100, 1000, 7000}) {
    std::size_t const size = 7000;
    auto const values = rough_values<float>(size, 544);
    std::vector<bool> begins(size);
    for (std::size_t i = 0; i < size; i += length) begins[i] = true;
    memory_of<Place, float> there(place, values);
    check_forms(place, there.all(), wf::fixed_length{length},
                segmented_tree(values, begins, wf::plus{}),
                segmented_tree(values, begins, wf::plus{}, true, 2.F), 2.F, wf::plus{}, 0);
  }
  // One segment: the bits of a scan.
  auto const some = rough_values<float>(9001, 544);
  memory_of<Place, float> there(place, some), alone(place, some), scanned(place, some);
  wf::segmented_inclusive_scan(place, there.all(), wf::fixed_length{9001}, wf::plus{}, alone.all());
  wf::inclusive_scan(place, there.all(), wf::plus{}, scanned.all());
  CHECK(same_elements(alone.contents(), scanned.contents()));

  using offsets = std::vector<std::int64_t>;
  auto const values = rough_values<double>(100, 544);
  for (offsets const& at : {offsets{0}, offsets{100}, offsets{50}, offsets{0, 100},
                            offsets{100, 100, 100}, offsets{7, 7, 7, 99, 99}, offsets{99, 100}})
    check_segments<double, std::int64_t, double>(place, values, at, wf::plus{}, 0);
  check_segments<double, std::int64_t, double>(place, {}, offsets{0, 0, 0}, wf::plus{}, 0);
}

/// What a segment's results depend on: where it begins, and its own elements.
EVERY_PLACE_OF("segments know nothing of each other, and first results are exact", T, float,
               double) {
  std::size_t const size = 60'007;
  T const nan = std::numeric_limits<T>::quiet_NaN(), inf = std::numeric_limits<T>::infinity();
  auto const values = rough_values<T>(size, 545);
  auto offsets = positions(mixed_lengths(545, 2000), 0);
  for (auto& at : offsets) at = std::min<std::int64_t>(at, size);
  auto const begins = begins_of(offsets, size);
  auto broken = values; // every other segment
  std::vector<bool> is_broken(size);
  std::mt19937 random{545};
  bool breaks = false;
  for (std::size_t i = 0; i < size; ++i) {
    if (begins[i]) breaks = !breaks;
    is_broken[i] = breaks;
    T const bad[] = {nan, inf, -inf, T(-0.0)};
    if (breaks) broken[i] = bad[random() % 4];
  }
  memory_of<Place, std::int64_t> at(place, offsets);
  memory_of<Place, T> there(place, values), bad(place, broken),
      results(place, std::vector<T>(size));
  auto const scanned = [&](auto from, bool is_exclusive, std::size_t most) {
    auto const part = from.subspan(0, most);
    auto const to = results.view(0, most);
    // A segment that the array ends in has offsets beyond it.
    std::vector<std::int64_t> cut;
    for (auto const x : offsets)
      cut.push_back(std::min<std::int64_t>(x, static_cast<std::int64_t>(most)));
    memory_of<Place, std::int64_t> less(place, cut);
    if (is_exclusive)
      wf::segmented_exclusive_scan(place, part, less.all(), T(-0.0), wf::plus{}, to);
    else wf::segmented_inclusive_scan(place, part, less.all(), wf::plus{}, to);
    return contents(place, to);
  };
  for (bool const is_exclusive : {false, true}) {
    auto const whole = scanned(there.all(), is_exclusive, size);
    auto const beside = scanned(bad.all(), is_exclusive, size);
    std::size_t wrong = 0, wrong_first = 0;
    for (std::size_t i = 0; i < size; ++i) {
      wrong += !is_broken[i] && !same_bits(whole[i], beside[i]);
      if (begins[i]) {
        wrong_first += !same_number(whole[i], is_exclusive ? T(-0.0) : values[i]);
        wrong_first += !same_number(beside[i], is_exclusive ? T(-0.0) : broken[i]);
      }
    }
    CHECK(wrong == 0);
    CHECK(wrong_first == 0);
    for (std::size_t const most : {1, 1000, 33'333})
      CHECK(same_elements(scanned(there.all(), is_exclusive, most), part_of(whole, 0, most)));
  }
}

EVERY_PLACE("runs of NaN keys are one element long, and -0 equals 0") {
  double const nan = std::numeric_limits<double>::quiet_NaN();
  memory_of<Place, double> keys(place, {0.0, -0.0, 0.0, nan, nan, 1, 1});
  memory_of<Place, std::int32_t> values(place, {1, 2, 3, 4, 5, 6, 7});
  wf::inclusive_scan_by_key(place, keys.all(), values.all(), wf::plus{}, values.all());
  CHECK(values.contents() == std::vector{1, 3, 6, 4, 5, 6, 13});
}

EVERY_PLACE_OF("vendors' scans by key are the same, where sums are exact", T, std::int32_t, float,
               double) {
  for (std::size_t const size : {1, 1025, 300'001}) {
    auto const values = exact_values<T>(size, 551);
    auto offsets = positions(mixed_lengths(551, 5000), 0);
    memory_of<Place, std::int32_t> keys(place, keys_of<std::int32_t>(begins_of(offsets, size)));
    memory_of<Place, T> there(place, values), ours(place, values), theirs(place, values);
    auto const check = [&](auto scan) {
      scan(ours.all());
      scan(theirs.all(), vendor_of(place));
      CHECK(same_elements(ours.contents(), theirs.contents()));
    };
    wf::plus const op;
    auto const k = keys.all();
    auto const x = there.all();
    check([&](auto to, auto... twin) { wf::inclusive_scan_by_key(place, k, x, op, to, twin...); });
    check([&](auto to, auto... twin) {
      wf::exclusive_scan_by_key_async(place, k, x, T(5), op, to, twin...);
    });
    check([&](auto to, auto...) {
      wf::inclusive_scan_by_key_async(place, k, x, op, to, twins::fold);
    });
    check([&](auto to, auto... twin) {
      wf::exclusive_scan_by_key(place, k, x, T(5), op, to, twin...);
    });
  }
}

TEST_SUITE("gpu") {
  TEST_CASE_TEMPLATE("fast: segmented scans of a few", T, std::int32_t, double) {
    wf::gpu place;
    std::vector<std::int64_t> const offsets{2, 2, 40, 41, 41, 1030, 2050, 5000, 20'011};
    check_segments<T, std::int64_t, std::int32_t>(place, rough_values<T>(20'011, 546), offsets,
                                                  wf::plus{}, 0);
  }
  TEST_CASE("fast: segmented scans are captured and replayed") {
    wf::gpu place;
    std::size_t const size = 300'001;
    std::vector<std::int32_t> keys(size);
    wf::device_buffer<std::int32_t> there(place, size);
    wf::device_buffer<std::int64_t> at(place, 4);
    wf::device_buffer<float> values(place, size), by_key(place, size), between(place, size);
    place.reserve(wf::segmented_scan_workspace(size));
    captured graph(place, [&] {
      wf::inclusive_scan_by_key_async(place, there, values, wf::plus{}, by_key);
      wf::segmented_exclusive_scan_async(place, by_key, at, 2.F, wf::maximum<>{}, between);
    });
    std::mt19937 random{547};
    for (unsigned const seed : {547, 548, 549}) {
      auto const from = rough_values<float>(size, seed);
      std::vector<bool> begins(size);
      for (std::size_t i = 0; i < size; ++i) {
        begins[i] = i == 0 || random() % 100 < seed - 546;
        keys[i] = (i > 0 ? keys[i - 1] : 0) + begins[i];
      }
      std::vector<std::int64_t> const offsets{static_cast<std::int64_t>(random() % 1000), 2000,
                                              2000, 200'000};
      wf::copy(place, from, values.span());
      wf::copy(place, keys, there.span());
      wf::copy(place, offsets, at.span());
      graph.launch();
      auto const sums = segmented_tree(from, begins, wf::plus{});
      CHECK(differences(wf::to_vector(place, by_key), sums) == "");
      CHECK(differences(
                wf::to_vector(place, between),
                segmented_tree(sums, begins_of(offsets, size), wf::maximum<>{}, true, 2.F)) == "");
      wf::inclusive_scan_by_key(place, there, values, wf::plus{}, between); // between replays
    }
  }
  TEST_CASE("a segmented scan has the same bits in 100 runs, on any grid") {
    wf::gpu place;
    std::size_t const size = 3'000'011;
    auto const values = rough_values<double>(size, 550);
    std::vector<std::int64_t> offsets = positions(mixed_lengths(550, 1'000'000), 17);
    for (auto& at : offsets) at = std::min<std::int64_t>(at, size);
    wf::device_buffer<double> there(place, size), results(place, size);
    wf::copy(place, std::span(values), there.span());
    std::vector<double> expected(size);
    wf::segmented_inclusive_scan(wf::host(), values, offsets, wf::plus{}, expected);
    memory_of<wf::gpu, std::int64_t> at(place, offsets);
    std::mt19937 random{550};
    for (int run = 0; run < 100; ++run) {
      wf::detail::gpu_scratch(place).assume_multiprocessors(1 + static_cast<int>(random() % 140));
      wf::segmented_inclusive_scan(place, there, at.all(), wf::plus{}, results);
      CHECK(same_elements(wf::to_vector(place, results), expected));
    }
  }
}

} // namespace segmented_scan_test
