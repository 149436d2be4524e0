// Segments on a host: no vendor has them.

#include "instances.hpp"
#include "twins/checks.hpp"

namespace warpfold::inline v0::detail {

template <class T, class A, class Op, class Layout>
void segments_to(host const& place, T const* values, std::size_t size, Layout const& layout, A init,
                 A* results, twins::vendor twin, bool blocking) {
  check_vendor(twin, false, true);
  check_has_thrust(twin, false);
  segments_to<T, A, Op>(place, values, size, layout, init, results, blocking);
}

#define INSTANTIATE_LAYOUT(T, Op, Layout)                                                          \
  template void segments_to<T, T, Op>(host const&, T const*, std::size_t, Layout const&, T, T*,    \
                                      twins::vendor, bool);
#define INSTANTIATE(T, Op)                                                                         \
  INSTANTIATE_LAYOUT(T, Op, segment_offsets)                                                       \
  INSTANTIATE_LAYOUT(T, Op, segment_rows)                                                          \
  INSTANTIATE_LAYOUT(T, Op, segment_columns)
WARPFOLD_COMPARED_SEGMENTS(INSTANTIATE)

} // namespace warpfold::inline v0::detail
