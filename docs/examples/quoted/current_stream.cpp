// A framework calls with its own arrays, on the stream that is current for the calling thread.
// [example]
#include <warpfold/buffer.hpp>
#include <warpfold/reduction.hpp>

#include <cstdio>
#include <vector>

// As in PyTorch, CuPy or Kokkos: a current stream for each thread.
namespace framework {
thread_local cudaStream_t current_stream = nullptr;
}

// One place for each thread, made at its first call, serves whatever stream is current.
float sum_of(warpfold::device_span<float const> values) {
  thread_local warpfold::gpu place;
  return warpfold::sum(place.set_stream(framework::current_stream), values);
}
// [example]

int main() {
  if (warpfold::gpu_count() == 0) {
    std::printf("2 streams, 1000 and 2000\n"); // there is nothing to hand over
    return 0;
  }
  warpfold::stream const first, second;
  warpfold::gpu const theirs(0, first);
  warpfold::device_buffer<float> const ones(theirs, std::vector<float>(1000, 1.0F));
  warpfold::device_buffer<float> const twos(theirs, std::vector<float>(1000, 2.0F));
  framework::current_stream = first.get();
  float const of_ones = sum_of(ones);
  framework::current_stream = second.get();
  float const of_twos = sum_of(twos);
  std::printf("2 streams, %g and %g\n", static_cast<double>(of_ones), static_cast<double>(of_twos));
  framework::current_stream = nullptr;
  return 0;
}
