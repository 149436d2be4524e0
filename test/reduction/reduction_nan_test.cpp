// NaN and infinity in min and max: the policy decides, whatever the twin and the position.

#include "parts.hpp"
#include "twins.hpp"

#include <warpfold/detail/reduction/extremum_tally.hpp>

namespace reduction_nan_test {

using namespace test;
namespace wf = warpfold;
using wf::nan_policy;

constexpr float infinity = std::numeric_limits<float>::infinity();
constexpr float nan = std::numeric_limits<float>::quiet_NaN();
constexpr wf::extremum_options propagate{}, ignore{.nan = nan_policy::ignore};

/// Every position of a short input; of a long one those at the edges of lanes, warps, rows, blocks
/// and the tail.
std::vector<std::size_t> positions_in(std::size_t size) {
  std::vector<std::size_t> positions;
  if (size <= 33)
    for (std::size_t i = 0; i < size; ++i) positions.push_back(i);
  else
    for (std::size_t const i :
         {std::size_t{0}, std::size_t{1}, std::size_t{3}, std::size_t{31}, std::size_t{32},
          size / 3, size / 2, size - size % 32 - 1, size - 3, size - 2, size - 1})
      positions.push_back(i);
  return positions;
}

template <class T, class Place>
void check_nan_positions(Place& place, std::initializer_list<std::size_t> nan_sizes) {
  for (std::size_t const size : nan_sizes) {
    std::vector<T> values(size);
    for (std::size_t i = 0; i < size; ++i)
      values[i] = static_cast<T>(static_cast<float>(i % 7) - 3);
    memory_of<Place, T> there(place, values);
    for (std::size_t const at : positions_in(size)) {
      there.set(at, static_cast<T>(nan));
      // One element of seven kinds is gone, so short inputs need a look at the rest.
      float smallest = infinity, greatest = -infinity;
      for (std::size_t i = 0; i < std::min<std::size_t>(size, 40); ++i) {
        if (i == at) continue;
        smallest = std::min(smallest, static_cast<float>(i % 7) - 3);
        greatest = std::max(greatest, static_cast<float>(i % 7) - 3);
      }
      CAPTURE(size);
      CAPTURE(at);
      for_each_twin<has_twins<T>>(place, [&](auto... twin) {
        CHECK(std::isnan(wf::min(place, there.all(), twin...)));
        CHECK(std::isnan(wf::max(place, there.all(), twin...)));
        CHECK(wf::min(place, there.all(), twin..., ignore) == smallest);
        CHECK(wf::max(place, there.all(), twin..., ignore) == greatest);
      });
      there.set(at, values[at]);
    }
  }
}

FAST_EVERY_PLACE_OF("only NaN, only infinities", T, WARPFOLD_TEST_FLOATS) {
  using A = accumulator_t<T>;
  for (std::size_t const size : {1, 2, 33, 1025, 40'001}) {
    CAPTURE(size);
    auto const all = [&](float x) {
      return memory_of<Place, T>(place, std::vector<T>(size, static_cast<T>(x)));
    };

    // Nothing counts, so the result is that of an empty input.
    auto nans = all(nan);
    for_each_twin<has_twins<T>>(place, [&](auto... twin) {
      CHECK(std::isnan(wf::min(place, nans.all(), twin...)));
      CHECK(std::isnan(wf::max(place, nans.all(), twin...)));
      CHECK(wf::min(place, nans.all(), twin..., ignore) == infinity);
      CHECK(wf::max(place, nans.all(), twin..., ignore) == -infinity);
    });
    for_each_sum_twin<T, A>(
        place, [&](auto... twin) { CHECK(std::isnan(wf::sum(place, nans.all(), twin...))); });

    for (float const x : {infinity, -infinity}) {
      auto infinities = all(x);
      for_each_twin<has_twins<T>>(place, [&](auto... twin) {
        for (auto const& options : {propagate, ignore}) {
          CHECK(wf::min(place, infinities.all(), twin..., options) == x);
          CHECK(wf::max(place, infinities.all(), twin..., options) == x);
        }
        CHECK(wf::transform_reduce(place, infinities.all(), A{0}, wf::plus{}, wf::square{},
                                   twin...) == infinity);
      });
      for_each_sum_twin<T, A>(
          place, [&](auto... twin) { CHECK(wf::sum(place, infinities.all(), twin...) == x); });
    }
  }
}

/// -0 is less than +0 for IEEE 754-2019: one of them among many of the other, at every position.
EVERY_PLACE_OF("zeros of both signs", T, WARPFOLD_TEST_FLOATS) {
  for (std::size_t const size : {2, 33, 1025, 40'001, 1'100'003})
    for (float const common : {0.0F, -0.0F}) {
      if (size > 1'000'000 && !is_gpu<Place>) break;
      memory_of<Place, T> there(place, std::vector<T>(size, static_cast<T>(common)));
      for (std::size_t const at : positions_in(size)) {
        there.set(at, static_cast<T>(-common));
        CAPTURE(size);
        CAPTURE(common);
        CAPTURE(at);
        for_each_twin<has_twins<T>>(place, [&](auto... twin) {
          for (auto const& options : {propagate, ignore}) {
            accumulator_t<T> const least{-0.0F}, greatest{0.0F};
            CHECK(same_bits(wf::min(place, there.all(), twin..., options), least));
            CHECK(same_bits(wf::max(place, there.all(), twin..., options), greatest));
          }
        });
        there.set(at, static_cast<T>(common));
      }
      if (!std::signbit(common)) continue;
      accumulator_t<T> const none{-0.0F};
      for_each_twin<has_twins<T>>(place, [&](auto... twin) {
        CHECK(same_bits(wf::reduce(place, there.all(), none, wf::plus{}, twin...), none));
      });
    }
}

FAST_EVERY_PLACE_OF("no elements", T, WARPFOLD_TEST_ELEMENTS) {
  using A = accumulator_t<T>;
  memory_of<Place, T> nothing(place, {});
  for_each_twin<has_twins<T>>(place, [&](auto... twin) {
    for (auto const& options : {propagate, ignore}) {
      CHECK(wf::min(place, nothing.all(), twin..., options) == wf::detail::highest<A>);
      CHECK(wf::max(place, nothing.all(), twin..., options) == wf::detail::lowest<A>);
    }
    CHECK(wf::product(place, nothing.all(), twin...) == 1);
  });
  for_each_sum_twin<T, A>(
      place, [&](auto... twin) { CHECK(wf::sum(place, nothing.all(), twin...) == 0); });
}

/// The operators as values, with an initial value that takes part like an element.
FAST_EVERY_PLACE_OF("initial values of NaN", T, WARPFOLD_TEST_FLOATS) {
  using A = accumulator_t<T>;
  memory_of<Place, T> there(place, std::vector<T>(1025, static_cast<T>(2)));
  for_each_twin<has_twins<T>>(place, [&](auto... twin) {
    auto const all = there.all();
    CHECK(std::isnan(wf::reduce(place, all, A(nan), wf::minimum<>{}, twin...)));
    CHECK(std::isnan(wf::reduce(place, all, A(nan), wf::maximum<>{}, twin...)));
    CHECK(wf::reduce(place, all, A(nan), wf::minimum<nan_policy::ignore>{}, twin...) == 2);
    CHECK(wf::reduce(place, all, A(nan), wf::maximum<nan_policy::ignore>{}, twin...) == 2);
    CHECK(wf::reduce(place, all, A(1), wf::minimum<nan_policy::ignore>{}, twin...) == 1);
  });
}

static_assert(wf::minimum<>{}(1.0, 2.0) == 1.0 && wf::maximum<>{}(1.0, 2.0) == 2.0);
static_assert(wf::minimum<nan_policy::ignore>{}(double{nan}, 2.0) == 2.0);
static_assert(wf::minimum<nan_policy::ignore>{}(2.0, double{nan}) == 2.0);
static_assert(wf::minimum<>{}(2.0, double{nan}) != wf::minimum<>{}(2.0, double{nan}));
static_assert(wf::minimum<>{}(double{nan}, 2.0) != wf::minimum<>{}(double{nan}, 2.0));

/// Both extrema of doubles as a GPU's threads keep them, against those of min_max_op.
template <nan_policy Nan>
void check_keys() {
  double const least = std::numeric_limits<double>::denorm_min();
  std::vector<double> const values{0.,    -0.,    1.,       -1.,       least, -least,
                                   1e308, -1e308, infinity, -infinity, nan,   -double{nan}};
  wf::detail::min_max_op<Nan> const plain;
  wf::detail::keyed_min_max_op<Nan> const keyed;
  auto const nothing = wf::detail::min_max_of_nothing<double>;
  for (double const a : values)
    for (double const b : values) {
      CAPTURE(a);
      CAPTURE(b);
      wf::min_max<double> const expected = plain(nothing, plain(wf::min_max<double>{a, a}, {b, b}));
      wf::detail::keys_of_both<Nan> const keys;
      wf::min_max<double> const both = keyed(keys(a), keys(b));
      wf::min_max<double> const found = plain(nothing, both);
      if (expected.min != expected.min) {
        CHECK(found.min != found.min);
        CHECK(found.max != found.max);
      } else {
        CHECK(same_bits(found, expected));
      }
    }
}

TEST_CASE("both extrema of doubles as integers of the same order") {
  check_keys<nan_policy::propagate>();
  check_keys<nan_policy::ignore>();
}

EVERY_PLACE_OF("NaN at every position", T, WARPFOLD_TEST_FLOATS) {
  check_nan_positions<T>(place, {1, 2, 31, 32, 33, 129, 1025, 4097, 16'385, 40'001, 300'003});
}
TEST_CASE_TEMPLATE("minima and maxima of half types themselves", T, __half, __nv_bfloat16) {
  T const no_number(nan), one(1.0F), two(2.0F);
  for (auto const& [a, b] : {std::pair{no_number, one}, std::pair{one, no_number}}) {
    CHECK(std::isnan(static_cast<float>(wf::minimum{}(a, b))));
    CHECK(std::isnan(static_cast<float>(wf::maximum{}(a, b))));
    CHECK(static_cast<float>(wf::minimum<nan_policy::ignore>{}(a, b)) == 1);
    CHECK(static_cast<float>(wf::maximum<nan_policy::ignore>{}(a, b)) == 1);
  }
  CHECK(static_cast<float>(wf::minimum{}(two, one)) == 1);
  CHECK(static_cast<float>(wf::maximum{}(two, one)) == 2);
}

TEST_SUITE("gpu") {
  TEST_CASE_TEMPLATE("fast: NaN in a short input on a gpu", T, WARPFOLD_TEST_FLOATS) {
    wf::gpu place;
    check_nan_positions<T>(place, {2, 129});
  }
}

} // namespace reduction_nan_test
