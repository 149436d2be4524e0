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

/// Memory for one piece, used again and again.
struct slot {
  event arrived, worked, left;
  piece now{};
  std::byte* staging = nullptr;
  std::size_t first = 0;
  bool used = false;
};

/// A stream for each direction beside the place's, so that every copy engine always has its next
/// copy. When an exception passes, the GPU may still be at work on the caller's memory: wait.
struct lanes {
  stream in, out;
  cudaStream_t work;

  explicit lanes(cudaStream_t place) : work{place} {}
  ~lanes() {
    for (cudaStream_t const one : {in.get(), work, out.get()})
      detail::report(cudaStreamSynchronize(one), "cudaStreamSynchronize");
  }
};

/// An array and its place in a piece.
struct placed_array : piped_array {
  std::size_t before; ///< bytes an element of the arrays before it
  bool is_staged;     ///< it is pageable
  std::size_t staged_before;

  std::byte* staged(slot const& at) const { return at.staging + staged_before * at.now.capacity; }
  std::byte* own(slot const& at) const { return data + at.first * element; }
};

/// Copies the pageable inputs to the staging memory, or the pageable outputs from there.
void stage(std::vector<placed_array> const& arrays, slot const& at, bool inward) {
  struct task {
    std::byte* to;
    std::byte const* from;
    std::size_t bytes;
  };
  std::vector<task> tasks;
  for (placed_array const& one : arrays) {
    if (!one.is_staged || inward != one.is_input) continue;
    std::byte* const to = inward ? one.staged(at) : one.own(at);
    std::byte const* const from = inward ? one.own(at) : one.staged(at);
    std::size_t const bytes = at.now.size * one.element;
    for (std::size_t i = 0; i < bytes; i += copy_grain)
      tasks.push_back({to + i, from + i, std::min(copy_grain, bytes - i)});
  }
  detail::parallel_for(host().threads(), static_cast<std::int64_t>(tasks.size()),
                       [&](std::int64_t i) {
                         task const& one = tasks[static_cast<std::size_t>(i)];
                         std::memcpy(one.to, one.from, one.bytes);
                       });
}

/// Enqueues the copies of a piece's inputs to the GPU, or of its outputs from there.
void copy(std::vector<placed_array> const& arrays, slot const& at, bool inward, stream& on) {
  for (placed_array const& one : arrays) {
    if (inward != one.is_input) continue;
    std::byte* const here = one.is_staged ? one.staged(at) : one.own(at);
    std::byte* const there = at.now.memory + one.before * at.now.capacity;
    check(cudaMemcpyAsync(inward ? there : here, inward ? here : there, at.now.size * one.element,
                          inward ? cudaMemcpyHostToDevice : cudaMemcpyDeviceToHost, on.get()));
  }
}

} // namespace

void run_pieces(gpu& place, std::size_t size, std::vector<piped_array> const& piped,
                std::function<void(piece const&)> const& enqueue) {
  device_guard const current{place.device()};
  std::vector<placed_array> arrays;
  std::size_t row = 0, staged_row = 0; // bytes of one element of every array; of the pageable ones
  bool stages_input = false, stages_output = false;
  for (piped_array const& one : piped) {
    bool const locked =
        is_page_locked(one.data) && is_page_locked(one.data + size * one.element - 1);
    arrays.push_back({one, row, !locked, staged_row});
    row += one.element;
    if (locked) continue;
    staged_row += one.element;
    (one.is_input ? stages_input : stages_output) = true;
  }
  std::size_t const most = staged_row > 0 ? staged_slot_bytes : slot_bytes;
  std::size_t const capacity =
      std::min(round_up(std::min(std::max(size / slots, smallest_piece), size), granule),
               most / row / granule * granule);
  // A book that needs over half of the limit gets all of it: slightly wider rows later then need no
  // new memory.
  auto const room = [&](std::size_t of_row) {
    std::size_t const bytes = slots * capacity * of_row;
    return bytes > slots * most / 2 ? slots * most : bytes;
  };
  place.reserve(room(row));
  auto* const memory = static_cast<std::byte*>(detail::gpu_scratch(place).workspace(room(row)));
  auto* const staging =
      static_cast<std::byte*>(detail::gpu_scratch(place).staging(room(staged_row)));
  place.synchronize(); // work enqueued before may use the workspace, and write the inputs

  slot all[slots];
  lanes through(place.stream());
  for (std::size_t s = 0; s < slots; ++s) {
    all[s].now = {through.work, 0, memory + s * capacity * row, capacity};
    all[s].staging = staging + s * capacity * staged_row;
  }
  // Waits until the slot's staging memory may be used again, and brings its outputs home.
  auto const retire = [&](slot const& done) {
    if (!done.used) return;
    if (stages_input) done.arrived.synchronize();
    if (!stages_output) return;
    done.left.synchronize();
    stage(arrays, done, false);
  };
  // Pieces grow from an eighth of the largest and shrink to it again, so that little waits for the
  // first and the last; the host's threads prefer them large.
  std::size_t const smallest = staged_row > 0 ? capacity : std::max(smallest_piece, capacity / 8);
  std::size_t turn = 0;
  for (std::size_t first = 0; first < size;) {
    slot& now = all[turn++ % slots];
    retire(now);
    std::size_t const left = size - first;
    now.first = first;
    now.now.size = std::min(left, std::max(smallest, std::min({capacity, first, left / 2})));
    first += now.now.size;
    if (stages_input) stage(arrays, now, true);
    if (now.used) now.worked.block(through.in.get());
    copy(arrays, now, true, through.in);
    now.arrived.record(through.in.get());
    now.arrived.block(through.work);
    if (now.used) now.left.block(through.work);
    enqueue(now.now);
    now.worked.record(through.work);
    now.worked.block(through.out.get());
    copy(arrays, now, false, through.out);
    now.left.record(through.out.get());
    now.used = true;
  }
  for (std::size_t s = 0; s < slots; ++s) retire(all[turn++ % slots]);
  through.out.synchronize();
  place.synchronize();
}

} // namespace warpfold::inline v0::pricing
