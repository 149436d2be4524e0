// Segments on a gpu: against CUB, in graphs, and beyond 2^32 elements.

#include "contents.hpp"
#include "gpu.hpp"
#include "segments.hpp"
#include "twins.hpp"

#include <warpfold/twins/segments.hpp>

namespace segments_gpu_test {

using namespace test;
namespace wf = warpfold;

TEST_SUITE("gpu") {
  TEST_CASE_TEMPLATE("CUB and the fold agree where sums are exact", T, std::int32_t, float,
                     double) {
    wf::gpu place;
    using A = accumulator_t<T>;
    unsigned const seed = 17;
    CAPTURE(seed);
    auto const lengths = mixed_lengths(seed, 300'000);
    auto const offsets = positions<std::int32_t>(lengths, 0);
    auto const size = static_cast<std::size_t>(offsets.back());
    memory_of<wf::gpu, T> values(place,
                                 exact_values<T>(std::max<std::size_t>(size, 1'700'000), seed));
    memory_of<wf::gpu, std::int32_t> positions(place, offsets);
    auto const both = [&](std::size_t count, auto reduce) {
      memory_of<wf::gpu, A> first(place, std::vector<A>(count, A{5})),
          second(place, std::vector<A>(count, A{6}));
      reduce(first.all(), twins::fold);
      reduce(second.all(), twins::cub);
      CHECK(differences(contents(place, first.all()), contents(place, second.all())) == "");
    };
    both(lengths.size(), [&](auto results, twins::vendor vendor) {
      wf::segmented_reduce(place, values.all(), positions.all(), A{1}, wf::plus{}, results, vendor);
    });
    both(1000, [&](auto results, twins::vendor vendor) {
      wf::segmented_reduce(place, values.view(0, 1'600'000), wf::fixed_length{1600}, A{1},
                           wf::plus{}, results, vendor);
    });
    wf::matrix_shape const shape{900, 1100, 1104};
    both(900, [&](auto results, twins::vendor vendor) {
      wf::reduce_rows(place, values.all(), shape, A{1}, wf::plus{}, results, vendor);
    });
    both(1100, [&](auto results, twins::vendor vendor) {
      wf::reduce_columns(place, values.all(), shape, A{1}, wf::plus{}, results, vendor);
    });
  }

  TEST_CASE("segments are captured in a graph and folded again over other data") {
    counting_resource memory;
    wf::gpu place(0, &memory);
    std::vector<std::int32_t> const offsets{0, 3, 3, 40, 5'000, 100'000, 400'000};
    wf::device_buffer<float> values(place, 400'000), results(place, 6), rows(place, 40),
        columns(place, 10'000);
    wf::device_buffer<std::int32_t> const there(place, std::span<std::int32_t const>(offsets));
    int const allocations = memory.allocations;
    captured graph(place, [&] {
      wf::segmented_reduce_async(place, values, there, 0.F, wf::plus{}, results);
      wf::segmented_reduce_async(place, values, wf::fixed_length{10'000}, 0.F, wf::plus{}, rows);
      wf::reduce_columns_async(place, values, {40, 10'000}, 0.F, wf::plus{}, columns);
      wf::segmented_reduce_async(place, values, wf::fixed_length{40'000}, 0.F, wf::plus{},
                                 rows.span().subspan(0, 10));
    });
    for (auto const node : graph.nodes())
      CHECK((node == cudaGraphNodeTypeKernel || node == cudaGraphNodeTypeMemset));
    CHECK(memory.allocations == allocations);
    for (unsigned seed = 1; seed < 4; ++seed) {
      CAPTURE(seed);
      auto const other = rough_values<float>(400'000, seed);
      wf::copy(place, other, values.span());
      graph.launch();
      std::vector<float> expected(6);
      wf::host const one(1);
      for (std::size_t i = 0; i < 6; ++i) expected[i] = wf::sum(one, segment_of(other, offsets, i));
      CHECK(differences(wf::to_vector(place, results.span()), expected) == "");
      auto const row_sums = wf::to_vector(place, rows.span());
      CHECK(row_sums[9] == wf::sum(one, std::span(other).subspan(360'000)));
      CHECK(row_sums[39] == wf::sum(one, std::span(other).subspan(390'000)));
    }
  }
}

TEST_SUITE("large") {
  TEST_CASE("segments beyond 2^32 elements") {
    wf::gpu place;
    std::size_t const size = (std::size_t{1} << 32) + 1'000'000;
    wf::device_buffer<float> values(place, size);
    wf::check(cudaMemsetAsync(values.data(), 0, size * sizeof(float), place.stream()));
    std::vector<float> const ones(1'000'000, 1.F);
    wf::copy(place, ones, values.span().subspan(size - 1'000'000));
    auto const all = static_cast<std::int64_t>(size);
    std::vector<std::int64_t> const offsets{0, 1, all - 1'000'001, all - 700'000, all - 7, all};
    wf::device_buffer<std::int64_t> const there(place, std::span<std::int64_t const>(offsets));
    wf::device_buffer<float> results(place, 5);
    wf::segmented_reduce(place, values, there, 0.F, wf::plus{}, results);
    CHECK(wf::to_vector(place, results.span()) == std::vector<float>{0, 0, 300'000, 699'993, 7});
    wf::device_buffer<float> rows(place, 4);
    std::size_t const quarter = size / 4;
    wf::reduce_rows(place, values, {4, quarter}, 0.F, wf::plus{}, rows);
    CHECK(wf::to_vector(place, rows.span()) == std::vector<float>{0, 0, 0, 1'000'000});
    std::size_t const height = size / 8;
    wf::device_buffer<float> columns(place, 8);
    wf::reduce_columns(place, values, {height, 8}, 0.F, wf::plus{}, columns);
    CHECK(wf::to_vector(place, columns.span()) == std::vector<float>(8, 125'000));
  }
}

} // namespace segments_gpu_test
