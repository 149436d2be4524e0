// A host's passes along lines, of every kind, against sums in long double.

#include "poisson/host/host_pass.hpp"
#include "support.hpp"
#include "transforms/definitions.hpp"

#include <cmath>
#include <limits>
#include <random>
#include <string>
#include <vector>

namespace host_transforms_test {

using namespace warpfold::poisson;
namespace rt = test::real_transforms;
using rt::matrices, rt::real;

constexpr transform kinds[] = {transform::fourier,  transform::cosine_1, transform::cosine_2,
                               transform::cosine_3, transform::cosine_4, transform::sine_1,
                               transform::sine_2,   transform::sine_3,   transform::sine_4};

/// An axis whose eigenvalues tell the modes' numbers.
axis_plan of_length(transform kind, std::size_t points) {
  axis_plan made{points, 1, kind, {}, {}, 1};
  for (std::size_t m = 0; m < points; ++m) made.eigenvalues.push_back(static_cast<double>(m));
  made.wavenumbers = made.eigenvalues;
  return made;
}
plan plan_of(transform kind, std::size_t points, std::size_t lines, bool is_strided) {
  axis_plan const along = of_length(kind, points), across = of_length(transform::fourier, lines);
  plan made{};
  made.axes = is_strided ? std::vector{along, across} : std::vector{across, along};
  return made;
}

/// The matrices of a transform; that of fourier for halfcomplex numbers.
matrices matrices_of(transform kind, std::size_t n) {
  return {kind == transform::fourier ? rt::kind::halfcomplex
                                     : static_cast<rt::kind>(static_cast<int>(kind) - 1),
          n};
}

/// Mode m as passes leave it: of fourier twice the sum, with sines that are not negative; of
/// sine_3 with alternating signs.
real sum_of(transform kind, matrices const& table, std::vector<real> const& x, std::size_t m) {
  real factor = 1, sum = 0;
  if (kind == transform::fourier) factor = 2 * m <= x.size() ? 2 : -2;
  if (kind == transform::sine_3 && m % 2 != 0) factor = -1;
  for (std::size_t j = 0; j < x.size(); ++j)
    sum += table.element(rt::direction::forward, rt::scaling::none, m, j) * x[j];
  return factor * sum;
}

template <class T>
struct passes {
  plan of;
  std::size_t along; ///< the axis
  host_axis<T> axis;
  std::vector<std::byte> room;

  passes(transform kind, std::size_t points, std::size_t lines, bool is_strided)
      : of{plan_of(kind, points, lines, is_strided)}, along{!is_strided}, axis{of, along} {}

  std::vector<T> run(line_role role, std::vector<T> const& in) {
    std::vector<T> out(in.size());
    host_pass<T> pass{};
    pass.axis = &axis;
    pass.shape = geometry_of(of, along);
    pass.role = role;
    pass.in = in.data();
    pass.out = out.data();
    struct alignas(64) sector {
      std::byte bytes[64];
    };
    std::vector<sector> memory(room_of(pass) / sizeof(sector) + 1);
    run_pairs(pass, 0, pass.shape.groups * pass.pairs(),
              reinterpret_cast<std::byte*>(memory.data()));
    return out;
  }
};

/// Relative root mean square errors of a transform forward, and of that and back.
struct errors {
  double forward, both;
};

template <class T>
errors errors_of(std::mt19937_64& random, transform kind, std::size_t n, std::size_t lines,
                 bool is_strided) {
  passes<T> of(kind, n, lines, is_strided);
  std::uniform_real_distribution<float> uniform{-1, 1};
  std::vector<T> values(n * lines);
  for (T& x : values) x = static_cast<T>(uniform(random));
  auto const modes = of.run(line_role::forward, values), back = of.run(line_role::backward, modes);
  matrices const table = matrices_of(kind, n);
  auto const at = [&](std::size_t line, std::size_t i) {
    return is_strided ? i * lines + line : line * n + i;
  };
  real error = 0, norm = 0;
  // For long lines a part of the modes.
  std::size_t const every = std::max<std::size_t>(1, n / 96);
  std::vector<real> x(n);
  for (std::size_t line = 0; line < lines; ++line) {
    for (std::size_t j = 0; j < n; ++j) x[j] = static_cast<real>(values[at(line, j)]);
    for (std::size_t i = random() % every; i < n; i += every) {
      auto const mode = static_cast<std::size_t>(of.axis.maps().eigenvalues[i]);
      real const expected = sum_of(kind, table, x, mode);
      real const off = static_cast<real>(modes[at(line, i)]) - expected;
      error += off * off;
      norm += expected * expected;
    }
  }
  errors made{static_cast<double>(std::sqrt(error / norm)), 0};
  error = norm = 0;
  real const period = (kind == transform::fourier ? 2 : 1) * table.period();
  for (std::size_t i = 0; i < values.size(); ++i) {
    real const off = static_cast<real>(back[i]) / period - static_cast<real>(values[i]);
    error += off * off;
    norm += static_cast<real>(values[i]) * static_cast<real>(values[i]);
  }
  made.both = static_cast<double>(std::sqrt(error / norm));
  return made;
}

TEST_CASE_TEMPLATE("a host's transforms are sums, for any length", T, float, double) {
  unsigned const seed = std::random_device{}();
  CAPTURE(seed);
  std::mt19937_64 random{seed};
  std::vector<std::size_t> lengths;
  for (std::size_t n = 1; n <= 68; ++n) lengths.push_back(n);
  for (std::size_t n : {96,   97,   100,  105,  121,  127,  128,   143,   169,   192,   211,  243,
                        256,  343,  360,  384,  500,  509,  512,   625,   729,   768,   1000, 1001,
                        1009, 1024, 1331, 1536, 2039, 2048, 2187,  2401,  3000,  3072,  4093, 4095,
                        4096, 4097, 5000, 6144, 8191, 8192, 10007, 12288, 15625, 16381, 16384})
    lengths.push_back(n);
  // In units of rounding. FFTW's errors, estimated, are 1.3 to 2.9 of float, and up to 5 where a
  // prime is large.
  double const unit = std::numeric_limits<T>::epsilon() / 2;
  for (transform const kind : kinds) {
    double worst = 0, worst_back = 0;
    std::size_t longest = 0;
    for (std::size_t const n : lengths) {
      if (kind == transform::cosine_1 && n == 1) continue;
      std::size_t const lines = n > 300 ? 1 + random() % 3 : 1 + random() % 20;
      bool const is_strided = random() % 2 == 0;
      CAPTURE(static_cast<int>(kind));
      CAPTURE(n);
      CAPTURE(lines);
      CAPTURE(is_strided);
      errors const found = errors_of<T>(random, kind, n, lines, is_strided);
      bool const convolves = !smooth_transform<T>::takes(transform_length(of_length(kind, n)));
      double const bar = unit * (sizeof(T) == 8 && convolves ? 6 : 4.5);
      CHECK(found.forward <= bar);
      CHECK(found.both <= 1.5 * bar);
      if (found.forward > worst) worst = found.forward, longest = n;
      worst_back = std::max(worst_back, found.both);
    }
    MESSAGE("kind " << static_cast<int>(kind) << ": " << worst << " at " << longest << ", and back "
                    << worst_back);
  }
}

TEST_CASE("which lengths a host has stages for, and what memory they take") {
  for (std::size_t n = 1; n < 5000; ++n)
    CHECK(has_host_stages(n) == smooth_transform<double>::takes(n));
  CHECK(has_host_stages(std::size_t{1} << 62));
  CHECK_FALSE(has_host_stages((std::size_t{1} << 61) - 1));
  std::size_t const n = std::size_t{1} << 20, prime = n + 7;
  auto const per_point = [](transform kind, std::size_t points, int threads, bool has_packs) {
    return host_line_bytes(kind, points, threads, has_packs) / points;
  };
  // More than what was measured, and not much more.
  CHECK(per_point(transform::cosine_2, n, 1, false) == 248);     // 150
  CHECK(per_point(transform::sine_1, n - 1, 1, false) == 320);   // 208
  CHECK(per_point(transform::cosine_2, prime, 1, false) == 479); // 404
  CHECK(per_point(transform::sine_1, prime, 1, false) == 783);   // 732
  CHECK(per_point(transform::cosine_2, n, 1, true) == 344);
  CHECK(per_point(transform::cosine_2, n, 5, true) == 344 + 4 * 128);
}

} // namespace host_transforms_test
