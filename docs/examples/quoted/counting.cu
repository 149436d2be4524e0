// [example]
#include <warpfold/counting/aggregated_counter.cuh>
#include <warpfold/warpfold.hpp>

#include <algorithm>
#include <cstdio>

using counter = warpfold::aggregated_counter<warpfold::aggregation::automatic, 2>;

/// Counts the multiples of 7, and writes down those of 49 while there is room.
__global__ void sieve_kernel(int size, std::uint64_t* totals, int* kept, std::uint64_t capacity) {
  __shared__ counter::shared_storage shared;
  counter found(shared, totals);
  int const threads = static_cast<int>(gridDim.x * blockDim.x);
  for (int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x); i < size; i += threads) {
    if (i % 7 != 0) continue;
    found.add<0>();
    if (i % 49 == 0) found.append(kept, capacity, i, 1);
  }
  found.flush();
}

int main() {
  if (warpfold::gpu_count() == 0) return std::puts("there is no GPU here") < 0;
  warpfold::gpu place;
  warpfold::device_buffer<std::uint64_t> totals(place, std::vector<std::uint64_t>{0, 0});
  warpfold::device_buffer<int> kept(place, 10'000);
  sieve_kernel<<<64, 256, 0, place.stream()>>>(1'000'000, totals.data(), kept.data(), kept.size());
  warpfold::check(cudaGetLastError());

  auto const found = warpfold::to_vector(place, totals.span());
  auto const numbers = warpfold::to_vector(place, kept.span());
  bool const right = std::all_of(numbers.begin(), numbers.end(), [](int i) { return i % 49 == 0; });
  std::printf("%d multiples of 7\n", static_cast<int>(found[0]));
  std::printf("%d multiples of 49, room for %d\n", static_cast<int>(found[1]),
              static_cast<int>(kept.size()));
  return found[0] == 142'858 && found[1] == 20'409 && right ? 0 : 1;
}
// [example]
