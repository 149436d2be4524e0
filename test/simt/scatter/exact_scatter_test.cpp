// The bodies of exact sums by index in the emulator, against an exact accumulator for each bin.

#include "reduction/exact.hpp"
#include "simt/scatter/scatter_simt.hpp"

#include <warpfold/detail/counting/even_bins.hpp>

namespace {

using namespace scatter_simt;

template <class T, class Index>
void check_exact(input<T, Index> const& in, int grid = 3) {
  using terms = detail::digit_terms<T>;
  auto const known =
      test::scatter_exactly(in.values, in.indices, in.bins, in.before, in.components);
  auto untouched = in.before;
  untouched.resize(in.bins, in.before.empty() ? T{-7} : T{});
  simt::in_every_order([&](simt::options how) {
    for (way const by : {way::own, way::at_once}) {
      if (by == way::own && in.bins > 100) continue;
      CAPTURE(static_cast<int>(by));
      how.seed += 1;
      for (bool const guarded : {false, true}) {
        auto const found = run_bodies<terms, small_shape>(how, by, grid, in, guarded);
        bool const is_written = !guarded || known.status.is_complete();
        CHECK(test::same_numbers(found.results, is_written ? known.results : untouched));
        CHECK(found.status == known.status);
      }
    }
  });
}
template <class T, class Index>
input<T, Index> wild_input(std::size_t size, std::size_t bins, int below = 40) {
  auto in = random_input<T, Index>(size, bins, size % 2 == 0);
  in.values = test::wild_values<T>(size, generator(), below);
  return in;
}

TEST_CASE_TEMPLATE("exact sums by index of all exponents", T, float, double) {
  for (std::size_t const size : {0, 1, 3, 511, 512, 513, 3000})
    for (std::size_t const bins : {1, 7, 100, 701}) {
      CAPTURE(size);
      CAPTURE(bins);
      check_exact(wild_input<T, std::uint32_t>(size, bins));
    }
  check_exact(wild_input<T, std::int32_t>(2000, 9), 1);
  check_exact(wild_input<T, std::int64_t>(2000, 90, 0), 2); // sums beyond the type's range
  check_exact(wild_input<T, std::uint64_t>(2001, 300), 2);
}
TEST_CASE_TEMPLATE("exact sums by index that cancel, and of equal values", T, float, double) {
  for (std::size_t const bins : {1, 5}) {
    auto in = wild_input<T, std::uint32_t>(3000, bins, 0);
    for (std::size_t i = 0; i < 3000; i += 2) {
      in.values[i + 1] = -in.values[i];
      in.indices[i + 1] = in.indices[i];
    }
    check_exact(in);
    in.values[1234] = std::numeric_limits<T>::denorm_min();
    check_exact(in);
    for (T const x :
         {T{-1}, std::numeric_limits<T>::max(), -std::numeric_limits<T>::denorm_min(), -T{0}}) {
      std::ranges::fill(in.values, x);
      check_exact(in);
    }
  }
}
TEST_CASE_TEMPLATE("what cannot be added exactly", T, float, double) {
  T const inf = std::numeric_limits<T>::infinity(), nan = std::numeric_limits<T>::quiet_NaN();
  auto in = wild_input<T, std::int32_t>(1500, 60);
  in.values[1499] = nan;
  in.values[700] = inf;
  in.values[701] = -inf;
  check_exact(in);
  in.indices[650] = -1;
  in.indices[651] = 60;
  check_exact(in);
  auto none = wild_input<T, std::uint32_t>(600, 50);
  none.bins = 0;
  check_exact(none);
  auto added = wild_input<T, std::uint32_t>(900, 50);
  added.before = test::wild_values<T>(50, generator(), 40);
  check_exact(added);
  added.before[49] = nan;
  added.before[3] = -inf;
  check_exact(added);
}
TEST_CASE_TEMPLATE("exact sums of several values for an index", T, float, double) {
  for (int const components : {2, 3, 7}) {
    auto in = wild_input<T, std::uint32_t>(400, 12);
    in.values = test::wild_values<T>(400 * static_cast<std::size_t>(components), generator(), 40);
    in.components = components;
    in.bins *= static_cast<std::size_t>(components);
    check_exact(in);
  }
}
TEST_CASE_TEMPLATE("exact words of several ranks, added up and rounded once", T, float, double) {
  using terms = detail::digit_terms<T>;
  auto const in = wild_input<T, std::uint32_t>(2000, 33);
  auto const known = test::scatter_exactly(in.values, in.indices, in.bins);
  simt::in_every_order([&](simt::options const& how) {
    std::vector<std::uint64_t> words;
    for (std::size_t r = 0; r < 3; ++r) {
      auto part = in;
      for (std::size_t i = 0; i < in.values.size(); ++i)
        if (i % 3 != r) part.values[i] = 0;
      auto const own = run_bodies<terms, small_shape>(how, way::own, 2, part).sums;
      words.insert(words.end(), own.begin(), own.end());
    }
    std::vector<T> results(in.bins);
    scatter_status status{0, warpfold::no_position, 0, warpfold::no_position};
    detail::scatter_rounding<T> const job{{detail::fixed_point<T>(scatter_bound{}), nullptr, 0},
                                          words.data(),
                                          33,
                                          3,
                                          nullptr,
                                          results.data(),
                                          &status};
    simt::launch({2, 32, 1}, how, [&](simt::block const& b, void*) {
      detail::scatter_finish<terms>(b, job, detail::scatter_end::store);
    });
    CHECK(test::same_numbers(results, known.results));
    CHECK(status == known.status);
  });
}
TEST_CASE("exact sums by index need every barrier") {
  auto const in = wild_input<float, std::uint32_t>(2000, 20);
  auto const known = test::scatter_exactly(in.values, in.indices, in.bins).results;
  CHECK(simt::unneeded_barriers([&](simt::options const& how) {
          using terms = detail::digit_terms<float>;
          return test::same_numbers(run_bodies<terms, small_shape>(how, way::own, 2, in).results,
                                    known);
        }) == "");
}

} // namespace
