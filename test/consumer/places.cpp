// Tells where work can run.

#include <warpfold/execution.hpp>

#include <cstdio>

int main() {
  int const threads = warpfold::host().threads();
  std::printf("%d threads, %d GPUs\n", threads, warpfold::gpu_count());
  return threads > 0 ? 0 : 1;
}
