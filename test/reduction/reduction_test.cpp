// The verbs of <warpfold/reduction.hpp> against exact references, for every element type, twin,
// place, size around the tree's edges, and start. NaN, bits, the ladder and refusals have files of
// their own.

#include "parts.hpp"
#include "twins.hpp"

#include <algorithm>

namespace reduction_test {

using namespace test;
namespace wf = warpfold;

template <class T, class Place>
void check_sums(Place& place, unsigned seed, size_list which = sizes) {
  using A = accumulator_t<T>;
  auto const check_part = [&](std::span<T const> part, auto view) {
    A const sum = exact_sum<A>(part);
    A const squares = exact_sum<A>(part, A{0}, true);
    for_each_sum_twin<T, A>(place,
                            [&](auto... twin) { CHECK(wf::sum(place, view, twin...) == sum); });
    for_each_twin<has_twins<T>>(place, [&](auto... twin) {
      CHECK(wf::transform_reduce(place, view, A{0}, wf::plus{}, wf::square{}, twin...) == squares);
    });
  };
  for_each_part(place, exact_values<T>(which.back() + 3, seed), which, {}, check_part);
}

template <class T, class Place>
void check_products(Place& place, unsigned seed, size_list which = sizes) {
  auto const check_part = [&](std::span<T const> part, auto view) {
    auto const expected = exact_product<accumulator_t<T>>(part);
    for_each_twin<has_twins<T>>(
        place, [&](auto... twin) { CHECK(wf::product(place, view, twin...) == expected); });
  };
  for_each_part(place, factors<T>(which.back() + 3, seed), which, {}, check_part);
}

/// The least and the greatest of the elements and the initial values.
template <class T, class A = accumulator_t<T>>
std::pair<A, A> extrema_of(std::span<T const> part, A least = wf::detail::highest<A>,
                           A greatest = wf::detail::lowest<A>) {
  for (T const x : part) {
    least = std::min(least, wide(x));
    greatest = std::max(greatest, wide(x));
  }
  return {least, greatest};
}

template <class T, class Place>
void check_extrema(Place& place, unsigned seed, size_list which = sizes) {
  auto const check_part = [&](std::span<T const> part, auto view) {
    auto const expected = extrema_of<T>(part);
    for_each_twin<has_twins<T>>(place, [&](auto... twin) {
      CHECK(wf::min(place, view, twin...) == expected.first);
      CHECK(wf::max(place, view, twin...) == expected.second);
    });
  };
  for_each_part(place, rough_values<T>(which.back() + 3, seed), which, {}, check_part);
}

template <class T, class A, class Place>
void check_wider(Place& place, unsigned seed, size_list which = sizes) {
  auto const values = small_values<T>(which.back() + 3, seed);
  auto const odd = factors<T, A>(values.size(), seed);
  memory_of<Place, T> there(place, values), there_odd(place, odd);
  for_each_view(which, {}, [&](std::size_t first, std::size_t size) {
    auto const part = std::span(values).subspan(first, size);
    A const sum = exact_sum<A>(part);
    A const squares = exact_sum<A>(part, A{1}, true);
    A const product = exact_product<A>(std::span(odd).subspan(first, size));
    auto const view = there.view(first, size);
    for_each_sum_twin<T, A>(place,
                            [&](auto... twin) { CHECK(wf::sum<A>(place, view, twin...) == sum); });
    CHECK(wf::transform_reduce(place, view, A{1}, wf::plus{}, wf::square{}) == squares);
    CHECK(wf::product<A>(place, there_odd.view(first, size)) == product);
  });
}

/// The initial value takes part once, with the operator, whether there are elements or not.
FAST_EVERY_PLACE_OF("initial values", T, WARPFOLD_TEST_ELEMENTS) {
  using A = accumulator_t<T>;
  auto const values = exact_values<T>(40'001, 4);
  auto const odd = factors<T>(40'001, 4);
  memory_of<Place, T> there(place, values), there_odd(place, odd);
  for (std::size_t const size : {0, 1, 100, 40'001}) {
    CAPTURE(size);
    auto const part = std::span(values).first(size);
    auto const view = there.view(0, size);
    auto const extrema = extrema_of<T>(part, A{1}, A{1});
    for_each_sum_twin<T, A>(place, [&](auto... twin) {
      CHECK(wf::reduce(place, view, A{5}, wf::plus{}, twin...) == exact_sum<A>(part, A{5}));
      CHECK(wf::transform_reduce(place, view, A{7}, wf::plus{}, wf::identity{}, twin...) ==
            exact_sum<A>(part, A{7}));
    });
    for_each_twin<has_twins<T>>(place, [&](auto... twin) {
      CHECK(wf::reduce(place, there_odd.view(0, size), A{3}, wf::multiplies{}, twin...) ==
            exact_product<A>(std::span(odd).first(size), A{3}));
      CHECK(wf::reduce(place, view, A{1}, wf::minimum<>{}, twin...) == extrema.first);
      CHECK(wf::reduce(place, view, A{1}, wf::maximum<>{}, twin...) == extrema.second);
    });
  }
}

/// The _async forms write what the blocking ones return, and one place after it nothing.
FAST_EVERY_PLACE_OF("async forms", T, WARPFOLD_TEST_ELEMENTS) {
  using A = accumulator_t<T>;
  auto const values = factors<T>(40'001, 5);
  memory_of<Place, T> there(place, values);
  for (std::size_t const size : {0, 1, 33, 40'001}) {
    CAPTURE(size);
    auto const view = there.view(0, size);
    for_each_async_twin<has_twins<T>>(place, [&](auto... twin) {
      memory_of<Place, A> results(place, std::vector<A>(8, A{42}));
      wf::sum_async(place, view, results.view(0, 1), twin...);
      wf::product_async(place, view, results.view(1, 1), twin...);
      wf::min_async(place, view, results.view(2, 1), twin...);
      wf::max_async(place, view, results.view(3, 1), twin...);
      wf::reduce_async(place, view, A{3}, wf::plus{}, results.view(4, 1), twin...);
      wf::transform_reduce_async(place, view, A{4}, wf::plus{}, wf::square{}, results.view(5, 2),
                                 twin...);
      CHECK(results.get(0) == wf::sum(place, view, twin...));
      CHECK(results.get(1) == wf::product(place, view, twin...));
      CHECK(results.get(2) == wf::min(place, view, twin...));
      CHECK(results.get(3) == wf::max(place, view, twin...));
      CHECK(results.get(4) == wf::reduce(place, view, A{3}, wf::plus{}, twin...));
      CHECK(results.get(5) ==
            wf::transform_reduce(place, view, A{4}, wf::plus{}, wf::square{}, twin...));
      CHECK(results.get(6) == A{42});
      CHECK(results.get(7) == A{42});
    });
  }
}

template <class Place>
void check_every_wider(Place& place, size_list which = sizes) {
  check_wider<std::int32_t, std::int64_t>(place, 21, which);
  check_wider<std::uint32_t, std::uint64_t>(place, 22, which);
  check_wider<std::int64_t, double>(place, 23, which);
  check_wider<std::uint64_t, double>(place, 24, which);
  check_wider<float, double>(place, 25, which);
  check_wider<__half, double>(place, 26, which);
  check_wider<__nv_bfloat16, double>(place, 27, which);
}

EVERY_PLACE_OF("sum and sum of squares", T, WARPFOLD_TEST_ELEMENTS) { check_sums<T>(place, 1); }
EVERY_PLACE_OF("product", T, WARPFOLD_TEST_ELEMENTS) { check_products<T>(place, 2); }
EVERY_PLACE_OF("min and max", T, WARPFOLD_TEST_ELEMENTS) { check_extrema<T>(place, 3); }
EVERY_PLACE("wider accumulators") { check_every_wider(place); }

TEST_CASE("any contiguous range of the host is input") {
  std::array<int, 3> const array{1, 2, 3};
  int const plain[] = {4, 5};
  CHECK(wf::sum(wf::host(), array) == 6);
  CHECK(wf::sum(wf::host(), plain) == 9);
  CHECK(wf::sum(wf::host(), std::span(array).last(2)) == 5);
  CHECK(wf::sum(wf::host(), wf::pinned_buffer<float>()) == 0);
}

TEST_SUITE("gpu") {
  TEST_CASE_TEMPLATE("fast: every twin and verb at few sizes", T, WARPFOLD_TEST_ELEMENTS) {
    wf::gpu place;
    check_sums<T>(place, 6, few_sizes);
    check_products<T>(place, 7, few_sizes);
    check_extrema<T>(place, 8, few_sizes);
  }
  TEST_CASE("fast: wider accumulators at few sizes") {
    wf::gpu place;
    check_every_wider(place, few_sizes);
  }

  TEST_CASE("pinned host memory is input of the host") {
    wf::pinned_buffer<double> values(1000);
    std::ranges::fill(values, 0.5);
    CHECK(wf::sum(wf::host(), values) == 500);
  }
}

// Needs 60 GiB of free GPU memory, 24 of them for the partials of twins::halving.
TEST_SUITE("large") {
  TEST_CASE("more than 2^33 elements") {
    std::size_t const size = (std::size_t{1} << 33) + 12'345;
    wf::gpu place;
    wf::device_buffer<std::int32_t> values(place, size);
    wf::check(cudaMemsetAsync(values.data(), 1, size * sizeof(std::int32_t), place.stream()));
    // The greatest and the smallest lie beyond what 32 bits can count.
    std::int32_t const common = 0x01010101, great = 0x7fffffff, small = -5;
    std::vector<std::int32_t> const odd{great, small};
    wf::copy(place, std::span(odd), values.span().subspan(size - 5'001, 2));

    std::int64_t const sum = static_cast<std::int64_t>(size - 2) * common + great + small;
    for_each_sum_twin<std::int32_t, std::int64_t>(
        place, [&](auto... twin) { CHECK(wf::sum<std::int64_t>(place, values, twin...) == sum); });
    for_each_twin<true>(place, [&](auto... twin) {
      CHECK(wf::min(place, values, twin...) == small);
      CHECK(wf::max(place, values, twin...) == great);
    });
    auto const wrapped = static_cast<std::int32_t>(static_cast<std::uint32_t>(sum));
    for_each_twin<true>(place,
                        [&](auto... twin) { CHECK(wf::sum(place, values, twin...) == wrapped); });
    for (twins::classic const rung : ladder) {
      CAPTURE(to_string(rung));
      CHECK(wf::sum(place, values, rung) == wrapped);
    }
    // A start that 16-byte reads cannot use.
    CHECK(wf::sum<std::int64_t>(place, values.span().subspan(1)) == sum - common);
  }
}

} // namespace reduction_test
