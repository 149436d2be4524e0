// Dot products against integers, references of 64 bits of mantissa and the vendor twins; what they
// and the norms refuse.

#include "reduction/parts.hpp"
#include "twins.hpp"

#include <warpfold/twins/norms.hpp>

#include <limits>

namespace dot_test {

using namespace test;
namespace wf = warpfold;

/// check(x's part, y's part, x's view, y's view) for every size, at these pairs of starts.
template <class T, class Place, class Check>
void for_each_pair(Place& place, std::vector<T> const& x, std::vector<T> const& y, size_list which,
                   std::vector<std::pair<std::size_t, std::size_t>> const& starts, Check check) {
  memory_of<Place, T> x_there(place, x), y_there(place, y);
  for (std::size_t const size : which)
    for (auto const& start : starts) {
      std::size_t const x_first = start.first, y_first = start.second;
      INFO("size " << size << ", starts " << x_first << " and " << y_first);
      check(std::span<T const>(x).subspan(x_first, size),
            std::span<T const>(y).subspan(y_first, size), x_there.view(x_first, size),
            y_there.view(y_first, size));
    }
}

/// Exact ones, blocking and async, at every alignment of either array.
template <class T, class A, class Place>
void check_exact_dots(Place& place, unsigned seed, size_list which) {
  std::size_t const most = which.back();
  memory_of<Place, A> result(place, {A{}});
  auto const check_parts = [&](auto x, auto y, auto x_view, auto y_view) {
    reference_t<A> exact = 0;
    for (std::size_t i = 0; i < x.size(); ++i)
      exact += static_cast<reference_t<A>>(wide(x[i])) * static_cast<reference_t<A>>(wide(y[i]));
    auto const expected = static_cast<A>(exact);
    for_each_twin<wf::detail::compared_dot<T, A>>(place, [&](auto... twin) {
      CHECK(wf::dot<A>(place, x_view, y_view, twin...) == expected);
      if (!has_async(place, twin...)) return;
      wf::dot_async<A>(place, x_view, y_view, result.all(), twin...);
      CHECK(result.get(0) == expected);
    });
  };
  for_each_pair(place, exact_values<T>(most + 3, seed), small_values<T>(most + 3, seed + 1), which,
                {{0, 0}, {1, 0}, {0, 1}, {3, 3}, {1, 2}}, check_parts);
}

template <class T, class Place>
void check_all_exact_dots(Place& place, size_list which) {
  check_exact_dots<T, accumulator_t<T>>(place, 101, which);
  if constexpr (std::same_as<T, std::int32_t>) check_exact_dots<T, std::int64_t>(place, 102, which);
  if constexpr (std::same_as<T, std::uint32_t>)
    check_exact_dots<T, std::uint64_t>(place, 103, which);
  if constexpr (wf::detail::is_half<T> || std::same_as<T, float>)
    check_exact_dots<T, double>(place, 104, which);
}

/// The bits of the host, and an error within that of a tree 100 deep (see reduction_bits_test.cpp),
/// of rough values.
template <class T, class A, class Place>
void check_rough_dots(Place& place, unsigned seed, std::size_t most) {
  wf::host one(1);
  auto const check_parts = [&](auto x, auto y, auto x_view, auto y_view) {
    A const expected = wf::dot<A>(one, x, y);
    long double exact = 0, magnitude = 0;
    for (std::size_t i = 0; i < x.size(); ++i) {
      long double const term =
          static_cast<long double>(wide(x[i])) * static_cast<long double>(wide(y[i]));
      exact += term;
      magnitude += std::abs(term);
    }
    long double const unit = std::numeric_limits<A>::epsilon() / 2;
    CHECK(std::abs(expected - exact) <= 101 * unit / (1 - 101 * unit) * magnitude);
    CHECK(same_bits(wf::dot<A>(place, x_view, y_view), expected));
  };
  for_each_pair(place, rough_values<T>(most + 2, seed), rough_values<T>(most + 2, seed + 1),
                sizes_up_to(most), {{0, 0}, {2, 1}}, check_parts);
}

FAST_EVERY_PLACE("what dot products and norms refuse") {
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
  for (int const unknown : {-1, 3}) {
    auto const twin = static_cast<twins::vendor>(unknown);
    expect("twin", [&] { wf::dot(place, x, y, twin); });
    expect("twin", [&] { wf::norm2_async(place, x, result.all(), twin); });
  }
  if constexpr (is_gpu<Place>)
    expect("twin", [&] { wf::dot_async(place, x, y, result.all(), twins::thrust); });
  else expect("twin", [&] { wf::norm2(place, x, twins::cub); });
  CHECK(wf::dot(place, x, y) == 8);
  CHECK(wf::dot(place, view(), view()) == 0);
}

EVERY_PLACE_OF("exact dot products", T, WARPFOLD_TEST_ELEMENTS) {
  check_all_exact_dots<T>(place, sizes_up_to(is_gpu<Place> ? 1'048'577 : 65'537));
}
EVERY_PLACE_OF("dot products of rough values have one host thread's bits", T,
               WARPFOLD_TEST_FLOATS) {
  use_threads(place, 3);
  check_rough_dots<T, accumulator_t<T>>(place, 111, largest);
  check_rough_dots<T, double>(place, 113, is_gpu<Place> ? 1'048'577 : 65'537);
}
TEST_SUITE("gpu") {
  TEST_CASE_TEMPLATE("fast: exact dot products on a gpu", T, WARPFOLD_TEST_ELEMENTS) {
    wf::gpu place;
    check_all_exact_dots<T>(place, few_sizes);
  }
}

} // namespace dot_test
