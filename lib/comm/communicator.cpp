#include "place_copies.hpp"

#include <warpfold/comm/communicator.hpp>
#include <warpfold/detail/core/scratch.hpp>

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <string>

namespace warpfold::inline v0 {

communication_error::communication_error(int rank, std::string_view what)
    : error("warpfold: rank " + std::to_string(rank) + ": " + std::string(what)) {}

std::chrono::milliseconds detail::checked_limit(communicator_options const& options) {
  if (options.time_limit <= std::chrono::milliseconds{0})
    throw argument_error("options.time_limit",
                         std::to_string(options.time_limit.count()) + " ms, not above 0");
  // Added to the time of today, longer ones may overflow.
  return std::min<std::chrono::milliseconds>(options.time_limit, std::chrono::hours{24 * 365});
}

template <class Place>
communicator<Place>::communicator(Place& place, std::unique_ptr<transport> through)
    : place_{&place}, transport_{std::move(through)} {
  if (!transport_) throw argument_error("through", "null");
}

template <class Place>
void communicator<Place>::wait() {
  if constexpr (on_gpu) {
    device_guard const current{place_->device()};
    transport_->wait(place_->stream());
  } else transport_->wait(nullptr);
}

template <class Place>
std::byte* communicator<Place>::scratch(std::size_t bytes) {
  if (bytes > scratch_.size()) {
    if constexpr (on_gpu) scratch_ = memory(*place_, bytes);
    else scratch_.resize(bytes);
  }
  return scratch_.data();
}

template <class Place>
void communicator<Place>::gather_bytes(void const* mine, void* all, std::size_t bytes) {
  if (!mine && bytes > 0)
    throw argument_error("mine", "null, with " + std::to_string(bytes) + " bytes");
  if constexpr (on_gpu) {
    device_guard const current{place_->device()};
    cudaStream_t const stream = place_->stream();
    std::size_t const begin = (bytes + 255) / 256 * 256;
    std::size_t const total = bytes * static_cast<std::size_t>(size());
    std::byte* const from = scratch(begin + total);
    auto* const staged = static_cast<std::byte*>(detail::scratch(*place_).staging(begin + total));
    std::memcpy(staged, mine, bytes);
    check(cudaMemcpyAsync(from, staged, bytes, cudaMemcpyHostToDevice, stream));
    transport_->all_gather(from, from + begin, bytes, stream);
    check(cudaMemcpyAsync(staged + begin, from + begin, total, cudaMemcpyDeviceToHost, stream));
    transport_->wait(stream);
    std::memcpy(all, staged + begin, total);
  } else transport_->all_gather(mine, all, bytes, nullptr);
}

template <class Place>
void* communicator<Place>::open_record(detail::record_head const& head) {
  static_assert(sizeof head % 8 == 0 && sizeof head / 8 <= comm::most_sent);
  std::byte* const mine = scratch(sizeof(detail::record) * (static_cast<std::size_t>(size()) + 1));
  comm::place_copies(*place_).from_host(mine, &head, sizeof head / 8);
  return mine + offsetof(detail::record, result);
}

template <class Place>
std::vector<detail::record> communicator<Place>::gather_records() {
  using detail::record;
  std::vector<record> all(static_cast<std::size_t>(size()));
  std::byte* const mine = scratch(0);
  comm::place_copies copies(*place_);
  transport_->all_gather(mine, mine + sizeof(record), sizeof(record), copies.stream());
  auto const* const gathered =
      copies.to_host(mine + sizeof(record), sizeof(record), sizeof(record) / 8, all.size());
  wait();
  std::memcpy(all.data(), gathered, sizeof(record) * all.size());

  detail::record_head const& own = all[static_cast<std::size_t>(rank())].head;
  for (std::size_t r = 0; r < all.size(); ++r)
    if (all[r].head.verb != own.verb || all[r].head.bytes != own.bytes ||
        all[r].head.agreed != own.agreed)
      throw communication_error(rank(), "rank " + std::to_string(r) +
                                            " calls another verb, or for another type, or "
                                            "with other options");
  return all;
}

template class communicator<gpu>;
template class communicator<host>;

} // namespace warpfold::inline v0
