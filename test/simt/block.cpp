#include "block.hpp"

#include <boost/context/fiber.hpp>
#include <boost/context/protected_fixedsize_stack.hpp>

#include <algorithm>
#include <array>
#include <cstring>
#include <exception>
#include <numeric>
#include <queue>
#include <random>
#include <string>
#include <utility>
#include <vector>

// AddressSanitizer must be told of every change of stack, or it takes a fiber's frames for garbage
// when an exception passes. Boost.Context does so itself only if its library was built for
// ucontext with BOOST_USE_ASAN, which distributions do not ship; so it is done by hand here, which
// works with the usual fcontext library (g++ 12, -fsanitize=address,undefined).
#ifdef __SANITIZE_ADDRESS__
#include <sanitizer/asan_interface.h>
#include <sanitizer/common_interface_defs.h>
#endif

namespace simt::detail {
namespace {

namespace context = boost::context;

constexpr std::size_t stack_bytes = 128 << 10;

void leave_stack([[maybe_unused]] void** fake, [[maybe_unused]] void const* to_bottom,
                 [[maybe_unused]] std::size_t to_bytes) {
#ifdef __SANITIZE_ADDRESS__
  __sanitizer_start_switch_fiber(fake, to_bottom, to_bytes);
#endif
}

void enter_stack([[maybe_unused]] void* fake, [[maybe_unused]] void const** from_bottom,
                 [[maybe_unused]] std::size_t* from_bytes) {
#ifdef __SANITIZE_ADDRESS__
  __sanitizer_finish_switch_fiber(fake, from_bottom, from_bytes);
#endif
}

/// The stacks of a block's threads, kept for the next block: to map them costs more than to run a
/// small kernel.
class stack_pool {
public:
  stack_pool() = default;
  stack_pool(stack_pool const&) = delete;
  stack_pool& operator=(stack_pool const&) = delete;
  ~stack_pool() {
    for (auto& stack : stacks_) allocator_.deallocate(stack);
  }

  /// For a new fiber.
  context::stack_context const& clean(int t) {
    auto const thread = static_cast<std::size_t>(t);
    while (stacks_.size() <= thread) stacks_.push_back(allocator_.allocate());
#ifdef __SANITIZE_ADDRESS__
    // The last frame of the fiber before never returned.
    __asan_unpoison_memory_region(bottom(t), stack_bytes);
#endif
    return stacks_[thread];
  }

  char* bottom(int t) const {
    return static_cast<char*>(stacks_[static_cast<std::size_t>(t)].sp) - stack_bytes;
  }

private:
  context::protected_fixedsize_stack allocator_{stack_bytes};
  std::vector<context::stack_context> stacks_;
};

stack_pool& stacks() {
  static stack_pool pool;
  return pool;
}

/// Boost's way to run a fiber on a stack that is not its own.
struct borrowed_stack {
  void deallocate(context::stack_context&) {}
};

/// Unwinds threads that will never go on.
struct cancelled {};

char const* name(state s) {
  switch (s) {
  case state::ready: return "ready";
  case state::at_sync: return "waits at sync";
  case state::at_sync_warp: return "waits at sync_warp";
  case state::at_shuffle_down: return "waits at shuffle_down";
  case state::at_broadcast: return "waits at broadcast";
  case state::at_active: return "waits at active";
  case state::at_group: return "waits for lanes of its warp";
  case state::returned: return "has returned";
  }
  return "";
}

} // namespace

class scheduler {
public:
  scheduler(int block_rank, int grid, int threads, options const& how, std::mt19937& random)
      : block_rank_(block_rank), grid_(grid), lanes_(how.lanes), random_(random),
        threads_(static_cast<std::size_t>(threads)),
        warps_(static_cast<std::size_t>((threads + warp_size - 1) / warp_size)),
        most_steps_(how.most_steps) {
    for (int t = 0; t < threads; ++t) ++warps_[warp_of(t)].live;
  }

  void run(std::function<void(block const&)> const& body) {
    for (int t = 0; t < size(); ++t) start(t, body);
    while (live_ > 0) {
      if (!failure_ && ready_.empty())
        failure_ = std::make_exception_ptr(divergent_barrier(describe()));
      if (failure_) break;
      int const next = ready_.top().second;
      ready_.pop();
      resume(next);
    }
    cancelled_ = true;
    for (int t = 0; t < size(); ++t)
      if (at(t).now != state::returned) resume(t);
    if (failure_) std::rethrow_exception(failure_);
  }

  void count_step() {
    if (++steps_ > most_steps_) throw divergent_barrier(describe("does not end"));
  }

  /// Returns the lanes of the group that are there.
  unsigned wait(int t, state barrier, std::source_location where, exchange const& values) {
    count_step();
    thread& self = at(t);
    self.now = barrier;
    self.where = where;
    self.values = values;
    if (barrier == state::at_sync) ++at_sync_;
    else if (barrier == state::at_group) release_group(t);
    else ++warps_[warp_of(t)].waiting[static_cast<std::size_t>(barrier)];
    release(warp_of(t));

    void* fake = nullptr;
    leave_stack(&fake, main_bottom_, main_bytes_);
    main_ = std::move(main_).resume();
    enter_stack(fake, &main_bottom_, &main_bytes_);
    if (cancelled_) throw cancelled{};
    return at(t).values.lanes;
  }

private:
  struct thread {
    context::fiber fiber; ///< while it is suspended
    state now = state::ready;
    std::source_location where{};
    exchange values{};
  };
  struct warp {
    int live = 0;
    std::array<int, 6> waiting{}; ///< at each state that is a barrier of the warp
  };

  static std::size_t warp_of(int t) { return static_cast<std::size_t>(t / warp_size); }
  thread& at(int t) { return threads_[static_cast<std::size_t>(t)]; }
  int size() const { return static_cast<int>(threads_.size()); }

  void start(int t, std::function<void(block const&)> const& body) {
    context::stack_context const& stack = stacks().clean(t);
    at(t).fiber =
        context::fiber(std::allocator_arg, context::preallocated(stack.sp, stack_bytes, stack),
                       borrowed_stack{}, [this, t, &body](context::fiber&& main) {
                         enter_stack(nullptr, &main_bottom_, &main_bytes_);
                         main_ = std::move(main);
                         try {
                           if (!cancelled_) body(block(*this, t, size(), block_rank_, grid_));
                         } catch (cancelled const&) {
                         } catch (...) {
                           if (!failure_) failure_ = std::current_exception();
                         }
                         at(t).now = state::returned;
                         --live_;
                         --warps_[warp_of(t)].live;
                         if (!cancelled_) leave(t);
                         leave_stack(nullptr, main_bottom_, main_bytes_);
                         return std::move(main_);
                       });
    ++live_;
    make_ready(t);
  }

  void resume(int t) {
    void* fake = nullptr;
    leave_stack(&fake, stacks().bottom(t), stack_bytes);
    at(t).fiber = std::move(at(t).fiber).resume();
    enter_stack(fake, nullptr, nullptr);
  }

  void make_ready(int t) {
    at(t).now = state::ready;
    unsigned const place = lanes_ == order::random    ? static_cast<unsigned>(random_())
                           : lanes_ == order::forward ? static_cast<unsigned>(t)
                                                      : static_cast<unsigned>(size() - t);
    ready_.emplace(place, t);
  }

  /// Nobody waits for a thread that has returned.
  void leave(int t) {
    int const first = t / warp_size * warp_size;
    for (int other = first; other < std::min(first + warp_size, size()); ++other)
      if (at(other).now == state::at_group) release_group(other);
    release(warp_of(t));
  }

  /// Lets threads go on whose barrier is complete, after one of this warp arrived or returned.
  void release(std::size_t w) {
    if (at_sync_ > 0 && at_sync_ == live_) {
      at_sync_ = 0;
      release(0, size());
    }
    warp& of = warps_[w];
    if (of.live == 0) return;
    int const first = static_cast<int>(w) * warp_size;
    int const past = std::min(first + warp_size, size());
    constexpr auto active = static_cast<std::size_t>(state::at_active);
    auto* const complete = std::find(of.waiting.begin(), of.waiting.begin() + active, of.live);
    if (complete != of.waiting.begin() + active) {
      *complete = 0;
      trade(first, past);
      release(first, past);
    } else if (of.waiting[active] > 0) {
      release_active(of.waiting[active], first, past);
    }
  }

  /// Lets the threads of thread t's group go on if all of them have come.
  void release_group(int t) {
    int const first = t / warp_size * warp_size;
    exchange const own = at(t).values;
    std::vector<int> group;
    unsigned there = 0;
    for (int l = 0; l < warp_size && first + l < size(); ++l) {
      thread const& other = at(first + l);
      if ((own.lanes >> l & 1) == 0 || other.now == state::returned) continue;
      if (other.now != state::at_group || other.values.lanes != own.lanes ||
          other.values.bytes != own.bytes)
        return;
      group.push_back(first + l);
      there |= 1u << l;
    }
    if ((there >> (t - first) & 1) == 0) return; // it is none of those that it waits for
    for (int const to : group)
      for (int const from : group)
        std::memcpy(static_cast<char*>(at(to).values.taken) +
                        static_cast<std::size_t>(from - first) * own.bytes,
                    at(from).values.given, own.bytes);
    for (int const one : group) {
      at(one).values.lanes = there;
      make_ready(one);
    }
  }

  /// Lets threads at one `active` go on once no thread of the warp runs.
  void release_active(int& waiting, int first, int past) {
    std::vector<int> here;
    for (int t = first; t < past; ++t) {
      if (at(t).now == state::ready) return;
      if (at(t).now == state::at_active) here.push_back(t);
    }
    int const chosen = lanes_ == order::forward   ? here.front()
                       : lanes_ == order::reverse ? here.back()
                                                  : here[random_() % here.size()];
    bool const all = lanes_ != order::random || random_() % 2 == 0;
    std::source_location const where = at(chosen).where;
    unsigned lanes = 0;
    for (int const t : here)
      if (t == chosen || (is_at(t, where) && (all || random_() % 2 == 0)))
        lanes |= 1u << (t - first);
    for (int const t : here)
      if ((lanes >> (t - first) & 1) != 0) {
        std::memcpy(at(t).values.taken, &lanes, sizeof lanes);
        --waiting;
        make_ready(t);
      }
  }

  bool is_at(int t, std::source_location where) {
    return at(t).where.line() == where.line() && at(t).where.column() == where.column() &&
           at(t).where.file_name() == where.file_name();
  }

  void release(int first, int past) {
    for (int t = first; t < past; ++t)
      if (at(t).now != state::returned) make_ready(t);
  }

  void trade(int first, int past) {
    for (int t = first; t < past; ++t) {
      exchange const& to = at(t).values;
      if (at(t).now == state::returned || to.bytes == 0 || to.from >= past ||
          at(to.from).now == state::returned)
        continue;
      exchange const& from = at(to.from).values;
      if (from.bytes == to.bytes) std::memcpy(to.taken, from.given, to.bytes);
      else
        failure_ = std::make_exception_ptr(divergent_barrier(
            "threads of a warp shuffle values of different types: " + describe()));
    }
  }

  std::string describe(char const* what = "hangs") {
    std::string text = "block " + std::to_string(block_rank_) + " " + what;
    auto const alike = [](thread const& a, thread const& b) {
      return a.now == b.now &&
             (a.now == state::returned ||
              (a.where.line() == b.where.line() && a.where.file_name() == b.where.file_name()));
    };
    for (int t = 0, past; t < size(); t = past) {
      for (past = t + 1; past < size() && alike(at(t), at(past));) ++past;
      text += "; thread " + std::to_string(t);
      if (past - t > 1) text += " to " + std::to_string(past - 1);
      text += std::string(" ") + name(at(t).now);
      if (at(t).now == state::returned) continue;
      std::string const file = at(t).where.file_name();
      text +=
          " (" + file.substr(file.rfind('/') + 1) + ":" + std::to_string(at(t).where.line()) + ")";
    }
    return text;
  }

  int block_rank_, grid_;
  order lanes_;
  std::mt19937& random_;
  std::vector<thread> threads_;
  std::vector<warp> warps_;
  using entry = std::pair<unsigned, int>; // place in the order, thread
  std::priority_queue<entry, std::vector<entry>, std::greater<>> ready_;
  int live_ = 0, at_sync_ = 0;
  long steps_ = 0, most_steps_;
  bool cancelled_ = false;
  std::exception_ptr failure_;

  context::fiber main_; ///< the scheduler's own, while a thread runs
  void const* main_bottom_ = nullptr;
  std::size_t main_bytes_ = 0;
};

void wait(scheduler& of_block, int thread, state at, std::source_location where,
          exchange const& values) {
  of_block.wait(thread, at, where, values);
}

void count_step(scheduler& of_block) { of_block.count_step(); }

unsigned wait_for_group(scheduler& of_block, int thread, std::source_location where,
                        exchange const& values) {
  return of_block.wait(thread, state::at_group, where, values);
}

void launch(int grid, int threads, options const& how, std::function<void()> const& before_block,
            std::function<void(block const&)> const& body) {
  std::mt19937 random(how.seed);
  std::vector<int> blocks(static_cast<std::size_t>(grid));
  std::iota(blocks.begin(), blocks.end(), 0);
  if (how.blocks == order::reverse) std::reverse(blocks.begin(), blocks.end());
  if (how.blocks == order::random) std::shuffle(blocks.begin(), blocks.end(), random);
  for (int const b : blocks) {
    before_block();
    scheduler(b, grid, threads, how, random).run(body);
  }
}

} // namespace simt::detail
