#pragma once
// What moves bytes between ranks: the interface behind communicator, for those who bring their own.

#include <cuda_runtime_api.h>

#include <cstddef>
#include <memory>
#include <span>

namespace warpfold {

/// Consecutive bytes of an array.
struct byte_range {
  std::size_t offset, size;
};

namespace detail {
/// What transport::allocate gives on hosts.
inline std::shared_ptr<std::byte> host_memory(std::size_t bytes) {
  auto const all = std::make_shared<std::byte[]>(bytes);
  return {all, all.get()};
}
} // namespace detail

/// One rank's end of a group. All ranks make the same calls in the same order.
///
/// Memory is that of the place which the ranks work on. On gpus calls enqueue on the stream and
/// return; on hosts, where the stream has no meaning, they block. They throw communication_error
/// if the group cannot go on, and from then on always do.
class transport {
public:
  virtual ~transport() = default;

  [[nodiscard]] virtual int rank() const noexcept = 0;
  [[nodiscard]] virtual int size() const noexcept = 0;

  /// `bytes` from every rank, as many on all, go to all: those of rank r to to + r * bytes. `from`
  /// may be its own part of `to`.
  virtual void all_gather(void const* from, void* to, std::size_t bytes, cudaStream_t stream) = 0;

  /// Range r of `from` goes to rank r, and what comes from rank r to range r of `to`. Ranges may be
  /// empty; what a rank sends to another and what that expects are of one size.
  virtual void exchange(void const* from, std::span<byte_range const> sent, void* to,
                        std::span<byte_range const> received, cudaStream_t stream) = 0;

  /// Memory that exchanges are fastest from and to. All ranks ask for as much at the same time, and
  /// give it back before the transport is gone.
  [[nodiscard]] virtual std::shared_ptr<std::byte> allocate(std::size_t bytes) = 0;

  /// Returns when what was enqueued on the stream is done, or throws if it never will be.
  virtual void wait(cudaStream_t stream) = 0;

  /// Lets the calls of all ranks fail, as far as they can be reached; others run out of time.
  virtual void abort() noexcept = 0;
};

} // namespace warpfold
