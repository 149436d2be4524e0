// Scans: against the tree of docs/scan.md and the standard library; the same bits everywhere, for
// any part of an array; errors.

#include "contents.hpp"
#include "reduction/parts.hpp"
#include "scan/scan_tree.hpp"
#include "twins.hpp"

#include <warpfold/detail/core/scratch.hpp>
#include <warpfold/detail/scan/scan_spreading.hpp>
#include <warpfold/scan.hpp>
#include <warpfold/twins/scan.hpp>

#include <algorithm>
#include <limits>
#include <numeric>

namespace scan_test {

using namespace test;
namespace wf = warpfold;

template <class A>
bool same_numbers(std::vector<A> const& a, std::vector<A> const& b) {
  return std::ranges::equal(a, b, [](A x, A y) { return same_number(x, y); });
}

template <class T>
bool same_bytes_on(wf::gpu& place, wf::device_span<T const> a, wf::device_span<T const> b) {
  return same_elements(wf::to_vector(place, a), wf::to_vector(place, b));
}

/// Every form of a scan of `values`, into results `start` elements from an aligned address.
template <class A, class T, class Op, class Place, class View>
void check_forms(Place& place, View values, std::vector<A> const& inclusive,
                 std::vector<A> const& exclusive, A init, Op op, std::size_t start) {
  std::vector<A> const before(start + inclusive.size() + 3, A(77));
  auto const expect = [&](std::vector<A> const& expected, auto scan) {
    memory_of<Place, A> there(place, before);
    scan(there.view(start, expected.size()));
    std::vector<A> after = before;
    std::ranges::copy(expected, after.begin() + static_cast<std::ptrdiff_t>(start));
    CHECK(same_numbers(contents(place, there.all()), after)); // and nothing else was touched
  };
  expect(inclusive, [&](auto to) { wf::inclusive_scan(place, values, op, to); });
  expect(inclusive, [&](auto to) { wf::inclusive_scan_async(place, values, op, to); });
  expect(exclusive, [&](auto to) { wf::exclusive_scan(place, values, init, op, to); });
  expect(exclusive, [&](auto to) { wf::exclusive_scan_async(place, values, init, op, to); });
  if constexpr (std::same_as<T, A>) { // in place
    std::vector<A> const given = contents(place, values);
    memory_of<Place, A> both(place, given);
    wf::inclusive_scan(place, both.all(), op, both.all());
    CHECK(same_numbers(both.contents(), inclusive));
    memory_of<Place, A> other(place, given);
    wf::exclusive_scan(place, other.all(), init, op, other.all());
    CHECK(same_numbers(other.contents(), exclusive));
  }
}

template <class A, class T, class Op, class Place>
void check_tree(Place& place, std::vector<T> const& values, Op op, size_list sizes) {
  memory_of<Place, T> there(place, values);
  A const init(3);
  for_each_view(sizes, {0, 1}, [&](std::size_t first, std::size_t size) {
    std::vector<A> wide;
    for (T const x : std::span(values).subspan(first, size))
      wide.push_back(wf::detail::widen<A>(x));
    scan_tree<A, Op> const tree(wide, op);
    check_forms<A, T>(place, there.view(first, size), tree.inclusive(), tree.exclusive(init), init,
                      op, first);
  });
}

/// Around a row, a unit and a group of units; those of 4 and of 8 bytes.
constexpr std::size_t edges[] = {0, 1, 2, 127, 129, 511, 512, 513, 1023, 1025, 2049, 8191, 33'793};
constexpr std::size_t some_edges[] = {1, 514, 1027, 9000};

EVERY_PLACE_OF("scans have the tree's bits", T, WARPFOLD_TEST_ELEMENTS) {
  using A = accumulator_t<T>;
  auto const values = rough_values<T>(40'000, 511);
  check_tree<A>(place, values, wf::plus{}, edges);
  auto const few = factors<T>(40'000, 512);
  check_tree<A>(place, few, wf::multiplies{}, some_edges);
  check_tree<A>(place, values, wf::minimum<>{}, some_edges);
  check_tree<A>(place, values, wf::maximum<>{}, some_edges);
}
EVERY_PLACE_OF("scans in wider accumulators have the tree's bits", T, float, __half, __nv_bfloat16,
               std::int64_t, std::uint64_t) {
  check_tree<double>(place, rough_values<T>(40'000, 513), wf::plus{}, some_edges);
}
EVERY_PLACE("scans of narrow integers in wide ones have the tree's bits") {
  check_tree<std::int64_t>(place, rough_values<std::int32_t>(40'000, 514), wf::plus{}, some_edges);
  check_tree<std::uint64_t>(place, rough_values<std::uint32_t>(40'000, 514), wf::plus{},
                            some_edges);
}

/// For integers, what the standard library finds; otherwise the host's bits, and of any prefix. The
/// first element is number `first` of an aligned array.
template <class T, class Place>
void check_long(Place& place, size_list sizes, std::size_t first, unsigned seed) {
  using A = accumulator_t<T>;
  std::size_t const most = sizes.back();
  auto const all = rough_values<T>(first + most + 1, seed);
  auto const values = std::span(all).subspan(first, most);
  memory_of<Place, T> there(place, all);
  memory_of<Place, A> results(place, std::vector<A>(most));
  std::vector<A> expected(most);
  if constexpr (std::integral<T>)
    std::inclusive_scan(values.begin(), values.end(), expected.begin(), wf::plus{});
  else wf::inclusive_scan(wf::host(1), values, wf::plus{}, expected);
  for (std::size_t const size : sizes) {
    CAPTURE(size);
    wf::inclusive_scan(place, there.view(first, size), wf::plus{}, results.view(0, size));
    CHECK(same_elements(contents(place, results.view(0, size)), part_of(expected, 0, size)));
  }
}
EVERY_PLACE_OF("the first results of a scan are those of a shorter one", T, std::int32_t, float,
               double) {
  // Around the sizes where tiles change, and of a third level.
  std::size_t const sizes[] = {65'536,    65'537,    66'560,    524'288,   524'290,
                               1'048'576, 1'049'600, 1'049'601, 3'000'017, 9'000'011};
  check_long<T>(place, sizes, 0, 515);
  std::size_t const large[] = {3'000'017};
  check_long<T>(place, large, 1, 516);
}
TEST_CASE("blocks of a scan spread evenly") {
  constexpr std::size_t kib = 1024;
  for (std::size_t const room : {228 * kib, 164 * kib, 100 * kib})
    for (std::size_t const own : {std::size_t{33'104}, std::size_t{33'616}})
      for (std::size_t share = 1; share <= 7; ++share) {
        CAPTURE(room);
        CAPTURE(share);
        wf::detail::shared_limits const limits{room, room - kib, kib};
        std::size_t const more = wf::detail::scan_spreading(limits, 132 * share - 5, 132, own);
        std::size_t const used = (own + more + kib + 127) / 128 * 128;
        CHECK(own + more <= limits.of_block);
        if (share * (own + kib + 127) > room) CHECK(more == 0); // so many have no room
        else CHECK((used * share <= room && used * (share + 1) > room));
      }
}

EVERY_PLACE("scans of zeros, infinities and NaN") {
  float const inf = std::numeric_limits<float>::infinity(),
              nan = std::numeric_limits<float>::quiet_NaN();
  auto const scanned = [&](std::vector<float> values) {
    memory_of<Place, float> there(place, std::move(values));
    wf::inclusive_scan(place, there.all(), wf::plus{}, there.all());
    return there.contents();
  };
  std::vector<float> const zeros(2000, -0.0F);
  CHECK(same_elements(scanned(zeros), zeros)); // no +0 is added
  std::vector<float> some(3000, 1.0F);
  some[1500] = inf;
  some[2500] = -inf;
  auto const sums = scanned(some);
  CHECK(sums[1499] == 1500);
  CHECK(std::count(sums.begin(), sums.end(), inf) == 1000);
  CHECK(std::count_if(sums.begin(), sums.end(), [](float x) { return x != x; }) == 500);
  some[10] = nan;
  auto const broken = scanned(some);
  CHECK(broken[9] == 10);
  CHECK(std::count_if(broken.begin(), broken.end(), [](float x) { return x != x; }) == 2990);
}

/// |computed - exact| <= d u / (1 - d u) * sum |x|, for the most additions d that an element goes
/// through (N. Higham, Accuracy and Stability of Numerical Algorithms, 2nd ed. 2002, section 4.2).
/// Positive values: a sum of one after the other is off by hundreds of u here. Exact sums are those
/// of integers.
EVERY_PLACE_OF("errors of scans are bounded by the tree's depth", T, float, double) {
  std::size_t const size = 2'000'003;
  int const digits = sizeof(T) == 4 ? 24 : 40;
  std::mt19937_64 random{516};
  std::vector<std::uint64_t> integers(size);
  std::vector<T> values(size);
  for (std::size_t i = 0; i < size; ++i) {
    integers[i] = random() >> (64 - digits);
    values[i] = std::ldexp(static_cast<T>(integers[i]), -digits);
  }
  int const lane = wf::detail::scan_lanes<T>;
  int const depth = lane - 1 + 5 + 1 + 3 + 1 + 1 + 3 * 6; // lane, row, unit, three levels of groups
  long double const d = depth * std::numeric_limits<T>::epsilon() / 2.0L;
  for (bool const is_exclusive : {false, true}) {
    memory_of<Place, T> there(place, values);
    if (is_exclusive) wf::exclusive_scan(place, there.all(), T(0), wf::plus{}, there.all());
    else wf::inclusive_scan(place, there.all(), wf::plus{}, there.all());
    auto const sums = there.contents();
    std::uint64_t sum = 0;
    long double worst = 0;
    for (std::size_t i = 0; i < size; ++i) {
      if (!is_exclusive) sum += integers[i];
      long double const exact = std::ldexp(static_cast<long double>(sum), -digits);
      if (sum > 0) worst = std::max(worst, std::abs(sums[i] - exact) / exact);
      if (is_exclusive) sum += integers[i];
    }
    CHECK(worst > 0);
    CHECK(worst < d / (1 - d));
  }
}

EVERY_PLACE_OF("vendors' scans are the same up to rounding", T, std::int32_t, float, double) {
  for (std::size_t const size : {std::size_t{1}, std::size_t{1025}, std::size_t{300'001}}) {
    auto const values = exact_values<T>(size, 517);
    memory_of<Place, T> there(place, values);
    memory_of<Place, T> ours(place, std::vector<T>(size)), theirs(place, std::vector<T>(size));
    for (bool const is_exclusive : {false, true})
      for (bool const blocking : {false, true}) {
        auto const scan = [&](auto to, auto... twin) {
          auto const from = there.all();
          if (is_exclusive && blocking)
            wf::exclusive_scan(place, from, T(5), wf::plus{}, to, twin...);
          else if (is_exclusive)
            wf::exclusive_scan_async(place, from, T(5), wf::plus{}, to, twin...);
          else if (blocking) wf::inclusive_scan(place, from, wf::plus{}, to, twin...);
          else wf::inclusive_scan_async(place, from, wf::plus{}, to, twin...);
        };
        scan(ours.all());
        scan(theirs.all(), vendor_of(place));
        CHECK(same_elements(ours.contents(), theirs.contents())); // sums are exact
      }
  }
}
EVERY_PLACE("vendors' scans of maxima") {
  auto const values = rough_values<float>(70'001, 518);
  memory_of<Place, float> there(place, values);
  memory_of<Place, float> ours(place, std::vector<float>(values.size()));
  memory_of<Place, float> theirs(place, std::vector<float>(values.size()));
  wf::inclusive_scan(place, there.all(), wf::maximum<>{}, ours.all());
  wf::inclusive_scan(place, there.all(), wf::maximum<>{}, theirs.all(), vendor_of(place));
  CHECK(same_elements(ours.contents(), theirs.contents()));
}

TEST_SUITE("gpu") {
  TEST_CASE_TEMPLATE("fast: scans of a few", T, float, double, __half) {
    wf::gpu place;
    std::size_t const sizes[] = {33, 1025, 20'011};
    check_tree<accumulator_t<T>>(place, rough_values<T>(30'000, 521), wf::plus{}, sizes);
  }
  TEST_CASE_TEMPLATE("a scan has the same bits in 200 runs, on any grid, beside other work", T,
                     float, double) {
    wf::gpu place, other;
    std::size_t const size = 5'000'011;
    auto const values = rough_values<T>(size, 522);
    wf::device_buffer<T> there(place, size), results(place, size), beside(other, size);
    wf::copy(place, std::span(values), there.span());
    std::vector<T> expected(size);
    wf::inclusive_scan(wf::host(), values, wf::plus{}, expected);
    wf::device_buffer<T> right(place, size);
    wf::copy(place, std::span<T const>(expected), right.span());
    wf::check(cudaMemsetAsync(beside.data(), 0, size * sizeof(T), other.stream()));
    std::mt19937_64 random{522};
    for (int run = 0; run < 200; ++run) {
      // Another number of blocks at once decides whether they take tickets.
      wf::detail::gpu_scratch(place).assume_multiprocessors(1 + static_cast<int>(random() % 140));
      for (std::size_t n = random() % 5; n > 0; --n)
        wf::inclusive_scan_async(other, beside, wf::plus{}, beside);
      wf::check(cudaMemsetAsync(results.data(), 0xff, size * sizeof(T), place.stream()));
      std::size_t const part = run % 4 == 0 ? size : 1 + random() % size;
      wf::inclusive_scan_async(place, there.span().subspan(0, part), wf::plus{},
                               results.span().subspan(0, part));
      CHECK(
          same_bytes_on<T>(place, results.span().subspan(0, part), right.span().subspan(0, part)));
    }
    other.synchronize();
  }
  TEST_CASE("fast: a captured scan is one kernel") {
    wf::gpu place;
    std::size_t const size = 300'001;
    wf::device_buffer<float> results(place, size);
    auto const enqueue = [&](auto view) {
      wf::exclusive_scan_async(place, view, 2.0F, wf::plus{}, results.span());
    };
    auto const check = [&](auto const& values) {
      std::vector<float> expected(size);
      wf::exclusive_scan(wf::host(), values, 2.0F, wf::plus{}, expected);
      CHECK(same_elements(wf::to_vector(place, results), expected));
      // Scans between replays use the same words and tickets.
      wf::inclusive_scan(place, results, wf::plus{}, results);
      wf::inclusive_scan(place, results.span().subspan(0, 5000), wf::maximum<>{},
                         results.span().subspan(0, 5000));
    };
    check_replayed<float>(place, size, 1, {523, 524, 525}, enqueue, check);
  }
  TEST_CASE("fast: look-back memory grows and keeps nothing of before") {
    wf::gpu place;
    std::size_t const size = 3'000'017;
    auto const values = rough_values<float>(size, 526);
    std::vector<float> expected(size);
    wf::inclusive_scan(wf::host(), values, wf::plus{}, expected);
    wf::device_buffer<float> there(place, size);
    for (int i = 0; i < 3; ++i) {
      wf::copy(place, std::span(values), there.span());
      wf::inclusive_scan(place, there, wf::plus{}, there);
      CHECK(same_elements(wf::to_vector(place, there), expected));
      place.reserve_lookback(place.lookback_size() + 1);
    }
  }
}

TEST_SUITE("large") {
  TEST_CASE("more than 2^32 elements scanned") {
    std::size_t const size = (std::size_t{1} << 32) + 11;
    wf::gpu place;
    wf::device_buffer<std::int32_t> values(place, size);
    wf::check(cudaMemsetAsync(values.data(), 1, size * sizeof(std::int32_t), place.stream()));
    wf::inclusive_scan(place, values, wf::plus{}, values); // modulo 2^32
    for (std::size_t const at :
         {std::size_t{0}, std::size_t{1} << 31, (std::size_t{1} << 32) - 5, size - 11}) {
      auto const found = wf::to_vector(place, values.span().subspan(at, 5));
      for (std::size_t i = 0; i < 5; ++i)
        CHECK(static_cast<std::uint32_t>(found[i]) ==
              static_cast<std::uint32_t>((at + i + 1) * 0x01010101u));
    }
  }
}

} // namespace scan_test
