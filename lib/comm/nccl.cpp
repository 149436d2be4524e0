// Ranks as GPUs, through NCCL. Communicators do not block: every call returns, and waiting is done
// here, with a limit.

#include "transports.hpp"

#include <nccl.h>

#if NCCL_VERSION_CODE >= NCCL_VERSION(2, 28, 0)
#define WARPFOLD_NCCL_WINDOWS
#endif

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <string>
#include <thread>

namespace warpfold {
namespace comm {
namespace {

void check_nccl(ncclResult_t status, std::source_location where = std::source_location::current()) {
  if (status == ncclSuccess || status == ncclInProgress) return;
  throw vendor_error(status, std::string("NCCL: ") + ncclGetErrorString(status), where);
}

class nccl_transport final : public transport {
public:
  /// Becomes a rank of a new group.
  nccl_transport(gpu const& place, group_id const& id, int rank, int size,
                 communicator_options const& options, shared_fuse fuse)
      : limit_{options.time_limit}, device_{place.device()}, rank_{rank}, size_{size}, owned_{true},
        fuse_{std::move(fuse)} {
    device_guard const current{place.device()};
    // Multicast over NVLink has hung machines; whoever wants it says so.
    setenv("NCCL_NVLS_ENABLE", "0", 0);
    ncclUniqueId unique;
    static_assert(sizeof unique == sizeof id);
    std::memcpy(&unique, id.data(), sizeof unique);
    ncclConfig_t config = NCCL_CONFIG_INITIALIZER;
    config.blocking = 0;
#ifdef WARPFOLD_NCCL_WINDOWS
    // All-to-alls of registered memory by copy engines, beside which kernels go on.
    config.CTAPolicy = NCCL_CTA_POLICY_ZERO;
#endif
    settle(ncclCommInitRankConfig(&group_, size, unique, rank, &config));
  }
  /// Works for a group of the caller's.
  nccl_transport(gpu const& place, ncclComm_t adopted, communicator_options const& options)
      : group_{adopted}, limit_{options.time_limit}, device_{place.device()}, owned_{false},
        fuse_{std::make_shared<std::atomic<bool>>(false)} {
    check_nccl(ncclCommUserRank(group_, &rank_));
    check_nccl(ncclCommCount(group_, &size_));
  }
  nccl_transport(nccl_transport const&) = delete;
  nccl_transport& operator=(nccl_transport const&) = delete;
  ~nccl_transport() override {
    if (!group_ || !owned_ || failed_) return;
    try {
      settle(ncclCommFinalize(group_));
      ncclCommDestroy(group_);
    } catch (...) { // aborted
    }
  }

  int rank() const noexcept override { return rank_; }
  int size() const noexcept override { return size_; }

  void all_gather(void const* from, void* to, std::size_t bytes, cudaStream_t stream) override {
    check_alive();
    settle(ncclAllGather(from, to, bytes, ncclChar, group_, stream));
  }

  void exchange(void const* from, std::span<byte_range const> sent, void* to,
                std::span<byte_range const> received, cudaStream_t stream) override {
    check_alive();
    auto const* const out = static_cast<std::byte const*>(from);
    auto* const in = static_cast<std::byte*>(to);
#ifdef WARPFOLD_NCCL_WINDOWS
    if (std::size_t const bytes = even_size(sent); bytes > 0 && bytes == even_size(received)) {
      settle(ncclAlltoAll(out + sent[0].offset, in + received[0].offset, bytes, ncclChar, group_,
                          stream));
      return;
    }
#endif
    check_nccl(ncclGroupStart());
    for (int r = 0; r < size_; ++r) {
      byte_range const a = sent[static_cast<std::size_t>(r)];
      byte_range const b = received[static_cast<std::size_t>(r)];
      if (a.size > 0) check_nccl(ncclSend(out + a.offset, a.size, ncclChar, r, group_, stream));
      if (b.size > 0) check_nccl(ncclRecv(in + b.offset, b.size, ncclChar, r, group_, stream));
    }
    settle(ncclGroupEnd());
  }

  std::shared_ptr<std::byte> allocate(std::size_t bytes) override {
    check_alive();
    device_guard const current{device_};
    void* memory = nullptr;
    bytes = std::max<std::size_t>(bytes, 1);
    check_nccl(ncclMemAlloc(&memory, bytes));
    std::shared_ptr<std::byte> const owned(static_cast<std::byte*>(memory),
                                           [](std::byte* m) { ncclMemFree(m); });
#ifdef WARPFOLD_NCCL_WINDOWS
    ncclWindow_t window{}; // null where NCCL has no use for it
    settle(ncclCommWindowRegister(group_, memory, bytes, &window, NCCL_WIN_COLL_SYMMETRIC));
    if (window) return {owned.get(), [this, owned, window](std::byte*) { forget(window); }};
#endif
    return owned;
  }

  void wait(cudaStream_t stream) override {
    check_alive();
    auto const until = std::chrono::steady_clock::now() + limit_;
    for (;;) {
      cudaError_t const status = cudaStreamQuery(stream);
      if (status == cudaSuccess) return;
      if (status != cudaErrorNotReady) check(status);
      look(until);
    }
  }

  void abort() noexcept override {
    fuse_->store(true);
    if (failed_) return;
    failed_ = true;
    if (group_) ncclCommAbort(group_);
  }

private:
  /// Of all ranges if they are alike, one after the other; else 0.
  static std::size_t even_size(std::span<byte_range const> ranges) {
    for (std::size_t r = 0; r < ranges.size(); ++r)
      if (ranges[r].size != ranges[0].size ||
          ranges[r].offset != ranges[0].offset + r * ranges[0].size)
        return 0;
    return ranges[0].size;
  }

#ifdef WARPFOLD_NCCL_WINDOWS
  void forget(ncclWindow_t window) noexcept {
    if (failed_) return;
    try {
      device_guard const current{device_};
      settle(ncclCommWindowDeregister(group_, window));
    } catch (...) { // the group has failed, as its next call will say
    }
  }
#endif

  /// Waits for a call that may be in progress, whether it says so or not.
  void settle(ncclResult_t status, std::source_location where = std::source_location::current()) {
    auto const until = std::chrono::steady_clock::now() + limit_;
    if (status == ncclSuccess) check_nccl(ncclCommGetAsyncError(group_, &status), where);
    while (status == ncclInProgress) {
      look(until);
      check_nccl(ncclCommGetAsyncError(group_, &status), where);
    }
    if (status != ncclSuccess) give_up(ncclGetErrorString(status));
  }

  /// Throws if what is waited for will not come.
  void look(std::chrono::steady_clock::time_point until) {
    if (*fuse_) give_up("another rank gave up");
    ncclResult_t state = ncclSuccess;
    check_nccl(ncclCommGetAsyncError(group_, &state));
    if (state != ncclSuccess && state != ncclInProgress) give_up(ncclGetErrorString(state));
    if (std::chrono::steady_clock::now() > until)
      give_up("waited " + std::to_string(limit_.count()) + " ms for the other ranks");
    std::this_thread::yield();
  }

  void check_alive() {
    if (failed_ || *fuse_) give_up("the group has failed");
  }
  [[noreturn]] void give_up(std::string const& why) {
    abort();
    throw communication_error(rank_, why);
  }

  ncclComm_t group_ = nullptr;
  std::chrono::milliseconds limit_;
  int device_, rank_ = 0, size_ = 0;
  bool owned_, failed_ = false;
  shared_fuse fuse_;
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
  ncclUniqueId unique;
  comm::check_nccl(ncclGetUniqueId(&unique));
  group_id id;
  std::memcpy(id.data(), &unique, sizeof unique);
  return id;
}

communicator<gpu> adopt_group(gpu& place, ::ncclComm* group, communicator_options const& options) {
  if (!group) throw argument_error("group", "null");
  int device = 0;
  comm::check_nccl(ncclCommCuDevice(group, &device));
  if (device != place.device())
    throw argument_error("group", "its rank here is of device " + std::to_string(device) +
                                      ", not of " + std::to_string(place.device()));
  return {place, std::make_unique<comm::nccl_transport>(place, group, options)};
}

} // namespace warpfold
