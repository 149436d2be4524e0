// Norms against references of 64 bits of mantissa, values known without computing, the vendor
// twins, and each other's bits.

#include "reduction/parts.hpp"
#include "twins.hpp"

#include <warpfold/twins/norms.hpp>

#include <limits>

namespace norms_test {

using namespace test;
namespace wf = warpfold;

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr double nan = std::numeric_limits<double>::quiet_NaN();

template <class T>
constexpr bool is_compared = wf::detail::compared_measure<T, wf::detail::root_of_squares<T>>;

template <class T>
T element(double x) {
  return static_cast<T>(static_cast<accumulator_t<T>>(x));
}

/// x with the exponents of 2^low ... 2^high and both signs.
template <class T>
std::vector<T> spread_values(std::size_t size, int low, int high, unsigned seed) {
  std::mt19937_64 random{seed};
  std::uniform_real_distribution<double> mantissa{1, 2};
  std::uniform_int_distribution<int> exponent{low, high};
  std::vector<T> values(size);
  for (T& x : values)
    x = element<T>(
        std::ldexp(random() % 2 ? mantissa(random) : -mantissa(random), exponent(random)));
  return values;
}

struct exact_norms {
  long double one = 0, two = 0, inf = 0;
};

/// long double has 15 bits of exponent: the squares of all doubles are numbers of full precision.
template <class T>
exact_norms norms_of(std::span<T const> values) {
  exact_norms exact;
  for (T const x : values) {
    long double const size = std::abs(static_cast<long double>(wide(x)));
    exact.one += size;
    exact.two += size * size;
    exact.inf = std::max(exact.inf, size);
  }
  exact.two = std::sqrt(exact.two);
  return exact;
}

template <class T, class Place>
void check_norms(Place& place, std::vector<T> const& values, std::size_t first = 0) {
  using A = accumulator_t<T>;
  memory_of<Place, T> there(place, values);
  memory_of<Place, A> results(place, std::vector<A>(3, A{-1}));
  std::size_t const size = values.size() - first;
  auto const part = std::span(values).subspan(first);
  auto const view = there.view(first, size);
  CAPTURE(size);
  exact_norms const exact = norms_of(std::span<T const>(part));
  long double const unit = std::numeric_limits<A>::epsilon() / 2;
  long double const least = std::numeric_limits<A>::denorm_min();
  wf::host one(1);
  for_each_twin<is_compared<T>>(place, [&](auto... twin) {
    constexpr bool is_ours = sizeof...(twin) == 0;
    A const one_norm = wf::norm1(place, view, twin...);
    A const two_norm = wf::norm2(place, view, twin...);
    A const inf_norm = wf::norm_inf(place, view, twin...);
    // The trees of the vendors are at most as deep as a host thread's part is long.
    long double const depth = is_ours ? 100 : static_cast<long double>(size);
    CHECK(std::abs(one_norm - exact.one) <= depth * unit * exact.one);
    // In double the squares and their sum err by less than what rounding to float does.
    long double const deep = std::same_as<A, double> ? depth / 2 + 3 : 1.01L;
    CHECK(std::abs(two_norm - exact.two) <= deep * unit * exact.two + least);
    CHECK(inf_norm == exact.inf);
    if (is_ours) {
      CHECK(same_bits(one_norm, wf::norm1(one, part)));
      CHECK(same_bits(two_norm, wf::norm2(one, part)));
      CHECK(same_bits(inf_norm, wf::norm_inf(one, part)));
    }
    if (!has_async(place, twin...)) return;
    wf::norm1_async(place, view, results.view(0, 1), twin...);
    wf::norm2_async(place, view, results.view(1, 1), twin...);
    wf::norm_inf_async(place, view, results.view(2, 1), twin...);
    CHECK(same_bits(results.get(0), one_norm));
    CHECK(same_bits(results.get(1), two_norm));
    CHECK(same_bits(results.get(2), inf_norm));
  });
}

template <class T, class Place>
void check_rough_norms(Place& place, size_list which) {
  for (std::size_t const size : which)
    for (std::size_t const first : {0, 1})
      check_norms<T>(place, rough_values<T>(size + first, 115), first);
}

/// Elements between powers of two, in several numbers.
template <class T, class Place>
void check_ranges(Place& place, std::initializer_list<std::pair<int, int>> ranges) {
  for (auto const& range : ranges)
    for (std::size_t const size : {1, 2, 33, 1025, 20'011}) {
      INFO("2^" << range.first << " to 2^" << range.second);
      check_norms<T>(place, spread_values<T>(size, range.first, range.second, 116));
    }
}

/// Every combination of small, medium and large elements, and the whole range.
EVERY_PLACE("norms of values of any magnitude") {
  use_threads(place, 3);
  check_ranges<double>(place, {{-1074, -1022},
                               {-1074, -600},
                               {-600, -480},
                               {-512, -510},
                               {-1074, 400},
                               {480, 490},
                               {485, 487},
                               {700, 1000},
                               {-1074, 1000},
                               {-300, 900},
                               {996, 996}});
  check_ranges<float>(place, {{-149, -126}, {-149, 110}, {-70, -60}, {60, 110}});
}

template <class T, class Place>
T norm2_of(Place& place, std::vector<T> const& values) {
  memory_of<Place, T> there(place, values);
  return wf::norm2(place, there.all());
}

/// Values that are known without computing.
FAST_EVERY_PLACE("known norms") {
  use_threads(place, 3);
  auto const norm2 = [&](std::vector<double> const& x) { return norm2_of(place, x); };
  CHECK(norm2({3e300, 4e300}) == doctest::Approx(5e300).epsilon(1e-15));
  CHECK(norm2({3e-300, 4e-300}) == doctest::Approx(5e-300).epsilon(1e-15));
  CHECK(norm2({0x3p-1074, 0x4p-1074}) == 0x5p-1074);
  CHECK(norm2({0x3p1000, 0x4p1000}) == 0x5p1000);
  CHECK(norm2({0x3p-1074, 0x4p1000}) == 0x4p1000);
  CHECK(norm2({0x3p-1074, 0x4p3}) == 0x4p3);
  CHECK(norm2({-0.0, 0.0}) == 0);
  CHECK_FALSE(std::signbit(norm2({-0.0})));
  CHECK(norm2({-0x1p-1074}) == 0x1p-1074);
  double const most = std::numeric_limits<double>::max();
  CHECK(norm2({-most}) == most);
  CHECK(norm2({most, most}) == infinity);
  CHECK(norm2({infinity, 1, 0x1p-1074}) == infinity);
  CHECK(norm2({-infinity, -infinity}) == infinity);
  CHECK(std::isnan(norm2({infinity, nan})));
  CHECK(std::isnan(norm2({1e300, nan})));
  CHECK(std::isnan(norm2({1e-300, nan, 1})));
  float const most_float = std::numeric_limits<float>::max();
  CHECK(norm2_of<float>(place, {most_float}) == most_float);
  CHECK(norm2_of<float>(place, {0x3p-149F, 0x4p-149F}) == 0x5p-149F);
  CHECK(norm2_of<float>(place, {0x3p100F, 0x4p100F}) == 0x5p100F);
}

EVERY_PLACE_OF("norms of zeros, infinities and NaN", T, WARPFOLD_TEST_FLOATS) {
  using A = accumulator_t<T>;
  memory_of<Place, T> nothing(place, {});
  CHECK(wf::norm1(place, nothing.all()) == 0);
  CHECK(wf::norm2(place, nothing.all()) == 0);
  CHECK(wf::norm_inf(place, nothing.all()) == 0);
  for (std::size_t const size : {1, 33, 1025, 40'001})
    for (std::size_t const at : {std::size_t{0}, size / 2, size - 1}) {
      CAPTURE(size);
      CAPTURE(at);
      for_each_twin<is_compared<T>>(place, [&](auto... twin) {
        std::vector<T> values(size, element<T>(-0.0));
        memory_of<Place, T> there(place, values);
        CHECK(same_bits(wf::norm_inf(place, there.all(), twin...), A{0}));
        CHECK(same_bits(wf::norm1(place, there.all(), twin...), A{0}));
        there.set(at, element<T>(-infinity));
        CHECK(wf::norm1(place, there.all(), twin...) == infinity);
        CHECK(wf::norm2(place, there.all(), twin...) == infinity);
        CHECK(wf::norm_inf(place, there.all(), twin...) == infinity);
        there.set(size - 1 - at, element<T>(nan));
        CHECK(std::isnan(wf::norm1(place, there.all(), twin...)));
        CHECK(std::isnan(wf::norm2(place, there.all(), twin...)));
        CHECK(std::isnan(wf::norm_inf(place, there.all(), twin...)));
      });
    }
}

EVERY_PLACE_OF("norms of rough values have one host thread's bits", T, WARPFOLD_TEST_FLOATS) {
  use_threads(place, 3);
  check_rough_norms<T>(place, sizes_up_to(is_gpu<Place> ? largest : 1'048'577));
}

TEST_SUITE("gpu") {
  TEST_CASE_TEMPLATE("fast: norms of a few rough values on a gpu", T, WARPFOLD_TEST_FLOATS) {
    wf::gpu place;
    check_rough_norms<T>(place, few_sizes);
  }

  TEST_CASE("dot products and norms are one kernel each, whatever the size") {
    counting_resource memory;
    wf::gpu place(0, &memory);
    wf::device_buffer<double> values(place, 4), result(place, 1);
    int const allocations = memory.allocations;
    for (std::size_t const size :
         {std::size_t{0}, std::size_t{3}, std::size_t{1} << 20, std::size_t{1} << 33})
      for (std::size_t const first : {0, 1}) {
        // Never launched, so the spans may claim more elements than there are.
        wf::device_span<double const> const x(values.data() + first, size), y(values.data(), size);
        CHECK(captured(place, [&] { wf::dot_async(place, x, y, result); }).is_one_kernel());
        CHECK(captured(place, [&] { wf::norm1_async(place, x, result); }).is_one_kernel());
        CHECK(captured(place, [&] { wf::norm2_async(place, x, result); }).is_one_kernel());
        CHECK(captured(place, [&] { wf::norm_inf_async(place, x, result); }).is_one_kernel());
      }
    CHECK(memory.allocations == allocations);
  }

  TEST_CASE("fast: a captured dot product and norm over other data") {
    wf::gpu place;
    wf::device_buffer<double> results(place, 2);
    auto const enqueue = [&](auto view) {
      wf::dot_async(place, view, view, results.span().subspan(0, 1));
      wf::norm2_async(place, view, results.span().subspan(1, 1));
    };
    check_replayed<double>(place, 300'001, 2, {121, 122, 123}, enqueue, [&](auto const& other) {
      CHECK(wf::to_vector(place, results.span()) ==
            std::vector{wf::dot(wf::host(), other, other), wf::norm2(wf::host(), other)});
    });
  }
}

} // namespace norms_test
