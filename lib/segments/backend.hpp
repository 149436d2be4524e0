#pragma once
// What the backends of the segmented reductions provide. `results` is memory that the place can
// write; scratch comes from a gpu's workspace, which grows if `may_allocate`.

#include <warpfold/segments.hpp>

#include <cstddef>

namespace warpfold::segments {

namespace gpu_impl {

template <class T, class A, class Op>
void fold(gpu& place, T const* values, std::size_t size, detail::segment_offsets const& offsets,
          A init, A* results, bool may_allocate);
template <class T, class A, class Op>
void fold_rows(gpu& place, T const* values, detail::segment_rows const& rows, A init, A* results,
               bool may_allocate);
template <class T, class A, class Op>
void fold_columns(gpu& place, T const* values, matrix_shape const& shape, A init, A* results,
                  bool may_allocate);

template <class T, class A, class Op>
void cub(gpu& place, T const* values, detail::segment_offsets const& offsets, A init, A* results,
         bool may_allocate);
template <class T, class A, class Op>
void cub_rows(gpu& place, T const* values, detail::segment_rows const& rows, A init, A* results,
              bool may_allocate);
template <class T, class A, class Op>
void cub_columns(gpu& place, T const* values, matrix_shape const& shape, A init, A* results,
                 bool may_allocate);

} // namespace gpu_impl

namespace host_impl {

template <class T, class A, class Op>
void fold(host const& place, T const* values, detail::segment_offsets const& offsets, A init,
          A* results);
template <class T, class A, class Op>
void fold_rows(host const& place, T const* values, detail::segment_rows const& rows, A init,
               A* results);
template <class T, class A, class Op>
void fold_columns(host const& place, T const* values, matrix_shape const& shape, A init,
                  A* results);

} // namespace host_impl

} // namespace warpfold::segments
