// Refusals of places, streams and memory. Then calls without a device, without memory, and while
// their stream is being captured.

#include "refusals.hpp"
#include "verbs.hpp"

#include <warpfold/detail/core/scratch.hpp>
#include <warpfold/detail/core/verb.hpp>

#include <limits>

namespace refusals_core_test {

using namespace test;
namespace wf = warpfold;

constexpr std::size_t most = std::numeric_limits<std::size_t>::max();
/// More bytes than a GPU has, of the overflow not to speak.
constexpr std::size_t too_large = std::size_t{1} << 50;

TEST_CASE("what needs no device to be refused") {
  wf::host place;
  refusals<wf::host> all(place);
  all.of("execution.hpp");
  for (int const threads : {-1, 4097, std::numeric_limits<int>::max()})
    all.row("host::host", "threads", [=] { wf::host{threads}; });
  all.of("buffer.hpp");
  for (std::size_t const size : {most, most / 4})
    all.row("pinned_buffer::pinned_buffer", "size", [=] { wf::pinned_buffer<double>{size}; });
  all.of("error.hpp");
  all.fails<wf::cuda_error>("check", [] { wf::check(cudaErrorInvalidValue); });
}

TEST_CASE("without a device every way to one is a cuda_error, which the next call does not see") {
  if (wf::gpu_count() > 0) return;
  wf::host place;
  refusals<wf::host> all(place);
  auto const fails = [&](char const* function, test::function_ref<void()> call) {
    all.fails<wf::cuda_error>(function, call);
  };
  all.of("execution.hpp");
  fails("gpu::gpu", [] { wf::gpu{}; });
  fails("gpu::gpu", [] { wf::gpu{-1}; });
  fails("gpu::gpu", [] { wf::gpu(0, cudaStream_t{nullptr}); });
  fails("device_guard::device_guard", [] { wf::device_guard{0}; });
  try {
    wf::gpu none;
  } catch (wf::cuda_error const& error) {
    CHECK(error.status() != cudaSuccess);
    CHECK(contains(error.what(), cudaGetErrorName(error.status())));
    CHECK(contains(error.what(), cudaGetErrorString(error.status())));
    CHECK(contains(error.what(), "warpfold::host"));
  }
  all.of("stream.hpp");
  fails("stream::stream", [] { wf::stream{}; });
  fails("event::event", [] { wf::event{}; });
  all.of("memory.hpp");
  fails("pinned_allocation::pinned_allocation", [] { wf::pinned_allocation{10}; });
  fails("device_allocation::device_allocation",
        [] { wf::device_allocation(wf::pool_resource(), 10, nullptr); });
  all.of("buffer.hpp");
  fails("pinned_buffer::pinned_buffer", [] { wf::pinned_buffer<float>{10}; });
  std::vector<float> const values(10, 1.F);
  CHECK(wf::sum(place, values) == 10);
}

TEST_SUITE("gpu") {
  TEST_CASE("what a gpu refuses before it asks the driver") {
    wf::gpu place;
    refusals<wf::gpu> all(place);
    all.of("execution.hpp");
    for (int const device : {-1, wf::gpu_count(), std::numeric_limits<int>::max()}) {
      all.row("gpu::gpu", "device", [=] { wf::gpu{device}; });
      all.row("gpu::gpu", "device", [=] { wf::gpu(device, cudaStream_t{nullptr}); });
    }
    // Verbs ask for scratch memory: they are named.
    for (std::size_t const size : {place.workspace_size() + 1, most})
      all.row("sum_async", "place", [&] {
        wf::detail::verb const scope("sum_async");
        static_cast<void>(wf::detail::gpu_scratch(place).workspace(size));
      });
    for (std::size_t const size : {place.lookback_size() + 1, most})
      all.row("inclusive_scan_async", "place", [&] {
        wf::detail::verb const scope("inclusive_scan_async");
        static_cast<void>(wf::detail::gpu_scratch(place).lookback(size));
      });
    for (std::size_t const size : {std::size_t{4097}, most})
      all.row("sum", "init", [&] {
        wf::detail::verb const scope("sum");
        static_cast<void>(wf::detail::gpu_scratch(place).result_slot(size));
      });

    all.of("buffer.hpp");
    for (std::size_t const size : {most, most / 4})
      all.row("device_buffer::device_buffer", "size",
              [&] { wf::device_buffer<double>(place, size); });
    std::span<float const> const null(static_cast<float const*>(nullptr), 9);
    all.row("device_buffer::device_buffer", "values",
            [&] { wf::device_buffer<float>(place, null); });
    auto const there = all.memory<float>(9);
    wf::device_span<float> const nowhere(static_cast<float*>(nullptr), 9);
    std::vector<float> here(9, 3.F), few(8, 3.F);
    std::span<float> const nothing(static_cast<float*>(nullptr), 9);
    auto const both = [&](char const* argument, auto const& from, auto const& to) {
      all.row("copy", argument, [&] { wf::copy(place, from, to); });
      all.row("copy_async", argument, [&] { wf::copy_async(place, from, to); });
    };
    both("destination", few, there);
    both("source", null, there);
    both("destination", here, nowhere);
    both("destination", there, std::span(few));
    both("source", nowhere, std::span(here));
    both("destination", there, nothing);
    both("size", std::span<float const>(here.data(), most),
         wf::device_span<float>(there.data(), most));
    CHECK(here == std::vector<float>(9, 3.F));
    all.row("to_vector", "source", [&] { static_cast<void>(wf::to_vector(place, nowhere)); });
  }

  TEST_CASE("what the driver refuses is a cuda_error, and leaves the place as it was") {
    wf::gpu place;
    refusals<wf::gpu> all(place);
    auto const fails = [&](char const* function, test::function_ref<void()> call) {
      all.fails<wf::cuda_error>(function, call);
      CHECK(cudaPeekAtLastError() == cudaSuccess);
    };
    auto const before = place.workspace_size(), lookback = place.lookback_size();
    all.of("execution.hpp");
    for (std::size_t const size : {too_large, most}) {
      fails("gpu::reserve", [&] { place.reserve(size); });
      fails("gpu::reserve_lookback", [&] { place.reserve_lookback(size); });
    }
    CHECK(place.workspace_size() == before);
    CHECK(place.lookback_size() == lookback);
    fails("gpu::reserve",
          [&] { static_cast<void>(wf::detail::gpu_scratch(place).staging(too_large)); });
    CHECK(wf::detail::gpu_scratch(place).staging(100) != nullptr);
    for (int const device : {-1, wf::gpu_count()})
      fails("device_guard::device_guard", [=] { wf::device_guard{device}; });
    all.of("buffer.hpp");
    fails("device_buffer::device_buffer", [&] { wf::device_buffer<char>(place, too_large); });
    fails("pinned_buffer::pinned_buffer", [&] { wf::pinned_buffer<char>{too_large}; });
    all.of("memory.hpp");
    fails("device_allocation::device_allocation",
          [&] { wf::device_allocation(wf::pool_resource(), too_large, place.stream()); });
    fails("pinned_allocation::pinned_allocation", [] { wf::pinned_allocation{too_large}; });
    all.of("stream.hpp");
    wf::event event, other(std::move(event));
    fails("event::record", [&] { event.record(place.stream()); });
    fails("event::synchronize", [&] { event.synchronize(); });
    fails("event::block", [&] { event.block(place.stream()); });
    fails("seconds_between", [&] { static_cast<void>(wf::seconds_between(other, other)); });
    CHECK(wf::sum(place, wf::device_buffer<float>(place, std::vector<float>(9, 1.F))) == 9);
  }

  TEST_CASE("a resource without memory: calls that need more throw, others work") {
    wf::gpu maker;
    refusals<wf::gpu> all(maker);
    counting_resource memory(3); // what a place has from the start
    wf::gpu place(0, &memory);
    wf::device_buffer<float> const values(maker, std::vector<float>(1'000'003, 1.F));
    auto const counts = all.memory<std::uint64_t>(4);
    auto const fails = [&](char const* function, test::function_ref<void()> call) {
      all.fails<std::bad_alloc>(function, call);
      CHECK(wf::sum(place, values) == 1'000'003);
    };
    all.of("execution.hpp");
    fails("gpu::reserve", [&] { place.reserve(place.workspace_size() + 1); });
    fails("gpu::reserve_lookback", [&] { place.reserve_lookback(place.lookback_size() + 1); });
    all.of("buffer.hpp");
    fails("device_buffer::device_buffer", [&] { wf::device_buffer<float>(place, 1); });
    all.of("counting/histogram.hpp");
    fails("histogram", [&] { static_cast<void>(wf::histogram(place, values, {4, 0, 2})); });
    wf::histogram_async(place, values, {4, 0, 2}, counts);
    place.synchronize();
    CHECK(wf::to_vector(maker, counts) == std::vector<std::uint64_t>{0, 0, 1'000'003, 0});
  }

  TEST_CASE("a call that waits cannot be captured; the place works after that as before") {
    wf::gpu place;
    refusals<wf::gpu> all(place);
    auto const values = all.memory(std::vector<float>(1000, 1.F));
    auto const offsets = all.memory<std::int32_t>({0, 600, 1000});
    auto const fails = [&](char const* function, test::function_ref<void()> call) {
      cannot_be_captured(all, function, call);
      CHECK(wf::sum(place, values) == 1000);
    };
    wf::less_than const below{2.F};
    std::vector<float> here(1000);
    wf::device_buffer<float> results(place, 1000);
    fails("gpu::synchronize", [&] { place.synchronize(); });
    fails("gpu::reserve", [&] { place.reserve(place.workspace_size() + 1); });
    fails("gpu::reserve_lookback", [&] { place.reserve_lookback(place.lookback_size() + 1); });
    fails("to_vector", [&] { static_cast<void>(wf::to_vector(place, values)); });
    fails("copy", [&] { wf::copy(place, values, here); });
    fails("device_buffer::device_buffer", [&] { wf::device_buffer<float>(place, here); });
    for_each_verb<float>([&](auto verb) {
      fails(verb.name,
            [&] { static_cast<void>(verb.now(place, wf::device_span<float const>(values))); });
    });
    fails("dot", [&] { wf::dot(place, values, values); });
    fails("histogram", [&] { static_cast<void>(wf::histogram(place, values, {4, 0, 2})); });
    fails("compact_if", [&] { wf::compact_if(place, values, below, results.span()); });
    fails("segmented_reduce", [&] {
      wf::segmented_reduce(place, values, offsets, 0.F, wf::plus{}, results.span().subspan(0, 2));
    });
    fails("sum_by_key",
          [&] { wf::sum_by_key(place, values, values, wf::device_span<float>(), results.span()); });
    fails("inclusive_scan", [&] { wf::inclusive_scan(place, values, wf::plus{}, results); });
    fails("exclusive_scan", [&] { wf::exclusive_scan(place, values, 0.F, wf::plus{}, results); });
    // An asynchronous one can be.
    captured graph(place, [&] { wf::sum_async(place, values, results.span().subspan(0, 1)); });
    graph.launch();
    CHECK(wf::to_vector(place, results.span().subspan(0, 1))[0] == 1000);
  }
}

} // namespace refusals_core_test
