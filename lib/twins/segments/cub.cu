// Segments on a GPU by cub::DeviceSegmentedReduce.

#include "instances.hpp"
#include "twins/call.cuh"
#include "twins/checks.hpp"

#include <cub/device/device_segmented_reduce.cuh>
#include <thrust/iterator/counting_iterator.h>
#include <thrust/iterator/transform_iterator.h>

#include <cstdint>

namespace warpfold::inline v0::detail {
namespace {

/// Where segments begin or end: between offsets, or at equal distances. One type for all, as
/// every type would have kernels of its own; CUB asks once a segment.
struct bounds {
  segment_offsets offsets;
  std::int64_t pitch, first;
  __host__ __device__ std::int64_t operator()(std::int64_t i) const {
    return offsets.data ? offsets.at(i + first) : i * pitch + first;
  }
};

/// Element i of the matrix's columns, one after the other; of an array without a matrix.
template <class T>
struct element_of {
  T const* values;
  std::int64_t rows, pitch;
  __host__ __device__ T operator()(std::int64_t i) const {
    return values[rows > 0 ? i % rows * pitch + i / rows : i];
  }
};

template <class A, class Op, class Values>
void segmented(gpu& place, Values values, std::int64_t count, bounds begin, bounds end, A init,
               A* results, bool may_allocate) {
  if (count == 0) return;
  auto const position = [](bounds const& of) {
    return thrust::make_transform_iterator(thrust::counting_iterator<std::int64_t>(0), of);
  };
  call_cub(place, may_allocate, [&](void* temporary, std::size_t& bytes) {
    return ::cub::DeviceSegmentedReduce::Reduce(temporary, bytes, values, results, count,
                                                position(begin), position(end), Op{}, init,
                                                place.stream());
  });
}

template <class A, class Op, class T>
void by_cub(gpu& place, T const* values, segment_offsets const& offsets, A init, A* results,
            bool may_allocate) {
  segmented<A, Op>(place, values, offsets.count, {offsets, 0, 0}, {offsets, 0, 1}, init, results,
                   may_allocate);
}
template <class A, class Op, class T>
void by_cub(gpu& place, T const* values, segment_rows const& rows, A init, A* results,
            bool may_allocate) {
  segmented<A, Op>(place, values, rows.count, {{}, rows.pitch, 0}, {{}, rows.pitch, rows.length},
                   init, results, may_allocate);
}
template <class A, class Op, class T>
void by_cub(gpu& place, T const* values, segment_columns const& columns, A init, A* results,
            bool may_allocate) {
  std::int64_t const rows = columns.rows;
  auto const elements = thrust::make_transform_iterator(thrust::counting_iterator<std::int64_t>(0),
                                                        element_of<T>{values, rows, columns.pitch});
  segmented<A, Op>(place, elements, columns.count, {{}, rows, 0}, {{}, rows, rows}, init, results,
                   may_allocate);
}

} // namespace

template <class T, class A, class Op, class Layout>
void segments_to(gpu& place, T const* values, std::size_t size, Layout const& layout, A init,
                 A* results, twins::vendor twin, bool blocking) {
  check_vendor(twin, true, true);
  check_has_thrust(twin, false);
  if (twin == twins::fold)
    return segments_to<T, A, Op>(place, values, size, layout, init, results, blocking);
  by_cub<A, Op>(place, values, layout, init, results, blocking);
}

#define INSTANTIATE_LAYOUT(T, Op, Layout)                                                          \
  template void segments_to<T, T, Op>(gpu&, T const*, std::size_t, Layout const&, T, T*,           \
                                      twins::vendor, bool);
#define INSTANTIATE(T, Op)                                                                         \
  INSTANTIATE_LAYOUT(T, Op, segment_offsets)                                                       \
  INSTANTIATE_LAYOUT(T, Op, segment_rows)                                                          \
  INSTANTIATE_LAYOUT(T, Op, segment_columns)
WARPFOLD_COMPARED_SEGMENTS(INSTANTIATE)

} // namespace warpfold::inline v0::detail
