// [example]
#include <warpfold/warpfold.hpp>

#include <cstdio>
#include <vector>

int main() {
  std::vector<float> const values(1 << 20, 0.1f);
  float const on_host = warpfold::sum(warpfold::host(), values);
  std::printf("host: %.9g\n", on_host);
  if (warpfold::gpu_count() == 0) return 0;
  warpfold::gpu gpu;
  float const on_gpu = warpfold::sum(gpu, warpfold::device_buffer<float>(gpu, values));
  std::printf("gpu:  %.9g, the same bits: %s\n", on_gpu, on_gpu == on_host ? "yes" : "no");
  return on_gpu == on_host ? 0 : 1;
}
// [example]
