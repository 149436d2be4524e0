// Ranks as host threads, and groups of one gpu.

#include "transports.hpp"

#include <warpfold/buffer.hpp>

#include <condition_variable>
#include <cstdio>
#include <cstring>
#include <mutex>
#include <string>

namespace warpfold::inline v0::comm {
namespace {

/// A rank's call: the rank shows its memory, and the others copy from it.
struct call {
  std::byte const* from = nullptr;
  std::size_t gathered = 0;              ///< bytes
  std::span<byte_range const> exchanged; ///< a range for each rank; empty for a gathering
};

class meeting_place {
public:
  meeting_place(int ranks, std::chrono::milliseconds limit)
      : limit_{limit}, calls_(static_cast<std::size_t>(ranks)) {}

  int ranks() const { return static_cast<int>(calls_.size()); }
  /// A rank's call. Read it between two meetings.
  call const& of(int rank) const { return calls_[static_cast<std::size_t>(rank)]; }

  /// Shows a call, and returns when all ranks have.
  void show(int rank, call const& mine) {
    std::unique_lock lock{mutex_};
    calls_[static_cast<std::size_t>(rank)] = mine;
    meet(rank, lock, limit_);
  }
  /// Waits without a deadline: all ranks have arrived before, and may take long to copy.
  void meet(int rank) {
    std::unique_lock lock{mutex_};
    meet(rank, lock, std::chrono::hours{24 * 365});
  }

  /// Takes the reason as std::printf does. Allocates nothing: ranks also fail for want of memory.
  template <class... Numbers>
  void fail(char const* why, Numbers... numbers) noexcept {
    std::lock_guard const lock{mutex_};
    note(why, numbers...);
  }

private:
  void meet(int rank, std::unique_lock<std::mutex>& lock, std::chrono::milliseconds limit) {
    auto const meeting = meeting_;
    if (!failed() && ++arrived_ == ranks()) {
      arrived_ = 0;
      ++meeting_;
      changed_.notify_all();
      return;
    }
    bool const came =
        changed_.wait_for(lock, limit, [&] { return meeting_ != meeting || failed(); });
    if (meeting_ != meeting) return;
    if (!came) note("waited %lld ms for the other ranks", static_cast<long long>(limit_.count()));
    throw communication_error(rank, failure_);
  }
  template <class... Numbers>
  void note(char const* why, Numbers... numbers) {
    if (!failed()) std::snprintf(failure_, sizeof failure_, why, numbers...);
    changed_.notify_all();
  }
  bool failed() const { return failure_[0] != 0; }

  std::chrono::milliseconds limit_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::vector<call> calls_;
  int arrived_ = 0;
  std::uint64_t meeting_ = 0;
  char failure_[100] = {}; ///< why the group has failed
};

class thread_transport final : public transport {
public:
  thread_transport(std::shared_ptr<meeting_place> at, int rank) : at_{std::move(at)}, rank_{rank} {}

  int rank() const noexcept override { return rank_; }
  int size() const noexcept override { return at_->ranks(); }

  void all_gather(void const* from, void* to, std::size_t bytes, cudaStream_t) override {
    at_->show(rank_, {static_cast<std::byte const*>(from), bytes, {}});
    finish([&](int r, call const& theirs) {
      if (!theirs.exchanged.empty() || theirs.gathered != bytes) return false;
      copy(static_cast<std::byte*>(to) + static_cast<std::size_t>(r) * bytes, theirs.from, bytes);
      return true;
    });
  }

  void exchange(void const* from, std::span<byte_range const> sent, void* to,
                std::span<byte_range const> received, cudaStream_t) override {
    at_->show(rank_, {static_cast<std::byte const*>(from), 0, sent});
    finish([&](int r, call const& theirs) {
      if (theirs.exchanged.empty()) return false;
      byte_range const into = received[static_cast<std::size_t>(r)];
      byte_range const range = theirs.exchanged[static_cast<std::size_t>(rank_)];
      if (range.size != into.size) return false;
      copy(static_cast<std::byte*>(to) + into.offset, theirs.from + range.offset, range.size);
      return true;
    });
  }

  std::shared_ptr<std::byte> allocate(std::size_t bytes) override {
    return detail::host_memory(bytes);
  }
  void wait(cudaStream_t) override {}

  void abort() noexcept override { at_->fail("rank %d gave up", rank_); }

private:
  /// Copies from all others; copy_from(rank, its call) says whether they agree. Nobody leaves
  /// before all have copied, since they do it from each other's memory.
  template <class CopyFrom>
  void finish(CopyFrom copy_from) {
    int stranger = -1;
    for (int r = 0; r < size() && stranger < 0; ++r)
      if (!copy_from(r, at_->of(r))) stranger = r;
    at_->meet(rank_);
    if (stranger < 0) return;
    at_->fail("ranks %d and %d make different calls, or of different sizes", rank_, stranger);
    throw communication_error(rank_, "rank " + std::to_string(stranger) +
                                         " makes another call, or one of another size");
  }
  static void copy(std::byte* to, std::byte const* from, std::size_t bytes) {
    if (bytes > 0 && to != from) std::memcpy(to, from, bytes);
  }

  std::shared_ptr<meeting_place> at_;
  int rank_;
};

class lone_transport final : public transport {
public:
  explicit lone_transport(gpu const& place) : place_{place} {}

  int rank() const noexcept override { return 0; }
  int size() const noexcept override { return 1; }
  void all_gather(void const* from, void* to, std::size_t bytes, cudaStream_t stream) override {
    check_alive();
    copy(from, to, bytes, stream);
  }
  void exchange(void const* from, std::span<byte_range const> sent, void* to,
                std::span<byte_range const> received, cudaStream_t stream) override {
    check_alive();
    if (sent[0].size != received[0].size)
      throw communication_error(0, "sends " + std::to_string(sent[0].size) +
                                       " bytes to itself and expects " +
                                       std::to_string(received[0].size));
    copy(static_cast<std::byte const*>(from) + sent[0].offset,
         static_cast<std::byte*>(to) + received[0].offset, sent[0].size, stream);
  }
  std::shared_ptr<std::byte> allocate(std::size_t bytes) override {
    check_alive();
    auto const all = std::make_shared<device_buffer<std::byte>>(place_, bytes);
    return {all, all->data()};
  }
  void wait(cudaStream_t stream) override {
    check_alive();
    device_guard const current{place_.device()};
    check(cudaStreamSynchronize(stream));
  }
  void abort() noexcept override { failed_ = true; }

private:
  void check_alive() const {
    if (failed_) throw communication_error(0, "the group has failed");
  }
  void copy(void const* from, void* to, std::size_t bytes, cudaStream_t stream) const {
    if (bytes == 0 || from == to) return;
    device_guard const current{place_.device()}; // of which the memory and the stream are
    check(cudaMemcpyAsync(to, from, bytes, cudaMemcpyDeviceToDevice, stream));
  }

  gpu const& place_;
  bool failed_ = false;
};

} // namespace

std::vector<std::unique_ptr<transport>>
make_thread_transports(int ranks, communicator_options const& options) {
  auto const at = std::make_shared<meeting_place>(ranks, detail::checked_limit(options));
  std::vector<std::unique_ptr<transport>> all;
  all.reserve(static_cast<std::size_t>(ranks));
  for (int r = 0; r < ranks; ++r) all.push_back(std::make_unique<thread_transport>(at, r));
  return all;
}

std::unique_ptr<transport> make_lone_transport(gpu const& place) {
  return std::make_unique<lone_transport>(place);
}

} // namespace warpfold::inline v0::comm
