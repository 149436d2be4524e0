// The fold's body in the emulator with what the norms, counts and compensated sums give it: two
// arrays, operators that take an element as it is, lanes narrower than the accumulator, and a last
// step of its own.

#include "simt/reduction/folds.hpp"

#include <warpfold/detail/norms/measure.hpp>
#include <warpfold/detail/reduction/pair_reader.hpp>

namespace {

namespace detail = warpfold::detail;
using warpfold::identity, warpfold::plus;

constexpr std::size_t sizes[] = {0,   1,     2,     31,    33,     127,   128,
                                 129, 1'000, 4'095, 4'097, 20'011, 41'000};

template <class T, class Measure>
void check_measure() {
  using A = typename Measure::accumulator;
  typename Measure::op const op{};
  typename Measure::transform const transform{};
  for (std::size_t const size : sizes) {
    auto const values = test::rough_values<T>(size, simt::seed());
    auto const shape = detail::fold_shape_of<T>(size, sizeof(A));
    auto const finish = Measure::finish(shape);
    simt::check_fold<detail::wide_tuning>(
        values, shape, A{}, op, transform,
        finish(detail::fold_host(1, values.data(), size, A{}, op, transform)), finish);
  }
}

template <class T, class A>
void check_dot() {
  using tuning = detail::pair_tuning<sizeof(T) == 4 ? 4 : 2>;
  using product = detail::widened_product<A>;
  for (std::size_t const size : sizes) {
    CAPTURE(size);
    simt::at_both<T> const x(test::rough_values<T>(size, simt::seed())),
        y(test::rough_values<T>(size, simt::seed() + 1));
    auto const shape = detail::fold_shape_of<T>(size, sizeof(A));
    detail::pair_iterator<T, product> const products{x.values.data(), y.values.data(), {}};
    A const expected = detail::fold_host(1, products, size, A{}, plus{}, identity{});
    simt::in_every_order([&](simt::options const& how) {
      auto const check = [&](auto of_x, auto of_y) {
        detail::pair_reader<decltype(of_x), product> const pairs{of_x, of_y, {}};
        CHECK(simt::same(simt::fold<tuning>(how, pairs, shape, A{}, plus{}), expected));
      };
      using packed = detail::packed_reader<T, identity>;
      using single = detail::element_reader<T const*, identity>;
      check(packed{x.values.data(), {}}, packed{y.values.data(), {}});
      check(single{x.beside.data() + 1, {}}, single{y.beside.data() + 1, {}});
    });
  }
}

template <class T>
void check_count() {
  using transform = detail::one_if<warpfold::less_than<T>>;
  transform const below{{static_cast<T>(0)}};
  for (std::size_t const size : sizes) {
    auto const values = test::rough_values<T>(size, simt::seed());
    std::uint64_t expected = 0;
    for (T const x : values) expected += test::wide(x) < 0;
    simt::check_fold<detail::fold_tuning>(values,
                                          detail::fold_shape_of<T>(size, sizeof(std::uint64_t)),
                                          std::uint64_t{0}, detail::add_counts{}, below, expected);
  }
}

} // namespace

TEST_CASE("simt norms: dot products have the bits of the host's") {
  SUBCASE("float") { check_dot<float, float>(); }
  SUBCASE("half in double") { check_dot<__half, double>(); }
  SUBCASE("int64") { check_dot<std::int64_t, std::int64_t>(); }
}

TEST_CASE("simt norms: measures have the bits of the host's") {
  SUBCASE("norm2 of doubles") { check_measure<double, detail::root_of_squares<double>>(); }
  SUBCASE("norm2 of floats") { check_measure<float, detail::root_of_squares<float>>(); }
  SUBCASE("norm_inf") { check_measure<__half, detail::largest_magnitude<__half>>(); }
  SUBCASE("sum and bound of floats") { check_measure<float, detail::sum_and_bound<float>>(); }
  SUBCASE("sum and bound of doubles") { check_measure<double, detail::sum_and_bound<double>>(); }
}

TEST_CASE("simt norms: counts") {
  SUBCASE("float") { check_count<float>(); }
  SUBCASE("half") { check_count<__half>(); }
  SUBCASE("int64") { check_count<std::int64_t>(); }
}
