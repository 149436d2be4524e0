// Quantiles: docs/quantiles.md.

// [example]
#include <warpfold/warpfold.hpp>

#include <cstdint>
#include <cstdio>
#include <vector>

int main() {
  std::vector<float> const latencies{12, 7, 30, 9, 250, 11, 8, 10};
  warpfold::host const host;
  std::printf("median %g, second least %g\n",
              static_cast<double>(warpfold::median(host, latencies)),
              static_cast<double>(warpfold::nth_element(host, latencies, 1)));

  std::vector<double> const qs{0.05, 0.5, 0.95};
  std::vector<float> found(3);
  if (warpfold::gpu_count() == 0) {
    warpfold::quantiles(host, latencies, qs, found);
  } else {
    warpfold::gpu gpu;
    warpfold::device_buffer<float> there(gpu, latencies), results(gpu, found.size());
    warpfold::quantiles(gpu, there, qs, results);
    found = warpfold::to_vector(gpu, results);
  }
  for (float const x : found) std::printf("%.4f ", static_cast<double>(x));
  std::puts("at 5, 50 and 95 percent");
}
// [example]
