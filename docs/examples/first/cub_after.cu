// The net charge that particles leave in a detector, added up by warpfold: cub_before.cu with other
// sums. They need no GPU.

#include <cstdio>
#include <cstdlib>
#include <cuda_runtime.h>
#include <set>
#include <vector>
#include <warpfold/reduction/exact.hpp>

namespace {

constexpr unsigned particles = 1 << 20;
constexpr int runs = 50;

void check(cudaError_t status) {
  if (status == cudaSuccess) return;
  std::fprintf(stderr, "detector: %s\n", cudaGetErrorString(status));
  std::exit(1);
}

/// The charge that a particle leaves, of either sign: mostly little, sometimes a thousand times as
/// much, and of one in four none.
__host__ __device__ float deposit(unsigned particle) {
  unsigned bits = (particle + 1) * 2654435769U;
  bits = (bits ^ bits >> 15) * 2246822519U;
  bits ^= bits >> 13;
  if (bits % 4 == 0) return 0;
  float const charge = 1 / (static_cast<float>(bits >> 8) * 0x1p-24F + 0x1p-12F);
  return bits % 8 < 4 ? charge : -charge;
}

/// One thread per particle. Those that hit append their charge, in the order in which they come.
__global__ void track(float* charges, unsigned* hits) {
  unsigned const particle = blockIdx.x * blockDim.x + threadIdx.x;
  if (particle >= particles) return;
  float const charge = deposit(particle);
  if (charge != 0) charges[atomicAdd(hits, 1)] = charge;
}

/// The totals of all runs, on the caller's stream and in the caller's memory.
std::set<float> totals_of_runs(float* charges, unsigned* hits, cudaStream_t stream) {
  // [prepare]
  warpfold::gpu place(0, stream);
  // [prepare]

  std::set<float> totals;
  for (int run = 0; run < runs; ++run) {
    check(cudaMemsetAsync(hits, 0, sizeof(unsigned), stream));
    track<<<(particles + 255) / 256, 256, 0, stream>>>(charges, hits);
    check(cudaGetLastError());
    unsigned size = 0;
    check(cudaMemcpyAsync(&size, hits, sizeof size, cudaMemcpyDeviceToHost, stream));
    check(cudaStreamSynchronize(stream));
    float total = 0;
    // [sum]
    total = warpfold::exact_sum(place, warpfold::device_span(charges, size));
    // [sum]
    totals.insert(total);
  }
  return totals;
}

// [host]
float total_on_host() {
  std::vector<float> charges;
  for (unsigned particle = 0; particle < particles; ++particle)
    if (float const charge = deposit(particle); charge != 0) charges.push_back(charge);
  return warpfold::exact_sum(warpfold::host(), charges);
}
// [host]

} // namespace

int main() {
  float const on_host = total_on_host();
  std::printf("host: %.9g\n", on_host);
  if (warpfold::gpu_count() == 0) return 0;

  cudaStream_t stream = nullptr;
  float* charges = nullptr;
  unsigned* hits = nullptr;
  check(cudaStreamCreate(&stream));
  check(cudaMalloc(&charges, particles * sizeof(float)));
  check(cudaMalloc(&hits, sizeof(unsigned)));
  std::set<float> const totals = totals_of_runs(charges, hits, stream);
  check(cudaFree(hits));
  check(cudaFree(charges));
  check(cudaStreamDestroy(stream));
  std::printf("gpu:  %.9g, different totals in %d runs: %zu\n", *totals.begin(), runs,
              totals.size());
  return totals == std::set{on_host} ? 0 : 1;
}
