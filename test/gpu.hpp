#pragma once
// Tests on a GPU. They stand in TEST_SUITE("gpu"), which main.cpp leaves out where there is none.
// Those named "fast: ..." run every kernel body, reader and way to finish, for the sanitizers.

#include "support.hpp"

#include <limits>
#include <map>
#include <memory>
#include <new>

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
  std::vector<T> contents() { return warpfold::to_vector(place_, values_); }

private:
  warpfold::gpu& place_;
  warpfold::device_buffer<T> values_;
};

/// The pool, with a count of what is out; after `allowed` allocations there is no memory.
class counting_resource final : public warpfold::memory_resource {
public:
  explicit counting_resource(int allowed = std::numeric_limits<int>::max()) : allowed_{allowed} {}

  void* allocate(std::size_t bytes, cudaStream_t stream) override {
    if (allocations++ >= allowed_) throw std::bad_alloc();
    void* const memory = warpfold::pool_resource().allocate(bytes, stream);
    out[memory] = bytes;
    return memory;
  }
  void deallocate(void* memory, std::size_t bytes, cudaStream_t stream) noexcept override {
    auto const found = out.find(memory);
    all_known = all_known && found != out.end() && found->second == bytes;
    if (found != out.end()) out.erase(found);
    warpfold::pool_resource().deallocate(memory, bytes, stream);
  }

  int allocations = 0;
  bool all_known = true;
  std::map<void*, std::size_t> out;

private:
  int allowed_;
};

/// The work that `enqueue` puts on the place's stream, captured as a graph to launch again.
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
    graph_.reset(graph);
    warpfold::check(cudaGraphInstantiate(&executable_, graph, 0));
  }
  ~captured() { cudaGraphExecDestroy(executable_); }
  captured(captured const&) = delete;
  captured& operator=(captured const&) = delete;

  void launch() {
    warpfold::check(cudaGraphLaunch(executable_, stream_));
    warpfold::check(cudaStreamSynchronize(stream_));
  }

  /// The kinds of the graph's nodes, in no particular order.
  std::vector<cudaGraphNodeType> nodes() const {
    std::size_t count = 0;
    warpfold::check(cudaGraphGetNodes(graph_.get(), nullptr, &count));
    std::vector<cudaGraphNode_t> nodes(count);
    warpfold::check(cudaGraphGetNodes(graph_.get(), nodes.data(), &count));
    std::vector<cudaGraphNodeType> types(count);
    for (std::size_t i = 0; i < count; ++i)
      warpfold::check(cudaGraphNodeGetType(nodes[i], &types[i]));
    return types;
  }
  bool is_one_kernel() const { return nodes() == std::vector{cudaGraphNodeTypeKernel}; }

private:
  struct destroy {
    void operator()(cudaGraph_t graph) const { cudaGraphDestroy(graph); }
  };
  cudaStream_t stream_;
  std::unique_ptr<std::remove_pointer_t<cudaGraph_t>, destroy> graph_;
  cudaGraphExec_t executable_ = nullptr;
};

} // namespace test
