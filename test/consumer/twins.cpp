// warpfold and Thrust compute one sum on the host.

#include <warpfold/reduction.hpp>
#include <warpfold/twins/reductions.hpp>

#include <cstdio>
#include <vector>

int main() {
  std::vector<float> const values(1'000, 0.5F);
  for (auto const twin : {warpfold::twins::fold, warpfold::twins::thrust}) {
    float const sum = warpfold::sum(warpfold::host(), values, twin);
    std::printf("%s: %.1f\n", warpfold::twins::to_string(twin), sum);
    if (sum != 500) return 1;
  }
}
