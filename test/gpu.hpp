#pragma once
// Tests on a GPU. They stand in TEST_SUITE("gpu"), which main.cpp leaves out where there is none;
// those whose names begin with "fast:" touch every kernel in a few seconds, for the sanitizers.

#include "support.hpp"

namespace test {

template <class T>
class memory_of<warpfold::gpu, T> {
public:
  memory_of(warpfold::gpu& place, std::vector<T> const& values)
      : place_{place}, values_(place, std::span<T const>(values)) {}

  warpfold::device_span<T> view(std::size_t first, std::size_t size) {
    return values_.span().subspan(first, size);
  }
  warpfold::device_span<T> all() { return values_.span(); }
  void set(std::size_t i, T x) {
    warpfold::copy(place_, std::span<T const>(&x, 1), values_.span().subspan(i, 1));
  }
  T get(std::size_t i) { return warpfold::to_vector(place_, values_.span().subspan(i, 1))[0]; }

private:
  warpfold::gpu& place_;
  warpfold::device_buffer<T> values_;
};

/// What `enqueue` puts on the place's stream, captured as a graph that can be launched again.
class captured {
public:
  template <class Enqueue>
  captured(warpfold::gpu& place, Enqueue enqueue) : stream_{place.stream()} {
    cudaGraph_t graph = nullptr;
    warpfold::check(cudaStreamBeginCapture(stream_, cudaStreamCaptureModeThreadLocal));
    try {
      enqueue();
    } catch (...) {
      if (cudaStreamEndCapture(stream_, &graph) == cudaSuccess) cudaGraphDestroy(graph);
      cudaGetLastError();
      throw;
    }
    warpfold::check(cudaStreamEndCapture(stream_, &graph));
    auto const status = cudaGraphInstantiate(&executable_, graph, 0);
    cudaGraphDestroy(graph);
    warpfold::check(status);
  }
  ~captured() { cudaGraphExecDestroy(executable_); }
  captured(captured const&) = delete;
  captured& operator=(captured const&) = delete;

  void launch() {
    warpfold::check(cudaGraphLaunch(executable_, stream_));
    warpfold::check(cudaStreamSynchronize(stream_));
  }

private:
  cudaStream_t stream_;
  cudaGraphExec_t executable_ = nullptr;
};

} // namespace test
