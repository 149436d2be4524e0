#include <warpfold/detail/core/refusal.hpp>
#include <warpfold/detail/segments/exact_segments_body.hpp>
#include <warpfold/segments/by_key.hpp>

namespace warpfold::inline v0::detail {
namespace {

void check_count(plain_array results, std::size_t segments) {
  if (results.size != segments)
    refuse("results", text("room for ", results.size),
           text(segments, ", one for each segment, row or column"));
}

void check_apart(plain_array results, void const* other, std::size_t bytes) {
  if (share_memory(results.data, results.size * results.element_bytes, other, bytes))
    refuse("results", "memory of the values or offsets", "memory of their own");
}
void check_apart(plain_array results, plain_array other) {
  check_apart(results, other.data, other.size * other.element_bytes);
}

/// Results may lie in what is between the rows.
void check_apart(plain_array results, plain_array values, matrix_shape const& shape) {
  if (shape.rows == 0 || shape.columns == 0) return;
  std::size_t const pitch = shape.pitch * values.element_bytes,
                    length = shape.columns * values.element_bytes;
  std::size_t const offset = reinterpret_cast<std::uintptr_t>(results.data) -
                             reinterpret_cast<std::uintptr_t>(values.data);
  // A single row has any pitch.
  bool const between_rows = shape.rows > 1 && std::less_equal{}(values.data, results.data) &&
                            offset % pitch >= length &&
                            offset % pitch + results.size * results.element_bytes <= pitch;
  if (!between_rows) check_apart(results, values.data, (shape.rows - 1) * pitch + length);
}

void check_matrix(plain_array values, plain_array results, matrix_shape const& shape,
                  std::size_t segments) {
  auto const [rows, columns, pitch] = shape;
  if (pitch < columns)
    refuse("shape", text("a pitch of ", pitch), text(columns, " columns, or more"));
  // In this order nothing overflows.
  bool const fits =
      rows == 0 || columns == 0 ||
      (columns <= values.size && (pitch == 0 || rows - 1 <= (values.size - columns) / pitch));
  if (!fits)
    refuse("shape", text(rows, " rows of ", columns, " columns, ", pitch, " apart"),
           text("a part of ", values.size, " values"));
  check_count(results, segments);
  check_apart(results, values, shape);
}

void check_offsets(segment_offsets const& offsets, std::size_t size) {
  auto const refuse_number = [&](std::int64_t i, std::string const& accepted) {
    refuse("segments", text("offset number ", i, ", which is ", offsets.at(i)), accepted);
  };
  if (offsets.at(0) < 0) refuse_number(0, "0 or more");
  for (std::int64_t i = 1; i <= offsets.count; ++i)
    if (offsets.at(i) < offsets.at(i - 1)) refuse_number(i, text(offsets.at(i - 1), " or more"));
  if (static_cast<std::uint64_t>(offsets.at(offsets.count)) > size)
    refuse_number(offsets.count, text("up to ", size, ", the number of values"));
}

} // namespace

void check_marks(char const* argument, std::size_t size, std::size_t keys) {
  if (size < marks_memory(keys))
    refuse(argument, text(size, " words of marks"),
           text("run_marks_size(", keys, "), ", marks_memory(keys), ", or more"));
}

void check_by_key(by_key_arrays const& arrays, bool has_values, void const* count) {
  auto const& [keys, values, unique, results, name] = arrays;
  if (has_values && values.size != keys.size)
    refuse("values", text(values.size, " elements"), text(keys.size, ", one for each key"));
  struct named {
    char const* name;
    void const* data;
    std::size_t bytes;
  };
  auto const bytes = [](plain_array array) { return array.size * array.element_bytes; };
  named const inputs[] = {{"keys", keys.data, bytes(keys)}, {"values", values.data, bytes(values)}};
  named const outputs[] = {{"unique", unique.data, bytes(unique)},
                           {name, results.data, bytes(results)},
                           {"count", count, sizeof(std::uint64_t)}};
  for (named const& output : outputs) {
    auto const check_from = [&](named const& other) {
      if (&other != &output && share_memory(output.data, output.bytes, other.data, other.bytes))
        refuse(output.name, text("memory of the ", other.name), "memory of its own");
    };
    for (named const& input : inputs) check_from(input);
    for (named const& other : outputs) check_from(other);
  }
}

segment_offsets checked_layout(plain_array values, plain_array results, plain_array offsets,
                               bool readable) {
  if (offsets.size == 0) refuse("segments", "no offsets", "one more than there are segments");
  check_count(results, offsets.size - 1);
  check_apart(results, values);
  check_apart(results, offsets);
  segment_offsets const layout{offsets.data, static_cast<std::int64_t>(offsets.size) - 1,
                               offsets.element_bytes == 8};
  if (readable) check_offsets(layout, values.size);
  return layout;
}

marked_segments checked_marks(plain_array values, plain_array results, plain_array marks) {
  check_marks("segments", marks.size, values.size);
  check_apart(results, values);
  check_apart(results, marks);
  return {static_cast<std::uint64_t const*>(marks.data), values.size, results.size, 0};
}

segment_rows checked_layout(plain_array values, plain_array results, fixed_length const& length) {
  if (length.elements == 0 || values.size % length.elements != 0)
    refuse("segments", text("a length of ", length.elements),
           text("a divisor of ", values.size, ", the number of values"));
  std::size_t const count = values.size / length.elements;
  check_count(results, count);
  check_apart(results, values);
  auto const elements = static_cast<std::int64_t>(length.elements);
  return {static_cast<std::int64_t>(count), elements, elements};
}

segment_rows checked_layout(plain_array values, plain_array results, matrix_rows matrix) {
  auto const& [rows, columns, pitch] = matrix.shape;
  check_matrix(values, results, matrix.shape, rows);
  return {static_cast<std::int64_t>(rows), static_cast<std::int64_t>(columns),
          static_cast<std::int64_t>(pitch)};
}

segment_columns checked_layout(plain_array values, plain_array results, matrix_columns matrix) {
  auto const& [rows, columns, pitch] = matrix.shape;
  check_matrix(values, results, matrix.shape, columns);
  return {static_cast<std::int64_t>(rows), static_cast<std::int64_t>(columns),
          static_cast<std::int64_t>(pitch)};
}

std::size_t exact_segments_bytes(std::size_t elements, std::size_t size) {
  std::size_t const chunk = (std::size_t{16} << 10) / size;
  std::size_t const words = size == 8 ? sizeof(exact_chunk_words<exact_values<double>>)
                                      : sizeof(exact_chunk_words<exact_values<float>>);
  return (elements + chunk - 1) / chunk * words;
}

} // namespace warpfold::inline v0::detail
