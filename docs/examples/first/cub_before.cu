// The net charge that particles leave in a detector, added up by CUB. cub_after.cu is this program
// with other sums.

#include <cstdio>
#include <cstdlib>
#include <cub/device/device_reduce.cuh>
#include <cuda_runtime.h>
#include <set>

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
__device__ float deposit(unsigned particle) {
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
  float* result = nullptr;
  void* scratch = nullptr;
  std::size_t bytes = 0;
  check(cudaMalloc(&result, sizeof(float)));
  check(cub::DeviceReduce::Sum(scratch, bytes, charges, result, particles, stream));
  check(cudaMalloc(&scratch, bytes));
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
    check(cub::DeviceReduce::Sum(scratch, bytes, charges, result, size, stream));
    check(cudaMemcpyAsync(&total, result, sizeof total, cudaMemcpyDeviceToHost, stream));
    check(cudaStreamSynchronize(stream));
    // [sum]
    totals.insert(total);
  }
  check(cudaFree(scratch));
  check(cudaFree(result));
  return totals;
}

} // namespace

int main() {
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
}
