// Groups: of one process, and joined from several.

#include "transports.hpp"

#include <warpfold/detail/comm/collective.hpp>
#include <warpfold/detail/core/arguments.hpp>
#include <warpfold/detail/core/refusal.hpp>
#include <warpfold/detail/core/verb.hpp>

#include <algorithm>
#include <atomic>
#include <exception>
#include <mutex>
#include <numeric>
#include <thread>

namespace warpfold::inline v0 {
namespace {

using detail::refuse, detail::text;

constexpr int most_ranks = 1024;

/// Calls work(0) ... work(count - 1), each in a thread, and returns when all have; none begins
/// before all threads are there. Throws the first exception that no other one caused.
template <class Work>
void in_threads(int count, Work work) {
  std::mutex mutex;
  std::exception_ptr cause, consequence;
  auto const note = [&](std::exception_ptr& kept) {
    std::lock_guard const lock{mutex};
    if (!kept) kept = std::current_exception();
  };
  enum : int { expected, there, missing };
  std::atomic<int> threads_are = expected;
  auto const tell = [&](int what) {
    threads_are = what;
    threads_are.notify_all();
  };
  {
    std::vector<std::jthread> threads;
    try {
      for (int r = 0; r < count; ++r)
        threads.emplace_back([&, r] {
          threads_are.wait(expected);
          if (threads_are == missing) return;
          try {
            work(r);
          } catch (communication_error const&) {
            note(consequence);
          } catch (...) {
            note(cause);
          }
        });
    } catch (...) {
      tell(missing);
      throw;
    }
    tell(there);
  }
  if (cause) std::rethrow_exception(cause);
  if (consequence) std::rethrow_exception(consequence);
}

std::vector<int> checked(std::span<int const> devices) {
  detail::check_elements("devices", devices.data(), devices.size());
  std::vector<int> all(devices.begin(), devices.end());
  if (all.empty()) {
    all.resize(static_cast<std::size_t>(gpu_count()));
    std::iota(all.begin(), all.end(), 0);
  }
  if (all.empty()) refuse("devices", "none, and this machine has no gpu", "one device or more");
  std::vector<int> sorted = all;
  std::sort(sorted.begin(), sorted.end());
  auto const twice = std::adjacent_find(sorted.begin(), sorted.end());
  if (twice != sorted.end()) refuse("devices", text(*twice, " twice"), "each device once");
  if (all.size() > 1 && !has_nccl())
    refuse("devices", text(all.size(), " of them"),
           "one: more need NCCL, without which this library was built (WARPFOLD_NCCL)");
  return all;
}

} // namespace

communicator<gpu> join_group(gpu& place, group_id const& id, int rank, int size,
                             communicator_options const& options) {
  detail::verb const scope("join_group");
  if (size < 1) refuse("size", size, "at least 1");
  if (rank < 0 || rank >= size) refuse("rank", rank, text("0 to ", size - 1));
  return {place, comm::make_nccl_transport(place, id, rank, size, options,
                                           std::make_shared<std::atomic<bool>>(false))};
}

template <class Place>
struct local_group<Place>::state {
  std::vector<Place> places;
  std::vector<communicator<Place>> ranks;
};

template <class Place>
local_group<Place>::local_group(
    std::span<int const> devices,
    communicator_options const& options) requires std::is_same_v<Place, gpu>
    : state_{std::make_unique<state>()} {
  detail::verb const scope("local_group");
  static_cast<void>(detail::checked_limit(options)); // which a group of one does not look at
  for (int const device : checked(devices)) state_->places.emplace_back(device);
  auto const count = state_->places.size();
  state_->ranks.reserve(count); // NCCL's would wait for each other, if they were to leave here
  std::vector<std::unique_ptr<transport>> transports(count);
  if (count == 1) transports[0] = comm::make_lone_transport(state_->places[0]);
  else {
    group_id const id = make_group_id();
    auto const fuse = std::make_shared<std::atomic<bool>>(false);
    in_threads(static_cast<int>(count), [&](int r) {
      auto const at = static_cast<std::size_t>(r);
      transports[at] = comm::make_nccl_transport(state_->places[at], id, r, static_cast<int>(count),
                                                 options, fuse);
    });
  }
  for (std::size_t r = 0; r < count; ++r)
    state_->ranks.emplace_back(state_->places[r], std::move(transports[r]));
}

template <class Place>
local_group<Place>::local_group(
    int ranks, int threads,
    communicator_options const& options) requires std::is_same_v<Place, host>
    : state_{std::make_unique<state>()} {
  detail::verb const scope("local_group");
  if (ranks < 1 || ranks > most_ranks) refuse("ranks", ranks, text("1 to ", most_ranks));
  for (int r = 0; r < ranks; ++r) state_->places.emplace_back(threads);
  auto transports = comm::make_thread_transports(ranks, options);
  for (std::size_t r = 0; r < transports.size(); ++r)
    state_->ranks.emplace_back(state_->places[r], std::move(transports[r]));
}

template <class Place>
local_group<Place>::~local_group() {
  if (!state_) return;
  // NCCL's ranks leave together.
  try {
    in_threads(size(), [&](int r) {
      communicator<Place> const leaving = std::move(state_->ranks[static_cast<std::size_t>(r)]);
    });
  } catch (...) { // no threads to be had: one after the other, as members are destroyed
  }
}
template <class Place>
local_group<Place>::local_group(local_group&&) noexcept = default;
template <class Place>
local_group<Place>& local_group<Place>::operator=(local_group&& other) noexcept {
  local_group leaving(std::move(other)); // what was here leaves by the destructor
  std::swap(state_, leaving.state_);
  return *this;
}

template <class Place>
int local_group<Place>::size() const noexcept {
  return static_cast<int>(state_->ranks.size());
}

template <class Place>
void local_group<Place>::run(std::function<void(communicator<Place>&)> const& work) {
  detail::verb const scope("local_group::run");
  if (!work) refuse("work", "an empty function", "one to call");
  in_threads(size(), [&](int r) {
    auto& rank = state_->ranks[static_cast<std::size_t>(r)];
    detail::collective(rank).guarded([&] { work(rank); });
  });
}

template class local_group<gpu>;
template class local_group<host>;

} // namespace warpfold::inline v0
