// Poisson's solver on a square of 100 x 100 points, with kernels compiled for it, where there is a
// GPU.

#include <warpfold/compiled.hpp>

#include <cstdio>

namespace poisson = warpfold::poisson;

int main() {
  if (warpfold::gpu_count() == 0) {
    std::puts("no GPU");
    return 0;
  }
  warpfold::gpu place;
  poisson::problem const problem{.axes = {{.points = 100}, {.points = 100}}};
  poisson::solver<float, warpfold::gpu> solver(place, problem, poisson::compiled);
  std::printf("%s\n", solver.engine_name().data());
}
