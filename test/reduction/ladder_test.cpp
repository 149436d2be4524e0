// The rungs of the ladder and the halving fold: exact sums at every block size, and on the GPU the
// host's bits.

#include "parts.hpp"
#include "twins.hpp"

namespace ladder_test {

using namespace test;
namespace wf = warpfold;

constexpr int block_sizes[] = {32, 64, 128, 256, 512, 1024};

/// Around one and two blocks of every size, more than one launch, and an incomplete last block.
constexpr std::size_t ladder_sizes[] = {0,    1,    2,    3,    31,   32,     33,     63,     64,
                                        65,   127,  128,  129,  255,  257,    1023,   1024,   1025,
                                        2047, 2048, 2049, 4095, 4097, 20'011, 65'537, 262'147};

/// check(twin) for every rung with every block size.
template <class Check>
void for_each_rung(Check check) {
  for (twins::classic const rung : ladder)
    for (int const threads : block_sizes) {
      CAPTURE(to_string(rung));
      CAPTURE(threads);
      check(twins::reducer{rung, threads});
    }
}

EVERY_PLACE_OF("the ladder is exact", T, WARPFOLD_TEST_ELEMENTS) {
  auto const check_part = [&](std::span<T const> part, auto view) {
    auto const expected = exact_sum<accumulator_t<T>>(part);
    for_each_rung([&](auto twin) { CHECK(wf::sum(place, view, twin) == expected); });
  };
  for_each_part(place, exact_values<T>(262'148, 51), ladder_sizes, {0, 1}, check_part);
}

FAST_EVERY_PLACE_OF("initial values of the ladder", T, WARPFOLD_TEST_ELEMENTS) {
  using A = accumulator_t<T>;
  memory_of<Place, T> there(place, std::vector<T>(1'000, static_cast<T>(1.0F)));
  memory_of<Place, A> result(place, {A{0}});
  for (twins::classic const rung : ladder)
    for (std::size_t const size : {0, 1, 1'000}) {
      CAPTURE(to_string(rung));
      CAPTURE(size);
      auto const view = there.view(0, size);
      A const expected = static_cast<A>(size + 5);
      CHECK(wf::reduce(place, view, A{5}, wf::plus{}, rung) == expected);
      wf::reduce_async(place, view, A{5}, wf::plus{}, result.all(), rung);
      CHECK(result.get(0) == expected);
    }
}

// Four threads and eight elements to do by hand are not to be had (blocks start at 32), but one
// large element shows in which order a rung adds: 2^24 + 1 is not a float, 2^24 + 2 is.
TEST_CASE("rungs add in the order they are said to") {
  float const big = 0x1p24F;
  std::vector<float> values(64, 0.0F);
  values[0] = big;
  values[1] = 1;
  values[2] = 1;
  auto const sum = [&](twins::classic rung) {
    return wf::sum(wf::host(), values, twins::reducer(rung, 64));
  };
  // Neighbours first: (2^24 + 1) + (1 + 0), both rounded away.
  CHECK(sum(twins::ladder_divergent) == big);
  CHECK(sum(twins::ladder_strided) == big);
  // Halves: at the last steps lane 0 gets lane 2, then lane 1.
  CHECK(sum(twins::ladder_sequential) == big);
  values[3] = 1;
  // Now lane 1 has 1 + 1 when it comes to lane 0, after lane 2's 1 was rounded away.
  CHECK(sum(twins::ladder_sequential) == big + 2);
  CHECK(sum(twins::ladder_first_add) == big + 2);
  CHECK(sum(twins::ladder_divergent) == big + 2);
}

TEST_CASE_TEMPLATE("bits of the ladder do not depend on the number of threads", T, float, double) {
  auto const values = rough_values<T>(65'537, 52);
  for (twins::classic const rung : ladder) {
    CAPTURE(to_string(rung));
    T const one = wf::sum(wf::host(1), values, rung);
    CHECK(same_bits(wf::sum(wf::host(3), values, rung), one));
  }
}

/// The host's bits.
template <class T>
void check_bits(size_list which, std::vector<std::size_t> const& starts, unsigned seed) {
  wf::gpu place;
  auto const check_part = [&](auto part, auto view) {
    for_each_rung([&](auto twin) {
      CHECK(same_bits(wf::sum(place, view, twin), wf::sum(wf::host(), part, twin)));
    });
  };
  for_each_part(place, rough_values<T>(which.back() + 1, seed), which, starts, check_part);
}

TEST_SUITE("gpu") {
  TEST_CASE_TEMPLATE("fast: every rung and block size", T, std::int32_t, float, double, __half) {
    constexpr std::size_t some[] = {5'000};
    check_bits<T>(some, {1}, 53);
  }
  TEST_CASE_TEMPLATE("the ladder has the host's bits", T, WARPFOLD_TEST_FLOATS) {
    constexpr std::size_t some[] = {1, 33, 1'025, 20'011, 262'147, 1'048'577};
    check_bits<T>(some, {0}, 54);
  }
}

} // namespace ladder_test
