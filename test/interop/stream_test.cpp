// A place that serves stream after stream: gpu::set_stream.

#include "gpu.hpp"

#include <warpfold/detail/core/scratch.hpp>
#include <warpfold/poisson.hpp>

namespace stream_test {

using namespace test;
namespace wf = warpfold;

TEST_SUITE("gpu") {
  TEST_CASE("fast: calls on changing streams are ordered, and have the bits of one stream") {
    wf::gpu place;
    cudaStream_t const own = place.stream();
    wf::stream first, second;
    place.reserve(std::size_t{16} << 20);
    auto const host_values = rough_values<float>(100'003, 7);
    // Rows that need scratch memory, of which there is one: without order they would meet in it.
    wf::device_buffer<float> values(place, host_values);
    constexpr std::size_t rows = 3;
    wf::matrix_shape const shape{.rows = rows, .columns = host_values.size() / rows};
    wf::device_buffer<float> expected(place, rows);
    wf::reduce_rows(place, values, shape, 0.0F, wf::plus{}, expected);
    auto const rows_expected = wf::to_vector(place, expected.span());
    float const exact = wf::exact_sum(place, values);
    float const fold = wf::sum(place, values);
    constexpr int calls = 24;
    wf::device_buffer<float> sums(place, calls), row_sums(place, calls * rows);
    wf::device_buffer<float> exact_sums(place, calls);
    place.synchronize();
    cudaStream_t const turns[] = {first.get(), second.get(), own};
    for (std::size_t i = 0; i < calls; ++i) {
      wf::gpu& here = place.set_stream(turns[i % 3]);
      CHECK(&here == &place);
      CHECK(place.stream() == turns[i % 3]);
      wf::sum_async(here, values, sums.span().subspan(i, 1));
      wf::exact_sum_async(here, values, exact_sums.span().subspan(i, 1));
      wf::reduce_rows_async(here, values, shape, 0.0F, wf::plus{},
                            row_sums.span().subspan(i * rows, rows));
    }
    for (float const sum : wf::to_vector(place.set_stream(own), sums.span())) CHECK(sum == fold);
    for (float const sum : wf::to_vector(place, exact_sums.span())) CHECK(sum == exact);
    auto const all = wf::to_vector(place, row_sums.span());
    for (std::size_t i = 0; i < all.size(); ++i) CHECK(all[i] == rows_expected[i % rows]);
  }

  TEST_CASE("a change of streams allocates nothing and waits for nothing") {
    counting_resource memory;
    wf::stream slow, other;
    {
      wf::gpu place(0, slow, &memory);
      wf::device_buffer<char> bytes(place, std::size_t{1} << 30);
      place.synchronize();
      int const allocations = memory.allocations;
      for (int i = 0; i < 200; ++i)
        wf::check(cudaMemsetAsync(bytes.data(), i, bytes.size(), slow.get()));
      wf::gpu& here = place.set_stream(other);
      CHECK(cudaStreamQuery(other.get()) == cudaErrorNotReady); // it waits for the other stream
      cudaGetLastError();
      CHECK(memory.allocations == allocations);
      here.synchronize();
      CHECK(cudaStreamQuery(slow.get()) == cudaSuccess);
      here.reserve(std::size_t{64} << 20);
      CHECK(wf::sum(here, wf::device_buffer<float>(here, std::vector<float>(5, 2.0F))) == 10);
      here.set_stream(slow); // which `bytes` is of
    }
    CHECK(memory.out.empty());
    CHECK(memory.all_known);
  }

  TEST_CASE("a place that ends on another stream gives its memory back behind its work") {
    wf::stream other;
    wf::gpu keeper(0, other.get());
    auto const host_values = rough_values<float>(3'000'017, 8);
    wf::device_buffer<float> values(keeper, host_values), result(keeper, 1);
    float const expected = wf::sum(keeper, values);
    for (int i = 0; i < 20; ++i) {
      {
        wf::gpu place;
        wf::sum_async(place.set_stream(other), values, result);
        wf::gpu moved(std::move(place));
        CHECK(moved.stream() == other.get());
      }
      wf::gpu next; // whose scratch memory may be where the other's was
      wf::check(cudaMemsetAsync(wf::detail::gpu_scratch(next).workspace(1 << 20), 0xff, 1 << 20,
                                next.stream()));
      CHECK(wf::to_vector(keeper, result.span())[0] == expected);
    }
  }

  TEST_CASE("a stream that is being captured") {
    wf::gpu place;
    wf::stream capturing;
    wf::device_buffer<float> values(place, std::vector<float>(1000, 1.0F)), result(place, 1);
    place.synchronize();
    place.set_stream(capturing);
    captured graph(place, [&] { wf::sum_async(place, values, result); });
    CHECK(graph.is_one_kernel());
    graph.launch();
    CHECK(wf::to_vector(place, result.span())[0] == 1000);

    // From one of its own to one that others capture, and back.
    wf::stream another;
    cudaGraph_t made = nullptr;
    wf::check(cudaStreamBeginCapture(another.get(), cudaStreamCaptureModeThreadLocal));
    wf::sum_async(place.set_stream(another), values, result);
    place.set_stream(capturing);
    wf::check(cudaStreamEndCapture(another.get(), &made));
    wf::check(cudaGraphDestroy(made));
    CHECK(wf::sum(place, values) == 1000);
  }

  TEST_CASE("a stream that was moved from holds no handle") {
    wf::stream first, second;
    wf::event early, late;
    cudaStream_t const kept = second.get();
    cudaEvent_t const kept_event = late.get();
    first = std::move(second);
    early = std::move(late);
    CHECK(first.get() == kept);
    CHECK(second.get() == nullptr);
    CHECK(early.get() == kept_event);
    CHECK(late.get() == nullptr);
    first.synchronize();
  }

  TEST_CASE("a stream that the default stream waits for is captured") {
    cudaStream_t const default_stream = nullptr;
    wf::gpu place(0, default_stream);
    wf::device_buffer<float> values(place, std::vector<float>(1000, 1.0F)), result(place, 1);
    place.synchronize();
    cudaStream_t blocking = nullptr;
    cudaGraph_t made = nullptr;
    wf::check(cudaStreamCreate(&blocking));
    wf::check(cudaStreamBeginCapture(blocking, cudaStreamCaptureModeThreadLocal));
    wf::sum_async(place.set_stream(blocking), values, result);
    place.set_stream(default_stream);
    place.set_stream(cudaStreamLegacy); // the same one
    wf::check(cudaStreamEndCapture(blocking, &made));
    wf::check(cudaGraphDestroy(made));
    CHECK(wf::sum(place, values) == 1000);
    wf::check(cudaStreamDestroy(blocking));
  }

  TEST_CASE("a solver works on the stream that its place has") {
    wf::gpu place;
    cudaStream_t const own = place.stream();
    wf::stream other;
    for (std::size_t const points : {std::size_t{64}, std::size_t{77}}) { // and by cuFFT
      auto const rhs = rough_values<double>(points * points, 9);
      wf::poisson::problem const of{.axes = {{.points = points}, {.points = points}}};
      wf::device_buffer<double> const right(place, rhs);
      wf::device_buffer<double> here(place, rhs.size()), there(place, rhs.size());
      wf::poisson::solver<double, wf::gpu> solver(place, of);
      solver.solve({.rhs = right, .solution = here});
      place.set_stream(other);
      solver.solve_async({.rhs = right, .solution = there});
      place.set_stream(own);
      CHECK(wf::to_vector(place, here.span()) == wf::to_vector(place, there.span()));
    }
  }
}

TEST_SUITE("gpus") {
  TEST_CASE("a stream of another GPU is refused, and the old one stays") {
    wf::gpu place(0);
    cudaStream_t const own = place.stream();
    wf::gpu const elsewhere(1);
    CHECK_THROWS_WITH_AS(
        place.set_stream(elsewhere.stream()),
        doctest::Contains(
            "'stream' is refused: a stream of device 1; accepted: streams of device 0"),
        wf::argument_error);
    CHECK(place.stream() == own);
  }
}

} // namespace stream_test
