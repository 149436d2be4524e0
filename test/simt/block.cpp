#include "simt/block.hpp"
#include "simt/fibers.hpp"

#include <algorithm>
#include <bit>
#include <exception>
#include <memory>
#include <new>
#include <numeric>
#include <queue>
#include <random>
#include <string>
#include <vector>

namespace simt::detail {
namespace {

/// Unwinds threads that will never go on.
struct cancelled {};

} // namespace

/// Runs the threads of a block, or of a cluster of blocks.
class scheduler {
public:
  scheduler(shape const& of, int first_block, options const& how, std::mt19937& random)
      : shape_(of), first_block_(first_block), how_(how), random_(random),
        memory_(static_cast<unsigned char*>(
            ::operator new(of.shared_bytes* static_cast<std::size_t>(of.cluster), aligned))),
        threads_(static_cast<std::size_t>(of.threads * of.cluster)),
        warps_(static_cast<std::size_t>(warps_of_block() * of.cluster)),
        blocks_(static_cast<std::size_t>(of.cluster)) {
    std::memset(memory_.get(), how.poison, of.shared_bytes * blocks_.size());
    for (int t = 0; t < size(); ++t) {
      warp_of(t).live |= bit_of(t);
      ++block_of(t).live;
      make_ready(t);
    }
    live_ = size();
  }

  void run(test::function_ref<void(block const&, void*)> const& body);
  /// What thread t does, on its fiber.
  void run_thread(int t, test::function_ref<void(block const&, void*)> const& body);

  bool skips_barrier(int t, std::source_location where) {
    if (how_.dropped == nullptr) return false;
    int const index = at(t).met++;
    how_.dropped->met = std::max(how_.dropped->met, index + 1);
    if (index != how_.dropped->index) return false;
    how_.dropped->site = where;
    return true;
  }

  void count_step() {
    if (++steps_ > how_.most_steps) throw divergent_barrier(describe("does not end"));
  }

  /// Returns the lanes of the group that are there.
  unsigned wait(int t, state barrier, exchange const& values) {
    count_step();
    at(t).now = barrier;
    at(t).values = values;
    if (barrier == state::ready) {
      ready_.push(entry((std::uint64_t{1} << 32) + static_cast<std::uint64_t>(steps_), t));
      return to_others(t);
    }
    if (barrier == state::at_sync) ++block_of(t).waiting;
    else if (barrier == state::at_sync_cluster) ++waiting_;
    else if (barrier == state::at_group) warp_of(t).at_group |= bit_of(t);
    else warp_of(t).at_active |= bit_of(t);
    if (barrier == state::at_group) release_group(t);
    release(t);
    return to_others(t);
  }

private:
  struct thread {
    state now = state::ready;
    int met = 0; ///< barriers, where one of them is left out
    exchange values{};
  };
  struct warp {
    unsigned live = 0, at_group = 0, at_active = 0; ///< lanes
  };
  struct block_count {
    int live = 0, waiting = 0;
  };

  /// Returns when thread t goes on: what wait returns.
  unsigned to_others(int t) {
    fibers::suspend();
    if (cancelled_) throw cancelled{};
    return at(t).values.lanes;
  }
  int size() const { return shape_.threads * shape_.cluster; }
  int warps_of_block() const { return (shape_.threads + warp_size - 1) / warp_size; }
  int rank_of(int t) const { return t % shape_.threads; }
  unsigned bit_of(int t) const { return 1u << rank_of(t) % warp_size; }
  /// The first thread of t's warp.
  int first_of(int t) const { return t - rank_of(t) % warp_size; }
  thread& at(int t) { return threads_[static_cast<std::size_t>(t)]; }
  block_count& block_of(int t) { return blocks_[static_cast<std::size_t>(t / shape_.threads)]; }
  warp& warp_of(int t) {
    int const w = t / shape_.threads * warps_of_block() + rank_of(t) / warp_size;
    return warps_[static_cast<std::size_t>(w)];
  }

  block view(int t, std::vector<copy>& copies) {
    block b;
    b.scheduler_ = this;
    b.copies_ = &copies;
    b.thread_ = t;
    b.rank_ = rank_of(t);
    b.size_ = shape_.threads;
    b.block_rank_ = first_block_ + t / shape_.threads;
    b.grid_size_ = shape_.grid;
    b.shared_bytes_ = static_cast<std::ptrdiff_t>(shape_.shared_bytes);
    return b;
  }

  void make_ready(int t) {
    at(t).now = state::ready;
    unsigned const place = how_.lanes == order::random    ? static_cast<unsigned>(random_())
                           : how_.lanes == order::forward ? static_cast<unsigned>(t)
                                                          : static_cast<unsigned>(size() - t);
    ready_.push(entry(place, t));
  }

  /// Nobody waits for a thread that has returned.
  void leave(int t) {
    at(t).now = state::returned;
    --live_;
    --block_of(t).live;
    warp_of(t).live &= ~bit_of(t);
    if (cancelled_) return;
    for (unsigned left = warp_of(t).at_group; left != 0; left &= left - 1)
      if (int const other = first_of(t) + std::countr_zero(left); at(other).now == state::at_group)
        release_group(other);
    release(t);
  }

  /// Lets threads go on whose barrier is complete, after t came to one or returned.
  void release(int t) {
    auto const go_on = [&](int& waiting, int live, state barrier, int first, int past) {
      if (waiting == 0 || waiting != live) return;
      waiting = 0;
      for (int other = first; other < past; ++other)
        if (at(other).now == barrier) make_ready(other);
    };
    int const first = t - rank_of(t);
    go_on(block_of(t).waiting, block_of(t).live, state::at_sync, first, first + shape_.threads);
    go_on(waiting_, live_, state::at_sync_cluster, 0, size());
    if (warp_of(t).at_active != 0) release_active(t);
  }

  /// Lets the threads of thread t's group go on if all of them have come.
  void release_group(int t) {
    int const first = first_of(t);
    exchange const own = at(t).values;
    warp& of = warp_of(t);
    unsigned const there = own.lanes & of.live;
    // Not all are there, or t is none of those that it waits for.
    if ((there & ~of.at_group) != 0 || (there & bit_of(t)) == 0) return;
    auto const each = [first, there](auto use) {
      for (unsigned left = there; left != 0; left &= left - 1)
        use(std::countr_zero(left), first + std::countr_zero(left));
    };
    bool alike = true;
    each([&](int, int other) {
      exchange const& its = at(other).values;
      alike = alike && its.lanes == own.lanes && its.name == own.name;
      if (alike && its.bytes != own.bytes)
        failure_ = std::make_exception_ptr(divergent_barrier(
            "threads of a warp exchange values of different types: " + describe()));
    });
    if (!alike || failure_) return;
    auto const place = [&](void* to, int l) {
      return static_cast<char*>(to) + static_cast<std::size_t>(l) * own.bytes;
    };
    if (own.bytes > 0 && own.source < 0) { // everybody gets the same
      each([&](int l, int from) {
        std::memcpy(place(own.taken, l), at(from).values.given, own.bytes);
      });
      each([&](int, int to) {
        if (to != t) std::memcpy(at(to).values.taken, own.taken, warp_size * own.bytes);
      });
    } else if (own.bytes > 0) {
      each([&](int, int to) {
        exchange const& its = at(to).values;
        if (its.source < warp_size && (there >> its.source & 1) != 0)
          std::memcpy(its.taken, at(first + its.source).values.given, own.bytes);
      });
    }
    of.at_group &= ~there;
    each([&](int, int one) {
      at(one).values.lanes = there;
      make_ready(one);
    });
  }

  /// Lets threads at one `active` go on once no thread of t's warp runs.
  void release_active(int t) {
    int const first = first_of(t);
    warp& of = warp_of(t);
    std::vector<int> here;
    for (unsigned left = of.live; left != 0; left &= left - 1) {
      int const other = first + std::countr_zero(left);
      if (at(other).now == state::ready) return;
      if (at(other).now == state::at_active) here.push_back(other);
    }
    int const chosen = how_.lanes == order::forward   ? here.front()
                       : how_.lanes == order::reverse ? here.back()
                                                      : here[random_() % here.size()];
    bool const all = how_.lanes != order::random || random_() % 2 == 0;
    unsigned lanes = 0;
    for (int const other : here)
      if (other == chosen || (same_place(other, chosen) && (all || random_() % 2 == 0)))
        lanes |= bit_of(other);
    of.at_active &= ~lanes;
    for (int const other : here)
      if ((lanes & bit_of(other)) != 0) {
        std::memcpy(at(other).values.taken, &lanes, sizeof lanes);
        make_ready(other);
      }
  }

  bool same_place(int t, int other) {
    auto const &a = at(t).values.where, &b = at(other).values.where;
    return a.line() == b.line() && a.column() == b.column() &&
           std::string_view(a.file_name()) == b.file_name();
  }

  std::string describe(char const* what = "hangs") {
    std::string text = "block " + std::to_string(first_block_) + " " + what;
    auto const alike = [](thread const& a, thread const& b) {
      exchange const &x = a.values, &y = b.values;
      return a.now == b.now &&
             (a.now <= state::ready || (x.name == y.name && x.where.line() == y.where.line()));
    };
    for (int t = 0, past; t < size(); t = past) {
      thread const& one = at(t);
      for (past = t + 1; past < size() && alike(one, at(past));) ++past;
      text += "; thread " + std::to_string(t);
      if (past - t > 1) text += " to " + std::to_string(past - 1);
      if (one.now <= state::ready) {
        text += one.now == state::ready ? " ready" : " has returned";
        continue;
      }
      std::string const file = one.values.where.file_name();
      text.append(" waits at ").append(one.values.name);
      text += " (" + file.substr(file.rfind('/') + 1) + ":" +
              std::to_string(one.values.where.line()) + ")";
    }
    return text;
  }

  shape shape_;
  int first_block_;
  options how_;
  std::mt19937& random_;
  /// As much as kernels ask of their shared memory.
  static constexpr std::align_val_t aligned{128};
  struct aligned_delete {
    void operator()(unsigned char* memory) const { ::operator delete(memory, aligned); }
  };
  std::unique_ptr<unsigned char[], aligned_delete> memory_;
  std::vector<thread> threads_;
  std::vector<warp> warps_;
  std::vector<block_count> blocks_;
  /// Place in the order, thread.
  static std::uint64_t entry(std::uint64_t place, int t) {
    return place << 24 | static_cast<std::uint64_t>(t);
  }
  std::priority_queue<std::uint64_t, std::vector<std::uint64_t>, std::greater<>> ready_;
  int live_ = 0, waiting_ = 0; ///< of the cluster
  long steps_ = 0;
  bool cancelled_ = false;
  std::exception_ptr failure_;
};

void scheduler::run_thread(int t, test::function_ref<void(block const&, void*)> const& body) {
  try {
    std::vector<copy> copies;
    if (!cancelled_)
      body(view(t, copies),
           memory_.get() + static_cast<std::size_t>(t / shape_.threads) * shape_.shared_bytes);
    if (!copies.empty()) throw std::logic_error("a thread ends before its copies");
  } catch (cancelled const&) {
  } catch (...) {
    if (!failure_) failure_ = std::current_exception();
  }
  leave(t);
}

void scheduler::run(test::function_ref<void(block const&, void*)> const& body) {
  auto const work = [&](int t) { run_thread(t, body); };
  fibers::work const of_threads(work);
  for (int t = 0; t < size(); ++t) fibers::set_work(t, of_threads);
  while (live_ > 0 && !failure_) {
    if (ready_.empty()) {
      failure_ = std::make_exception_ptr(divergent_barrier(describe()));
      break;
    }
    auto const next = static_cast<int>(ready_.top() & 0xffffff);
    ready_.pop();
    fibers::resume(next);
  }
  cancelled_ = true;
  for (int t = 0; t < size(); ++t)
    if (at(t).now != state::returned) fibers::resume(t);
  if (failure_) std::rethrow_exception(failure_);
}

} // namespace simt::detail

namespace simt {

void block::copy_async(void* destination, void const* source) const {
  auto const is_aligned = [](void const* at) {
    return reinterpret_cast<std::uintptr_t>(at) % 16 == 0;
  };
  if (!is_aligned(destination) || !is_aligned(source))
    throw std::logic_error("copies are of 16 bytes, aligned");
  copies_->push_back({destination, source});
}
void block::barrier(state at, detail::exchange const& values) const {
  if (!scheduler_->skips_barrier(thread_, values.where)) wait(at, values);
}
unsigned block::wait(state at, detail::exchange const& values) const {
  return scheduler_->wait(thread_, at, values);
}
void block::count_step() const { scheduler_->count_step(); }

void launch(shape const& of, options const& how,
            test::function_ref<void(block const&, void* shared)> body) {
  std::mt19937 random(how.seed);
  std::vector<int> clusters(static_cast<std::size_t>(of.grid / of.cluster));
  std::iota(clusters.begin(), clusters.end(), 0);
  if (how.blocks == order::reverse) std::reverse(clusters.begin(), clusters.end());
  if (how.blocks == order::random) std::shuffle(clusters.begin(), clusters.end(), random);
  for (int const c : clusters) detail::scheduler(of, c * of.cluster, how, random).run(body);
}

} // namespace simt
