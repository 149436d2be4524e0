#pragma once
// Histograms on a gpu.

#include <warpfold/detail/core/launch.cuh>
#include <warpfold/detail/core/scratch.hpp>
#include <warpfold/detail/counting/histogram.hpp>
#include <warpfold/detail/counting/histogram_body.hpp>
#include <warpfold/detail/reduction/fold.cuh>

namespace warpfold::inline v0::detail {

namespace {

template <class Tuning, class Iterator, class Reader, class BinOf>
__global__ __launch_bounds__(Tuning::threads, Tuning::min_blocks) void histogram_kernel(
    unaligned_head<Iterator> head, Reader reader, std::int64_t size, BinOf bin_of, int bins,
    std::uint64_t* counts, histogram_scratch scratch) {
  __shared__ histogram_shared<Tuning> shared;
  count_bins(cuda_block{}, head, reader, size, bin_of, bins, counts, scratch, shared);
}

template <class Tuning, class Iterator, class Reader, class BinOf>
void launch_histogram(gpu& place, unaligned_head<Iterator> head, Reader reader, std::size_t size,
                      BinOf bin_of, int bins, std::uint64_t* counts) {
  constexpr auto kernel = histogram_kernel<Tuning, Iterator, Reader, BinOf>;
  constexpr std::size_t batch = Tuning::rows * Tuning::threads * Reader::lanes;
  constexpr std::size_t most_of_block = std::size_t{1} << 31; // counts of a block have 32 bits
  device_guard const current{place.device()};
  static kernel_facts const facts = facts_of(kernel, Tuning::threads, place.compute_capability());
  int const blocks = larger(blocks_at_once(place, facts, (size + batch - 1) / batch),
                            static_cast<int>(size / most_of_block));
  gpu_scratch const memory(place);
  histogram_scratch const scratch{memory.counters(), memory.counters() + 1, memory.ticket()};
  launch(place.stream(), {blocks, Tuning::threads, starts_ahead<fold_tuning>(place, facts, blocks)},
         kernel, head, reader, static_cast<std::int64_t>(size), bin_of, bins, counts, scratch);
}

/// launch_histogram with the tuning for the size.
template <class Iterator, class Reader, class BinOf>
void histogram_array(gpu& place, unaligned_head<Iterator> head, Reader reader, std::size_t size,
                     BinOf bin_of, int bins, std::uint64_t* counts) {
  constexpr std::size_t mebi = std::size_t{1} << 20;
  std::size_t const bytes = size * sizeof(typename Reader::pack) / Reader::lanes;
  if (bytes <= 2 * mebi)
    launch_histogram<histogram_tuning<1>>(place, head, reader, size, bin_of, bins, counts);
  else if (bytes <= 64 * mebi)
    launch_histogram<histogram_tuning<2>>(place, head, reader, size, bin_of, bins, counts);
  else launch_histogram<histogram_tuning<4>>(place, head, reader, size, bin_of, bins, counts);
}

/// Enqueues the counts of an array, read 16 bytes at a time, or of an iterator's elements, or of
/// those whose alignment is below their size: perhaps none begins at a multiple of 16 bytes.
template <class Iterator, class BinOf>
void histogram_array(gpu& place, Iterator first, std::size_t size, BinOf bin_of, int bins,
                     std::uint64_t* counts) {
  using T = iterator_element<Iterator>;
  if constexpr (std::is_pointer_v<Iterator> && 16 % sizeof(T) == 0 && alignof(T) == sizeof(T)) {
    std::size_t const beyond = reinterpret_cast<std::uintptr_t>(first) % 16 / sizeof(T);
    std::size_t const head = smaller(size, beyond == 0 ? 0 : 16 / sizeof(T) - beyond);
    histogram_array(place, unaligned_head<Iterator>{first, static_cast<int>(head)},
                    packed_reader<T, identity>{first + head, {}}, size - head, bin_of, bins,
                    counts);
  } else {
    histogram_array(place, unaligned_head<Iterator>{first, 0},
                    element_reader<Iterator, identity>{first, {}}, size, bin_of, bins, counts);
  }
}

} // namespace

} // namespace warpfold::inline v0::detail
