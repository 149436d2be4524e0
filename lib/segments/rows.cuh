// Segments of one length and rows of a matrix, on a GPU.

#include "segments.cuh"

#define INSTANTIATE(T, A, Op) INSTANTIATE_LAYOUT(T, A, Op, segment_rows)
