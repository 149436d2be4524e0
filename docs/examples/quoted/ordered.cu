// [example]
#include <warpfold/reduction.cuh>

#include <cstdio>
#include <thrust/iterator/counting_iterator.h>

/// x -> slope * x + offset. Composition is associative, but its order matters.
struct affine {
  long long slope = 1, offset = 0;
};
struct then {
  __host__ __device__ affine operator()(affine first, affine second) const {
    return {first.slope * second.slope % 1000003,
            (first.offset * second.slope + second.offset) % 1000003};
  }
};
struct step {
  __host__ __device__ affine operator()(long long i) const { return {i % 5 + 1, i % 7}; }
};

template <class Place>
affine compose(Place&& place) {
  return warpfold::transform_reduce(place, thrust::counting_iterator<long long>(0), 1 << 20,
                                    affine{}, then{}, step{});
}

int main() {
  affine const on_host = compose(warpfold::host());
  std::printf("host: x -> %lld x + %lld\n", on_host.slope, on_host.offset);
  if (warpfold::gpu_count() == 0) return 0;
  affine const on_gpu = compose(warpfold::gpu());
  std::printf("gpu:  x -> %lld x + %lld\n", on_gpu.slope, on_gpu.offset);
  return on_gpu.slope == on_host.slope && on_gpu.offset == on_host.offset ? 0 : 1;
}
// [example]
