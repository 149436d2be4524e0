// [example]
#include <warpfold/warpfold.hpp>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <vector>

namespace transforms = warpfold::transforms;

int main() {
  // Four smooth lines of 1000 points, whose cosines fall off fast.
  std::size_t const lines = 4, points = 1000, kept = 40;
  std::vector<double> values(lines * points), modes(values.size());
  for (std::size_t i = 0; i < values.size(); ++i) {
    std::size_t const line = i / points;
    double const x = static_cast<double>(i % points) / points;
    values[i] = std::exp(-100 * (x - 0.4) * (x - 0.4)) * static_cast<double>(1 + line);
  }
  warpfold::host place; // or a gpu, with arrays in its memory
  transforms::problem problem{.kind = transforms::kind::cosine_2,
                              .shape = {lines, points},
                              .axis = 1,
                              .scaling = transforms::scaling::orthonormal};
  transforms::plan<double, warpfold::host> forward(place, problem);
  forward.run(values, modes);
  std::printf("norms: %.9f and %.9f\n", warpfold::norm2(place, values),
              warpfold::norm2(place, modes));

  // The first 40 modes of each line are enough.
  for (std::size_t line = 0; line < lines; ++line)
    std::fill_n(modes.begin() + static_cast<std::ptrdiff_t>(line * points + kept), points - kept,
                0.);
  problem.direction = transforms::direction::inverse;
  transforms::plan<double, warpfold::host> inverse(place, problem);
  inverse.run(modes, modes); // in place
  double largest = 0;
  for (std::size_t i = 0; i < values.size(); ++i)
    largest = std::max(largest, std::abs(modes[i] - values[i]));
  std::printf("40 of 1000 modes: errors below 0.000001: %s\n", largest < 1e-6 ? "yes" : "no");
  return largest < 1e-6 ? 0 : 1;
}
// [example]
