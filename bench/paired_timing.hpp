#pragma once
// Fair timing of several ways to do one thing on a GPU: cold caches, and turns taken so that a
// ratio of two times is a ratio of the same minute. Shared by the benchmarks, the tuner and the
// tour.

#include "wall_timing.hpp"

#include <warpfold/buffer.hpp>
#include <warpfold/error.hpp>
#include <warpfold/execution.hpp>
#include <warpfold/span.hpp>
#include <warpfold/stream.hpp>
#include <warpfold/twins/reductions.hpp>

#include <algorithm>
#include <cmath>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <functional>
#include <limits>
#include <memory>
#include <numbers>
#include <type_traits>
#include <typeinfo>
#include <utility>
#include <vector>

namespace warpfold::bench {

inline constexpr std::size_t kibi = 1024, mebi = 1024 * kibi, gibi = 1024 * mebi;

/// Seconds of GPU time from before some work to after it.
class event_pair {
public:
  /// Enqueues the work and waits for it. Work enqueued before that keeps the GPU busy meanwhile
  /// keeps the time of enqueueing out of the result.
  template <class Enqueue>
  double seconds(gpu const& place, Enqueue&& enqueue) {
    start_.record(place.stream());
    enqueue();
    stop_.record(place.stream());
    stop_.synchronize();
    return seconds_between(start_, stop_);
  }

private:
  event start_, stop_;
};

/// Elements of a measured array. Most are integers, so that every order of operations has the same
/// exact result. All are random: the power that a GPU draws, and with it the clock, depends on the
/// bits that change.
enum class pattern {
  small_integers, ///< -8 ... 8; 0 ... 16 for unsigned types
  signs,          ///< -1 or 1, for products; 1 for unsigned types
  /// From 2^24 - 1 down to about 0 in 2^24 elements, 4096 at a step, with noise below that: for
  /// minima, which are then rare and late. For types of 32 bits and more.
  falling,
  normals, ///< of the standard normal distribution
  uniform, ///< in [0, 1), or all integers of the type that are not negative
  equal,   ///< 77, or 77 / 128
  /// Both signs, with exponents spread evenly over the type's range. The largest 40 are left out,
  /// so that sums are finite.
  wild
};

/// By Box and Muller's method.
template <std::floating_point T>
T normal(std::uint64_t bits) {
  double const u = (static_cast<double>(bits >> 32) + 0.5) * 0x1p-32;
  double const v = static_cast<double>(bits & 0xffffffff) * 0x1p-32;
  return static_cast<T>(std::sqrt(-2 * std::log(u)) * std::cos(2 * std::numbers::pi * v));
}

template <std::floating_point T>
T wild(std::uint64_t bits) {
  using limits = std::numeric_limits<T>;
  int const exponents = limits::max_exponent - limits::min_exponent - 40;
  int const exponent = static_cast<int>(bits % static_cast<unsigned>(exponents));
  double const mantissa = 1 + static_cast<double>(bits >> 12) * 0x1p-52;
  double const x = std::ldexp(mantissa, limits::min_exponent + exponent);
  return static_cast<T>((bits >> 11 & 1) != 0 ? -x : x);
}

/// Element i of a pattern, from random bits of its own.
template <class T>
T element_of(pattern what, std::size_t i, std::uint64_t bits) {
  if constexpr (std::is_floating_point_v<T>) {
    if (what == pattern::uniform) return static_cast<T>(static_cast<double>(bits >> 40) * 0x1p-24);
    if (what == pattern::equal) return static_cast<T>(77. / 128);
    if (what == pattern::normals) return normal<T>(bits);
    if (what == pattern::wild) return wild<T>(bits);
  }
  constexpr bool is_unsigned = std::is_unsigned_v<T>;
  int number = 0;
  switch (what) {
  case pattern::small_integers:
    number = static_cast<int>((bits >> 32) % 17) - (is_unsigned ? 0 : 8);
    break;
  case pattern::signs: number = is_unsigned ? 1 : static_cast<int>(bits >> 63) * 2 - 1; break;
  case pattern::falling:
    number = (1 << 24) - 1 - static_cast<int>(i / 4096 * 4096 + (bits >> 32) % 4096);
    break;
  case pattern::uniform: number = static_cast<int>(bits >> 33); break;
  case pattern::equal: number = 77; break;
  case pattern::normals:
  case pattern::wild: break;
  }
  if constexpr (std::is_arithmetic_v<T>) return static_cast<T>(number);
  else return static_cast<T>(static_cast<float>(number)); // the half types
}

template <class T>
void fill_random(std::vector<T>& values, pattern what) {
  std::uint64_t state = 2008;
  for (std::size_t i = 0; i < values.size(); ++i) {
    state += 0x9e3779b97f4a7c15u; // splitmix64 (Steele, Lea, Flood 2014)
    std::uint64_t bits = state;
    bits = (bits ^ (bits >> 30)) * 0xbf58476d1ce4e5b9u;
    bits = (bits ^ (bits >> 27)) * 0x94d049bb133111ebu;
    values[i] = element_of<T>(what, i, bits ^ (bits >> 31));
  }
}

/// Enqueues a sum by the toolkit's CUB.
inline void read_with_cub(gpu& place, device_span<std::int32_t const> values,
                          device_span<std::int32_t> sum) {
  sum_async(place, values, sum, twins::cub);
}

/// Empties the L2 cache of what an earlier run left there. It reads a buffer of its own: writing
/// one would leave dirty lines whose eviction the next run would pay for. It reads with CUB, since
/// what the fold reads is the first to leave the cache again and would push nothing else out.
class l2_flush {
public:
  /// Enqueues a sum, or whatever else reads all values.
  using reader = void (*)(gpu& place, device_span<std::int32_t const> values,
                          device_span<std::int32_t> sum);

  /// A program that must not contain the toolkit's CUB brings a reader of its own.
  explicit l2_flush(gpu& place, reader read = read_with_cub)
      : place_{&place}, read_{read}, sink_{place, 1} {
    int l2_bytes = 0;
    check(cudaDeviceGetAttribute(&l2_bytes, cudaDevAttrL2CacheSize, place.device()));
    std::size_t const bytes = std::max(256 * mebi, 4 * static_cast<std::size_t>(l2_bytes));
    other_ = device_buffer<std::int32_t>(place, bytes / sizeof(std::int32_t));
    check(cudaMemsetAsync(other_.data(), 0, bytes, place.stream()));
  }

  void enqueue() { read_(*place_, other_, sink_); }

private:
  gpu* place_;
  reader read_;
  device_buffer<std::int32_t> other_;
  device_buffer<std::int32_t> sink_;
};

/// GPU memory from which equal arrays are taken in turn, filled with a random block that repeats.
class cold_pool {
public:
  /// At most `wanted` bytes, and at most half of the memory that is free.
  cold_pool(gpu& place, std::size_t wanted) : place_{&place} {
    device_guard const current{place.device()};
    std::size_t free = 0, total = 0;
    check(cudaMemGetInfo(&free, &total));
    memory_ = device_buffer<std::byte>(place, std::min(wanted, free / 2) / mebi * mebi);
  }

  [[nodiscard]] std::size_t size() const noexcept { return memory_.size(); }
  [[nodiscard]] std::byte* data() noexcept { return memory_.data(); }

  /// Says that somebody has written to the memory.
  void forget() noexcept { filled_ = 0; }

  /// Makes `arrays` arrays of `count` elements, spread over 512 MiB at least: fewer of them if the
  /// pool is too small. Returns how many; 0 if not even one has room.
  template <class T>
  int prepare(std::size_t count, int arrays, pattern what) {
    std::size_t const bytes = std::max((count * sizeof(T) + 255) / 256 * 256, std::size_t{256});
    std::size_t const room = std::min(static_cast<std::size_t>(arrays), size() / bytes);
    if (room == 0) return 0;
    std::size_t const extent = std::max(room * bytes, std::min(512 * mebi, size()));
    stride_ = extent / room / 256 * 256;
    make_block<T>(what);
    fill(extent);
    return static_cast<int>(room);
  }

  /// Array number i of the last prepare.
  template <class T>
  [[nodiscard]] device_span<T const> array(int i, std::size_t count) const {
    std::byte const* const start = memory_.data() + static_cast<std::size_t>(i) * stride_;
    return {reinterpret_cast<T const*>(start), count};
  }

  /// Where array number i begins in the block, in elements.
  template <class T>
  [[nodiscard]] std::size_t offset(int i) const {
    return static_cast<std::size_t>(i) * stride_ % block_.size() / sizeof(T);
  }

  /// The block of host memory that repeats in the pool from its beginning.
  template <class T>
  [[nodiscard]] std::span<T const> block() const {
    return {reinterpret_cast<T const*>(block_.data()), block_.size() / sizeof(T)};
  }

private:
  template <class T>
  void make_block(pattern what) {
    if (type_ == &typeid(T) && what_ == what && !block_.empty()) return;
    std::vector<T> values(64 * mebi / sizeof(T));
    fill_random(values, what);
    block_.resize(64 * mebi);
    std::memcpy(block_.data(), values.data(), block_.size());
    type_ = &typeid(T);
    what_ = what;
    filled_ = 0;
  }

  void fill(std::size_t extent) {
    if (filled_ >= extent) return;
    auto const copy = [&](std::size_t to, void const* from, std::size_t bytes) {
      check(cudaMemcpyAsync(data() + to, from, bytes, cudaMemcpyDefault, place_->stream()));
    };
    if (filled_ == 0) {
      filled_ = std::min(block_.size(), size());
      copy(0, block_.data(), filled_);
    }
    while (filled_ < extent) { // what is there is a whole number of blocks: double it
      std::size_t const more = std::min(filled_, size() - filled_);
      copy(filled_, data(), more);
      filled_ += more;
    }
    place_->synchronize();
  }

  gpu* place_;
  device_buffer<std::byte> memory_;
  std::vector<std::byte> block_;
  std::type_info const* type_ = nullptr;
  pattern what_{};
  std::size_t filled_ = 0;
  std::size_t stride_ = 0;
};

struct destroy_graph {
  void operator()(cudaGraph_t one) const { cudaGraphDestroy(one); }
};
using owned_graph = std::unique_ptr<CUgraph_st, destroy_graph>;

/// Captures the work that `enqueue` puts on the place's stream.
template <class Enqueue>
owned_graph capture(gpu const& place, Enqueue&& enqueue) {
  check(cudaStreamBeginCapture(place.stream(), cudaStreamCaptureModeThreadLocal));
  cudaGraph_t recorded = nullptr;
  try {
    enqueue();
  } catch (...) {
    cudaStreamEndCapture(place.stream(), &recorded);
    owned_graph const discarded(recorded);
    throw;
  }
  check(cudaStreamEndCapture(place.stream(), &recorded));
  return owned_graph(recorded);
}

/// A recorded sequence of stream work that is replayed as a whole. Move-only.
class graph {
public:
  /// Captures what `enqueue` puts on the place's stream.
  template <class Enqueue>
  graph(gpu const& place, Enqueue&& enqueue) : graph(capture(place, enqueue)) {}
  explicit graph(owned_graph const& recorded) {
    check(cudaGraphInstantiate(&replay_, recorded.get(), 0));
  }
  ~graph() {
    if (replay_) cudaGraphExecDestroy(replay_);
  }
  graph(graph&& other) noexcept : replay_{std::exchange(other.replay_, nullptr)} {}
  graph& operator=(graph&& other) noexcept {
    std::swap(replay_, other.replay_);
    return *this;
  }

  void launch(gpu const& place) const { check(cudaGraphLaunch(replay_, place.stream())); }

private:
  cudaGraphExec_t replay_ = nullptr;
};

/// How much is measured.
struct timing_plan {
  int calls = 1;   ///< of one replay, each on an array of its own
  int samples = 1; ///< replays
};

/// Enough calls that the start of a replay does not count (2 GiB take half a millisecond on an
/// H200), and at most 64.
inline timing_plan plan_for(std::size_t bytes, bool quick) {
  std::size_t const calls = 2 * gibi / std::max(bytes, std::size_t{1});
  bool const large = bytes >= 256 * mebi;
  return {static_cast<int>(std::clamp(calls, std::size_t{2}, std::size_t{64})),
          (large ? 15 : 41) * (quick ? 1 : 2)};
}

/// One of the things that are compared. call(i) works on array i, of as many as the plan has calls.
struct contender {
  std::function<void(int)> call;
  /// The call waits for its result: it is timed by the wall clock, because it cannot be captured.
  bool blocking = false;
  /// One call a replay: nothing runs before it that it could overlap with.
  bool alone = false;
};

/// Time per call of every contender, in turns. L2 is flushed before every turn, and a turn's last
/// call works on the last array. Those that do not block are captured in one CUDA graph each, so
/// that the cost of launching from the host is not in their times; they must have run before, so
/// that whatever they set up at the first call is there.
inline std::vector<timing> time_paired(gpu& place, l2_flush& flush,
                                       std::vector<contender> const& contenders, timing_plan plan) {
  device_guard const current{place.device()};
  auto const calls_of = [&](contender const& one) {
    return one.alone ? 1 : one.blocking ? std::min(plan.calls, 8) : plan.calls;
  };
  auto const call_all = [&](contender const& one) {
    for (int i = plan.calls - calls_of(one); i < plan.calls; ++i) one.call(i);
  };
  std::vector<graph> graphs;
  std::vector<std::size_t> graph_of(contenders.size(), 0);
  for (std::size_t c = 0; c < contenders.size(); ++c) {
    if (contenders[c].blocking) continue;
    graph_of[c] = graphs.size();
    graphs.emplace_back(place, [&] { call_all(contenders[c]); });
  }

  event_pair events;
  auto const one_turn = [&](std::size_t c) {
    contender const& one = contenders[c];
    flush.enqueue();
    if (one.blocking) {
      place.synchronize();
      return wall_seconds([&] { call_all(one); }) / calls_of(one);
    }
    return events.seconds(place, [&] { graphs[graph_of[c]].launch(place); }) / calls_of(one);
  };

  for (std::size_t c = 0; c < contenders.size(); ++c) one_turn(c);
  return time_in_turns(contenders.size(), plan.samples, one_turn);
}

} // namespace warpfold::bench
