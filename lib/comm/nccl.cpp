// Ranks as GPUs, through NCCL. A group begins with a communicator that does not block, so that
// ranks which never come can be given up, and goes on with one of the same ranks that does: calls
// of the former take a thread of NCCL's each, some 90 us. What may wait for other ranks (a first
// call, which connects them) is called in a thread of ours, which an abort sets free.

#include "transports.hpp"

#include <warpfold/detail/core/refusal.hpp>
#include <warpfold/detail/core/verb.hpp>

#include <nccl.h>

#if NCCL_VERSION_CODE >= NCCL_VERSION(2, 28, 0)
#define WARPFOLD_NCCL_WINDOWS
#endif

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <future>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <thread>
#include <utility>
#include <vector>

namespace warpfold::inline v0 {
namespace comm {
namespace {

void check_nccl(ncclResult_t status, std::source_location where = std::source_location::current()) {
  if (status == ncclSuccess || status == ncclInProgress) return;
  throw vendor_error(status, std::string("NCCL: ") + ncclGetErrorString(status), where);
}

/// Turns multicast over NVLink off, which has hung machines, unless the environment says otherwise.
/// All processes of a group must agree.
void avoid_multicast() {
  static std::once_flag once;
  std::call_once(once, [] { setenv("NCCL_NVLS_ENABLE", "0", 0); });
}

class nccl_transport final : public transport {
public:
  /// Becomes a rank of a new group.
  nccl_transport(gpu const& place, group_id const& id, int rank, int size,
                 communicator_options const& options, shared_fuse fuse)
      : limit_{detail::checked_limit(options)}, device_{place.device()}, rank_{rank}, size_{size},
        fuse_{std::move(fuse)} {
    device_guard const current{device_};
    avoid_multicast();
    ncclUniqueId unique;
    static_assert(sizeof unique == sizeof id);
    std::memcpy(&unique, id.data(), sizeof unique);
    ncclConfig_t config = NCCL_CONFIG_INITIALIZER;
    config.blocking = 0;
    begin([&] {
      settle(ncclCommInitRankConfig(&first_, size, unique, rank, &config));
      go_on();
      settle(ncclCommFinalize(first_));
      auto const status = ncclCommDestroy(std::exchange(first_, nullptr));
      if (status != ncclSuccess) give_up(ncclGetErrorString(status));
    });
  }
  /// Works with the ranks of a group of the caller's.
  nccl_transport(gpu const& place, ncclComm_t adopted, communicator_options const& options)
      : first_{adopted}, limit_{detail::checked_limit(options)}, device_{place.device()},
        fuse_{std::make_shared<std::atomic<bool>>(false)} {
    device_guard const current{device_};
    begin([&] {
      check_nccl(ncclCommUserRank(first_, &rank_));
      check_nccl(ncclCommCount(first_, &size_));
      go_on();
    });
    first_ = nullptr;
  }
  nccl_transport(nccl_transport const&) = delete;
  nccl_transport& operator=(nccl_transport const&) = delete;
  ~nccl_transport() override {
    if (failed_) return;
    try {
      limited([&] { return ncclCommFinalize(group_); });
      ncclCommDestroy(group_);
    } catch (...) { // aborted
    }
  }

  int rank() const noexcept override { return rank_; }
  int size() const noexcept override { return size_; }

  void all_gather(void const* from, void* to, std::size_t bytes, cudaStream_t stream) override {
    check_alive();
    meet(is_known(gathers_, bytes), stream,
         [&] { return ncclAllGather(from, to, bytes, ncclChar, group_, stream); });
  }

  void exchange(void const* from, std::span<byte_range const> sent, void* to,
                std::span<byte_range const> received, cudaStream_t stream) override {
    check_alive();
    auto const* const out = static_cast<std::byte const*>(from);
    auto* const in = static_cast<std::byte*>(to);
    bool are_connected = true; // NCCL connects two ranks for one direction when it is first used
    for (std::size_t r = 0; r < peers_.size(); ++r) {
      auto const used =
          static_cast<unsigned char>((sent[r].size > 0 ? 1 : 0) | (received[r].size > 0 ? 2 : 0));
      are_connected = are_connected && (used & ~peers_[r]) == 0;
      peers_[r] = static_cast<unsigned char>(peers_[r] | used);
    }
    meet(are_connected, stream, [&] {
      ncclGroupStart();
      for (int r = 0; r < size_; ++r) { // (What fails here, ncclGroupEnd says.)
        byte_range const a = sent[static_cast<std::size_t>(r)];
        byte_range const b = received[static_cast<std::size_t>(r)];
        if (a.size > 0) ncclSend(out + a.offset, a.size, ncclChar, r, group_, stream);
        if (b.size > 0) ncclRecv(in + b.offset, b.size, ncclChar, r, group_, stream);
      }
      return ncclGroupEnd();
    });
  }

#ifdef WARPFOLD_NCCL_WINDOWS
  void exchange_evenly(void const* from, void* to, std::size_t bytes,
                       cudaStream_t stream) override {
    if (bytes == 0 || is_default(stream))
      return transport::exchange_evenly(from, to, bytes, stream);
    check_alive();
    meet(is_known(even_exchanges_, bytes), stream,
         [&] { return ncclAlltoAll(from, to, bytes, ncclChar, group_, stream); });
  }
#endif

  std::shared_ptr<std::byte> allocate(std::size_t bytes) override {
    check_alive();
    device_guard const current{device_};
    bytes = std::max<std::size_t>(bytes, 1);
    void* memory = nullptr;
    if (auto const status = ncclMemAlloc(&memory, bytes); status != ncclSuccess)
      give_up("no memory: " + std::string(ncclGetErrorString(status)));
#ifdef WARPFOLD_NCCL_WINDOWS
    ncclWindow_t window{}; // null where NCCL has no use for it
    limited([&] {
      return ncclCommWindowRegister(group_, memory, bytes, &window, NCCL_WIN_COLL_SYMMETRIC);
    });
#endif
    return {static_cast<std::byte*>(memory), [=, this](std::byte* all) {
              if (failed_) return;
              device_guard const place{device_};
#ifdef WARPFOLD_NCCL_WINDOWS
              try {
                if (window) limited([&] { return ncclCommWindowDeregister(group_, window); });
              } catch (...) { // the group has failed, as its next call will say
              }
#endif
              if (!failed_) ncclMemFree(all);
            }};
  }

  void wait(cudaStream_t stream) override {
    check_alive();
    auto const until = deadline();
    for (;;) {
      cudaError_t const status = cudaStreamQuery(stream);
      if (status == cudaSuccess) break;
      if (status != cudaErrorNotReady) check(status);
      look(until);
    }
    enqueued_.reset();
  }

  void abort() noexcept override {
    fuse_->store(true);
    if (failed_) return;
    failed_ = true;
    // Not for ever: what copy engines wait for NCCL does not call off.
    try {
      struct steps {
        std::promise<void> quiet, freed;
      };
      auto const next = std::make_shared<steps>();
      auto const freed = next->freed.get_future();
      auto const until = deadline();
      std::thread([next, limit = limit_, groups = std::array{group_, first_}] {
        auto const quiet = next->quiet.get_future();
        for (ncclComm_t const group : groups) {
          if (!group) continue;
          // In a group, NCCL tells calls and kernels to end at once, and frees when the group ends;
          // the last rank of a process to get there frees for all of them.
          ncclGroupStart();
          ncclCommAbort(group);
          quiet.wait_for(limit);
          // One after the other, for as long as the limit: with several ranks of a process at once
          // NCCL 2.28 found its own counts wrong and ended the process.
          static auto& one_frees = *new std::timed_mutex; // threads may outlive what is static
          std::unique_lock const turn{one_frees, limit};
          ncclGroupEnd();
        }
        next->freed.set_value();
      }).detach();
      try {
        device_guard const current{device_}; // of which default streams are
        while (is_at_work() && std::chrono::steady_clock::now() < until) std::this_thread::yield();
      } catch (cuda_error const&) { // then nothing is at work there
      }
      next->quiet.set_value();
      freed.wait_until(until);
    } catch (...) { // no thread to be had: nothing is called off, and others run out of time
    }
  }

private:
  /// make(), which leaves nothing behind, and nobody waiting, if it throws.
  template <class Make>
  void begin(Make make) {
    try {
      make();
      peers_.resize(static_cast<std::size_t>(size_));
    } catch (...) {
      abort();
      throw;
    }
  }
  /// Makes the communicator that all goes through.
  void go_on() {
    ncclConfig_t config = NCCL_CONFIG_INITIALIZER;
    config.blocking = 1;
#ifdef WARPFOLD_NCCL_WINDOWS
    // All-to-alls of registered memory by copy engines, beside which kernels go on.
    config.CTAPolicy = NCCL_CTA_POLICY_ZERO;
#endif
    ncclComm_t made = nullptr;
    limited([&] { return ncclCommSplit(first_, 0, rank_, &made, &config); });
    group_ = made;
  }

  /// True if there was a call of this size class before; for the first one NCCL may connect ranks.
  static bool is_known(std::uint64_t& known, std::size_t bytes) {
    std::uint64_t const kind = std::uint64_t{1} << (std::bit_width(bytes) & 63);
    bool const was = (known & kind) != 0;
    known |= kind;
    return was;
  }
  /// A call of all ranks, which has the deadline if it may have to connect them.
  template <class Call>
  void meet(bool are_connected, cudaStream_t stream, Call call) {
    enqueued_ = stream;
    if (!are_connected) limited(call);
    else if (auto const status = call(); status != ncclSuccess) give_up(ncclGetErrorString(status));
  }

  /// A call that may block, as long as the limit says.
  template <class Call>
  void limited(Call call) {
    auto status = std::async(std::launch::async, [&] {
      device_guard const current{device_};
      return call();
    });
    called_ = &status;
    auto const until = deadline();
    while (status.wait_for(std::chrono::microseconds{20}) != std::future_status::ready) look(until);
    called_ = nullptr;
    settle(status.get());
  }

  /// True while a call of NCCL goes on, or what it has enqueued.
  bool is_at_work() const {
    if (called_ && called_->wait_for(std::chrono::seconds{0}) != std::future_status::ready)
      return true;
    return enqueued_ && cudaStreamQuery(*enqueued_) == cudaErrorNotReady;
  }

  /// Waits for a call that may be in progress, whether it says so or not.
  void settle(ncclResult_t status) {
    auto const until = deadline();
    do {
      if (status != ncclSuccess && status != ncclInProgress) give_up(ncclGetErrorString(status));
      status = state();
      if (status == ncclInProgress) look(until);
    } while (status != ncclSuccess);
  }

  /// Throws if what is waited for will not come.
  void look(std::chrono::steady_clock::time_point until) {
    if (*fuse_) give_up("another rank gave up");
    ncclResult_t const now = state();
    if (now != ncclSuccess && now != ncclInProgress) give_up(ncclGetErrorString(now));
    if (std::chrono::steady_clock::now() > until) {
      abort(); // before memory is asked for
      give_up("waited " + std::to_string(limit_.count()) + " ms for the other ranks");
    }
    std::this_thread::yield();
  }

  /// Returns NCCL's error state of the group, both while it is made and later.
  ncclResult_t state() const {
    for (ncclComm_t const group : {first_, group_}) {
      ncclResult_t now = ncclSuccess;
      auto const asked = group ? ncclCommGetAsyncError(group, &now) : ncclSuccess;
      if (asked != ncclSuccess) return asked;
      if (now != ncclSuccess) return now;
    }
    return ncclSuccess;
  }
  std::chrono::steady_clock::time_point deadline() const {
    return std::chrono::steady_clock::now() + limit_;
  }

  void check_alive() {
    if (failed_ || *fuse_) give_up("the group has failed");
  }
  [[noreturn]] void give_up(std::string_view why) {
    abort();
    throw communication_error(rank_, why);
  }

  ncclComm_t first_ = nullptr, group_ = nullptr;
  std::uint64_t gathers_ = 0, even_exchanges_ = 0; ///< size classes that have met, as bits
  std::vector<unsigned char> peers_;               ///< bits: 1 sent to, 2 received from
  std::chrono::milliseconds limit_;
  int device_, rank_ = 0, size_ = 0;
  bool failed_ = false;
  shared_fuse fuse_;
  std::optional<cudaStream_t> enqueued_;              ///< of the last collective call, until wait()
  std::future<ncclResult_t> const* called_ = nullptr; ///< what limited() waits for
};

} // namespace

std::unique_ptr<transport> make_nccl_transport(gpu const& place, group_id const& id, int rank,
                                               int size, communicator_options const& options,
                                               shared_fuse fuse) {
  return std::make_unique<nccl_transport>(place, id, rank, size, options, std::move(fuse));
}

} // namespace comm

bool has_nccl() noexcept { return true; }

group_id make_group_id() {
  detail::verb const scope("make_group_id");
  comm::avoid_multicast();
  ncclUniqueId unique;
  comm::check_nccl(ncclGetUniqueId(&unique));
  group_id id;
  std::memcpy(id.data(), &unique, sizeof unique);
  return id;
}

communicator<gpu> adopt_group(gpu& place, ::ncclComm* group, communicator_options const& options) {
  detail::verb const scope("adopt_group");
  if (!group) detail::refuse("group", "null", "a communicator of NCCL");
  int device = 0;
  comm::check_nccl(ncclCommCuDevice(group, &device));
  if (device != place.device())
    detail::refuse("group", detail::text("one whose rank here is of device ", device),
                   detail::text("one of device ", place.device()));
  return {place, std::make_unique<comm::nccl_transport>(place, group, options)};
}

} // namespace warpfold::inline v0
