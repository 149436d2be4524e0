#pragma once
// The transport moves bytes between the ranks of a communicator. An interface: bring your own.

#include <cuda_runtime_api.h>

#include <cstddef>
#include <memory>
#include <span>
#include <vector>

namespace warpfold::inline v0 {

/// Consecutive bytes of an array.
struct byte_range {
  std::size_t offset, size; ///< in bytes
};

/// One rank's end of a group. All ranks make the same calls in the same order.
///
/// Memory is that of the place which the ranks work on. On gpus calls enqueue on the stream and
/// return; on hosts, where the stream has no meaning, they block. They throw communication_error
/// if the group cannot go on, and from then on always do.
class transport {
public:
  virtual ~transport() = default;

  /// Number of this end, and of all.
  [[nodiscard]] virtual int rank() const noexcept = 0;
  [[nodiscard]] virtual int size() const noexcept = 0;

  /// `bytes` from every rank, as many on all, go to all: those of rank r to destination +
  /// r * bytes. `source` may be its own part of `destination`.
  virtual void all_gather(void const* source, void* destination, std::size_t bytes,
                          cudaStream_t stream) = 0;

  /// Range r of `source` goes to rank r, and what comes from rank r to range r of `destination`.
  /// Ranges may be empty; what a rank sends to another and what that expects are of one size.
  virtual void exchange(void const* source, std::span<byte_range const> sent, void* destination,
                        std::span<byte_range const> received, cudaStream_t stream) = 0;

  /// An exchange where every rank sends `bytes` to each one: those for rank r lie at source +
  /// r * bytes, and those of rank r go to destination + r * bytes. All ranks name the same places
  /// of what allocate() gave them, or all name other memory.
  virtual void exchange_evenly(void const* source, void* destination, std::size_t bytes,
                               cudaStream_t stream) {
    std::vector<byte_range> ranges;
    for (std::size_t r = 0; r < static_cast<std::size_t>(size()); ++r)
      ranges.push_back({r * bytes, bytes});
    exchange(source, ranges, destination, ranges, stream);
  }

  /// Memory that even exchanges are fastest from and to, aligned to 256 bytes. All ranks ask for as
  /// much at the same time, and give it back before the transport is gone. Memory that a failed
  /// group may still be reading or writing is not given back.
  [[nodiscard]] virtual std::shared_ptr<std::byte> allocate(std::size_t bytes) = 0;

  /// Returns when what was enqueued on the stream is done, or throws if it never will be.
  virtual void wait(cudaStream_t stream) = 0;

  /// Lets the calls of all ranks fail, as far as they can be reached; others run out of time.
  virtual void abort() noexcept = 0;
};

} // namespace warpfold::inline v0
