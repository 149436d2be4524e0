#pragma once
// The tally on the host: the kernel's tree, thread by thread. Bit for bit the GPU's result.

#include <warpfold/detail/reduction/fold_host.hpp>
#include <warpfold/detail/reduction/fold_reader.hpp>
#include <warpfold/detail/reduction/tally_body.hpp>
#include <warpfold/detail/reduction/tally_shape.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>

namespace warpfold::inline v0::detail {

/// The partial of a thread of tally_striped: of `rows` packs, row_size elements apart, the first of
/// which is number `first` of all, and `tail` elements of the incomplete row.
template <class Tally, class Iterator, class Transform>
typename Tally::partial tally_thread(Iterator elements, std::int64_t row_size, int rows, int tail,
                                     std::uint64_t first, Transform transform) {
  using T = iterator_element<Iterator>;
  constexpr int lanes = lanes_per_thread<T>;
  typename Tally::running running{};
  auto const add_pack = [&](int row, int count) {
    auto const pack = elements + row * row_size;
    if (row + 4 < rows) detail::prefetch_after(pack, 4 * row_size);
    if constexpr (requires { running.wants_look(); })
      if (running.wants_look())
        for (int v = 0; v < count; ++v) running.look(transform(pack[v]));
    auto const at = static_cast<std::uint32_t>(row * row_size);
    if (count == lanes) {
      typename Tally::element whole[lanes];
      for (int v = 0; v < lanes; ++v) whole[v] = transform(pack[v]);
      running.add(whole, at);
    } else {
      for (int v = 0; v < count; ++v) {
        typename Tally::element const one[1] = {transform(pack[v])};
        running.add(one, at + static_cast<std::uint32_t>(v));
      }
    }
  };
  for (int row = 0; row < rows; ++row) add_pack(row, lanes);
  if (tail > 0) add_pack(rows, tail);
  return running.close(std::int64_t{rows} * lanes + tail, first);
}

/// The result of a tally of `size` transformed elements, on up to `threads` threads.
template <class Tally, class Iterator, class Transform>
typename Tally::result tally_host(int threads, Iterator elements, std::size_t size, Tally tally,
                                  Transform transform, fold_shape shape) {
  using T = iterator_element<Iterator>;
  using partial = typename Tally::partial;
  constexpr int lanes = lanes_per_thread<T>;
  if (size == 0) return tally.finish(Tally::nothing());
  std::int64_t const row_size = static_cast<std::int64_t>(shape.threads) * lanes;
  auto const partials =
      std::make_unique_for_overwrite<partial[]>(static_cast<std::size_t>(shape.blocks));

  parallel_for(threads, shape.blocks, [&](std::int64_t b) {
    std::int64_t const first = b * shape.rows_per_block * row_size;
    int const rows = shape.rows_of(static_cast<int>(b));
    int const block_tail = b == shape.blocks - 1 ? shape.tail : 0;
    int const live = rows > 0 ? shape.threads : (block_tail + lanes - 1) / lanes;
    std::array<partial, max_fold_threads> of_thread;
    for (int t = 0; t < live; ++t) {
      std::int64_t const start = first + t * lanes;
      of_thread[static_cast<std::size_t>(t)] = tally_thread<Tally>(
          elements + start, row_size, rows, std::clamp(block_tail - t * lanes, 0, lanes),
          static_cast<std::uint64_t>(start), transform);
    }
    partials[b] = detail::fold_pairs(of_thread.data(), live, tally);
  });
  element_of<element_reader<Iterator, Transform>> const x_at{{elements, transform}};
  return finished<lanes>(
      tally, tally(Tally::nothing(), detail::fold_partials(partials.get(), shape, tally)), x_at);
}

/// In the shape of this size and these types.
template <class Tally, class Iterator, class Transform>
typename Tally::result tally_host(int threads, Iterator elements, std::size_t size, Tally tally,
                                  Transform transform) {
  using T = iterator_element<Iterator>;
  return tally_host(threads, elements, size, tally, transform,
                    tally_shape_of<T>(size, sizeof(typename Tally::partial)));
}

template <class Iterator, class Tally, class Transform>
void tally_array(host const& place, Iterator first, std::size_t size, Tally tally,
                 Transform transform, typename Tally::result* result) {
  *result = tally_host(place.threads(), first, size, tally, transform);
}

} // namespace warpfold::inline v0::detail
