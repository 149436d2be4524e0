// describe, mean and variance of elements whose statistics are known: published data, a
// distribution, a few elements, infinities, NaN.

#include "description.hpp"
#include "gpu.hpp"
#include "nist_strd.hpp"
#include "twins.hpp"

#include <warpfold/twins/statistics.hpp>

namespace statistics_known_test {

using namespace test;
namespace wf = warpfold;

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr double nan = std::numeric_limits<double>::quiet_NaN();

EVERY_PLACE("published data sets") {
  for (auto const& set : strd_sets())
    for (std::size_t const copies : {1, 997}) {
      CAPTURE(set.name);
      CAPTURE(copies);
      std::vector<double> values;
      for (std::size_t i = 0; i < copies; ++i)
        values.insert(values.end(), set.values.begin(), set.values.end());
      memory_of<Place, double> there(place, values);
      auto const n = static_cast<double>(values.size());
      auto const once = static_cast<double>(set.values.size());
      for_each_twin<true>(place, [&](auto... twin) {
        auto const all = wf::describe(place, there.all(), twin...);
        CHECK(within(all.mean, set.mean, std::abs(set.mean), 1e-14));
        // The variance of the set from that of its copies: their sum of squares is `copies` times
        // that of the set.
        double const deviation =
            std::sqrt(all.variance() * (n - 1) / static_cast<double>(copies) / (once - 1));
        CHECK(within(deviation, set.standard_deviation, set.standard_deviation,
                     set.truncation + 5e-15));
        check_close(all, described<double>(std::span<double const>(values)));
      });
    }
}

/// Zeros, and a one among every four: Bernoulli's distribution with p = 1/4, of which the skewness
/// is (1 - 2p) / sqrt(pq) and the excess kurtosis (1 - 6pq) / (pq).
EVERY_PLACE_OF("statistics of a distribution", T, WARPFOLD_TEST_ELEMENTS) {
  for (std::size_t const size : {4, 100, 40'000, 1'048'576}) {
    std::vector<T> values(size, static_cast<T>(0.0F));
    for (std::size_t i = 3; i < size; i += 4) values[i] = static_cast<T>(1.0F);
    memory_of<Place, T> there(place, values);
    CAPTURE(size);
    for_each_twin<has_twins<T>>(place, [&](auto... twin) {
      auto const all = wf::describe(place, there.all(), twin...);
      CHECK(all.mean == doctest::Approx(0.25).epsilon(1e-14));
      CHECK(all.population_variance() == doctest::Approx(0.1875).epsilon(1e-13));
      auto const n = static_cast<double>(size);
      CHECK(all.variance() == doctest::Approx(0.1875 * n / (n - 1)).epsilon(1e-13));
      CHECK(all.standard_deviation() == std::sqrt(all.variance()));
      CHECK(all.skewness() == doctest::Approx(0.5 / std::sqrt(0.1875)).epsilon(1e-12));
      CHECK(all.kurtosis() == doctest::Approx((1 - 6 * 0.1875) / 0.1875).epsilon(1e-12));
      CHECK(all.argmin == 0);
      CHECK(all.argmax == 3);
    });
  }
}

EVERY_PLACE_OF("known statistics", T, WARPFOLD_TEST_ELEMENTS) {
  using A = accumulator_t<T>;
  for_each_twin<has_twins<T>>(place, [&](auto... twin) {
    auto const of = [&](std::vector<T> const& values) {
      memory_of<Place, T> there(place, values);
      return wf::describe(place, there.all(), twin...);
    };
    auto const none = of({});
    CHECK(none.count == 0);
    CHECK(none.nan_count == 0);
    CHECK(none.min ==
          (std::integral<T> ? std::numeric_limits<A>::max() : static_cast<A>(infinity)));
    CHECK(none.argmin == 0);
    CHECK(none.argmax == 0);
    for (double const x : {none.mean, none.m2, none.m4, none.variance(), none.population_variance(),
                           none.skewness(), none.kurtosis()})
      CHECK(std::isnan(x));

    auto const one = of({static_cast<T>(7.0F)});
    CHECK(one.mean == 7);
    CHECK(one.m2 == 0);
    CHECK(std::isnan(one.variance()));
    CHECK(one.population_variance() == 0);
    CHECK(std::isnan(one.skewness()));

    auto const two = of({static_cast<T>(9.0F), static_cast<T>(5.0F)});
    CHECK(two.mean == 7);
    CHECK(two.variance() == 8);
    CHECK(two.population_variance() == 4);
    CHECK(two.skewness() == 0);
    CHECK(two.kurtosis() == -2);
    CHECK(two.argmin == 1);

    // Equal elements have no deviations, however many there are and whatever they are.
    std::vector<T> const equal(300'003, static_cast<T>(0.1F * (std::integral<T> ? 1000.0F : 1.0F)));
    auto const same = of(equal);
    CHECK(same.mean == static_cast<double>(wide(equal[0])));
    CHECK(same.m2 == 0);
    CHECK(same.m3 == 0);
    CHECK(same.m4 == 0);
  });
}

TEST_CASE("shapes of small deviations are right, or NaN") {
  std::vector<double> const values{1, 2, 3, 10};
  for (double const scale : {1.0, 1e-70, 1e-76, 1e-78, 1e-90, 1e-101, 1e-103, 1e-150, 1e-170}) {
    CAPTURE(scale);
    std::vector<double> scaled;
    for (double const x : values) scaled.push_back(x * scale);
    auto const all = wf::describe(wf::host(), scaled);
    if (scale > 1e-102) CHECK(all.skewness() == doctest::Approx(1.01823376490863).epsilon(1e-9));
    else CHECK(std::isnan(all.skewness()));
    if (scale > 1e-77) CHECK(all.kurtosis() == doctest::Approx(-0.7696).epsilon(1e-9));
    else CHECK(std::isnan(all.kurtosis()));
  }
}

/// With an infinity the mean is what IEEE arithmetic makes of the sum, and there is no variance.
EVERY_PLACE_OF("statistics of infinities and NaN", T, WARPFOLD_TEST_FLOATS) {
  struct row {
    std::vector<double> odd;
    double mean;
  };
  for (row const& one : {row{{infinity}, infinity}, row{{-infinity}, -infinity},
                         row{{infinity, infinity}, infinity}, row{{infinity, -infinity}, nan},
                         row{{nan, infinity}, infinity}, row{{nan, -infinity, infinity}, nan}})
    for (std::size_t const size : {3, 33, 1025, 40'001, 300'003})
      for (bool const last : {false, true}) {
        std::vector<T> values(size, static_cast<T>(1.0F));
        for (std::size_t i = 0; i < one.odd.size(); ++i)
          values[last ? size - 1 - i : i] = static_cast<T>(static_cast<float>(one.odd[i]));
        memory_of<Place, T> there(place, values);
        auto const nans = static_cast<std::uint64_t>(std::isnan(one.odd[0]) ? 1 : 0);
        CAPTURE(size);
        for_each_twin<has_twins<T>>(place, [&](auto... twin) {
          auto const all = wf::describe(place, there.all(), twin...);
          CHECK(all.nan_count == nans);
          CHECK(all.count == size - nans);
          CHECK(same_number(all.mean, one.mean));
          CHECK(std::isnan(all.m2));
          CHECK(std::isnan(all.variance()));
          CHECK(std::isnan(all.kurtosis()));
          CHECK(same_number(wf::mean(place, there.all(), twin...), one.mean));
          CHECK(std::isnan(wf::variance(place, there.all(), twin...)));
        });
      }
  for (std::size_t const size : {1, 33, 40'001}) {
    memory_of<Place, T> there(place, std::vector<T>(size, static_cast<T>(static_cast<float>(nan))));
    for_each_twin<has_twins<T>>(place, [&](auto... twin) {
      auto const all = wf::describe(place, there.all(), twin...);
      CHECK(all.count == 0);
      CHECK(all.nan_count == size);
      CHECK(all.min == infinity);
      CHECK(all.argmax == size);
      CHECK(std::isnan(all.mean));
      CHECK(std::isnan(all.m2));
    });
  }
}

EVERY_PLACE("the mean of numbers whose sum overflows") {
  memory_of<Place, double> there(place, std::vector<double>(40'001, 1.7e308));
  for_each_twin<true>(
      place, [&](auto... twin) { CHECK(wf::mean(place, there.all(), twin...) == 1.7e308); });
}

EVERY_PLACE("the mean of numbers whose differences overflow") {
  for (double const first : {1.7e308, -1.7e308}) {
    memory_of<Place, double> there(place, {first, -first});
    CHECK(wf::mean(place, there.all()) == std::copysign(infinity, -first));
    CHECK(wf::describe(place, there.all()).mean == std::copysign(infinity, -first));
    CHECK(std::isnan(wf::variance(place, there.all())));
  }
  // A thread's sum of differences overflows.
  std::vector<double> zero_first(100'000, 1e308);
  zero_first[0] = 0;
  memory_of<Place, double> there(place, zero_first);
  CHECK_FALSE(std::isfinite(wf::mean(place, there.all())));
}

} // namespace statistics_known_test
