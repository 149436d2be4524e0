// Segments on a host: no vendor has them.

#include "checks.hpp"
#include "instances.hpp"
#include "twins/checks.hpp"

#include <warpfold/error.hpp>

namespace warpfold::inline v0::detail {

void check_segments_vendor(twins::vendor twin, bool on_gpu) {
  check_vendor(twin, on_gpu, true);
  if (twin == twins::thrust) throw argument_error("twin", "Thrust has no segments");
}

template <class T, class A, class Op>
void segments_to(host const& place, T const* values, std::size_t size,
                 segment_offsets const& offsets, A init, A* results, twins::vendor twin,
                 bool blocking) {
  check_segments_vendor(twin, false);
  segments_to<T, A, Op>(place, values, size, offsets, init, results, blocking);
}

template <class T, class A, class Op>
void rows_to(host const& place, T const* values, segment_rows const& rows, A init, A* results,
             twins::vendor twin, bool blocking) {
  check_segments_vendor(twin, false);
  rows_to<T, A, Op>(place, values, rows, init, results, blocking);
}

template <class T, class A, class Op>
void columns_to(host const& place, T const* values, matrix_shape const& shape, A init, A* results,
                twins::vendor twin, bool blocking) {
  check_segments_vendor(twin, false);
  columns_to<T, A, Op>(place, values, shape, init, results, blocking);
}

#define INSTANTIATE(T, Op)                                                                         \
  template void segments_to<T, T, Op>(host const&, T const*, std::size_t, segment_offsets const&,  \
                                      T, T*, twins::vendor, bool);                                 \
  template void rows_to<T, T, Op>(host const&, T const*, segment_rows const&, T, T*,               \
                                  twins::vendor, bool);                                            \
  template void columns_to<T, T, Op>(host const&, T const*, matrix_shape const&, T, T*,            \
                                     twins::vendor, bool);
WARPFOLD_COMPARED_SEGMENTS(INSTANTIATE)

} // namespace warpfold::inline v0::detail
