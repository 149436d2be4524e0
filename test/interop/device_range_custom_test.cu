// Arrays of Thrust, CCCL and RMM as arguments.

#include <warpfold/interop/cccl.hpp>
#include <warpfold/interop/fields.hpp>
#include <warpfold/interop/mdspan.hpp>

#include "device_range.hpp"
#include "gpu.hpp"

#include <cuda/std/mdspan>
#include <cuda/std/span>
#include <cuda/stream_ref>
#include <thrust/device_vector.h>
#include <thrust/host_vector.h>
#include <thrust/mr/allocator.h>
#include <thrust/system/cuda/memory_resource.h>
#if __has_include(<rmm/device_uvector.hpp>)
#include <rmm/device_uvector.hpp>
#endif
#include <warpfold/reduction.cuh>

namespace {

using namespace test;
namespace wf = warpfold;

template <class From, class T>
constexpr bool converts = std::is_convertible_v<From, wf::device_span<T>>;

using vector = thrust::device_vector<float>;
static_assert(wf::device_range<vector> && wf::device_range<vector const>);
static_assert(wf::device_range<thrust::device_vector<bool>>);
static_assert(converts<vector&, float> && converts<vector const&, float const>);
static_assert(!converts<vector const&, float> && !converts<vector&, double>);
static_assert(wf::elements_for<vector, wf::gpu> && !wf::elements_for<vector, wf::host>);

static_assert(!wf::device_range<thrust::host_vector<float>>);
using pinned = thrust::mr::stateless_resource_allocator<
    float, thrust::system::cuda::universal_host_pinned_memory_resource>;
static_assert(!wf::device_range<thrust::host_vector<float, pinned>>);

using span = cuda::std::span<float>;
static_assert(converts<span&, float> && converts<span const&, float> && converts<span, float>);
static_assert(converts<cuda::std::span<float const, 4>, float const>);
static_assert(!converts<cuda::std::span<float const>, float>);
static_assert(wf::elements_for<span, wf::gpu> && !wf::elements_for<span, wf::host>);

#if __has_include(<rmm/device_uvector.hpp>)
using uvector = rmm::device_uvector<float>;
static_assert(converts<uvector&, float> && converts<uvector const&, float const>);
static_assert(!converts<uvector const&, float> && !converts<uvector&, double>);
static_assert(wf::elements_for<uvector, wf::gpu> && !wf::elements_for<uvector, wf::host>);
#endif

struct smaller {
  __host__ __device__ float operator()(float a, float b) const { return a < b ? a : b; }
};

TEST_SUITE("gpu") {
  TEST_CASE("fast: arrays of Thrust, CCCL and RMM give the bits of a device_span") {
    wf::gpu place;
    auto const values = rough_values<float>(20'011, 1);
    vector there(values.begin(), values.end());
    vector result(1, -1.F);
    auto const check = [&](auto const& range, auto& to) {
      wf::device_span<float const> const known = there;
      CHECK(same_bits(wf::sum(place, range), wf::sum(wf::host(), values)));
      CHECK(same_bits(wf::exact_sum(place, range), wf::exact_sum(place, known)));
      CHECK(wf::reduce(place, range, 1e9F, smaller{}) == wf::min(place, known));
      wf::sum_async(place, range, to);
      CHECK(same_bits(wf::to_vector(place, to)[0], wf::sum(place, known)));
      wf::exact_sum_async(place, range, to);
      CHECK(same_bits(wf::to_vector(place, to)[0], wf::exact_sum(place, known)));
    };
    check(there, result);
    cuda::std::span<float> to(thrust::raw_pointer_cast(result.data()), 1);
    check(cuda::std::span<float const>(thrust::raw_pointer_cast(there.data()), there.size()), to);

    wf::copy(place, std::vector<float>{7}, result);
    CHECK(result[0] == 7);

#if __has_include(<rmm/device_uvector.hpp>)
    uvector uninitialised(values.size(), place.stream());
    uvector scalar(1, place.stream());
    wf::copy(place, values, uninitialised);
    check(uninitialised, scalar);
#endif
  }
}

static_assert(wf::stream_holder<cuda::stream_ref>);

} // namespace

TEST_SUITE("gpu") {
  TEST_CASE("fast: a cuda::std::mdspan, on a cuda::stream_ref") {
    namespace cs = cuda::std;
    constexpr std::size_t rows = 40, columns = 50;
    wf::stream const theirs;
    wf::gpu place;
    auto const all = rough_values<float>(rows * columns, 21);
    wf::device_buffer<float> const values(place, all);
    wf::device_buffer<float> expected(place, rows), got(place, rows);
    wf::reduce_rows(place, values, {rows, columns}, 0.0F, wf::plus{}, expected);
    cudaStream_t const own = place.stream();
    wf::gpu& here = place.set_stream(cuda::stream_ref(theirs.get()));
    CHECK(here.stream() == theirs.get());
    cs::mdspan<float const, cs::dextents<int, 2>> const in_rows(values.data(), int{rows},
                                                                int{columns});
    wf::reduce_rows(here, in_rows, 0.0F, wf::plus{}, got);
    CHECK(wf::to_vector(here, got) == wf::to_vector(here, expected));
    cs::mdspan<float const, cs::dextents<int, 2>, cs::layout_left> const in_columns(
        values.data(), int{columns}, int{rows});
    wf::reduce_columns(here, in_columns, 0.0F, wf::plus{}, got);
    CHECK(wf::to_vector(here, got) == wf::to_vector(here, expected));
    place.set_stream(own); // which the buffers are of

    wf::poisson::problem const problem{.axes = {{.points = rows}, {.points = columns}}};
    cs::mdspan<float, cs::dextents<int, 2>> const solution(expected.data(), int{rows},
                                                           int{columns});
    auto const fields = wf::poisson::make_fields(place, problem, in_rows, solution);
    CHECK(fields.rhs.data() == values.data());
    CHECK(fields.rhs.size() == rows * columns);
    CHECK(fields.solution.data() == expected.data());

    wf::poisson::problem const inner{.axes = {{.points = rows}, {.points = columns - 2}}};
    auto const inside = [&](auto const& all) {
      return cs::submdspan(all, cs::pair(0, int{rows}), cs::pair(1, int{columns} - 1));
    };
    auto const padded = wf::poisson::make_fields(place, inner, inside(in_rows), inside(solution));
    CHECK(padded.rhs.data() == values.data() + 1);
    CHECK(padded.rhs.size() == rows * columns - 2);
    CHECK(padded.solution_layout.strides[0] == columns);
  }
}
