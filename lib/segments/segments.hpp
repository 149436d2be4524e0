#pragma once
// Segments on a host.

#include "layout.hpp"

#define INSTANTIATE(T, A, Op)                                                                      \
  INSTANTIATE_LAYOUT(T, A, Op, segment_offsets)                                                    \
  INSTANTIATE_LAYOUT(T, A, Op, marked_segments)                                                    \
  INSTANTIATE_LAYOUT(T, A, Op, segment_rows)                                                       \
  INSTANTIATE_LAYOUT(T, A, Op, segment_columns)
