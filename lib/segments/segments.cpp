// The door of the segmented reductions: checks the arguments and chooses the backend.

#include "../reduction/door.hpp"
#include "backend.hpp"
#include "instances.hpp"

#include <warpfold/error.hpp>

#include <string>

namespace warpfold::detail {
namespace {

void check_room(std::size_t results, std::size_t expected, char const* of_what) {
  if (results != expected)
    throw argument_error("results", "room for " + std::to_string(results) + ", but there are " +
                                        std::to_string(expected) + " " + of_what);
}

void check_method(reduce_options const& options, bool on_gpu) {
  if (options.how == method::fold || (on_gpu && options.how == method::cub)) return;
  std::string const name = to_string(options.how);
  if (options.how == method::cub) throw argument_error("options.how", "method::cub needs a gpu");
  throw argument_error("options.how",
                       (name == "unknown" ? "no method" : "method::" + name) +
                           ": segments have method::fold and, on a gpu, method::cub");
}

} // namespace

void check_offset_count(std::size_t offsets, std::size_t results) {
  if (offsets == 0) throw argument_error("offsets", "none; there is one more than segments");
  check_room(results, offsets - 1, "segments");
}

std::size_t check_fixed(std::size_t size, fixed_length length, std::size_t results) {
  if (length.elements == 0) throw argument_error("length", "0");
  if (size % length.elements != 0)
    throw argument_error("length", std::to_string(length.elements) + " does not divide " +
                                       std::to_string(size) + " elements");
  std::size_t const count = size / length.elements;
  check_room(results, count, "segments");
  return count;
}

void check_matrix(std::size_t size, matrix_shape const& shape, std::size_t results,
                  std::size_t expected_results) {
  auto const [rows, columns, pitch] = shape;
  if (pitch < columns)
    throw argument_error("shape", "a pitch of " + std::to_string(pitch) + " for " +
                                      std::to_string(columns) + " columns");
  // In this order nothing overflows.
  bool const fits = rows == 0 || columns == 0 ||
                    (columns <= size && (pitch == 0 || rows - 1 <= (size - columns) / pitch));
  if (!fits)
    throw argument_error("shape", std::to_string(rows) + " rows of " + std::to_string(columns) +
                                      " columns, " + std::to_string(pitch) +
                                      " apart, are more than " + std::to_string(size) +
                                      " elements");
  check_room(results, expected_results, "rows or columns");
}

void check_apart(void const* results, std::size_t result_bytes, void const* other,
                 std::size_t other_bytes) {
  if (share_memory(results, result_bytes, other, other_bytes))
    throw argument_error("results", "overlap the values or the offsets");
}

void check_apart(void const* results, std::size_t result_bytes, void const* values,
                 segment_rows const& rows, std::size_t element) {
  if (rows.count == 0 || rows.length == 0) return;
  std::size_t const pitch = static_cast<std::size_t>(rows.pitch) * element,
                    length = static_cast<std::size_t>(rows.length) * element;
  auto const to = reinterpret_cast<std::uintptr_t>(results),
             from = reinterpret_cast<std::uintptr_t>(values);
  bool const between_rows = // (of a single row the pitch may be any number)
      rows.count > 1 && to >= from && (to - from) % pitch >= length &&
      (to - from) % pitch + result_bytes <= pitch;
  if (!between_rows)
    check_apart(results, result_bytes, values,
                (static_cast<std::size_t>(rows.count) - 1) * pitch + length);
}

void check_offset_values(segment_offsets const& offsets, std::size_t size) {
  auto const refuse = [&](std::int64_t i, std::string const& why) {
    throw argument_error("offsets", "number " + std::to_string(i) + " is " +
                                        std::to_string(offsets.at(i)) + ", " + why);
  };
  if (offsets.at(0) < 0) refuse(0, "below 0");
  for (std::int64_t i = 1; i <= offsets.count; ++i)
    if (offsets.at(i) < offsets.at(i - 1)) refuse(i, "less than the one before");
  if (static_cast<std::uint64_t>(offsets.at(offsets.count)) > size)
    refuse(offsets.count, "beyond " + std::to_string(size) + " elements");
}

template <class T, class A, class Op>
void segments_to(gpu& place, T const* values, std::size_t size, segment_offsets const& offsets,
                 A init, A* results, bool blocking, reduce_options const& options) {
  check_method(options, true);
  if (options.how == method::cub)
    segments::gpu_impl::cub<T, A, Op>(place, values, offsets, init, results, blocking);
  else segments::gpu_impl::fold<T, A, Op>(place, values, size, offsets, init, results, blocking);
}

template <class T, class A, class Op>
void segments_to(host const& place, T const* values, std::size_t, segment_offsets const& offsets,
                 A init, A* results, bool, reduce_options const& options) {
  check_method(options, false);
  segments::host_impl::fold<T, A, Op>(place, values, offsets, init, results);
}

template <class T, class A, class Op>
void rows_to(gpu& place, T const* values, segment_rows const& rows, A init, A* results,
             bool blocking, reduce_options const& options) {
  check_method(options, true);
  if (options.how == method::cub)
    segments::gpu_impl::cub_rows<T, A, Op>(place, values, rows, init, results, blocking);
  else segments::gpu_impl::fold_rows<T, A, Op>(place, values, rows, init, results, blocking);
}

template <class T, class A, class Op>
void rows_to(host const& place, T const* values, segment_rows const& rows, A init, A* results, bool,
             reduce_options const& options) {
  check_method(options, false);
  segments::host_impl::fold_rows<T, A, Op>(place, values, rows, init, results);
}

template <class T, class A, class Op>
void columns_to(gpu& place, T const* values, matrix_shape const& shape, A init, A* results,
                bool blocking, reduce_options const& options) {
  check_method(options, true);
  if (options.how == method::cub)
    segments::gpu_impl::cub_columns<T, A, Op>(place, values, shape, init, results, blocking);
  else segments::gpu_impl::fold_columns<T, A, Op>(place, values, shape, init, results, blocking);
}

template <class T, class A, class Op>
void columns_to(host const& place, T const* values, matrix_shape const& shape, A init, A* results,
                bool, reduce_options const& options) {
  check_method(options, false);
  segments::host_impl::fold_columns<T, A, Op>(place, values, shape, init, results);
}

#define INSTANTIATE(T, A, Op)                                                                      \
  template void segments_to<T, A, Op>(gpu&, T const*, std::size_t, segment_offsets const&, A, A*,  \
                                      bool, reduce_options const&);                                \
  template void segments_to<T, A, Op>(host const&, T const*, std::size_t, segment_offsets const&,  \
                                      A, A*, bool, reduce_options const&);                         \
  template void rows_to<T, A, Op>(gpu&, T const*, segment_rows const&, A, A*, bool,                \
                                  reduce_options const&);                                          \
  template void rows_to<T, A, Op>(host const&, T const*, segment_rows const&, A, A*, bool,         \
                                  reduce_options const&);                                          \
  template void columns_to<T, A, Op>(gpu&, T const*, matrix_shape const&, A, A*, bool,             \
                                     reduce_options const&);                                       \
  template void columns_to<T, A, Op>(host const&, T const*, matrix_shape const&, A, A*, bool,      \
                                     reduce_options const&);
WARPFOLD_FOR_EACH_SEGMENTS(INSTANTIATE)

} // namespace warpfold::detail
