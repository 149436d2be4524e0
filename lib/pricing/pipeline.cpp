#include "pipeline.hpp"

#include "core/report.hpp"

#include <warpfold/detail/core/parallel.hpp>
#include <warpfold/detail/core/scratch.hpp>
#include <warpfold/error.hpp>
#include <warpfold/stream.hpp>

#include <algorithm>
#include <cstring>

namespace warpfold::inline v0::pricing {
namespace {

/// Pieces in flight: one is copied in, one is worked on, one is copied out.
constexpr std::size_t slots = 3;
/// The largest slot in GPU memory for page-locked arrays. H200, 2026-11-21, piped/black_scholes:
/// 2^26 options (12 bytes in, 8 out) take 15.8 to 16.7 ms. The copies in alone take 14.5 ms, both
/// ways at once 15.1 ms. One stream a slot, in place of one a direction, adds 0.2 to 0.8 ms.
constexpr std::size_t slot_bytes = std::size_t{80} << 20;
/// The largest slot if arrays pass through page-locked memory, which takes long to make: 32 ms for
/// 60 MiB. Pageable arrays then take 22 to 32 ms with 16 threads, 200 ms with one.
constexpr std::size_t staged_slot_bytes = std::size_t{20} << 20;
constexpr std::size_t smallest_piece = std::size_t{1} << 16;
/// Pieces have a multiple of this many options, so that each of their columns is aligned.
constexpr std::size_t granule = 256;
/// Bytes that one thread copies at a time between pageable and page-locked memory.
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
  event arrived, worked, left;
  piece now{};
  std::byte* staging = nullptr;
  std::size_t first = 0;
  bool used = false;
};

/// A stream for each direction beside the place's, so that every copy engine always has its next
/// copy. When an exception passes, the GPU may still be at work on the caller's memory: wait.
struct pipeline::lanes {
  stream in, out;
  cudaStream_t work;

  explicit lanes(cudaStream_t place) : work{place} {}
  ~lanes() {
    for (cudaStream_t const one : {in.get(), work, out.get()})
      detail::report(cudaStreamSynchronize(one), "cudaStreamSynchronize");
  }
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
  std::size_t const most = staged_row_ > 0 ? staged_slot_bytes : slot_bytes;
  capacity_ = std::min(round_up(std::min(std::max(size_ / slots, smallest_piece), size_), granule),
                       most / row_ / granule * granule);
  // A book that needs over half of the limit gets all of it: slightly wider rows later then need no
  // new memory.
  auto const room = [&](std::size_t row) {
    std::size_t const bytes = slots * capacity_ * row;
    return bytes > slots * most / 2 ? slots * most : bytes;
  };
  place_.reserve(room(row_));
  auto* const memory = static_cast<std::byte*>(detail::gpu_scratch(place_).workspace(room(row_)));
  auto* const staging =
      static_cast<std::byte*>(detail::gpu_scratch(place_).staging(room(staged_row_)));
  place_.synchronize(); // work enqueued before may use the workspace, and write the inputs

  slot all[slots];
  lanes through(place_.stream());
  for (std::size_t s = 0; s < slots; ++s) {
    all[s].now = {through.work, 0, memory + s * capacity_ * row_, capacity_};
    all[s].staging = staging + s * capacity_ * staged_row_;
  }
  // Pieces grow from an eighth of the largest and shrink to it again, so that little waits for the
  // first and the last; the host's threads prefer them large.
  std::size_t const smallest =
      staged_row_ > 0 ? capacity_ : std::max(smallest_piece, capacity_ / 8);
  std::size_t turn = 0;
  for (std::size_t first = 0; first < size_;) {
    slot& now = all[turn++ % slots];
    if (now.used) retire(now);
    std::size_t const left = size_ - first;
    now.first = first;
    now.now.size = std::min(left, std::max(smallest, std::min({capacity_, first, left / 2})));
    first += now.now.size;
    copy_in(now, through.in);
    now.arrived.block(through.work);
    if (now.used) now.left.block(through.work);
    enqueue(context, now.now);
    now.worked.record(through.work);
    copy_out(now, through.out);
    now.used = true;
  }
  for (std::size_t s = 0; s < slots; ++s, ++turn)
    if (all[turn % slots].used) retire(all[turn % slots]);
  through.out.synchronize();
  place_.synchronize();
}

/// Waits until the slot's staging memory may be used again, and brings its outputs home.
void pipeline::retire(slot& done) {
  if (stages_input_) done.arrived.synchronize();
  if (!stages_output_) return;
  done.left.synchronize();
  stage(done, false);
}

void pipeline::copy_in(slot& to, stream& on) {
  if (stages_input_) stage(to, true);
  if (to.used) to.worked.block(on.get());
  for (host_array const& one : arrays_) {
    if (!one.from) continue;
    std::byte const* const from =
        one.staged ? to.staging + one.staged_before * capacity_ : one.from + to.first * one.element;
    check(cudaMemcpyAsync(to.now.memory + one.before * capacity_, from, to.now.size * one.element,
                          cudaMemcpyHostToDevice, on.get()));
  }
  to.arrived.record(on.get());
}

void pipeline::copy_out(slot& from, stream& on) {
  from.worked.block(on.get());
  for (host_array const& one : arrays_) {
    if (!one.to) continue;
    std::byte* const to = one.staged ? from.staging + one.staged_before * capacity_
                                     : one.to + from.first * one.element;
    check(cudaMemcpyAsync(to, from.now.memory + one.before * capacity_, from.now.size * one.element,
                          cudaMemcpyDeviceToHost, on.get()));
  }
  from.left.record(on.get());
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

} // namespace warpfold::inline v0::pricing
