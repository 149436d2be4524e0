#pragma once
// The time of each kernel of some work, run alone.

#include "paired_timing.hpp"

#include <cxxabi.h>

#include <cctype>
#include <cstdlib>
#include <string>
#include <vector>

namespace warpfold::bench {

struct kernel_time {
  std::string name; ///< without its template arguments; empty of a library that does not tell
  double seconds;
};

namespace detail {

inline std::string short_name(char const* mangled) {
  int status = 0;
  char* const readable = abi::__cxa_demangle(mangled, nullptr, nullptr, &status);
  std::string name = status == 0 ? readable : mangled;
  std::free(readable);
  name = name.substr(0, name.find_first_of("<("));
  // "(anonymous namespace)::kernel" has lost everything at its parenthesis.
  if (status == 0 && name.find("kernel") == std::string::npos) {
    std::string whole = mangled;
    std::size_t const end = whole.find("_kernel");
    if (end == std::string::npos) return "";
    std::size_t begin = end;
    while (begin > 0 && (std::isalpha(static_cast<unsigned char>(whole[begin - 1])) != 0 ||
                         whole[begin - 1] == '_'))
      --begin;
    return whole.substr(begin, end - begin);
  }
  std::size_t const colon = name.rfind("::");
  return colon == std::string::npos ? name : name.substr(colon + 2);
}

} // namespace detail

/// Captures what `enqueue` puts on the place's stream, and replays its kernels one at a time, each
/// often in one graph, with warm caches. Other nodes (copies, clears) are left out.
template <class Enqueue>
std::vector<kernel_time> kernel_times(gpu& place, Enqueue&& enqueue) {
  constexpr int calls = 20, runs = 9;
  owned_graph const whole = capture(place, enqueue);
  std::size_t count = 0;
  check(cudaGraphGetNodes(whole.get(), nullptr, &count));
  std::vector<cudaGraphNode_t> nodes(count);
  check(cudaGraphGetNodes(whole.get(), nodes.data(), &count));
  std::vector<kernel_time> found;
  for (cudaGraphNode_t const one : nodes) {
    cudaGraphNodeType type{};
    check(cudaGraphNodeGetType(one, &type));
    if (type != cudaGraphNodeTypeKernel) continue;
    cudaGraph_t made = nullptr;
    check(cudaGraphClone(&made, whole.get()));
    owned_graph const alone(made);
    for (cudaGraphNode_t const other : nodes) {
      if (other == one) continue;
      cudaGraphNode_t copy = nullptr;
      check(cudaGraphNodeFindInClone(&copy, other, alone.get()));
      check(cudaGraphDestroyNode(copy));
    }
    check(cudaGraphCreate(&made, 0));
    owned_graph const repeated(made);
    cudaGraphNode_t last = nullptr;
    for (int call = 0; call < calls; ++call) {
      cudaGraphNode_t const before = last;
      check(cudaGraphAddChildGraphNode(&last, repeated.get(), &before, call > 0 ? 1 : 0,
                                       alone.get()));
    }
    graph const replay(repeated);
    event_pair events;
    std::vector<double> seconds;
    for (int run = 0; run < runs; ++run)
      seconds.push_back(events.seconds(place, [&] { replay.launch(place); }) / calls);
    cudaKernelNodeParams parameters{};
    char const* name = nullptr;
    bool const is_known = cudaGraphKernelNodeGetParams(one, &parameters) == cudaSuccess &&
                          cudaFuncGetName(&name, parameters.func) == cudaSuccess;
    cudaGetLastError(); // clears it
    found.push_back(
        {is_known ? detail::short_name(name) : "", summarize(std::move(seconds)).median});
  }
  return found;
}

} // namespace warpfold::bench
