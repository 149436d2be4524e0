// Segments of one length and rows of a matrix, on a GPU.

#include <warpfold/detail/segments/segments.cuh>

#include "layout.hpp"

#define INSTANTIATE(T, A, Op) INSTANTIATE_LAYOUT(T, A, Op, segment_rows)
