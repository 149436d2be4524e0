// Compensated scans: against the tree of docs/scan.md, and within their bound of exact sums.

#include "contents.hpp"
#include "gpu.hpp"
#include "scan/scan_tree.hpp"
#include "segments/segments.hpp"

#include <warpfold/scan.hpp>

#include <algorithm>
#include <limits>

namespace compensated_scan_test {

using namespace test;
namespace wf = warpfold;

template <class T>
struct sum_and_error {
  T sum, error;
};

/// T. J. Dekker's addition, after which operand is larger: another way to the same error.
template <class T>
sum_and_error<T> add(sum_and_error<T> a, sum_and_error<T> b) {
  T const sum = a.sum + b.sum;
  bool const is_a = std::abs(a.sum) >= std::abs(b.sum);
  T const large = is_a ? a.sum : b.sum, small = is_a ? b.sum : a.sum;
  return {sum, (a.error + b.error) + (small - (sum - large))};
}

template <class T>
std::vector<T> tree_of(std::vector<T> const& values, bool is_exclusive, T init) {
  std::vector<sum_and_error<T>> pairs;
  for (T const x : values) pairs.push_back({x, 0});
  scan_tree<sum_and_error<T>, decltype(&add<T>), sizeof(T)> const tree(pairs, &add<T>);
  std::vector<T> results;
  for (auto const& y : is_exclusive ? tree.exclusive({init, 0}) : tree.inclusive())
    results.push_back(y.error == 0 ? y.sum : y.sum + y.error);
  return results;
}

template <class T, class Place>
std::vector<T> scanned(Place& place, std::vector<T> const& values, bool is_exclusive, T init,
                       std::size_t start = 0, bool blocking = true) {
  memory_of<Place, T> there(place, values);
  memory_of<Place, T> results(place, std::vector<T>(values.size() + start));
  auto const from = there.all();
  auto const to = results.view(start, values.size());
  wf::compensated_plus const op;
  if (blocking) {
    if (is_exclusive) wf::exclusive_scan(place, from, init, op, to);
    else wf::inclusive_scan(place, from, op, to);
  } else { // over the values
    if (is_exclusive) wf::exclusive_scan_async(place, from, init, op, from);
    else wf::inclusive_scan_async(place, from, op, from);
    return there.contents();
  }
  return contents(place, to);
}

EVERY_PLACE_OF("compensated scans have the tree's bits", T, float, double) {
  for (std::size_t const size :
       {0, 1, 2, 63, 65, 255, 257, 511, 513, 8193, 16'385, 140'001, 1'100'003}) {
    CAPTURE(size);
    auto const values = rough_values<T>(size, 561);
    for (bool const is_exclusive : {false, true}) {
      if (size > 1'000'000 && (is_exclusive || std::same_as<T, double>)) continue; // takes its time
      auto const expected = tree_of(values, is_exclusive, T(0.1));
      CHECK(differences(scanned(place, values, is_exclusive, T(0.1)), expected) == "");
      CHECK(differences(scanned(place, values, is_exclusive, T(0.1), 1), expected) == "");
      CHECK(differences(scanned(place, values, is_exclusive, T(0.1), 0, false), expected) == "");
    }
  }
}

__extension__ using integer128 = __int128;

/// k 2^e, |k| < 2^digits and e within -20 ... 20, and then the same with the other sign in another
/// order: sums are integers times 2^-20, and end at 0.
template <class T>
std::vector<T> cancelling(std::size_t size, unsigned seed) {
  constexpr int digits = std::same_as<T, double> ? 53 : 24;
  std::mt19937_64 random{seed};
  std::vector<T> values(size);
  for (std::size_t i = 0; i < size / 2; ++i) {
    auto const k = static_cast<std::int64_t>(random() >> (64 - digits));
    values[i] =
        std::ldexp(static_cast<T>(random() % 2 ? k : -k), static_cast<int>(random() % 41) - 20);
    values[size / 2 + i] = -values[i];
  }
  std::shuffle(values.begin() + static_cast<std::ptrdiff_t>(size / 2), values.end(), random);
  return values;
}

/// The results that are beyond the bound of scan.hpp.
template <class T>
std::size_t beyond(std::vector<T> const& values, std::vector<T> const& results, bool is_exclusive) {
  auto const in_units = [](T x) {
    return static_cast<integer128>(std::ldexp(static_cast<long double>(x), 20));
  };
  long double const u = std::numeric_limits<T>::epsilon() / 2.0L;
  long double h = 15;
  for (std::size_t most = 4096 / sizeof(T); most < values.size(); most *= 32) h += 6;
  integer128 exact = 0, all = 0;
  std::size_t count = 0;
  for (std::size_t i = 0; i < values.size(); ++i) {
    auto const next = [&] {
      exact += in_units(values[i]);
      all += in_units(std::abs(values[i]));
    };
    if (!is_exclusive) next();
    integer128 const off = in_units(results[i]) - exact;
    auto const magnitude = [](integer128 x) { return static_cast<long double>(x < 0 ? -x : x); };
    count += magnitude(off) > u * magnitude(exact) + 3 * (h * u) * (h * u) * magnitude(all);
    if (is_exclusive) next();
  }
  return count;
}

EVERY_PLACE_OF("compensated scans are within their bound of exact sums", T, float, double) {
  for (std::size_t const size : {1'000, 40'000, 1'000'000}) {
    CAPTURE(size);
    auto const values = cancelling<T>(size, 562);
    for (bool const is_exclusive : {false, true})
      CHECK(beyond(values, scanned(place, values, is_exclusive, T(0)), is_exclusive) == 0);
    memory_of<Place, T> there(place, values); // as others are not
    wf::inclusive_scan(place, there.all(), wf::plus{}, there.all());
    CHECK(beyond(values, there.contents(), false) > size / 10);
  }
}

EVERY_PLACE_OF("compensated scans of zeros, infinities and NaN", T, float, double) {
  T const inf = std::numeric_limits<T>::infinity(), most = std::numeric_limits<T>::max(),
          nan = std::numeric_limits<T>::quiet_NaN();
  auto const inclusive = [&](std::vector<T> const& values) {
    return scanned(place, values, false, T(0));
  };
  auto const check = [&](std::vector<T> const& values, std::vector<T> const& sums) {
    CHECK(differences(inclusive(values), sums) == "");
  };
  std::vector<T> const zeros(2000, T(-0.0));
  check(zeros, zeros);
  check({1, inf, 1, -inf, 1}, {1, inf, inf, nan, nan});
  check({most, most, -most}, {most, inf, inf});
  check({1, nan, 1}, {1, nan, nan});
  check({1, std::numeric_limits<T>::denorm_min(), -1},
        {1, 1, std::numeric_limits<T>::denorm_min()});
  std::vector<T> tiny(3000, std::numeric_limits<T>::epsilon() / 4); // lost one by one
  tiny[0] = 1;
  CHECK(inclusive(tiny)[2000] == T(1) + 2000 * (std::numeric_limits<T>::epsilon() / 4));
}

TEST_CASE("look-back memory of scans by accumulators") {
  std::size_t const size = 1'000'000;
  CHECK(wf::scan_lookback<double, wf::compensated_plus>(size) > wf::scan_lookback<double>(size));
  CHECK(wf::scan_lookback<std::int32_t>(size) == wf::scan_lookback<float>(size));
}

TEST_SUITE("gpu") {
  TEST_CASE_TEMPLATE("fast: compensated scans of a few", T, float, double) {
    wf::gpu place;
    auto const values = rough_values<T>(20'011, 563);
    CHECK(same_elements(scanned(place, values, false, T(0)), tree_of(values, false, T(0))));
  }
  TEST_CASE("fast: a compensated scan needs its look-back memory, and is captured as one kernel") {
    wf::gpu place;
    std::size_t const size = (std::size_t{1} << 25) + 3;
    wf::device_buffer<double> values(place, size);
    wf::check(cudaMemsetAsync(values.data(), 0, size * sizeof(double), place.stream()));
    auto const enqueue = [&] {
      wf::inclusive_scan_async(place, values, wf::compensated_plus{}, values);
    };
    std::size_t const needed = wf::scan_lookback<double, wf::compensated_plus>(size);
    CHECK(place.lookback_size() < needed);
    CHECK(refused_by(enqueue) == "place");
    place.reserve_lookback(needed);
    CHECK(captured(place, enqueue).is_one_kernel());
  }
}

} // namespace compensated_scan_test
