// The vendor twin on the GPU: cub::DeviceSegmentedReduce.

#include "../core/vendor_call.cuh"
#include "backend.hpp"
#include "instances.hpp"

#include <cub/device/device_segmented_reduce.cuh>
#include <thrust/iterator/counting_iterator.h>
#include <thrust/iterator/transform_iterator.h>

#include <cstdint>

namespace warpfold::segments::gpu_impl {
namespace {

/// Where segments begin or end: between offsets, or at equal distances. One type for all, as
/// every type would have kernels of its own; CUB asks once a segment.
struct bounds {
  detail::segment_offsets offsets;
  std::int64_t pitch, first;
  __host__ __device__ std::int64_t operator()(std::int64_t i) const {
    return offsets.data ? offsets.at(i + first) : i * pitch + first;
  }
};

/// Element i of the matrix's columns, one after the other; of an array without a matrix.
template <class T, class A>
struct element_of {
  T const* values;
  std::int64_t rows, pitch;
  __host__ __device__ A operator()(std::int64_t i) const {
    return detail::widen<A>(values[rows > 0 ? i % rows * pitch + i / rows : i]);
  }
};

template <class A, class Op, class Values>
void segmented(gpu& place, Values values, std::int64_t count, bounds begin, bounds end, A init,
               A* results, bool may_allocate) {
  if (count == 0) return;
  auto const position = [](bounds const& of) {
    return thrust::make_transform_iterator(thrust::counting_iterator<std::int64_t>(0), of);
  };
  detail::call_cub(place, may_allocate, [&](void* temporary, std::size_t& bytes) {
    return ::cub::DeviceSegmentedReduce::Reduce(temporary, bytes, values, results, count,
                                                position(begin), position(end), Op{}, init,
                                                place.stream());
  });
}

/// An array as CUB reads it: as it is where the accumulator has the elements' type.
template <class A, class T>
auto widened_values(T const* values) {
  if constexpr (std::is_same_v<T, A>) return values;
  else return thrust::make_transform_iterator(values, detail::widened<A, identity>{});
}

} // namespace

template <class T, class A, class Op>
void cub(gpu& place, T const* values, detail::segment_offsets const& offsets, A init, A* results,
         bool may_allocate) {
  segmented<A, Op>(place, widened_values<A>(values), offsets.count, {offsets, 0, 0},
                   {offsets, 0, 1}, init, results, may_allocate);
}

template <class T, class A, class Op>
void cub_rows(gpu& place, T const* values, detail::segment_rows const& rows, A init, A* results,
              bool may_allocate) {
  segmented<A, Op>(place, widened_values<A>(values), rows.count, {{}, rows.pitch, 0},
                   {{}, rows.pitch, rows.length}, init, results, may_allocate);
}

template <class T, class A, class Op>
void cub_columns(gpu& place, T const* values, matrix_shape const& shape, A init, A* results,
                 bool may_allocate) {
  auto const all = detail::rows_of(shape);
  auto const columns = thrust::make_transform_iterator(
      thrust::counting_iterator<std::int64_t>(0), element_of<T, A>{values, all.count, all.pitch});
  segmented<A, Op>(place, columns, all.length, {{}, all.count, 0}, {{}, all.count, all.count}, init,
                   results, may_allocate);
}

#define INSTANTIATE(T, A, Op)                                                                      \
  template void cub<T, A, Op>(gpu&, T const*, detail::segment_offsets const&, A, A*, bool);        \
  template void cub_rows<T, A, Op>(gpu&, T const*, detail::segment_rows const&, A, A*, bool);      \
  template void cub_columns<T, A, Op>(gpu&, T const*, matrix_shape const&, A, A*, bool);
WARPFOLD_FOR_EACH_SEGMENTS(INSTANTIATE)

} // namespace warpfold::segments::gpu_impl
