// The bodies of sums by index in the emulator, against integers of 128 bits.

#include "simt/scatter/scatter_simt.hpp"

#include <warpfold/detail/scatter/fixed_point_sums.hpp>

namespace {

using namespace scatter_simt;

TEST_CASE_TEMPLATE("sums by index are those of 128-bit integers", T, float, double) {
  for (std::size_t const size : {1, 3, 511, 512, 513, 5000})
    for (std::size_t const bins : {1, 7, 100, 700, 3001})
      for (bool const is_clustered : {false, true}) {
        CAPTURE(size);
        CAPTURE(bins);
        CAPTURE(is_clustered);
        check_input(random_input<T, std::uint32_t>(size, bins, is_clustered));
      }
  check_input(random_input<T, std::int32_t>(3000, 300, true), 1);
  check_input(random_input<T, std::int64_t>(3000, 300, false), 2);
  check_input(random_input<T, std::uint64_t>(3000, 2000, true), 2);
}
TEST_CASE("many scattered tiles, among them some that are not") {
  auto in = random_input<float, std::uint32_t>(60'000, 3000, false);
  for (std::size_t i = 20'000; i < 25'000; ++i) in.indices[i] = 2990;
  check_input(in, 2);
}
TEST_CASE("warps of scattered tiles that run ahead") {
  // Every fourth tile is scattered by the values of one warp of its two.
  for (std::size_t const warp : {0, 1}) {
    auto in = random_input<float, std::uint32_t>(20 * small_shape::tile, 3000, false);
    for (std::size_t i = 0; i < in.indices.size(); ++i)
      if (i / small_shape::tile % 4 != 0 || i / 128 % 2 != warp) in.indices[i] = 7;
    check_input(in, 1);
  }
}
TEST_CASE_TEMPLATE("a bound that is found", T, float, double) {
  for (std::size_t const size : {0, 1, 2, 3, 1000, 1024}) {
    auto in = random_input<T, std::uint32_t>(size, 30, false);
    in.is_found = true;
    check_input(in);
    for (T& x : in.values) x = T{0};
    check_input(in);
  }
}
TEST_CASE_TEMPLATE("what cannot be added is counted, and the first one named", T, float, double) {
  T const inf = std::numeric_limits<T>::infinity(), nan = std::numeric_limits<T>::quiet_NaN();
  auto in = random_input<T, std::int32_t>(3000, 200, true);
  in.bound.value = 0.75; // some are beyond it
  check_input(in);
  in.bound.value = 0.3; // a float of that is above
  in.values = std::vector<T>(3000, static_cast<T>(0.3));
  check_input(in);
  in.values = test::scatter_values<T>(generator(), 3000);
  in.bound.value = 1;
  in.values[2999] = nan;
  in.values[700] = inf;
  in.values[701] = -inf;
  check_input(in);
  in.indices[650] = -1;
  in.indices[651] = 200;
  in.indices[652] = std::numeric_limits<std::int32_t>::min();
  check_input(in);
  auto far = random_input<T, std::int64_t>(600, 50, false);
  far.indices[599] = std::int64_t{1} << 32; // 0 modulo 2^32
  far.indices[2] = -(std::int64_t{1} << 32) + 5;
  check_input(far);
  auto none = random_input<T, std::uint32_t>(600, 50, false);
  none.bins = 0;
  check_input(none);
  none.bins = 50;
  none.bound = {0, 0};
  check_input(none);
  for (T& x : none.values) x = -T{0};
  check_input(none);
}
TEST_CASE_TEMPLATE("sums beyond the bound", T, float, double) {
  input<T, std::uint32_t> in{{}, {}, {1.0, 8.0}, 9};
  for (std::uint32_t b = 0; b < 9; ++b)
    for (std::uint32_t i = 0; i < b * 4; ++i) {
      in.values.push_back(b % 2 ? T{-0.5} : T{0.5}); // sums 0, -2, 4, -6, 8, -10, 12, -14, 16
      in.indices.push_back(b);
    }
  check_input(in);
  auto const known = reference(in, false);
  CHECK(known.status == scatter_status{0, warpfold::no_position, 4, 5});
  CHECK(known.results[4] == 8);
}
TEST_CASE_TEMPLATE("what results hold is one value more", T, float, double) {
  auto in = random_input<T, std::uint32_t>(2000, 150, true);
  in.before = test::scatter_values<T>(generator(), 150);
  for (T& x : in.before) x *= 1900;
  check_input(in);
  in.before[3] = std::numeric_limits<T>::quiet_NaN();
  in.before[149] = T{2001};
  check_input(in);
}
TEST_CASE_TEMPLATE("units at the ends of the range", T, float, double) {
  auto const with_scale = [](int exponent) {
    auto in = random_input<T, std::uint32_t>(700, 40, false);
    for (T& x : in.values) x = std::ldexp(x, exponent);
    in.bound = {std::ldexp(1.0, exponent), std::ldexp(1.0, exponent + 9)};
    return in;
  };
  constexpr int most = std::numeric_limits<T>::max_exponent - 10;
  constexpr int least = std::numeric_limits<T>::min_exponent;
  for (int const exponent : {most, 60, 0, -60, least + 40, least + 10, least - 5}) {
    CAPTURE(exponent);
    auto const in = with_scale(exponent);
    check_input(in, 2);
  }
  // Values of 2^-149 and less than all units.
  input<T, std::uint32_t> tiny{
      {std::numeric_limits<T>::denorm_min(), -std::numeric_limits<T>::min()},
      {0, 0},
      {1e300, 1e308},
      1};
  check_words<1>(tiny, 1);
}
TEST_CASE("sums by index in blocks as large as those of GPUs") {
  using large = detail::scatter_shape<256, 4, 4096>;
  for (bool const is_clustered : {false, true}) {
    auto const in = random_input<float, std::uint32_t>(30'000, 9001, is_clustered);
    auto const narrow = reference(in, false), wide = reference(in, true);
    simt::in_every_order([&](simt::options const& how) {
      for (way const by : {way::windows, way::passes}) {
        auto const one = run_bodies<detail::fixed_terms<float, 1>, large>(how, by, 2, in);
        CHECK(test::same_numbers(one.results, narrow.results));
        auto const two = run_bodies<detail::fixed_terms<float, 2>, large>(how, by, 2, in);
        CHECK(test::same_numbers(two.results, wide.results));
      }
    });
  }
}
template <bool Wide, class T>
void check_own_kernel(input<T, std::uint32_t> const& in) {
  using sums_type = warpfold::fixed_point_sums<T, Wide, simt::block>;
  auto const known = reference(in, Wide);
  simt::in_every_order([&](simt::options const& how) {
    std::vector<std::uint64_t> words(in.bins * sums_type::words_of_bin);
    sums_type const sums({words.data(), words.size()}, in.bound);
    std::uint64_t refused = 0;
    simt::launch({2, 64, 1}, how, [&](simt::block const& b, void*) {
      for (auto i = static_cast<std::size_t>(b.block_rank() * 64 + b.thread_rank());
           i < in.values.size(); i += 128)
        if (!sums.add(in.indices[i], in.values[i], b)) ++refused;
    });
    CHECK(refused == known.status.refused);
    std::vector<T> results(in.bins);
    for (std::size_t b = 0; b < in.bins; ++b) results[b] = sums.sum(b);
    CHECK(test::same_numbers(results, known.results));
  });
}
TEST_CASE_TEMPLATE("kernels of one's own have the same sums", T, float, double) {
  auto in = random_input<T, std::uint32_t>(3000, 100, false);
  check_own_kernel<false>(in);
  check_own_kernel<true>(in);
  in.bound.value = 0.5;
  in.indices[77] = 100;
  check_own_kernel<false>(in);
  check_own_kernel<true>(in);
}
TEST_CASE("sums by index need every barrier") {
  auto const in = random_input<float, std::uint32_t>(4000, 90, true);
  auto const known = reference(in, false).results;
  for (way const by : {way::own, way::windows})
    CHECK(simt::unneeded_barriers([&](simt::options const& how) {
            return test::same_numbers(
                run_bodies<detail::fixed_terms<float, 1>, small_shape>(how, by, 2, in).results,
                known);
          }) == "");
}

} // namespace
