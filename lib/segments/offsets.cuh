// Segments between offsets and marked runs, on a GPU.

#include <warpfold/detail/segments/segments.cuh>

#include "layout.hpp"

#define INSTANTIATE(T, A, Op)                                                                      \
  INSTANTIATE_LAYOUT(T, A, Op, segment_offsets)                                                    \
  INSTANTIATE_LAYOUT(T, A, Op, marked_segments)
