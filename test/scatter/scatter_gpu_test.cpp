// Sums by index on a GPU: any grid, captured, beside other work, and of more values than 2^32.

#include "contents.hpp"
#include "gpu.hpp"
#include "scatter/scatter_reference.hpp"

#include <warpfold/detail/core/scratch.hpp>
#include <warpfold/scatter.hpp>

namespace scatter_gpu_test {

using namespace test;
namespace wf = warpfold;

TEST_SUITE("gpu") {
  TEST_CASE_TEMPLATE("sums by index have the same bits on any grid, beside other work", T, float,
                     double) {
    wf::gpu place, other;
    std::mt19937_64 random{671};
    std::size_t const size = 5'000'011; // several passes over 2^23 bins
    auto const values = scatter_values<T>(random, size);
    wf::device_buffer<T> there(place, std::span<T const>(values));
    for (std::size_t const bins :
         {std::size_t{3}, std::size_t{2000}, std::size_t{100'000}, std::size_t{1} << 23})
      for (bool const is_clustered : {false, true}) {
        CAPTURE(bins);
        CAPTURE(is_clustered);
        auto indices = scatter_indices<std::uint32_t>(random, size, bins, is_clustered);
        if (is_clustered) // and some scattered tiles
          for (std::size_t i = size / 2; i < size / 2 + 100'000; ++i)
            indices[i] = static_cast<std::uint32_t>(random() % bins);
        wf::device_buffer<std::uint32_t> at(place, std::span<std::uint32_t const>(indices));
        wf::device_buffer<T> results(place, bins);
        wf::device_buffer<T> beside(other, bins);
        wf::device_buffer<wf::scatter_status> status(other, 1);
        other.reserve(wf::scatter_workspace(bins, size));
        for (bool const wide : {false, true}) {
          std::vector<T> expected(bins);
          wf::scatter_options const how{.wide = wide};
          wf::scatter_sum(wf::host(), values, indices, {1, 1e7}, expected, how);
          for (int run = 0; run < 10; ++run) {
            wf::detail::gpu_scratch(place).assume_multiprocessors(1 +
                                                                  static_cast<int>(random() % 140));
            if (run % 3 == 0) wf::scatter_sum_async(other, there, at, {1, 1e7}, beside, status);
            wf::check(cudaMemsetAsync(results.data(), 0xff, bins * sizeof(T), place.stream()));
            wf::scatter_sum(place, there, at, {1, 1e7}, results, how);
            CHECK(same_elements(wf::to_vector(place, results), expected));
          }
          other.synchronize();
        }
      }
  }
  TEST_CASE("fast: captured sums by index, replayed with other values") {
    wf::gpu place;
    std::mt19937_64 random{681};
    std::size_t const size = 100'003;
    for (bool const has_bound : {true, false})
      for (std::size_t const bins : {20, 50'000}) {
        wf::device_buffer<float> values(place, size), results(place, bins);
        wf::device_buffer<std::uint32_t> at(place, size);
        wf::device_buffer<wf::scatter_status> status(place, 1);
        captured graph(place, [&] {
          if (has_bound) wf::scatter_sum_async(place, values, at, {1, 1e6}, results, status);
          else wf::scatter_sum_async(place, values, at, results, status);
        });
        for (cudaGraphNodeType const node : graph.nodes()) CHECK(node == cudaGraphNodeTypeKernel);
        for (int turn = 0; turn < 3; ++turn) {
          auto v = scatter_values<float>(random, size);
          for (float& x : v) x = std::ldexp(x, -turn);
          auto const i = scatter_indices<std::uint32_t>(random, size, bins, turn == 1);
          if (turn == 2 && has_bound) v[99] = 3;
          wf::copy(place, v, values);
          wf::copy(place, i, at);
          graph.launch();
          std::vector<float> expected(bins);
          std::vector<wf::scatter_status> known(1);
          if (has_bound) wf::scatter_sum_async(wf::host(), v, i, {1, 1e6}, expected, known);
          else wf::scatter_sum_async(wf::host(), v, i, expected, known);
          CHECK(same_elements(wf::to_vector(place, results), expected));
          CHECK(wf::to_vector(place, status)[0] == known[0]);
          wf::sum(place, values); // other verbs use the workspace between replays
        }
      }
  }
  TEST_CASE("fast: an async sum by index needs a workspace, then neither allocates nor waits") {
    counting_resource memory;
    wf::gpu place(0, &memory);
    std::size_t const bins = 300'000;
    wf::device_buffer<float> values(place, std::vector<float>(1000, 1.F)), results(place, bins);
    wf::device_buffer<std::uint32_t> at(place, std::vector<std::uint32_t>(1000, 7));
    wf::device_buffer<wf::scatter_status> status(place, 1);
    auto const enqueue = [&] {
      wf::scatter_sum_async(place, values, at, {1, 1000}, results, status);
    };
    int const allocations = memory.allocations;
    CHECK(place.workspace_size() < wf::scatter_workspace(bins, 1000));
    CHECK(refused_by(enqueue) == "place");
    CHECK(memory.allocations == allocations);
    wf::scatter_sum(place, values, at, results);
    CHECK(memory.allocations == allocations + 1);
    enqueue();
    CHECK(memory.allocations == allocations + 1);
    CHECK(wf::to_vector(place, results.span().subspan(7, 1))[0] == 1000);
  }
}

TEST_SUITE("large") {
  TEST_CASE("more than 2^32 values summed by index") {
    std::size_t const size = (std::size_t{1} << 32) + 11;
    wf::gpu place;
    wf::device_buffer<float> values(place, size);
    wf::device_buffer<std::uint32_t> at(place, size);
    std::vector<float> const ones(1 << 20, 0.5F);
    for (std::size_t i = 0; i < size; i += ones.size()) {
      std::size_t const some = std::min(ones.size(), size - i);
      wf::copy(place, std::span(ones).first(some), values.span().subspan(i, some));
    }
    wf::check(cudaMemsetAsync(at.data(), 0, size * sizeof(std::uint32_t), place.stream()));
    std::uint32_t const last[] = {299};
    wf::copy(place, std::span(last), at.span().subspan(size - 1, 1));
    for (std::size_t const bins : {300, 100'000}) { // of blocks' own, and by windows
      wf::device_buffer<float> results(place, bins);
      wf::scatter_sum(place, values, at, {1, 1e10}, results);
      auto const found = wf::to_vector(place, results);
      CHECK(found[0] == static_cast<float>(0.5 * static_cast<double>(size - 1)));
      CHECK(found[299] == 0.5F);
    }
    wf::device_buffer<float> results(place, 300);
    CHECK(refused_by([&] {
            wf::scatter_sum(place, values, at, {1, 1e10}, results, {.wide = true});
          }) == "values");
    wf::scatter_sum(place, values, at, results, {.exact = true}); // up to 2^35
    auto const exact = wf::to_vector(place, results);
    CHECK(exact[0] == static_cast<float>(0.5 * static_cast<double>(size - 1)));
    CHECK(exact[299] == 0.5F);
  }
}

} // namespace scatter_gpu_test
