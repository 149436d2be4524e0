#pragma once
// Ranks as processes on hosts, through MPI.

#include <warpfold/detail/comm/transport_parts.hpp>

#include <mpi.h>

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstring>
#include <memory>
#include <span>
#include <string>
#include <thread>
#include <vector>

namespace warpfold::inline v0::detail {

inline std::string mpi_text(int status) {
  char text[MPI_MAX_ERROR_STRING];
  int length = 0;
  MPI_Error_string(status, text, &length);
  return {text, static_cast<std::size_t>(length)};
}
inline void check_mpi(int rank, int status) {
  if (status != MPI_SUCCESS) throw communication_error(rank, mpi_text(status));
}

/// On messages from every rank to every other, which do not block: waiting is done here, with a
/// limit. A rank that gives up sends the others a message that says so.
class mpi_transport final : public transport {
public:
  mpi_transport(MPI_Comm mpi, communicator_options const& options)
      : limit_{checked_limit(options)} {
    check_mpi(0, MPI_Comm_rank(mpi, &rank_));
    check_mpi(rank_, MPI_Comm_size(mpi, &size_));
    check_mpi(rank_, MPI_Comm_dup(mpi, &mpi_));
    check_mpi(rank_, MPI_Comm_set_errhandler(mpi_, MPI_ERRORS_RETURN));
  }
  mpi_transport(mpi_transport const&) = delete;
  mpi_transport& operator=(mpi_transport const&) = delete;
  ~mpi_transport() override {
    // After a failure messages may still be on their way.
    if (!failed_) MPI_Comm_free(&mpi_);
  }

  int rank() const noexcept override { return rank_; }
  int size() const noexcept override { return size_; }

  void all_gather(void const* from, void* to, std::size_t bytes, cudaStream_t) override {
    std::vector<byte_range> const sent(static_cast<std::size_t>(size_), {0, bytes});
    std::vector<byte_range> received;
    for (std::size_t r = 0; r < sent.size(); ++r) received.push_back({r * bytes, bytes});
    move(gather_tag, from, sent, to, received);
  }
  void exchange(void const* from, std::span<byte_range const> sent, void* to,
                std::span<byte_range const> received, cudaStream_t) override {
    move(exchange_tag, from, sent, to, received);
  }
  std::shared_ptr<std::byte> allocate(std::size_t bytes) override { return host_memory(bytes); }
  void wait(cudaStream_t) override {}

  void abort() noexcept override {
    if (failed_) return;
    failed_ = true;
    for (int r = 0; r < size_; ++r) {
      MPI_Request request;
      if (r != rank_ && MPI_Isend(nullptr, 0, MPI_BYTE, r, failure_tag, mpi_, &request) == 0)
        MPI_Request_free(&request);
    }
  }

private:
  static constexpr int gather_tag = 1, exchange_tag = 2, failure_tag = 3;
  /// The largest message: MPI counts in int. Another one follows it, if only an empty one.
  static constexpr std::size_t most_bytes = std::size_t{1} << 30;
  static constexpr std::chrono::milliseconds most_patience{1000}; ///< with what was called off

  /// A message that another rank sends.
  struct message {
    std::byte* to;
    std::size_t bytes;
    int from;
  };

  void move(int tag, void const* from, std::span<byte_range const> sent, void* to,
            std::span<byte_range const> received) {
    if (failed_) throw communication_error(rank_, "the group has failed");
    heed_failures();
    keep_own(from, sent[static_cast<std::size_t>(rank_)], to,
             received[static_cast<std::size_t>(rank_)]);
    std::vector<MPI_Request> requests;
    try {
      send(tag, static_cast<std::byte const*>(from), sent, requests);
      receive(tag, static_cast<std::byte*>(to), received, requests);
    } catch (...) {
      call_off(requests);
      throw;
    }
  }

  /// What a rank sends itself, which may be there already: a message must not be sent from where
  /// it is received.
  void keep_own(void const* from, byte_range sent, void* to, byte_range received) {
    if (sent.size != received.size)
      give_up("sends itself " + std::to_string(sent.size) + " bytes and expects " +
              std::to_string(received.size));
    auto const* const own = static_cast<std::byte const*>(from) + sent.offset;
    std::byte* const there = static_cast<std::byte*>(to) + received.offset;
    if (sent.size > 0 && there != own) std::memcpy(there, own, sent.size);
  }

  /// one(rank, offset, bytes) for each message to or from another rank. An empty range is a message
  /// too: by it the other rank knows that this one has come.
  template <class One>
  void each_message(std::span<byte_range const> ranges, One one) const {
    for (int r = 0; r < size_; ++r) {
      if (r == rank_) continue;
      byte_range const all = ranges[static_cast<std::size_t>(r)];
      std::size_t done = 0, bytes = 0;
      do {
        bytes = std::min(all.size - done, most_bytes);
        one(r, all.offset + done, bytes);
        done += bytes;
      } while (bytes == most_bytes);
    }
  }

  void send(int tag, std::byte const* from, std::span<byte_range const> sent,
            std::vector<MPI_Request>& requests) {
    each_message(sent, [&](int r, std::size_t at, std::size_t bytes) {
      requests.push_back(MPI_REQUEST_NULL);
      check(
          MPI_Isend(from + at, static_cast<int>(bytes), MPI_BYTE, r, tag, mpi_, &requests.back()));
    });
  }

  void receive(int tag, std::byte* to, std::span<byte_range const> received,
               std::vector<MPI_Request>& requests) {
    std::vector<message> awaited; ///< those of one rank follow each other
    each_message(received, [&](int r, std::size_t at, std::size_t bytes) {
      awaited.push_back({to + at, bytes, r});
    });
    auto const until = std::chrono::steady_clock::now() + limit_;
    for (int done = 0;;) {
      heed_failures(); // first, since a rank that gave up has its memory back
      take(tag, awaited, requests);
      check(MPI_Testall(static_cast<int>(requests.size()), requests.data(), &done,
                        MPI_STATUSES_IGNORE));
      if (done && awaited.empty()) return;
      if (std::chrono::steady_clock::now() > until)
        give_up("waited " + std::to_string(limit_.count()) + " ms for the other ranks");
      std::this_thread::yield();
    }
  }

  /// Starts to receive the messages that have come, and leaves the others in `awaited`.
  void take(int tag, std::vector<message>& awaited, std::vector<MPI_Request>& requests) {
    int late = -1; // a rank of which a message has not come, so that its next ones have to wait
    auto kept = awaited.begin();
    for (message const& next : awaited)
      if (next.from == late || !taken(tag, next, requests)) {
        late = next.from;
        *kept++ = next;
      }
    awaited.erase(kept, awaited.end());
  }

  /// False if the message has not come. Sizes are compared before it is received: Open MPI 4.1
  /// writes a longer one past the end of the memory.
  bool taken(int tag, message const& next, std::vector<MPI_Request>& requests) {
    int come = 0, bytes = 0;
    MPI_Status state;
    check(MPI_Iprobe(next.from, tag, mpi_, &come, &state));
    if (!come) return false;
    check(MPI_Get_count(&state, MPI_BYTE, &bytes));
    if (static_cast<std::size_t>(bytes) != next.bytes)
      give_up("rank " + std::to_string(next.from) + " makes a call of another size");
    requests.push_back(MPI_REQUEST_NULL);
    check(MPI_Irecv(next.to, bytes, MPI_BYTE, next.from, tag, mpi_, &requests.back()));
    return true;
  }

  void heed_failures() {
    int failed = 0;
    MPI_Status by;
    check(MPI_Iprobe(MPI_ANY_SOURCE, failure_tag, mpi_, &failed, &by));
    if (failed) give_up("rank " + std::to_string(by.MPI_SOURCE) + " gave up");
  }

  /// Waits for messages on their way, so that none comes after the caller has taken its memory
  /// back; but not for ever, since a rank may not take what is sent to it.
  void call_off(std::vector<MPI_Request>& requests) const {
    auto const until = std::chrono::steady_clock::now() + std::min(limit_, most_patience);
    for (int done = 0; !done && std::chrono::steady_clock::now() < until; std::this_thread::yield())
      if (MPI_Testall(static_cast<int>(requests.size()), requests.data(), &done,
                      MPI_STATUSES_IGNORE) != MPI_SUCCESS)
        return;
  }

  void check(int status) {
    if (status == MPI_SUCCESS) return;
    give_up(mpi_text(status));
  }
  [[noreturn]] void give_up(std::string const& why) {
    abort();
    throw communication_error(rank_, why);
  }

  MPI_Comm mpi_ = MPI_COMM_NULL;
  std::chrono::milliseconds limit_;
  int rank_ = 0, size_ = 0;
  bool failed_ = false;
};

} // namespace warpfold::inline v0::detail
