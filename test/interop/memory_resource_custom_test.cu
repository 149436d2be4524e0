// Memory resources of CCCL and RMM under a place.

#include <warpfold/interop/memory_resource.hpp>

#include "gpu.hpp"

#include <cuda/memory_resource>
#if __has_include(<rmm/mr/cuda_async_memory_resource.hpp>)
#include <rmm/mr/cuda_async_memory_resource.hpp>
#include <rmm/resource_ref.hpp>
#endif

namespace {

using namespace test;
namespace wf = warpfold;

/// Counts of allocations, for both kinds of resource below.
struct ledger {
  int allocations = 0;
  std::size_t out = 0;
  bool aligned = true;

  void* take(std::size_t bytes, std::size_t alignment, cudaStream_t stream) {
    void* memory = nullptr;
    wf::check(cudaMallocAsync(&memory, bytes, stream));
    ++allocations;
    out += bytes;
    aligned = aligned && alignment >= 256;
    return memory;
  }
  void give(void* memory, std::size_t bytes, cudaStream_t stream) {
    out -= bytes;
    wf::check(cudaFreeAsync(memory, stream));
  }
};

struct stream_first {
  ledger* of;
  void* allocate(cuda::stream_ref stream, std::size_t bytes, std::size_t alignment) {
    return of->take(bytes, alignment, stream.get());
  }
  void deallocate(cuda::stream_ref stream, void* memory, std::size_t bytes, std::size_t) {
    of->give(memory, bytes, stream.get());
  }
};

struct stream_last {
  ledger* of;
  void* allocate_async(std::size_t bytes, std::size_t alignment, cuda::stream_ref stream) {
    return of->take(bytes, alignment, stream.get());
  }
  void deallocate_async(void* memory, std::size_t bytes, std::size_t, cuda::stream_ref stream) {
    of->give(memory, bytes, stream.get());
  }
};

static_assert(wf::adaptable_resource<stream_first> && wf::adaptable_resource<stream_last>);
static_assert(!wf::adaptable_resource<wf::memory_resource>);

template <class Resource>
void check_resource(Resource resource, ledger const& known) {
  {
    wf::adapted_resource memory(resource);
    wf::gpu place(0, &memory);
    int const before = known.allocations;
    CHECK(before > 0);
    CHECK(known.out >= place.workspace_size());
    wf::device_buffer<float> const values(place, std::vector<float>(1000, 2.0F));
    CHECK(known.allocations == before + 1);
    CHECK(wf::sum(place, values) == 2000);
  }
  CHECK(known.out == 0);
  CHECK(known.aligned);
}

TEST_SUITE("gpu") {
  TEST_CASE("fast: resources of both generations of CCCL serve a place") {
    ledger first, last;
    check_resource(stream_first{&first}, first);
    check_resource(stream_last{&last}, last);
  }

#if __has_include(<rmm/mr/cuda_async_memory_resource.hpp>)
  TEST_CASE("fast: RMM's resource serves a place") {
    rmm::mr::cuda_async_memory_resource theirs;
    wf::adapted_resource memory(rmm::device_async_resource_ref{theirs});
    wf::gpu place(0, &memory);
    wf::device_buffer<float> const values(place, std::vector<float>(1000, 2.0F));
    CHECK(wf::sum(place, values) == 2000);
  }
#endif
}

} // namespace
