// Prefix sums: docs/scan.md.

// [example]
#include <warpfold/warpfold.hpp>

#include <cstdio>
#include <vector>

int main() {
  std::vector<double> const payments{250, -40, -60.5, 120, -75, -310.25, 400};
  std::vector<double> balance(payments.size());
  warpfold::host const host;
  warpfold::exclusive_scan(host, payments, 1000.0, warpfold::plus{}, balance);
  for (double const x : balance) std::printf("%.2f ", x);
  std::puts("before each payment");

  // In place, and in floats: sums round, in the same way wherever they are made.
  std::vector<float> tenths(1'000'000, 0.1F);
  if (warpfold::gpu_count() == 0) {
    warpfold::inclusive_scan(host, tenths, warpfold::plus{}, tenths);
  } else {
    warpfold::gpu gpu;
    warpfold::device_buffer<float> there(gpu, tenths);
    warpfold::inclusive_scan(gpu, there, warpfold::plus{}, there);
    tenths = warpfold::to_vector(gpu, there);
  }
  std::printf("%.9g after a thousand tenths, %.9g after a million\n",
              static_cast<double>(tenths[999]), static_cast<double>(tenths.back()));
}
// [example]
