#include <warpfold/detail/segments/exact_segments_body.hpp>
#include <warpfold/error.hpp>
#include <warpfold/exact_segments.hpp>

#include <string>

namespace warpfold::inline v0::detail {
namespace {

void check_room(std::size_t results, std::size_t expected, char const* of_what) {
  if (results != expected)
    throw argument_error("results", "room for " + std::to_string(results) + ", but there are " +
                                        std::to_string(expected) + " " + of_what);
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

std::size_t exact_segments_bytes(std::size_t elements, std::size_t size) {
  std::size_t const chunk = (std::size_t{16} << 10) / size;
  std::size_t const words = size == 8 ? sizeof(exact_chunk_words<exact_values<double>>)
                                      : sizeof(exact_chunk_words<exact_values<float>>);
  return (elements + chunk - 1) / chunk * words;
}

} // namespace warpfold::inline v0::detail
