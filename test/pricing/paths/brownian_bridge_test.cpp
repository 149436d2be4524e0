// The bridge is linear in its normals: so the covariance of a path is known without any sampling.

#include "support.hpp"

#include <warpfold/detail/pricing/brownian_bridge.hpp>

#include <limits>

namespace brownian_bridge_test {

using namespace test;
using warpfold::detail::bridge_step;
using warpfold::detail::brownian_bridge;
using warpfold::detail::build_path;

/// The path that the k-th normal alone makes.
template <class T>
std::vector<T> response(std::vector<bridge_step<T>> const& steps, int normal) {
  auto const size = static_cast<int>(steps.size());
  std::vector<T> path(steps.size(), std::numeric_limits<T>::quiet_NaN());
  build_path(
      steps.data(), size, [&](int k) { return T(k == normal ? 1 : 0); }, path.data());
  return path;
}

std::vector<double> random_times(int size, std::mt19937_64& random) {
  std::vector<double> times;
  double now = 0;
  for (int i = 0; i < size; ++i)
    times.push_back(now += std::ldexp(1 + static_cast<double>(random() >> 11) * 0x1p-53,
                                      static_cast<int>(random() % 10) - 5));
  return times;
}

TEST_CASE_TEMPLATE("a bridge's path has the covariance of a Brownian motion", T, float, double) {
  unsigned const seed = 1;
  CAPTURE(seed);
  std::mt19937_64 random{seed};
  for (int const size : {1, 2, 3, 4, 5, 7, 8, 31, 32, 33, 252}) {
    CAPTURE(size);
    auto const times = random_times(size, random);
    auto const steps = brownian_bridge<T>(times);
    REQUIRE(steps.size() == times.size());
    std::vector<std::vector<T>> responses;
    for (int k = 0; k < size; ++k) responses.push_back(response(steps, k));
    double const bound = sizeof(T) == 4 ? 4e-6 : 1e-14;
    for (std::size_t i = 0; i < times.size(); ++i)
      for (std::size_t j = 0; j <= i; ++j) {
        double covariance = 0;
        for (auto const& one : responses)
          covariance += static_cast<double>(one[i]) * static_cast<double>(one[j]);
        REQUIRE(std::abs(covariance - times[j]) <= bound * std::sqrt(times[i] * times[j]));
      }
  }
}

TEST_CASE("a bridge begins with the end and halves what is left") {
  std::vector<double> const times = {0.25, 0.5, 0.75, 1};
  auto const steps = brownian_bridge<double>(times);
  CHECK(steps[0].index == 3);
  CHECK(steps[0].deviation == 1);
  CHECK(steps[1].index == 1);
  CHECK(steps[1].left_weight == 0.5);
  CHECK(steps[1].right_weight == 0.5);
  CHECK(steps[1].deviation == 0.5);
  CHECK(steps[2].deviation == std::sqrt(0.125));
  CHECK(steps[3].deviation == std::sqrt(0.125));
  CHECK(brownian_bridge<double>({}).empty());
}

TEST_CASE("times that are none are refused") {
  double const inf = std::numeric_limits<double>::infinity();
  for (auto const& times : std::vector<std::vector<double>>{
           {0}, {-1}, {1, 1}, {2, 1}, {1, std::nan("")}, {std::nan("")}, {1, inf}}) {
    CHECK(refused_by([&] { brownian_bridge<float>(times); }) == "times");
  }
}

} // namespace brownian_bridge_test
