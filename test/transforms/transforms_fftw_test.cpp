// Real transforms against FFTW's.

#include "transforms.hpp"

#include <fftw3.h>

#include <cmath>

namespace transforms_fftw_test {

using namespace test;
using namespace test::real_transforms;
using warpfold::transforms::kind;

fftw_r2r_kind theirs_of(kind of, direction to) {
  bool const back = to == direction::inverse;
  switch (of) {
  case kind::cosine_1: return FFTW_REDFT00;
  case kind::cosine_2: return back ? FFTW_REDFT01 : FFTW_REDFT10;
  case kind::cosine_3: return back ? FFTW_REDFT10 : FFTW_REDFT01;
  case kind::cosine_4: return FFTW_REDFT11;
  case kind::sine_1: return FFTW_RODFT00;
  case kind::sine_2: return back ? FFTW_RODFT01 : FFTW_RODFT10;
  case kind::sine_3: return back ? FFTW_RODFT10 : FFTW_RODFT01;
  case kind::sine_4: return FFTW_RODFT11;
  case kind::halfcomplex: return back ? FFTW_HC2R : FFTW_R2HC;
  default: return FFTW_DHT;
  }
}

EVERY_PLACE("transforms are FFTW's") {
  unsigned const seed = std::random_device{}();
  CAPTURE(seed);
  std::mt19937_64 random{seed};
  for (kind const of : kinds)
    for (direction const to : directions)
      for (std::size_t const n : {1, 2, 3, 8, 15, 37, 100, 1000, 3001}) {
        if (of == kind::cosine_1 && n == 1) continue;
        tf::problem const problem{of, to, {4, n, 3}, 1, {}};
        if (!takes<Place, double>(place, problem)) continue;
        auto const x = random_values<double>(random, 12 * n);
        auto const y = transformed<double>(place, problem, x, 0, false);
        extents const shape(problem);
        std::vector<double> line(n), expected(n);
        fftw_plan const plan =
            fftw_plan_r2r_1d(static_cast<int>(n), line.data(), expected.data(), theirs_of(of, to),
                             FFTW_ESTIMATE | FFTW_PRESERVE_INPUT);
        double error = 0, norm = 0;
        for (std::size_t l = 0; l < shape.lines(); ++l) {
          for (std::size_t j = 0; j < n; ++j) line[j] = x[shape.at(l, j)];
          fftw_execute(plan);
          for (std::size_t k = 0; k < n; ++k) {
            error += std::pow(y[shape.at(l, k)] - expected[k], 2);
            norm += std::pow(expected[k], 2);
          }
        }
        fftw_destroy_plan(plan);
        CAPTURE(static_cast<int>(of));
        CAPTURE(static_cast<int>(to));
        CAPTURE(n);
        // FFTW's sines I and cosines I are less accurate than its others.
        CHECK(std::sqrt(error / norm) < 1e-14);
      }
}

} // namespace transforms_fftw_test
