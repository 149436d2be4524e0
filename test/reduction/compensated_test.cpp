// Compensated sums: known values, bits, refusals; the bound against integers of 128 bits, on either
// place and for every twin. exact_test.cpp has the wild inputs.

#include "parts.hpp"
#include "twins.hpp"

#include <warpfold/twins/norms.hpp>

#include <limits>

namespace compensated_test {

using namespace test;
namespace wf = warpfold;

template <class T>
using bounded_of = wf::bounded<accumulator_t<T>>;

template <class T>
constexpr bool is_compared = wf::detail::compared_measure<T, wf::detail::sum_and_bound<T>>;

__extension__ using integer128 = __int128;

/// k 2^e with |k| < 2^digits and e within -20 ... 20, of both signs, so that any sum of 2^20 of
/// them is an integer of 128 bits times 2^-20.
template <class T>
std::vector<T> scaled_integers(std::size_t size, unsigned seed) {
  using A = accumulator_t<T>;
  constexpr int digits = std::same_as<T, double>   ? 53
                         : std::same_as<T, float>  ? 24
                         : std::same_as<T, __half> ? 4
                                                   : 8;
  constexpr int range = std::same_as<T, __half> ? 9 : 20;
  std::mt19937_64 random{seed};
  std::uniform_int_distribution<int> exponent{-range, range};
  std::vector<T> values(size);
  for (T& x : values) {
    auto const k = static_cast<std::int64_t>(random() >> (64 - digits));
    A const magnitude = std::ldexp(static_cast<A>(k), exponent(random));
    x = static_cast<T>(random() % 2 ? magnitude : -magnitude);
  }
  return values;
}

template <class A>
integer128 in_units(A x) {
  // Two steps: an integer of 128 bits is more than a double's 53.
  return static_cast<integer128>(std::ldexp(static_cast<long double>(x), 20));
}

template <class A>
void check_bound(wf::bounded<A> const& got, integer128 exact) {
  integer128 const off = in_units(got.value) - exact;
  long double const error = std::ldexp(static_cast<long double>(off < 0 ? -off : off), -20);
  CHECK(error <= got.error_bound);
}

EVERY_PLACE_OF("bounds of compensated sums", T, WARPFOLD_TEST_FLOATS) {
  using A = accumulator_t<T>;
  std::size_t const most = 1'048'577;
  use_threads(place, 3);
  memory_of<Place, bounded_of<T>> result(place, {bounded_of<T>{-1, -1}});
  wf::host one(1);
  auto const check_part = [&](auto part, auto view) {
    integer128 exact = 0;
    for (T const x : part) exact += in_units(wide(x));
    for_each_twin<is_compared<T>>(place, [&](auto... twin) {
      auto const got = wf::compensated_sum(place, view, twin...);
      check_bound(got, exact);
      // Condition numbers here are some thousands at most: nearly the last bit is right.
      if (sizeof...(twin) == 0)
        CHECK(got.error_bound <= std::numeric_limits<A>::epsilon() * std::abs(got.value));
      if (!has_async(place, twin...)) return;
      wf::compensated_sum_async(place, view, result.all(), twin...);
      CHECK(result.get(0) == got);
    });
    CHECK(same_bits(wf::compensated_sum(place, view), wf::compensated_sum(one, part)));
  };
  for_each_part(place, scaled_integers<T>(most + 1, 131), sizes_up_to(most), {0, 1}, check_part);
}

/// The host's bits of values whose errors are many.
template <class T, class Place>
void check_bits(Place& place, unsigned seed, std::size_t most) {
  auto const check_part = [&](auto part, auto view) {
    CHECK(same_bits(wf::compensated_sum(place, view), wf::compensated_sum(wf::host(1), part)));
  };
  for_each_part(place, rough_values<T>(most + 2, seed), sizes_up_to(most), {0, 2}, check_part);
}

FAST_EVERY_PLACE("known compensated sums") {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  double const most = std::numeric_limits<double>::max();
  double const nan = std::numeric_limits<double>::quiet_NaN();
  for_each_twin<true>(place, [&](auto... twin) {
    auto const sum = [&](std::vector<double> const& x) {
      memory_of<Place, double> there(place, x);
      return wf::compensated_sum(place, there.all(), twin...);
    };
    using result = wf::bounded<double>;
    CHECK(sum({}) == result{0, 0});
    CHECK_FALSE(std::signbit(sum({-0.0}).value));
    CHECK(sum({0.1}) == result{0.1, 0});
    CHECK(sum({1, 2, 3}) == result{6, 0});
    // The plain sum is 0, or 2 at best.
    CHECK(sum({1, 1e100, 1, -1e100}).value == 2);
    CHECK(sum({1, 1e100, 1, -1e100}).error_bound <= 1e-14);
    CHECK(sum({0x1p-1074, 0x1p1000, -0x1p1000}).value == 0x1p-1074);
    CHECK(sum({1, 0x1p-60}).value == 1);
    CHECK(sum({1, 0x1p-60}).error_bound >= 0x1p-60);
    CHECK(sum({1, 0x1p-60}).error_bound <= 0x1.01p-60);
    CHECK(sum({most, most}) == result{infinity, infinity});
    CHECK(sum({infinity, 1}) == result{infinity, infinity});
    CHECK(sum({-infinity, 1}) == result{-infinity, infinity});
    for (auto const& values : {std::vector{nan, 1.0}, std::vector{infinity, -infinity}}) {
      auto const got = sum(values);
      CHECK(std::isnan(got.value));
      CHECK(std::isnan(got.error_bound));
    }
  });
}

FAST_EVERY_PLACE("what compensated sums refuse") {
  memory_of<Place, float> values(place, std::vector<float>(9, 1.0F));
  memory_of<Place, wf::bounded<float>> result(place, {wf::bounded<float>{-77, -77}});
  using view = decltype(wf::detail::span_t<Place, decltype(values.all())>());
  view const null(static_cast<float const*>(nullptr), 8);
  auto const expect = [&](std::string const& argument, auto call) {
    CHECK(refused_by(call) == argument);
    CHECK(result.get(0) == wf::bounded<float>{-77, -77});
  };
  expect("values", [&] { wf::compensated_sum(place, null); });
  expect("values", [&] { wf::compensated_sum_async(place, null, result.all()); });
  expect("result", [&] { wf::compensated_sum_async(place, values.all(), result.view(0, 0)); });
  expect("twin", [&] { wf::compensated_sum(place, values.all(), static_cast<twins::vendor>(-1)); });
  CHECK(wf::compensated_sum(place, values.all()) == wf::bounded<float>{9, 0});
}

TEST_CASE_TEMPLATE("compensated sums do not depend on the number of threads", T,
                   WARPFOLD_TEST_FLOATS) {
  for (int const threads : {2, 7}) {
    wf::host place(threads);
    check_bits<T>(place, 132, largest);
  }
}

TEST_SUITE("gpu") {
  TEST_CASE_TEMPLATE("compensated sums on a gpu have the host's bits", T, WARPFOLD_TEST_FLOATS) {
    wf::gpu place;
    check_bits<T>(place, 132, largest);
  }
  TEST_CASE_TEMPLATE("fast: short compensated sums on a gpu", T, WARPFOLD_TEST_FLOATS) {
    wf::gpu place;
    check_bits<T>(place, 133, 20'011);
  }
  TEST_CASE("fast: a captured compensated sum is one kernel") {
    wf::gpu place;
    wf::device_buffer<wf::bounded<float>> result(place, 1);
    auto const enqueue = [&](auto view) { wf::compensated_sum_async(place, view, result); };
    check_replayed<float>(place, 300'001, 1, {134, 135, 136}, enqueue, [&](auto const& other) {
      CHECK(wf::to_vector(place, result.span())[0] == wf::compensated_sum(wf::host(), other));
    });
  }
}

} // namespace compensated_test
