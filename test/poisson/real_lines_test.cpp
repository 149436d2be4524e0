// Real transforms of lines through complex ones: against FFTW's, which also does the complex one.

#include "poisson/real_lines.hpp"

#include <doctest/doctest.h>
#include <fftw3.h>

#include <cmath>
#include <cstdint>
#include <limits>
#include <memory>
#include <random>
#include <vector>

namespace real_lines_test {

using namespace warpfold::poisson;

struct named {
  transform kind;
  fftw_r2r_kind theirs;
};
constexpr named kinds[] = {{transform::fourier, FFTW_DHT},      {transform::cosine_1, FFTW_REDFT00},
                           {transform::cosine_2, FFTW_REDFT10}, {transform::cosine_3, FFTW_REDFT01},
                           {transform::cosine_4, FFTW_REDFT11}, {transform::sine_1, FFTW_RODFT00},
                           {transform::sine_2, FFTW_RODFT10},   {transform::sine_3, FFTW_RODFT01},
                           {transform::sine_4, FFTW_RODFT11}};

struct destroy {
  void operator()(fftw_plan_s* plan) const { fftw_destroy_plan(plan); }
};
using fftw = std::unique_ptr<fftw_plan_s, destroy>;

std::vector<double> reference(named const& one, std::vector<double> x) {
  std::vector<double> y(x.size());
  fftw const plan(
      fftw_plan_r2r_1d(static_cast<int>(x.size()), x.data(), y.data(), one.theirs, FFTW_ESTIMATE));
  fftw_execute(plan.get());
  return y;
}

/// The line's transform, and that of another one that may go with it.
template <class T>
std::vector<std::vector<double>> through_complex(real_line line, std::vector<double> const& first,
                                                 std::vector<double> const& second) {
  auto const factor = [](std::vector<complex<T>> const& of, std::int64_t i) {
    return of.empty() ? complex<T>{1, 0} : of[static_cast<std::size_t>(i)];
  };
  bool const both = line.together() == 2;
  auto const x = [&](std::int64_t i) {
    auto const at = static_cast<std::size_t>(i);
    REQUIRE(at < first.size());
    return complex<T>{static_cast<T>(first[at]), both ? static_cast<T>(second[at]) : 0};
  };
  auto const before = line.factors_before<T>(), after = line.factors_after<T>();
  auto const length = static_cast<std::size_t>(line.length());
  std::vector<fftw_complex> z(length);
  for (std::int64_t j = 0; j < line.length(); ++j) {
    auto const entry = line.before(j, factor(before, j), x);
    z[static_cast<std::size_t>(j)][0] = static_cast<double>(entry.re);
    z[static_cast<std::size_t>(j)][1] = static_cast<double>(entry.im);
  }
  fftw const plan(
      fftw_plan_dft_1d(static_cast<int>(length), z.data(), z.data(), FFTW_FORWARD, FFTW_ESTIMATE));
  fftw_execute(plan.get());
  std::vector<std::vector<double>> result(both ? 2 : 1, std::vector<double>(first.size()));
  for (std::int64_t k = 0; k < line.size; ++k) {
    auto const number = line.after(k, factor(after, k), [&](std::int64_t i) {
      auto const at = static_cast<std::size_t>(i);
      REQUIRE(at < length);
      return complex<T>{static_cast<T>(z[at][0]), static_cast<T>(z[at][1])};
    });
    result[0][static_cast<std::size_t>(k)] = static_cast<double>(number.re);
    if (both) result[1][static_cast<std::size_t>(k)] = static_cast<double>(number.im);
  }
  return result;
}

/// The norm of a - b over that of b.
double relative_error(std::vector<double> const& a, std::vector<double> const& b) {
  double error = 0, norm = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    error += (a[i] - b[i]) * (a[i] - b[i]);
    norm += b[i] * b[i];
  }
  return std::sqrt(error / norm);
}

TEST_CASE_TEMPLATE("real transforms are FFTW's", T, float, double) {
  unsigned const seed = std::random_device{}();
  CAPTURE(seed);
  std::mt19937 random{seed};
  std::uniform_real_distribution<float> uniform{-1, 1};
  double worst = 0;
  for (named const& one : kinds) {
    for (int size = 1; size <= 1000; size = size == 64 ? 131 : size == 131 ? 1000 : size + 1) {
      if (one.kind == transform::cosine_1 && size == 1) continue;
      CAPTURE(static_cast<int>(one.kind));
      CAPTURE(size);
      std::vector<double> lines[2];
      for (auto& line : lines)
        for (int i = 0; i < size; ++i) line.push_back(static_cast<double>(uniform(random)));
      auto const ours = through_complex<T>({one.kind, size}, lines[0], lines[1]);
      // Lines that go together share complex numbers: one's rounding may be of the other's size.
      std::vector<double> all, expected;
      for (std::size_t i = 0; i < ours.size(); ++i) {
        auto const theirs = reference(one, lines[i]);
        all.insert(all.end(), ours[i].begin(), ours[i].end());
        expected.insert(expected.end(), theirs.begin(), theirs.end());
      }
      double const error = relative_error(all, expected);
      worst = std::max(worst, error);
      CHECK(error < 8 * static_cast<double>(std::numeric_limits<T>::epsilon()));
    }
  }
  MESSAGE("largest error " << worst);
}

} // namespace real_lines_test
