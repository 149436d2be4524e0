#include <warpfold/detail/core/refusal.hpp>
#include <warpfold/detail/core/verb.hpp>
#include <warpfold/error.hpp>
#include <warpfold/memory.hpp>

#include "report.hpp"

#include <cstddef>

namespace warpfold::inline v0 {
namespace {

class device_pool final : public memory_resource {
public:
  void* allocate(std::size_t bytes, cudaStream_t stream) override {
    void* memory = nullptr;
    check(cudaMallocAsync(&memory, bytes, stream));
    return memory;
  }
  void deallocate(void* memory, std::size_t, cudaStream_t stream) noexcept override {
    detail::report(cudaFreeAsync(memory, stream), "cudaFreeAsync");
  }
};

/// Memory to take over has both or neither.
void* checked(char const* owner, void* adopted, std::size_t bytes) {
  detail::verb const scope(owner);
  if ((adopted == nullptr) != (bytes == 0))
    detail::refuse("adopted",
                   adopted ? "an address without a size"
                           : detail::text("null, with ", bytes, " bytes"),
                   "an address with a size, or neither");
  return adopted;
}

} // namespace

memory_resource& pool_resource() noexcept {
  static device_pool pool;
  return pool;
}

device_allocation::device_allocation(memory_resource& resource, std::size_t bytes,
                                     cudaStream_t stream)
    : resource_{&resource}, stream_{stream} {
  check(cudaGetDevice(&device_));
  if (bytes > 0) data_ = resource.allocate(bytes, stream);
  bytes_ = bytes;
}

device_allocation::device_allocation(memory_resource& resource, void* adopted, std::size_t bytes,
                                     cudaStream_t stream)
    : resource_{&resource}, stream_{stream} {
  check(cudaGetDevice(&device_));
  data_ = checked("device_allocation", adopted, bytes);
  bytes_ = bytes;
}

device_allocation::~device_allocation() {
  if (!data_) return;
  int previous = 0;
  detail::report(cudaGetDevice(&previous), "cudaGetDevice");
  if (previous != device_) detail::report(cudaSetDevice(device_), "cudaSetDevice");
  resource_->deallocate(data_, bytes_, stream_);
  if (previous != device_) detail::report(cudaSetDevice(previous), "cudaSetDevice");
}

device_allocation& device_allocation::operator=(device_allocation&& other) noexcept {
  swap(other);
  return *this;
}

pinned_allocation::pinned_allocation(std::size_t bytes) {
  if (bytes > 0) check(cudaHostAlloc(&data_, bytes, cudaHostAllocPortable));
  bytes_ = bytes;
}

pinned_allocation::pinned_allocation(void* adopted, std::size_t bytes)
    : data_{checked("pinned_allocation", adopted, bytes)}, bytes_{bytes} {}

pinned_allocation::~pinned_allocation() {
  if (data_) detail::report(cudaFreeHost(data_), "cudaFreeHost");
}

pinned_allocation& pinned_allocation::operator=(pinned_allocation&& other) noexcept {
  std::swap(data_, other.data_);
  std::swap(bytes_, other.bytes_);
  return *this;
}

} // namespace warpfold::inline v0
