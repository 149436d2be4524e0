// Counting by the built-in predicates against a plain loop.

#include "contents.hpp"
#include "reduction/parts.hpp"
#include "twins.hpp"

#include <warpfold/twins/counting.hpp>

#include <limits>

namespace counting_test {

using namespace test;
namespace wf = warpfold;

/// Seven kinds of elements: few, so that every predicate holds for a good part of them.
template <class T>
std::vector<T> classes(std::size_t size, unsigned seed) {
  std::mt19937_64 random{seed};
  std::vector<T> values(size);
  for (T& x : values) {
    auto const kind = random() % 7;
    if constexpr (std::integral<T>) {
      constexpr T all[] = {
          0, 1, 2, 3, 100, std::numeric_limits<T>::max(), std::numeric_limits<T>::lowest()};
      x = all[kind];
    } else {
      constexpr float infinity = std::numeric_limits<float>::infinity();
      constexpr float all[] = {
          0.0F, -0.0F, 2.0F, -3.5F, infinity, -infinity, std::numeric_limits<float>::quiet_NaN()};
      x = static_cast<T>(all[kind]);
    }
  }
  return values;
}

/// A predicate of warpfold's and what it means.
template <class T, class Predicate, class Meaning, class Place>
void check_predicate(Place& place, std::vector<T> const& values, std::size_t most,
                     Predicate predicate, Meaning meaning) {
  constexpr bool is_compared = wf::detail::compared_predicate<T, Predicate>;
  memory_of<Place, std::uint64_t> count(place, {0});
  memory_of<Place, unsigned char> byte(place, {0});
  view_t<Place, bool> const verdict(reinterpret_cast<bool*>(byte.all().data()), 1);
  for_each_part(place, values, sizes_up_to(most), {0, 1}, [&](std::span<T const> part, auto view) {
    std::uint64_t expected = 0;
    for (T const x : part) expected += meaning(wide(x));
    for_each_twin<is_compared>(place, [&](auto... twin) {
      CHECK(wf::count_if(place, view, predicate, twin...) == expected);
      CHECK(wf::all_of(place, view, predicate, twin...) == (expected == part.size()));
      CHECK(wf::any_of(place, view, predicate, twin...) == (expected > 0));
      if (!has_async(place, twin...)) return;
      wf::count_if_async(place, view, predicate, count.all(), twin...);
      CHECK(count.get(0) == expected);
      wf::all_of_async(place, view, predicate, verdict, twin...);
      CHECK(bool(byte.get(0)) == (expected == part.size()));
      wf::any_of_async(place, view, predicate, verdict, twin...);
      CHECK(bool(byte.get(0)) == (expected > 0));
    });
  });
}

template <class T, class Place>
void check_predicates(Place& place, unsigned seed, std::size_t most) {
  CAPTURE(seed);
  using A = accumulator_t<T>;
  auto const values = classes<T>(most + 1, seed);
  for (A const bound : {A{0}, A{2}, A{100}}) {
    CAPTURE(bound);
    T const t = static_cast<T>(bound);
    auto const check = [&](auto predicate, auto meaning) {
      check_predicate(place, values, most, predicate, meaning);
    };
    check(wf::less_than<T>{t}, [&](A x) { return x < bound; });
    check(wf::greater_than<T>{t}, [&](A x) { return x > bound; });
    check(wf::equal_to<T>{t}, [&](A x) { return x == bound; });
  }
  if constexpr (wf::detail::floating_element<T>) {
    check_predicate(place, values, most, wf::is_nan{}, [](A x) { return std::isnan(x); });
    check_predicate(place, values, most, wf::is_finite{}, [](A x) { return std::isfinite(x); });
  }
}

/// One element that differs, at the edges.
template <class T, class Place>
void check_exceptions(Place& place) {
  for (std::size_t const size : {1, 33, 4'097, 40'001}) {
    memory_of<Place, T> there(place, std::vector<T>(size, static_cast<T>(1)));
    wf::equal_to<T> const is_one{static_cast<T>(1)}, is_two{static_cast<T>(2)};
    for (std::size_t const at : {std::size_t{0}, size / 2, size - 1}) {
      CAPTURE(size);
      CAPTURE(at);
      CHECK(wf::all_of(place, there.all(), is_one));
      CHECK_FALSE(wf::any_of(place, there.all(), is_two));
      there.set(at, static_cast<T>(2));
      CHECK_FALSE(wf::all_of(place, there.all(), is_one));
      CHECK(wf::any_of(place, there.all(), is_two));
      CHECK(wf::count_if(place, there.all(), is_one) == size - 1);
      there.set(at, static_cast<T>(1));
    }
  }
}

EVERY_PLACE_OF("counts", T, WARPFOLD_TEST_ELEMENTS) {
  check_predicates<T>(place, 151, is_gpu<Place> ? largest : 524'295);
  check_exceptions<T>(place);
}

FAST_EVERY_PLACE("counts of equal values") {
  memory_of<Place, float> values(place, std::vector<float>(8, 1.0F));
  wf::less_than const below{2.0F};
  CHECK(wf::count_if(place, values.all(), below) == 8);
  CHECK(wf::count_if(place, values.all(), below, twins::fold) == 8);
}

TEST_SUITE("gpu") {
  TEST_CASE_TEMPLATE("fast: counts of few on a gpu", T, float, std::int64_t, __half) {
    wf::gpu place;
    auto const values = classes<T>(300'002, 152);
    wf::greater_than<T> const above{static_cast<T>(0)};
    constexpr bool is_compared = wf::detail::compared_predicate<T, wf::greater_than<T>>;
    constexpr std::size_t some[] = {33, 20'011, 300'001};
    for_each_part(place, values, some, {0, 1}, [&](auto part, auto view) {
      for_each_async_twin<is_compared>(place, [&](auto... twin) {
        CHECK(wf::count_if(place, view, above, twin...) == wf::count_if(wf::host(), part, above));
        CHECK_FALSE(wf::all_of(place, view, above, twin...));
        CHECK(wf::any_of(place, view, above, twin...));
      });
    });
  }
  TEST_CASE("fast: a captured count is one kernel") {
    wf::gpu place;
    wf::device_buffer<std::uint64_t> result(place, 1);
    auto const enqueue = [&](auto view) { wf::count_if_async(place, view, wf::is_nan{}, result); };
    auto const check = [&](auto const& other) {
      CHECK(wf::to_vector(place, result.span())[0] ==
            wf::count_if(wf::host(), other, wf::is_nan{}));
    };
    check_replayed<__half>(place, 300'001, 1, {154, 155, 156}, enqueue, check, classes<__half>);
  }
}

} // namespace counting_test
