// Histograms against bins found by other means: integers by 128-bit arithmetic, floating-point
// numbers by searching the elements at which a bin begins.

#include "reduction/parts.hpp"
#include "twins.hpp"

#include <warpfold/twins/counting.hpp>

#include <algorithm>
#include <limits>

namespace histogram_test {

using namespace test;
namespace wf = warpfold;
__extension__ using wide_int = __int128;

template <class T>
constexpr bool is_compared = wf::detail::compared_histogram<std::span<T const>, wf::host>;

/// Thrust has no histogram.
template <class T, class Place>
std::vector<twins::vendor> vendors_for(Place const& place) {
  return async_twins_for < is_gpu<Place> && is_compared < T >> (place);
}

template <class T>
using bins_of = wf::detail::bins_of<T>;

/// The bin by its definition; -1 for none.
template <class T>
int defined_bin(bins_of<T> const& bins, T x) {
  if (!(x >= bins.lower && x < bins.upper)) return -1;
  if constexpr (std::integral<T>) {
    auto const lower = static_cast<wide_int>(bins.lower);
    return static_cast<int>((x - lower) * bins.count / (bins.upper - lower));
  } else {
    T const width = bins.upper - bins.lower;
    T const scale = static_cast<T>(bins.count) / width;
    T const from_lower = x - bins.lower;
    T const scaled = from_lower * scale;
    return std::min(static_cast<int>(std::floor(scaled)), bins.count - 1);
  }
}

enum class shape { uniform, equal, sorted, skewed };

/// Elements in and around what the bins cover.
template <class T>
std::vector<T> values_for(bins_of<T> const& bins, std::size_t size, shape kind, unsigned seed) {
  std::mt19937_64 random{seed};
  auto const low = static_cast<double>(bins.lower), high = static_cast<double>(bins.upper);
  double const width = high - low;
  auto const in_type = [](double x) {
    using limits = std::numeric_limits<T>;
    if constexpr (std::floating_point<T>) return static_cast<T>(x);
    else
      return static_cast<T>(std::clamp(std::floor(x), static_cast<double>(limits::lowest()),
                                       static_cast<double>(limits::max())));
  };
  std::vector<T> values(size);
  for (T& x : values) {
    double const u = static_cast<double>(random() >> 11) * 0x1p-53;
    double const at = kind == shape::equal    ? 0.3
                      : kind == shape::skewed ? std::pow(u, 8)
                                              : 1.1 * u - 0.05;
    x = in_type(low + width * at);
    if constexpr (std::floating_point<T>) {
      auto const special = random() % 64;
      if (kind != shape::uniform) continue;
      if (special == 0) x = std::numeric_limits<T>::quiet_NaN();
      if (special == 1) x = -std::numeric_limits<T>::infinity();
      if (special == 2) x = std::nextafter(bins.upper, bins.lower);
    }
  }
  if (kind == shape::sorted) std::sort(values.begin(), values.end());
  return values;
}

template <class T, class Place>
void check_counts(Place& place, bins_of<T> const& bins, std::vector<T> const& values,
                  size_list sizes) {
  auto const room = static_cast<std::size_t>(bins.count);
  for_each_part(place, values, sizes, {0, 1, 3}, [&](std::span<T const> part, auto view) {
    std::vector<std::uint64_t> expected(room, 0);
    for (T const x : part)
      if (int const bin = defined_bin(bins, x); bin >= 0) ++expected[static_cast<std::size_t>(bin)];
    with_each<is_compared<T>>(vendors_for<T>(place), [&](auto... twin) {
      std::vector<std::uint64_t> found;
      std::string const refused =
          refused_by([&] { found = wf::histogram(place, view, bins, twin...); });
      if (sizeof...(twin) > 0 && refused == "twin") return; // CUB would count wrongly
      CHECK(refused == "(nothing)");
      CHECK(found == expected);
      memory_of<Place, std::uint64_t> counts(place, std::vector<std::uint64_t>(room + 2, 77));
      wf::histogram_async(place, view, bins, counts.view(1, room), twin...);
      CHECK(counts.get(0) == 77);
      CHECK(counts.get(room + 1) == 77);
      bool all = true;
      for (std::size_t const b : {std::size_t{0}, room / 3, room - 1})
        all = all && counts.get(1 + b) == expected[b];
      CHECK(all);
    });
  });
}

template <class T>
std::vector<bins_of<T>> interesting_bins() {
  if constexpr (std::same_as<T, std::uint8_t>) {
    return {{1, 0, 256}, {16, 0, 256}, {256, 0, 256}, {7, 3, 200}, {1'000, 0, 256}, {100, 17, 18}};
  } else if constexpr (std::integral<T>) {
    std::int64_t const least = std::numeric_limits<T>::min();
    std::int64_t const past = std::int64_t{std::numeric_limits<T>::max()} + 1;
    return {{1, least, past},     {16, least, past},         {256, 0, 1'000},
            {255, 5, 260},        {8'192, 0, 8'192},         {8'192, 3, 100},
            {1'000, least, past}, {3, least + 1, least + 3}, {10, past - 7, past}};
  } else {
    return {{1, 0, 1},
            {16, 0, 1},
            {256, T(-1), T(1)},
            {10, T(-0.1), T(0.2)},
            {1'000, 0, 7},
            {8'192, T(-3), T(5)},
            {3, T(1), T(1.0001)},
            {49, T(0), T(1)},
            {256, T(-1e30), T(1e30)}};
  }
}

EVERY_PLACE_OF("histograms", T, std::uint8_t, std::int32_t, std::uint32_t, float, double) {
  std::vector<std::size_t> sizes{0, 1, 33, 65'537, 300'001};
  if (is_gpu<Place>) sizes = {0, 1, 33, 16'383, 16'385, 65'537, 262'145, 3'000'017};
  unsigned const seed = is_gpu<Place> ? 423 : 421;
  CAPTURE(seed);
  auto const check = [&](bins_of<T> const& bins, shape kind, unsigned from) {
    CAPTURE(bins.count);
    CAPTURE(bins.lower);
    CAPTURE(bins.upper);
    check_counts(place, bins, values_for<T>(bins, sizes.back() + 3, kind, from), sizes);
  };
  for (auto const& bins : interesting_bins<T>()) check(bins, shape::uniform, seed);
  auto const bins = interesting_bins<T>()[1];
  for (shape const kind : {shape::equal, shape::sorted, shape::skewed}) check(bins, kind, seed + 1);
  if constexpr (!is_gpu<Place>) return;
  // Below, at and beyond the sizes where the tuning changes.
  sizes = {(std::size_t{2} << 20) / sizeof(T) + 1, (std::size_t{64} << 20) / sizeof(T),
           (std::size_t{64} << 20) / sizeof(T) + 70'001};
  check(bins, shape::skewed, 429);
}

FAST_EVERY_PLACE("histograms of equal values and of none") {
  memory_of<Place, float> values(place, std::vector<float>(8, 0.5F));
  using numbers = std::vector<std::uint64_t>;
  CHECK(wf::histogram(place, values.all(), {2, 0, 1}) == numbers{0, 8});
  CHECK(wf::histogram(place, values.all(), {2, 0, 1}, twins::fold) == numbers{0, 8});
  CHECK(wf::histogram(place, values.view(0, 0), {2, 0, 1}) == numbers{0, 0});
}

TEST_CASE("every integer has the bin of its definition") {
  unsigned const seed = 422;
  CAPTURE(seed);
  std::mt19937_64 random{seed};
  for (int i = 0; i < 3'000; ++i) {
    // Ranges and counts of all magnitudes, and elements at and beside where bins begin.
    std::int64_t const range =
        std::max<std::int64_t>(1, static_cast<std::int64_t>((random() >> 32) + 1) >> random() % 32);
    std::int64_t const least = std::numeric_limits<std::int32_t>::min();
    std::int64_t const lower =
        least + static_cast<std::int64_t>(
                    random() % static_cast<std::uint64_t>((std::int64_t{1} << 32) - range + 1));
    bins_of<std::int32_t> const bins{1 + static_cast<int>((random() % 8'192) >> random() % 13),
                                     lower, lower + range};
    CAPTURE(bins.count);
    CAPTURE(lower);
    CAPTURE(range);
    wf::detail::bin_function<std::int32_t> const bin_of(bins);
    int wrong = 0;
    for (int k = 0; k < 100; ++k) {
      std::int64_t const begin =
          lower + range *
                      static_cast<std::int64_t>(random() % static_cast<unsigned>(bins.count + 1)) /
                      bins.count;
      for (std::int64_t const x : {begin - 1, begin, begin + 1})
        if (x >= least && x <= std::numeric_limits<std::int32_t>::max())
          wrong += bin_of(static_cast<std::int32_t>(x)) !=
                   defined_bin<std::int32_t>(bins, static_cast<std::int32_t>(x));
    }
    CHECK(wrong == 0);
  }
}

TEST_SUITE("gpu") {
  TEST_CASE_TEMPLATE("fast: histograms of few on a gpu", T, std::uint8_t, std::int32_t, float) {
    wf::gpu place;
    auto const bins = interesting_bins<T>()[1];
    for (shape const kind : {shape::uniform, shape::equal})
      check_counts(place, bins, values_for<T>(bins, 20'014, kind, 424), few_sizes);
  }
  TEST_CASE("CUB is refused bins of which it would count an element behind the last") {
    wf::gpu place;
    // Found by search, so that the refusal is seen at work and the own method beside it.
    int refused = 0;
    for (int count = 2; count <= 8'192 && refused < 3; ++count) {
      wf::even_bins<float> const bins{count, 0.1F, 0.7F};
      float const top = std::nextafter(0.7F, 0.0F);
      wf::device_buffer<float> value(place, 1);
      wf::copy(place, std::span(&top, 1), value.span());
      if (refused_by([&] { wf::histogram(place, value, bins, twins::cub); }) == "twin") {
        ++refused;
        CHECK(wf::histogram(place, value, bins).back() == 1);
      }
    }
    CHECK(refused == 3);
  }
  TEST_CASE("fast: a captured histogram is one kernel") {
    wf::gpu place;
    std::size_t const size = 300'001;
    wf::even_bins<float> const bins{1'000, -1, 1};
    wf::device_buffer<std::uint64_t> counts(place, 1'000);
    auto const make = [&](std::size_t many, unsigned seed) {
      return values_for<float>(bins, many, shape::uniform, seed);
    };
    auto const enqueue = [&](auto view) { wf::histogram_async(place, view, bins, counts); };
    auto const check = [&](auto const& other) {
      CHECK(wf::to_vector(place, counts.span()) == wf::histogram(wf::host(), other, bins));
    };
    check_replayed<float>(place, size, 1, {425, 426, 427}, enqueue, check, make);
  }
}

TEST_SUITE("large") {
  TEST_CASE("more than 2^32 elements in one bin") {
    std::size_t const size = (std::size_t{1} << 33) + 12'345;
    wf::gpu place;
    wf::device_buffer<std::uint8_t> values(place, size);
    wf::check(cudaMemsetAsync(values.data(), 5, size, place.stream()));
    wf::check(cudaMemsetAsync(values.data() + size - 7'000, 9, 6'999, place.stream()));
    for (twins::vendor const vendor : vendors_for<std::uint8_t>(place)) {
      CAPTURE(to_string(vendor));
      auto const counts = wf::histogram(place, values, {256, 0, 256}, vendor);
      CHECK(counts[5] == size - 6'999);
      CHECK(counts[9] == 6'999);
      auto const later = wf::histogram(place, values.span().subspan(1), {16, 0, 16}, vendor);
      CHECK(later[5] == size - 7'000);
    }
  }
}

} // namespace histogram_test
