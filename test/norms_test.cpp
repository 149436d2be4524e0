// Dot products and norms against references of 64 bits of mantissa, integers, the vendor twins, and
// each other's bits.

#include "gpu.hpp"

#include <limits>

namespace {

using namespace test;
namespace wf = warpfold;

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr double nan = std::numeric_limits<double>::quiet_NaN();

template <class T>
T element(double x) {
  if constexpr (std::same_as<T, double>) return x;
  else return static_cast<T>(static_cast<float>(x));
}

/// Sizes up to `most`, so that slow references are not asked for millions every time.
std::vector<std::size_t> sizes_up_to(std::size_t most) {
  std::vector<std::size_t> some;
  for (std::size_t const size : sizes)
    if (size <= most) some.push_back(size);
  return some;
}

// ---- dot products -------------------------------------------------------------------------------

/// Exact ones, blocking and async, at every alignment of either array.
template <class T, class A, class Place>
void check_exact_dots(Place& place, unsigned seed, std::size_t most) {
  CAPTURE(seed);
  auto const x = exact_values<T>(most + 3, seed);
  auto const y = small_values<T>(most + 3, seed + 1);
  memory_of<Place, T> x_there(place, x), y_there(place, y);
  memory_of<Place, A> result(place, {A{}});
  for (std::size_t const size : sizes_up_to(most))
    for (auto const& [x_first, y_first] : {std::pair{0, 0}, {1, 0}, {0, 1}, {3, 3}, {1, 2}}) {
      CAPTURE(size);
      CAPTURE(x_first);
      CAPTURE(y_first);
      reference_t<A> exact = 0;
      for (std::size_t i = 0; i < size; ++i)
        exact += static_cast<reference_t<A>>(wide(x[x_first + i])) *
                 static_cast<reference_t<A>>(wide(y[y_first + i]));
      auto const expected = static_cast<A>(exact);
      auto const x_view = x_there.view(x_first, size), y_view = y_there.view(y_first, size);
      for (method const how : methods_of(place)) {
        CAPTURE(to_string(how));
        CHECK(wf::dot<A>(place, x_view, y_view, {.how = how}) == expected);
        if (how == method::thrust) continue;
        wf::dot_async<A>(place, x_view, y_view, result.all(), {.how = how});
        CHECK(result.get(0) == expected);
      }
    }
}

template <class T, class Place>
void check_all_exact_dots(Place& place, std::size_t most) {
  check_exact_dots<T, accumulator_t<T>>(place, 101, most);
  if constexpr (std::same_as<T, std::int32_t>) check_exact_dots<T, std::int64_t>(place, 102, most);
  if constexpr (std::same_as<T, std::uint32_t>)
    check_exact_dots<T, std::uint64_t>(place, 103, most);
  if constexpr (wf::detail::is_half<T> || std::same_as<T, float>)
    check_exact_dots<T, double>(place, 104, most);
}

/// The bits of the host, and an error within that of a tree 100 deep (see reduction_bits_test.cpp),
/// of rough values.
template <class T, class A, class Place>
void check_rough_dots(Place& place, unsigned seed, std::size_t most) {
  CAPTURE(seed);
  auto const x = rough_values<T>(most + 2, seed), y = rough_values<T>(most + 2, seed + 1);
  memory_of<Place, T> x_there(place, x), y_there(place, y);
  wf::host one(1);
  for (std::size_t const size : sizes_up_to(most))
    for (auto const& [x_first, y_first] : {std::pair{0, 0}, {2, 1}}) {
      CAPTURE(size);
      CAPTURE(x_first);
      auto const x_part = std::span(x).subspan(x_first, size);
      auto const y_part = std::span(y).subspan(y_first, size);
      A const expected = wf::dot<A>(one, x_part, y_part);
      long double exact = 0, magnitude = 0;
      for (std::size_t i = 0; i < size; ++i) {
        long double const term =
            static_cast<long double>(wide(x_part[i])) * static_cast<long double>(wide(y_part[i]));
        exact += term;
        magnitude += std::abs(term);
      }
      long double const unit = std::numeric_limits<A>::epsilon() / 2;
      CHECK(std::abs(expected - exact) <= 101 * unit / (1 - 101 * unit) * magnitude);
      auto const x_view = x_there.view(x_first, size), y_view = y_there.view(y_first, size);
      CHECK(same_bits(wf::dot<A>(place, x_view, y_view), expected));
    }
}

template <class Place>
void check_dot_refusals(Place& place) {
  memory_of<Place, float> values(place, std::vector<float>(9, 1.0F)), result(place, {-77.0F});
  auto const x = values.view(0, 8), y = values.view(1, 8), short_y = values.view(1, 7);
  using view = decltype(wf::detail::span_t<Place, decltype(values.all())>());
  view const null(static_cast<float const*>(nullptr), 8);
  auto const expect = [&](std::string const& argument, auto call) {
    CHECK(refused_by(call) == argument);
    CHECK(result.get(0) == -77.0F);
  };
  expect("y", [&] { wf::dot(place, x, short_y); });
  expect("y", [&] { wf::dot_async(place, x, short_y, result.all()); });
  expect("x", [&] { wf::dot(place, null, y); });
  expect("y", [&] { wf::dot_async(place, x, null, result.all()); });
  expect("result", [&] { wf::dot_async(place, x, y, result.view(0, 0)); });
  expect("result", [&] { wf::norm2_async(place, x, result.view(0, 0)); });
  expect("values", [&] { wf::norm1(place, null); });
  expect("values", [&] { wf::norm_inf_async(place, null, result.all()); });
  for (method const how : ladder) {
    CAPTURE(to_string(how));
    expect("options.how", [&] { wf::dot(place, x, y, {.how = how}); });
    expect("options.how", [&] { wf::norm2_async(place, x, result.all(), {.how = how}); });
  }
  for (int const unknown : {-1, 11})
    expect("options.how", [&] { wf::norm1(place, x, {.how = static_cast<method>(unknown)}); });
  if constexpr (std::same_as<Place, wf::gpu>)
    expect("options.how",
           [&] { wf::dot_async(place, x, y, result.all(), {.how = method::thrust}); });
  else expect("options.how", [&] { wf::norm2(place, x, {.how = method::cub}); });
  CHECK(wf::dot(place, x, y) == 8);
  CHECK(wf::dot(place, view(), view()) == 0);
}

// ---- norms --------------------------------------------------------------------------------------

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
  for (method const how : methods_of(place)) {
    CAPTURE(to_string(how));
    wf::reduce_options const options{.how = how};
    A const one_norm = wf::norm1(place, view, options);
    A const two_norm = wf::norm2(place, view, options);
    A const inf_norm = wf::norm_inf(place, view, options);
    // The trees of the vendors are at most as deep as a host thread's part is long.
    long double const depth = how == method::fold ? 100 : static_cast<long double>(size);
    CHECK(std::abs(one_norm - exact.one) <= depth * unit * exact.one);
    // In double the squares and their sum err by less than what rounding to float does.
    long double const deep = std::same_as<A, double> ? depth / 2 + 3 : 1.01L;
    CHECK(std::abs(two_norm - exact.two) <= deep * unit * exact.two + least);
    CHECK(inf_norm == exact.inf);
    if (how != method::fold) continue;
    CHECK(same_bits(one_norm, wf::norm1(one, part)));
    CHECK(same_bits(two_norm, wf::norm2(one, part)));
    CHECK(same_bits(inf_norm, wf::norm_inf(one, part)));
  }
  for (method const how : {method::fold, vendor_of(place)}) {
    if (how == method::thrust) continue;
    wf::reduce_options const options{.how = how};
    wf::norm1_async(place, view, results.view(0, 1), options);
    wf::norm2_async(place, view, results.view(1, 1), options);
    wf::norm_inf_async(place, view, results.view(2, 1), options);
    CHECK(same_bits(results.get(0), wf::norm1(place, view, options)));
    CHECK(same_bits(results.get(1), wf::norm2(place, view, options)));
    CHECK(same_bits(results.get(2), wf::norm_inf(place, view, options)));
  }
}

template <class T, class Place>
void check_rough_norms(Place& place, unsigned seed, std::size_t most) {
  CAPTURE(seed);
  for (std::size_t const size : sizes_up_to(most))
    for (std::size_t const first : {0, 1})
      check_norms<T>(place, rough_values<T>(size + first, seed), first);
}

/// Every combination of small, medium and large elements, and the whole range.
template <class Place>
void check_scaling(Place& place, unsigned seed) {
  CAPTURE(seed);
  for (auto const& [low, high] : {std::pair{-1074, -1022},
                                  {-1074, -600},
                                  {-600, -480},
                                  {-512, -510},
                                  {-1074, 400},
                                  {480, 490},
                                  {485, 487},
                                  {700, 1000},
                                  {-1074, 1000},
                                  {-300, 900},
                                  {996, 996}})
    for (std::size_t const size : {1, 2, 33, 1025, 20'011}) {
      CAPTURE(low);
      CAPTURE(high);
      check_norms<double>(place, spread_values<double>(size, low, high, seed));
    }
  for (auto const& [low, high] : {std::pair{-149, -126}, {-149, 110}, {-70, -60}, {60, 110}})
    for (std::size_t const size : {1, 2, 33, 1025, 20'011}) {
      CAPTURE(low);
      CAPTURE(high);
      check_norms<float>(place, spread_values<float>(size, low, high, seed));
    }
}

template <class T, class Place>
T norm2_of(Place& place, std::vector<T> const& values) {
  memory_of<Place, T> there(place, values);
  return wf::norm2(place, there.all());
}

/// Values that are known without computing.
template <class Place>
void check_known_norms(Place& place) {
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

template <class T, class Place>
void check_special_norms(Place& place) {
  using A = accumulator_t<T>;
  memory_of<Place, T> nothing(place, {});
  CHECK(wf::norm1(place, nothing.all()) == 0);
  CHECK(wf::norm2(place, nothing.all()) == 0);
  CHECK(wf::norm_inf(place, nothing.all()) == 0);
  for (std::size_t const size : {1, 33, 1025, 40'001})
    for (std::size_t const at : {std::size_t{0}, size / 2, size - 1})
      for (method const how : methods_of(place)) {
        CAPTURE(size);
        CAPTURE(at);
        CAPTURE(to_string(how));
        std::vector<T> values(size, element<T>(-0.0));
        memory_of<Place, T> there(place, values);
        wf::reduce_options const options{.how = how};
        CHECK(same_bits(wf::norm_inf(place, there.all(), options), A{0}));
        CHECK(same_bits(wf::norm1(place, there.all(), options), A{0}));
        there.set(at, element<T>(-infinity));
        CHECK(wf::norm1(place, there.all(), options) == infinity);
        CHECK(wf::norm2(place, there.all(), options) == infinity);
        CHECK(wf::norm_inf(place, there.all(), options) == infinity);
        there.set(size - 1 - at, element<T>(nan));
        CHECK(std::isnan(wf::norm1(place, there.all(), options)));
        CHECK(std::isnan(wf::norm2(place, there.all(), options)));
        CHECK(std::isnan(wf::norm_inf(place, there.all(), options)));
      }
}

TEST_CASE_TEMPLATE("exact dot products on the host", T, WARPFOLD_TEST_ELEMENTS) {
  wf::host place;
  check_all_exact_dots<T>(place, 65'537);
}
TEST_CASE_TEMPLATE("dot products of rough values on the host", T, WARPFOLD_TEST_FLOATS) {
  wf::host place(3);
  check_rough_dots<T, accumulator_t<T>>(place, 111, largest);
  check_rough_dots<T, double>(place, 113, 65'537);
}
TEST_CASE("what dot products and norms refuse on the host") {
  wf::host place;
  check_dot_refusals(place);
}
TEST_CASE_TEMPLATE("norms of rough values on the host", T, WARPFOLD_TEST_FLOATS) {
  wf::host place(3);
  check_rough_norms<T>(place, 115, 1'048'577);
}
TEST_CASE("norms of values of any magnitude on the host") {
  wf::host place(3);
  check_scaling(place, 116);
  check_known_norms(place);
}
TEST_CASE_TEMPLATE("norms of zeros, infinities and NaN on the host", T, WARPFOLD_TEST_FLOATS) {
  wf::host place;
  check_special_norms<T>(place);
}

TEST_SUITE("gpu") {
  TEST_CASE_TEMPLATE("fast: exact dot products on a gpu", T, WARPFOLD_TEST_ELEMENTS) {
    wf::gpu place;
    check_all_exact_dots<T>(place, 4'097);
  }
  TEST_CASE_TEMPLATE("exact dot products of many on a gpu", T, WARPFOLD_TEST_ELEMENTS) {
    wf::gpu place;
    check_all_exact_dots<T>(place, 1'048'577);
  }
  TEST_CASE_TEMPLATE("dot products on a gpu have the host's bits", T, WARPFOLD_TEST_FLOATS) {
    wf::gpu place;
    check_rough_dots<T, accumulator_t<T>>(place, 111, largest);
    check_rough_dots<T, double>(place, 113, 1'048'577);
  }
  TEST_CASE("fast: what dot products and norms refuse on a gpu") {
    wf::gpu place;
    check_dot_refusals(place);
  }
  TEST_CASE_TEMPLATE("fast: norms of a few rough values on a gpu", T, WARPFOLD_TEST_FLOATS) {
    wf::gpu place;
    check_rough_norms<T>(place, 115, 1'025);
  }
  TEST_CASE_TEMPLATE("norms of rough values on a gpu have the host's bits", T,
                     WARPFOLD_TEST_FLOATS) {
    wf::gpu place;
    check_rough_norms<T>(place, 115, largest);
  }
  TEST_CASE("norms of values of any magnitude on a gpu") {
    wf::gpu place;
    check_scaling(place, 116);
  }
  TEST_CASE("fast: known norms on a gpu") {
    wf::gpu place;
    check_known_norms(place);
  }
  TEST_CASE_TEMPLATE("norms of zeros, infinities and NaN on a gpu", T, WARPFOLD_TEST_FLOATS) {
    wf::gpu place;
    check_special_norms<T>(place);
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
    wf::device_buffer<double> values(place, 300'001), results(place, 2);
    captured graph(place, [&] {
      wf::dot_async(place, values, values, results.span().subspan(0, 1));
      wf::norm2_async(place, values, results.span().subspan(1, 1));
    });
    for (unsigned seed = 121; seed < 124; ++seed) {
      CAPTURE(seed);
      auto const other = rough_values<double>(300'001, seed);
      wf::copy(place, other, values.span());
      graph.launch();
      CHECK(wf::to_vector(place, results.span()) ==
            std::vector{wf::dot(wf::host(), other, other), wf::norm2(wf::host(), other)});
    }
  }
}

} // namespace
