#pragma once
// Host memory to host memory through a GPU, piece by piece: one piece comes in while another is
// worked on and a third goes out.

#include <warpfold/execution.hpp>

#include <cstddef>
#include <functional>
#include <vector>

namespace warpfold::inline v0::pricing {

/// An array in host memory that passes through the GPU.
struct piped_array {
  template <class T>
  explicit piped_array(T* array)
      : data{reinterpret_cast<std::byte*>(const_cast<std::remove_const_t<T>*>(array))},
        element{sizeof(T)}, is_input{std::is_const_v<T>} {}

  std::byte* data; ///< written to if it is no input
  std::size_t element;
  bool is_input;
};

/// Consecutive elements of every array, on the GPU.
struct piece {
  cudaStream_t stream; ///< where work on it is to be enqueued
  std::size_t size;    ///< elements in it
  std::byte* memory;   ///< array after array, `capacity` elements of each
  std::size_t capacity;
};

/// Calls enqueue(piece) for all pieces, which cover the arrays of `size` elements from first to
/// last, with their inputs on the way in; returns when all outputs are there. An array begins in a
/// piece at a multiple of 256 bytes.
void run_pieces(gpu& place, std::size_t size, std::vector<piped_array> const& piped,
                std::function<void(piece const&)> const& enqueue);

/// Calls enqueue(stream, call) for parts of a call on host memory, which are then in GPU memory.
template <class Call, class Enqueue>
void run_pieces(gpu& place, Call const& call, Enqueue enqueue) {
  if (call.size() == 0) return;
  std::vector<piped_array> arrays;
  call.moved(call.size(), [&](auto* array) {
    if (array) arrays.emplace_back(array);
  });
  run_pieces(place, call.size(), arrays, [&](piece const& now) {
    std::byte* next = now.memory;
    enqueue(now.stream, call.moved(now.size, [&](auto*& array) {
      if (!array) return;
      array = reinterpret_cast<std::remove_reference_t<decltype(array)>>(next);
      next += now.capacity * sizeof *array;
    }));
  });
}

} // namespace warpfold::inline v0::pricing
