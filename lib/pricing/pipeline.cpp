#include "pipeline.hpp"

#include "../core/report.hpp"

#include <warpfold/detail/parallel.hpp>
#include <warpfold/error.hpp>
#include <warpfold/stream.hpp>

#include <algorithm>
#include <cstring>

namespace warpfold::pricing {
namespace {

/// One comes in, one is worked on, one goes out.
constexpr std::size_t slots = 3;
constexpr std::size_t slot_bytes = std::size_t{20} << 20;
/// Books smaller than `slots` full pieces are cut into this many.
constexpr std::size_t fewest_pieces = 8;
constexpr std::size_t smallest_piece = std::size_t{1} << 16;
/// What one thread copies at a time between pageable and page-locked memory.
constexpr std::size_t copy_grain = std::size_t{256} << 10;

std::size_t round_up(std::size_t x, std::size_t multiple) {
  return (x + multiple - 1) / multiple * multiple;
}

bool is_page_locked(void const* at) {
  cudaPointerAttributes attributes{};
  check(cudaPointerGetAttributes(&attributes, at));
  return attributes.type == cudaMemoryTypeHost;
}

} // namespace

/// Memory for one piece, used again and again.
struct pipeline::slot {
  stream work;
  piece now{};
  std::byte* staging = nullptr;
  std::size_t first = 0;
  bool busy = false;

  /// Also when an exception passes: the GPU may still be at work on the caller's memory.
  ~slot() { detail::report(cudaStreamSynchronize(work.get()), "cudaStreamSynchronize"); }
};

std::size_t pipeline::add(void const* from, void* to, std::size_t element) {
  device_guard const current{place_.device()};
  auto const* const start = static_cast<std::byte const*>(from ? from : to);
  bool const locked = is_page_locked(start) && is_page_locked(start + size_ * element - 1);
  arrays_.push_back({static_cast<std::byte const*>(from), static_cast<std::byte*>(to), element,
                     row_, !locked, staged_row_});
  std::size_t const before = row_;
  row_ += element;
  if (!locked) {
    staged_row_ += element;
    (from ? stages_input_ : stages_output_) = true;
  }
  return before;
}

void pipeline::run_all(void (*enqueue)(void*, piece const&), void* context) {
  device_guard const current{place_.device()};
  capacity_ = std::min(slot_bytes / row_, std::max(size_ / fewest_pieces, smallest_piece));
  capacity_ = round_up(std::min(capacity_, size_), 256);
  place_.reserve(slots * capacity_ * row_);
  auto* const memory = static_cast<std::byte*>(place_.workspace(slots * capacity_ * row_));
  auto* const staging = static_cast<std::byte*>(place_.staging(slots * capacity_ * staged_row_));
  place_.synchronize(); // work enqueued before may use the workspace, and write the inputs

  slot all[slots];
  for (std::size_t s = 0; s < slots; ++s) {
    all[s].now = {all[s].work.get(), 0, memory + s * capacity_ * row_, capacity_};
    all[s].staging = staging + s * capacity_ * staged_row_;
  }
  std::size_t turn = 0;
  for (std::size_t first = 0; first < size_; first += capacity_) {
    slot& now = all[turn++ % slots];
    retire(now);
    now.first = first;
    now.now.size = std::min(capacity_, size_ - first);
    copy_in(now);
    enqueue(context, now.now);
    copy_out(now);
    now.busy = true;
  }
  for (std::size_t s = 0; s < slots; ++s) retire(all[turn++ % slots]);
  for (slot& one : all) one.work.synchronize();
}

/// Waits until the slot's staging memory may be used again, and brings its outputs home.
void pipeline::retire(slot& done) {
  if (!done.busy || staged_row_ == 0) return; // without staging the stream's order is enough
  done.work.synchronize();
  if (stages_output_) stage(done, false);
  done.busy = false;
}

void pipeline::copy_in(slot& in) {
  if (stages_input_) stage(in, true);
  for (host_array const& one : arrays_) {
    if (!one.from) continue;
    std::byte const* const from =
        one.staged ? in.staging + one.staged_before * capacity_ : one.from + in.first * one.element;
    check(cudaMemcpyAsync(in.now.memory + one.before * capacity_, from, in.now.size * one.element,
                          cudaMemcpyHostToDevice, in.now.stream));
  }
}

void pipeline::copy_out(slot& out) {
  for (host_array const& one : arrays_) {
    if (!one.to) continue;
    std::byte* const to =
        one.staged ? out.staging + one.staged_before * capacity_ : one.to + out.first * one.element;
    check(cudaMemcpyAsync(to, out.now.memory + one.before * capacity_, out.now.size * one.element,
                          cudaMemcpyDeviceToHost, out.now.stream));
  }
}

/// Copies the pageable inputs to the staging memory, or the pageable outputs from there.
void pipeline::stage(slot& at, bool inward) {
  struct task {
    std::byte* to;
    std::byte const* from;
    std::size_t bytes;
  };
  std::vector<task> tasks;
  for (host_array const& one : arrays_) {
    if (!one.staged || inward != (one.from != nullptr)) continue;
    std::byte* const staged = at.staging + one.staged_before * capacity_;
    std::size_t const offset = at.first * one.element, bytes = at.now.size * one.element;
    for (std::size_t i = 0; i < bytes; i += copy_grain) {
      std::size_t const some = std::min(copy_grain, bytes - i);
      if (inward) tasks.push_back({staged + i, one.from + offset + i, some});
      else tasks.push_back({one.to + offset + i, staged + i, some});
    }
  }
  detail::parallel_for(host().threads(), static_cast<std::int64_t>(tasks.size()),
                       [&](std::int64_t i) {
                         task const& one = tasks[static_cast<std::size_t>(i)];
                         std::memcpy(one.to, one.from, one.bytes);
                       });
}

} // namespace warpfold::pricing
