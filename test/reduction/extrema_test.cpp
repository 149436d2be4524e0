// argmin, argmax and minmax, for every element type, twin, place, policy, size around the tree's
// edges, and start, against a loop.

#include "parts.hpp"
#include "twins.hpp"

#include <warpfold/twins/statistics.hpp>

#include <algorithm>

namespace extrema_test {

using namespace test;
namespace wf = warpfold;
using wf::extremum, wf::min_max, wf::nan_policy;

constexpr float infinity = std::numeric_limits<float>::infinity();
constexpr float nan = std::numeric_limits<float>::quiet_NaN();
constexpr nan_policy policies[] = {nan_policy::propagate, nan_policy::ignore};

template <class A>
bool is_nan(A x) {
  return x != x;
}

/// Equal, or both NaN.
template <class A>
bool same(A a, A b) {
  return a == b || (is_nan(a) && is_nan(b));
}
template <class A>
bool same(extremum<A> const& a, extremum<A> const& b) {
  return same(a.value, b.value) && a.index == b.index;
}

/// The first that beats all before it.
template <class A, class T>
extremum<A> expected_extremum(std::span<T const> values, bool greatest, nan_policy policy) {
  extremum<A> found{greatest ? wf::detail::lowest<A> : wf::detail::highest<A>, values.size()};
  for (std::size_t i = 0; i < values.size(); ++i) {
    A const x = wide(values[i]);
    if (is_nan(x)) {
      if (policy == nan_policy::ignore) continue;
      return {x, i};
    }
    bool const first = found.index == values.size();
    if (first || (greatest ? x > found.value : x < found.value)) found = {x, i};
  }
  return found;
}

template <class A, class Place, class View, class T>
void check_all(Place& place, View view, std::span<T const> values) {
  for (nan_policy const policy : policies) {
    CAPTURE(static_cast<int>(policy));
    auto const least = expected_extremum<A>(values, false, policy);
    auto const greatest = expected_extremum<A>(values, true, policy);
    wf::extremum_options const options{.nan = policy};
    for_each_twin<has_twins<T>>(place, [&](auto... twin) {
      auto const low = wf::argmin(place, view, twin..., options);
      CAPTURE(low.value);
      CAPTURE(low.index);
      CHECK(same(low, least));
      auto const high = wf::argmax(place, view, twin..., options);
      CAPTURE(high.value);
      CAPTURE(high.index);
      CHECK(same(high, greatest));
      auto const both = wf::minmax(place, view, twin..., options);
      CHECK(same(both.min, least.value));
      CHECK(same(both.max, greatest.value));
    });
  }
}

/// Few different values, so that many are equal; with `odd`, here and there a zero of either sign,
/// an infinity or a NaN.
template <class T>
std::vector<T> tied_values(std::size_t size, unsigned seed, bool odd) {
  std::mt19937 random{seed};
  std::vector<T> values(size);
  for (T& x : values) {
    int const number = static_cast<int>(random() % 40);
    if constexpr (std::integral<T>) x = static_cast<T>(number);
    else {
      float const odd_ones[] = {nan, -0.0F, 0.0F, infinity, -infinity};
      x = static_cast<T>(odd && random() % 512 == 0 ? odd_ones[random() % 5]
                                                    : static_cast<float>(number - 20));
    }
  }
  return values;
}

template <class T, class Place>
void check_values(Place& place, std::vector<T> const& values, size_list which = sizes) {
  for_each_part(place, values, which, {}, [&](std::span<T const> part, auto view) {
    check_all<accumulator_t<T>>(place, view, part);
  });
}

EVERY_PLACE_OF("extrema and their positions", T, WARPFOLD_TEST_ELEMENTS) {
  auto const which = sizes_up_to(is_gpu<Place> ? largest : 1'048'577);
  std::size_t const most = which.back() + 3;
  for (bool const odd : {false, true})
    check_values(place, tied_values<T>(most, odd ? 72 : 71, odd), which);
  check_values(place, rough_values<T>(most, 73), which);
}

EVERY_PLACE_OF("extrema of ascending, descending and equal elements", T, WARPFOLD_TEST_ELEMENTS) {
  use_threads(place, 1); // many short calls, which are not worth a team of threads each
  std::size_t const size = 20'011;
  std::vector<T> rising(size), equal(size, static_cast<T>(7.0F));
  for (std::size_t i = 0; i < size; ++i) {
    std::size_t const step = i * 2'000 / size;
    rising[i] = static_cast<T>(static_cast<float>(step));
  }
  std::vector<T> const falling(rising.rbegin(), rising.rend());
  constexpr std::size_t some[] = {1, 2, 33, 1025, 20'008};
  for (auto const& values : {rising, falling, equal}) check_values(place, values, some);
}

/// One NaN, one least and one greatest element, at every position of a short input and at the edges
/// of a long one.
EVERY_PLACE_OF("positions of extrema", T, WARPFOLD_TEST_ELEMENTS) {
  use_threads(place, 1);
  for (std::size_t const size : {1, 2, 33, 129, 1025, 20'011, 1'100'003}) {
    if (size > 1'000'000 && !is_gpu<Place>) break;
    std::vector<T> values(size, static_cast<T>(2.0F));
    memory_of<Place, T> there(place, values);
    std::size_t const step = std::max<std::size_t>(1, size / 40);
    for (std::size_t at = 0; at < size; at += step)
      for (float const x : {1.0F, 3.0F, nan}) {
        if (std::integral<T> && is_nan(x)) continue;
        values[at] = static_cast<T>(x);
        there.set(at, values[at]);
        CAPTURE(size);
        CAPTURE(at);
        check_all<accumulator_t<T>>(place, there.all(), std::span<T const>(values));
        values[at] = static_cast<T>(2.0F);
        there.set(at, values[at]);
      }
  }
}

EVERY_PLACE_OF("extrema of nothing", T, WARPFOLD_TEST_ELEMENTS) {
  using A = accumulator_t<T>;
  memory_of<Place, T> nothing(place, {});
  check_all<A>(place, nothing.all(), std::span<T const>());
  if constexpr (!std::integral<T>)
    for (float const x : {nan, infinity, -infinity})
      for (std::size_t const size : {1, 2, 33, 1025, 40'001}) {
        std::vector<T> const values(size, static_cast<T>(x));
        memory_of<Place, T> there(place, values);
        CAPTURE(x);
        CAPTURE(size);
        check_all<A>(place, there.all(), std::span(values));
      }
}

/// The first zero is found whatever its sign, as it is; minmax tells them apart.
EVERY_PLACE_OF("first of the zeros", T, WARPFOLD_TEST_FLOATS) {
  using A = accumulator_t<T>;
  for (std::size_t const size : {2, 33, 1025, 40'001})
    for (float const common : {0.0F, -0.0F}) {
      std::vector<T> values(size, static_cast<T>(common));
      values[size / 2] = static_cast<T>(-common);
      memory_of<Place, T> there(place, values);
      CAPTURE(size);
      CAPTURE(common);
      for (nan_policy const policy : policies) {
        wf::extremum_options const options{.nan = policy};
        for_each_twin<has_twins<T>>(place, [&](auto... twin) {
          for (auto const& found : {wf::argmin(place, there.all(), twin..., options),
                                    wf::argmax(place, there.all(), twin..., options)}) {
            CHECK(found.index == 0);
            CHECK(same_bits(found.value, A{common}));
          }
          auto const both = wf::minmax(place, there.all(), twin..., options);
          CHECK(same_bits(both.min, A{-0.0F}));
          CHECK(same_bits(both.max, A{0.0F}));
        });
      }
    }
}

FAST_EVERY_PLACE_OF("async extrema", T, WARPFOLD_TEST_ELEMENTS) {
  using A = accumulator_t<T>;
  auto const values = tied_values<T>(40'001, 74, true);
  memory_of<Place, T> there(place, values);
  for (std::size_t const size : {0, 1, 33, 40'001}) {
    CAPTURE(size);
    auto const view = there.view(0, size);
    for_each_async_twin<has_twins<T>>(place, [&](auto... twin) {
      extremum<A> const before{A{42}, 42};
      memory_of<Place, extremum<A>> found(place, std::vector(4, before));
      memory_of<Place, min_max<A>> both(place, std::vector(2, min_max<A>{A{42}, A{42}}));
      wf::argmin_async(place, view, found.view(0, 1), twin...);
      wf::argmax_async(place, view, found.view(1, 2), twin...);
      wf::minmax_async(place, view, both.view(0, 1), twin...);
      CHECK(same(found.get(0), wf::argmin(place, view, twin...)));
      CHECK(same(found.get(1), wf::argmax(place, view, twin...)));
      CHECK(same(found.get(2), before));
      auto const expected = wf::minmax(place, view, twin...);
      CHECK(same(both.get(0).min, expected.min));
      CHECK(same(both.get(0).max, expected.max));
      CHECK(both.get(1).min == A{42});
    });
  }
}

EVERY_PLACE("what extrema refuse") {
  memory_of<Place, float> values(place, std::vector<float>(100, 1.0F));
  memory_of<Place, extremum<float>> result(place, {{-77.0F, 77}});
  memory_of<Place, min_max<float>> both(place, {{-77.0F, 77.0F}});
  auto const of_all = [&](std::string const& argument, auto const& by) {
    CHECK(refused_by([&] { wf::argmin(place, values.all(), by); }) == argument);
    CHECK(refused_by([&] { wf::argmax_async(place, values.all(), result.all(), by); }) == argument);
    CHECK(refused_by([&] { wf::minmax_async(place, values.all(), both.all(), by); }) == argument);
  };
  of_all("twin", static_cast<twins::vendor>(99));
  of_all("options.nan", wf::extremum_options{.nan = static_cast<nan_policy>(2)});
  wf::detail::result_t<Place, float const> const null{static_cast<float const*>(nullptr), 3};
  CHECK(refused_by([&] { wf::argmin(place, null); }) == "values");
  CHECK(refused_by([&] { wf::minmax(place, null, twins::thrust); }) == "values");
  CHECK(refused_by([&] { wf::argmin_async(place, values.all(), result.view(0, 0)); }) == "result");
  // A tag that the place does not have, or not in this form.
  CHECK(refused_by([&] {
          if constexpr (is_gpu<Place>)
            wf::argmin_async(place, values.all(), result.all(), twins::thrust);
          else wf::argmin(place, values.all(), twins::cub);
        }) == "twin");
  CHECK(result.get(0).index == 77);
  CHECK(both.get(0).max == 77);
}

TEST_SUITE("gpu") {
  // Without Thrust, whose extrema copy padding that nobody has written: initcheck reports it.
  TEST_CASE_TEMPLATE("fast: extrema at few sizes", T, WARPFOLD_TEST_ELEMENTS) {
    wf::gpu place;
    wf::host const reference{1};
    auto const check_part = [&](auto on_host, auto on_gpu) {
      for_each_async_twin<has_twins<T>>(place, [&](auto... twin) {
        CHECK(wf::argmin(place, on_gpu, twin...).index == wf::argmin(reference, on_host).index);
        CHECK(wf::argmax(place, on_gpu, twin...).index == wf::argmax(reference, on_host).index);
        auto const both = wf::minmax(place, on_gpu, twin...);
        CHECK(both.min == wf::min(reference, on_host));
        CHECK(both.max == wf::max(reference, on_host));
      });
    };
    for_each_part(place, rough_values<T>(few_sizes[1] + 1, 77), few_sizes, {0, 1}, check_part);
  }

  TEST_CASE("positions in a graph, one kernel each, over other data") {
    wf::gpu place;
    std::size_t const size = 1'100'003;
    wf::device_buffer<extremum<float>> found(place, 2);
    auto const enqueue = [&](auto view) {
      wf::argmin_async(place, view, found.span().subspan(0, 1));
      wf::argmax_async(place, view, found.span().subspan(1, 1));
    };
    check_replayed<float>(place, size, 2, {75, 76}, enqueue, [&](auto const& other) {
      auto const got = wf::to_vector(place, found.span());
      CHECK(same(got[0], wf::argmin(wf::host(), other)));
      CHECK(same(got[1], wf::argmax(wf::host(), other)));
    });
  }
}

TEST_SUITE("large") {
  TEST_CASE("positions beyond 2^32") {
    std::size_t const size = (std::size_t{1} << 32) + 54'321;
    wf::gpu place;
    wf::device_buffer<std::int32_t> values(place, size);
    wf::check(cudaMemsetAsync(values.data(), 1, size * sizeof(std::int32_t), place.stream()));
    // Twice, so that the first is to be found.
    std::vector<std::int32_t> const odd{0x7fffffff, -5};
    for (std::size_t const at : {size - 20'000, size - 5'001})
      wf::copy(place, std::span(odd), values.span().subspan(at, 2));
    for_each_twin<true>(place, [&](auto... twin) {
      for (std::size_t const first : {0, 1}) {
        auto const view = values.span().subspan(first);
        auto const least = wf::argmin(place, view, twin...);
        CHECK(least.value == -5);
        CHECK(least.index == size - 20'000 + 1 - first);
        auto const greatest = wf::argmax(place, view, twin...);
        CHECK(greatest.value == 0x7fffffff);
        CHECK(greatest.index == size - 20'000 - first);
        auto const both = wf::minmax(place, view, twin...);
        CHECK(both.min == -5);
        CHECK(both.max == 0x7fffffff);
      }
    });
    // And the elements that are counted there.
    auto const all = wf::describe(place, values);
    CHECK(all.count == size);
    CHECK(all.argmin == size - 20'000 + 1);
    CHECK(all.argmax == size - 20'000);
  }
}

} // namespace extrema_test
