// [example]
#include <warpfold/twins.hpp>
#include <warpfold/warpfold.hpp>

#include <cstdio>
#include <vector>

int main() {
  std::vector<double> const values{1e100, 1, -1e100};
  warpfold::host host;
  std::printf("host: %g, exactly %g\n", warpfold::sum(host, values),
              warpfold::exact_sum(host, values));
  if (warpfold::gpu_count() == 0) return 0;
  warpfold::gpu gpu;
  warpfold::device_buffer<double> const there(gpu, values);
  std::printf("gpu:  %g, exactly %g\n", warpfold::sum(gpu, there), warpfold::exact_sum(gpu, there));
  std::printf("CUB:  %g\n", warpfold::sum(gpu, there, warpfold::twins::cub));
}
// [example]
