// Fields with ghost points are solved where they are.
// [example]
#include <warpfold/interop/fields.hpp>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cuda/std/mdspan>
#include <numbers>
#include <vector>

namespace poisson = warpfold::poisson;

int main() {
  // 64 x 48 points, with a ghost point on every side.
  std::size_t const rows = 64, columns = 48;
  std::vector<double> f((rows + 2) * (columns + 2), -1), u = f;
  auto const inside = [&](std::vector<double>& field) {
    cuda::std::mdspan const all(field.data(), rows + 2, columns + 2);
    return cuda::std::submdspan(all, cuda::std::pair(1, rows + 1), cuda::std::pair(1, columns + 1));
  };
  auto const wave = [&](std::size_t y, std::size_t x) {
    return std::sin(2 * std::numbers::pi * static_cast<double>(y) / rows) *
           std::cos(2 * std::numbers::pi * static_cast<double>(x) / columns);
  };
  for (std::size_t y = 0; y < rows; ++y)
    for (std::size_t x = 0; x < columns; ++x)
      inside(f)(y, x) = -8 * std::numbers::pi * std::numbers::pi * wave(y, x);

  warpfold::host place; // or a gpu, with fields in its memory
  poisson::problem const problem{.axes = {{.points = rows}, {.points = columns}}};
  poisson::solver<double, warpfold::host> solver(place, problem, {.strided_fields = true});
  solver.solve(poisson::make_fields(place, problem, inside(f), inside(u)));

  double error = 0;
  for (std::size_t y = 0; y < rows; ++y)
    for (std::size_t x = 0; x < columns; ++x)
      error = std::max(error, std::abs(inside(u)(y, x) - wave(y, x)));
  auto const ghosts = std::count(u.begin(), u.end(), -1.);
  std::printf("errors below 1e-12: %s; ghost points as they were: %d of %d\n",
              error < 1e-12 ? "yes" : "no", static_cast<int>(ghosts), 2 * (64 + 48 + 2));
  return error < 1e-12 ? 0 : 1;
}
// [example]
