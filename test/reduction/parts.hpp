#pragma once
// Arrays that a place and the host both have, and their parts of the sizes around a tree's edges.

#include "gpu.hpp"

#include <warpfold/detail/reduction/fold_shape.hpp>

#include <initializer_list>

namespace test {

template <class Place>
inline constexpr bool is_gpu = std::same_as<Place, warpfold::gpu>;

/// Gives a host `threads` threads; does nothing on a gpu.
template <class Place>
void use_threads(Place& place, int threads) {
  if constexpr (!is_gpu<Place>) place = warpfold::host(threads);
}

/// check(first, size) for every size, and every start of its own: offsets_for, unless given.
template <class Check>
void for_each_view(size_list which, std::vector<std::size_t> const& starts, Check check) {
  for (std::size_t const size : which)
    for (std::size_t const first : starts.empty() ? offsets_for(size) : starts) {
      CAPTURE(size);
      CAPTURE(first);
      check(first, size);
    }
}

/// check(part, view) for all of them: the same elements on the host and at the place. `values` has
/// room for the starts behind the largest size.
template <class T, class Place, class Check>
void for_each_part(Place& place, std::vector<T> const& values, size_list which,
                   std::vector<std::size_t> const& starts, Check check) {
  memory_of<Place, T> there(place, values);
  for_each_view(which, starts, [&](std::size_t first, std::size_t size) {
    check(std::span<T const>(values).subspan(first, size), there.view(first, size));
  });
}

inline std::string text_of(warpfold::detail::fold_shape const& s) {
  std::string text;
  for (int const number :
       {s.threads, s.blocks, s.rows_per_block, s.last_block_rows, s.tail, s.run, s.runs})
    text += std::to_string(number) + ' ';
  return text;
}

/// Captures enqueue(values) in a graph, which must be so many kernels, and launches it on other
/// values, make(size, seed), once a seed; check(values) compares.
template <class T, class Enqueue, class Check,
          class Make = std::vector<T> (*)(std::size_t, unsigned)>
void check_replayed(warpfold::gpu& place, std::size_t size, std::size_t kernels,
                    std::initializer_list<unsigned> seeds, Enqueue enqueue, Check check,
                    Make make = rough_values<T>) {
  warpfold::device_buffer<T> values(place, size);
  captured graph(place, [&] { enqueue(values.span()); });
  CHECK(graph.nodes() == std::vector(kernels, cudaGraphNodeTypeKernel));
  for (unsigned const seed : seeds) {
    CAPTURE(seed);
    auto const other = make(size, seed);
    warpfold::copy(place, other, values.span());
    graph.launch();
    check(other);
  }
}

} // namespace test
