// The fold's body in the emulator with what the norms, counts and compensated sums give it: two
// arrays, operators that take an element as it is, lanes narrower than the accumulator, and a last
// step of its own.

#include "simt/reduction/folds.hpp"

#include <warpfold/detail/core/output.hpp>
#include <warpfold/detail/norms/measure.hpp>
#include <warpfold/detail/reduction/pair_reader.hpp>

namespace {

namespace detail = warpfold::detail;
using warpfold::identity, warpfold::plus;

template <class Tuning, class Result, class A, class Reader, class Op, class Finish>
Result fold_simt(simt::options const& how, Reader reader, detail::fold_shape shape, A init, Op op,
                 Finish finish) {
  return simt::with_scratch<A, Result>(shape, [&](auto scratch, Result* result) {
    detail::storing<detail::store_finished<Finish, Result>> const output{{finish, result}};
    simt::launch<detail::fold_shared<A>>(
        shape.blocks, shape.threads, how, [&](simt::block const& block, auto& shared) {
          detail::fold_striped<Tuning>(block, reader, shape, init, op, scratch, output, shared);
        });
  });
}

constexpr std::size_t sizes[] = {0,   1,     2,     31,    33,     127,   128,
                                 129, 1'000, 4'095, 4'097, 20'011, 41'000};

/// Packed, and element by element from past an aligned address.
template <class T, class Measure>
void check_measure() {
  using A = typename Measure::accumulator;
  using Result = typename Measure::result;
  using transform = typename Measure::transform;
  typename Measure::op const op{};
  for (std::size_t const size : sizes) {
    CAPTURE(size);
    simt::at_both<T> const both(test::rough_values<T>(size, simt::seed()));
    auto const shape = detail::fold_shape_of<T>(size, sizeof(A));
    auto const finish = Measure::finish(shape);
    Result const expected =
        finish(detail::fold_host(1, both.values.data(), size, A{}, op, transform{}));
    simt::in_every_order([&](simt::options const& how) {
      both.read_by(transform{}, [&](auto reader) {
        CHECK(simt::same(
            fold_simt<detail::wide_tuning, Result>(how, reader, shape, A{}, op, finish), expected));
      });
    });
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
        CHECK(
            simt::same(fold_simt<tuning, A>(how, pairs, shape, A{}, plus{}, identity{}), expected));
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
    CAPTURE(size);
    auto const values = test::rough_values<T>(size, simt::seed());
    std::uint64_t expected = 0;
    for (T const x : values) expected += test::wide(x) < 0;
    auto const shape = detail::fold_shape_of<T>(size, sizeof(std::uint64_t));
    simt::in_every_order([&](simt::options const& how) {
      CHECK(fold_simt<detail::fold_tuning, std::uint64_t>(
                how, detail::packed_reader<T, transform>{values.data(), below}, shape,
                std::uint64_t{0}, detail::add_counts{}, identity{}) == expected);
    });
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
