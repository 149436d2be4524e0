#include <warpfold/comm/communicator.hpp>

#include "place_copies.hpp"

#include <warpfold/detail/comm/collective.hpp>
#include <warpfold/detail/comm/transport_parts.hpp>
#include <warpfold/detail/core/refusal.hpp>
#include <warpfold/detail/core/scratch.hpp>
#include <warpfold/detail/core/verb.hpp>
#include <warpfold/stream.hpp>

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <functional>

namespace warpfold::inline v0 {

using detail::text;

communication_error::communication_error(int rank, std::string_view reason)
    : error(text("warpfold: rank ", rank, ": ", reason)) {}

std::chrono::milliseconds detail::checked_limit(communicator_options const& options) {
  if (options.time_limit <= std::chrono::milliseconds{0})
    refuse("options.time_limit", text(options.time_limit.count(), " ms"), "above 0");
  // Added to the time of today, longer ones may overflow.
  return std::min<std::chrono::milliseconds>(options.time_limit, std::chrono::hours{24 * 365});
}

std::shared_ptr<std::byte> detail::host_memory(std::size_t bytes) {
  struct alignas(256) line {
    std::byte bytes[256];
  };
  auto const all = std::make_shared<line[]>(bytes / sizeof(line) + 1);
  return {all, all[0].bytes};
}

namespace {

/// What comes on the second stream waits for what is on the first, on the current device.
void order(cudaStream_t earlier, cudaStream_t later) {
  if (earlier == later) return;
  event reached;
  reached.record(earlier);
  reached.block(later);
}

} // namespace

template <class Place>
communicator<Place>::communicator(Place& place, std::unique_ptr<warpfold::transport> transport)
    : place_{&place}, transport_{std::move(transport)} {
  detail::verb const scope("communicator");
  if (!transport_) detail::refuse("transport", "null", "a transport");
  if constexpr (on_gpu) home_ = place.stream();
}

template <class Place>
void communicator<Place>::wait() {
  detail::verb const scope("communicator::wait");
  if constexpr (on_gpu) {
    device_guard const current{place_->device()};
    transport_->wait(place_->stream());
  } else transport_->wait(nullptr);
}

template <class Place>
std::byte* communicator<Place>::scratch(std::size_t bytes) {
  if (bytes > scratch_.size()) {
    // Records travel whole, also where a verb writes only their beginning.
    if constexpr (on_gpu) {
      device_guard const current{place_->device()};
      cudaStream_t const now = place_->stream();
      order(now, home_);
      scratch_ = memory(place_->memory(), bytes, home_);
      check(cudaMemsetAsync(scratch_.data(), 0, bytes, home_));
      order(home_, now);
    } else scratch_.resize(bytes);
  }
  return static_cast<std::byte*>(static_cast<void*>(scratch_.data()));
}

template <class Place>
void communicator<Place>::gather_bytes(void const* values, void* all, std::size_t bytes) {
  if (!values && bytes > 0)
    detail::refuse("values", text("null, with ", bytes, " bytes"), "memory that holds them");
  if constexpr (on_gpu) {
    device_guard const current{place_->device()};
    cudaStream_t const stream = place_->stream();
    std::size_t const begin = (bytes + 255) / 256 * 256;
    std::size_t const total = bytes * static_cast<std::size_t>(size());
    std::byte* const here = scratch(begin + total);
    auto* const staged =
        static_cast<std::byte*>(detail::gpu_scratch(*place_).staging(begin + total));
    std::memcpy(staged, values, bytes);
    check(cudaMemcpyAsync(here, staged, bytes, cudaMemcpyHostToDevice, stream));
    transport_->all_gather(here, here + begin, bytes, stream);
    check(cudaMemcpyAsync(staged + begin, here + begin, total, cudaMemcpyDeviceToHost, stream));
    transport_->wait(stream);
    std::memcpy(all, staged + begin, total);
  } else transport_->all_gather(values, all, bytes, nullptr);
}

namespace detail {

template <class Place>
void* collective<Place>::open_record(record_head head) const {
  head.verb = std::hash<std::string_view>{}(current_verb());
  static_assert(sizeof head % 8 == 0 && sizeof head / 8 <= comm::most_sent);
  std::byte* const mine = scratch(sizeof(record) * (static_cast<std::size_t>(comm_.size()) + 1));
  comm::place_copies(comm_.place()).from_host(mine, &head, sizeof head / 8);
  return mine + offsetof(record, result);
}

template <class Place>
std::vector<record> collective<Place>::gather_records() const {
  std::vector<record> all(static_cast<std::size_t>(comm_.size()));
  std::byte* const mine = scratch(0);
  comm::place_copies copies(comm_.place());
  copies.make_room(sizeof(record) / 8, all.size());
  comm_.transport().all_gather(mine, mine + sizeof(record), sizeof(record), copies.stream());
  auto const* const gathered =
      copies.to_host(mine + sizeof(record), sizeof(record), sizeof(record) / 8, all.size());
  comm_.wait();
  std::memcpy(all.data(), gathered, sizeof(record) * all.size());

  record_head const& own = all[static_cast<std::size_t>(comm_.rank())].head;
  for (std::size_t r = 0; r < all.size(); ++r)
    if (all[r].head.verb != own.verb || all[r].head.bytes != own.bytes ||
        all[r].head.agreed != own.agreed)
      throw communication_error(
          comm_.rank(), std::string(text("rank ", r,
                                         " calls another verb, or for another type, or with other "
                                         "arguments")));
  return all;
}

template class collective<gpu>;
template class collective<host>;

} // namespace detail

template class communicator<gpu>;
template class communicator<host>;

} // namespace warpfold::inline v0
