// [example]
#include <warpfold/warpfold.hpp>

#include <cmath>
#include <cstdio>
#include <span>
#include <vector>

namespace random_numbers = warpfold::random;

int main() {
  // Samples 1,000,000 to 1,000,999 of stream 3, in two parts: as they are in any larger array.
  warpfold::host const place; // or a gpu: the same bits
  std::vector<float> normals(1000);
  auto const [first, rest] =
      std::pair(std::span(normals).first(10), std::span(normals).subspan(10));
  random_numbers::normal(place, first, {.seed = 42, .stream = 3, .offset = 1'000'000});
  random_numbers::normal(place, rest, {.seed = 42, .stream = 3, .offset = 1'000'010});
  std::printf("sample 1,000,010: %.9g\n", static_cast<double>(rest[0]));

  // A quarter of the circle from 16 randomisations of 1024 points, which tell the error.
  random_numbers::sobol_sequence<warpfold::host> const sequence(place, 2);
  std::vector<double> points(2 * 1024);
  double sum = 0, squares = 0;
  for (unsigned replicate = 0; replicate < 16; ++replicate) {
    random_numbers::uniform(place, sequence, points, {.seed = 1, .replicate = replicate});
    int inside = 0;
    for (int i = 0; i < 1024; ++i) inside += std::hypot(points[i], points[1024 + i]) < 1 ? 1 : 0;
    sum += inside / 1024.;
    squares += inside / 1024. * (inside / 1024.);
  }
  double const mean = sum / 16, error = std::sqrt((squares / 16 - mean * mean) / 15);
  std::printf("pi: %.6f +- %.6f\n", 4 * mean, 4 * error);
  return std::abs(4 * mean - 3.141593) < 16 * error ? 0 : 1;
}
// [example]
