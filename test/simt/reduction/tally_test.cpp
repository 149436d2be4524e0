// The body of the tallies' kernels in the emulator, against the tally on the host.

#include "reduction/description.hpp"
#include "simt/reduction/folds.hpp"

#include <warpfold/detail/reduction/description_tally.hpp>
#include <warpfold/detail/reduction/tally_body.hpp>
#include <warpfold/detail/reduction/tally_host.hpp>

#include <algorithm>
#include <limits>

namespace {

namespace detail = warpfold::detail;
namespace wf = warpfold;
using simt::in_flight, simt::many_blocks;
using wf::nan_policy, wf::statistic;

template <class Tuning, class Reader, class Tally>
typename Tally::result tally_simt(simt::options const& how, Reader reader, detail::fold_shape shape,
                                  Tally tally) {
  using partial = typename Tally::partial;
  return simt::with_scratch<partial, typename Tally::result>(
      shape, [&](auto scratch, auto* result) {
        simt::launch<detail::tally_shared<partial, detail::max_fold_threads>>(
            shape.blocks, shape.threads, how, [&](simt::block const& block, auto& shared) {
              detail::tally_striped<Tuning>(block, reader, shape, tally, scratch, result, shared);
            });
      });
}

template <class A>
bool same(wf::extremum<A> const& a, wf::extremum<A> const& b) {
  return a.index == b.index && simt::same(a.value, b.value);
}
template <class A>
bool same(wf::description<A> const& a, wf::description<A> const& b) {
  return test::same_description(a, b);
}

/// The body in every order, for elements at 16 bytes and past them, gives the host's bits.
template <class Tuning, class T, class Tally>
void check_tally(std::vector<T> const& values, Tally tally, detail::fold_tree const& tree) {
  detail::widened<typename Tally::element, wf::identity> const transform{};
  auto const shape = detail::fold_shape_of<T>(values.size(), sizeof(typename Tally::partial), tree);
  INFO(values.size(), " elements, ", shape.blocks, " blocks of ", shape.threads);
  auto const expected =
      detail::tally_host(1, values.data(), values.size(), tally, transform, shape);
  simt::at_both<T> const both(values);
  simt::in_every_order([&](simt::options const& how) {
    both.read_by(transform, [&](auto reader) {
      CHECK(same(tally_simt<Tuning>(how, reader, shape, tally), expected));
    });
  });
}

template <class T, class Op>
void check_extrema() {
  using A = test::accumulator_t<T>;
  for (std::size_t const size : {0, 1, 2, 31, 33, 129, 1000, 3001, 4096}) {
    auto values = test::values_with_nan<T>(size, simt::seed());
    // Equal ones too, so that the first is to be found.
    for (std::size_t i = 0; i + 5 < size; i += 3) values[i] = values[i / 4];
    detail::extremum_tally<A, Op> const tally{size};
    check_tally<detail::fold_tuning>(values, tally, {});
    check_tally<in_flight<3>>(values, tally, many_blocks);
  }
}

template <class T, statistic Wanted>
void check_descriptions() {
  using A = test::accumulator_t<T>;
  for (std::size_t const size : {0, 1, 2, 33, 129, 1000, 3001, 4096}) {
    auto values = test::values_with_nan<T>(size, simt::seed());
    detail::description_tally<A, Wanted> const tally{size};
    check_tally<detail::fold_tuning>(values, tally, {});
    check_tally<in_flight<3>>(values, tally, many_blocks);
    check_tally<in_flight<1>>(values, tally, many_blocks);
    // Every thread first sees a value that is no number to start from.
    if constexpr (!std::integral<T>) {
      for (std::size_t i = 0; i < std::min<std::size_t>(size, 700); ++i)
        values[i] = static_cast<T>(i % 90 == 89 ? std::numeric_limits<float>::infinity()
                                                : std::numeric_limits<float>::quiet_NaN());
      check_tally<in_flight<2>>(values, tally, many_blocks);
    }
  }
}

} // namespace

TEST_CASE("simt tally: positions of extrema are the host's") {
  SUBCASE("least int32") { check_extrema<std::int32_t, wf::minimum<>>(); }
  SUBCASE("greatest float, NaN first") { check_extrema<float, wf::maximum<>>(); }
  SUBCASE("least double, NaN ignored") { check_extrema<double, wf::minimum<nan_policy::ignore>>(); }
  SUBCASE("greatest half, NaN ignored") {
    check_extrema<__half, wf::maximum<nan_policy::ignore>>();
  }
}

TEST_CASE("simt tally: descriptions have the host's bits") {
  SUBCASE("all of float") { check_descriptions<float, statistic::all>(); }
  SUBCASE("all of int64") { check_descriptions<std::int64_t, statistic::all>(); }
  SUBCASE("variance of double") { check_descriptions<double, statistic::variance>(); }
  SUBCASE("number of half") { check_descriptions<__half, statistic::count>(); }
}

TEST_CASE("simt tally: a barrier left out is noticed") {
  auto const unneeded = [](int blocks) {
    std::size_t const size = static_cast<std::size_t>(blocks) * 2 * 64 * 4;
    auto const values = test::rough_values<float>(size, simt::seed());
    using transform = detail::widened<float, wf::identity>;
    detail::description_tally<float, statistic::all> const tally{size};
    auto tree = many_blocks;
    tree.partial_bytes = 64 * sizeof(tally.nothing());
    auto const shape = detail::fold_shape_of<float>(size, sizeof(tally.nothing()), tree);
    REQUIRE(shape.blocks == blocks);
    REQUIRE(shape.threads == 64);
    auto const expected = detail::tally_host(1, values.data(), size, tally, transform{}, shape);
    return simt::unneeded_barriers([&](simt::options const& how) {
      detail::packed_reader<float, transform> const reader{values.data(), {}};
      return same(expected, tally_simt<detail::fold_tuning>(how, reader, shape, tally));
    });
  };
  CHECK(unneeded(40) == "");
  // As in the fold: the warp's barrier after the broadcast orders memory.
  CHECK(unneeded(20) == "11 fold_grid, ");
}
