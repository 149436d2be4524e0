// Sums the same numbers on the host and, where there is one, on a GPU.

#include <warpfold/buffer.hpp>
#include <warpfold/reduction.hpp>

#include <cstdio>
#include <numeric>
#include <vector>

int main() {
  std::vector<double> values(100'000);
  std::iota(values.begin(), values.end(), 1.0);
  double const expected = 100'000.0 * 100'001.0 / 2.0; // and every partial sum is exact

  double const on_host = warpfold::sum(warpfold::host(), values);
  std::printf("host: %.1f\n", on_host);
  if (on_host != expected) return 1;

  if (warpfold::gpu_count() == 0) {
    std::puts("no GPU");
    return 0;
  }
  warpfold::gpu place;
  warpfold::device_buffer<double> const copied(place, values);
  double const on_gpu = warpfold::sum(place, copied);
  std::printf("gpu: %.1f\n", on_gpu);
  return on_gpu == expected ? 0 : 1;
}
