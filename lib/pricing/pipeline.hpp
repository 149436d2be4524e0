#pragma once
// Host memory to host memory through a GPU, piece by piece: one piece comes in while another is
// worked on and a third goes out.

#include <warpfold/execution.hpp>
#include <warpfold/stream.hpp>

#include <cstddef>
#include <vector>

namespace warpfold::inline v0::pricing {

/// A number of consecutive elements of every array, on the GPU.
struct piece {
  cudaStream_t stream; ///< where work on it is to be enqueued
  std::size_t size;    ///< elements in it
  std::byte* memory;
  std::size_t capacity;
};

/// An array of a pipeline. Its elements in a piece begin at a multiple of 256 bytes.
template <class T>
class piped {
public:
  piped() = default;
  explicit piped(std::size_t before) : before_{before}, exists_{true} {}

  /// Null if there is no such array.
  T* in(piece const& now) const {
    return exists_ ? reinterpret_cast<T*>(now.memory + before_ * now.capacity) : nullptr;
  }

private:
  std::size_t before_ = 0; ///< bytes an element of the arrays before it
  bool exists_ = false;
};

class pipeline {
public:
  pipeline(gpu& place, std::size_t size) : place_{place}, size_{size} {}

  /// Arrays of `size` elements in host memory; null is none.
  template <class T>
  piped<T const> input(T const* array) {
    return array ? piped<T const>(add(array, nullptr, sizeof(T))) : piped<T const>();
  }
  template <class T>
  piped<T> output(T* array) {
    return array ? piped<T>(add(nullptr, array, sizeof(T))) : piped<T>();
  }

  /// Calls enqueue(piece) for all pieces, which cover the arrays from first to last, with their
  /// inputs on the way in; returns when all outputs are there.
  template <class Enqueue>
  void run(Enqueue enqueue) {
    run_all([](void* self, piece const& now) { (*static_cast<Enqueue*>(self))(now); }, &enqueue);
  }

private:
  struct host_array {
    std::byte const* from; ///< null for an output
    std::byte* to;         ///< null for an input
    std::size_t element;
    std::size_t before; ///< bytes an element of the arrays before it
    bool staged;        ///< it is pageable
    std::size_t staged_before;
  };
  struct slot;
  struct lanes;

  std::size_t add(void const* from, void* to, std::size_t element);
  void run_all(void (*enqueue)(void*, piece const&), void* context);
  void retire(slot& done);
  void copy_in(slot& to, stream& on);
  void copy_out(slot& from, stream& on);
  void stage(slot& at, bool inward);

  gpu& place_;
  std::size_t size_;
  std::vector<host_array> arrays_;
  std::size_t row_ = 0;        ///< bytes of one element of every array
  std::size_t staged_row_ = 0; ///< of the pageable ones
  bool stages_input_ = false, stages_output_ = false;
  std::size_t capacity_ = 0;
};

} // namespace warpfold::inline v0::pricing
