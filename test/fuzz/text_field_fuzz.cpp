// docs/examples/text_field.hpp: a matrix or a complaint with its place; a matrix is the same one
// whatever stands between its numbers.

#include "fuzz.hpp"

#include <text_field.hpp>

#include <charconv>
#include <string>

namespace {

using values = std::vector<double>;

example::field read(std::string_view text) { return example::read_text_field(text, "f"); }

void check_same(example::field const& a, example::field const& b) {
  check(a.shape == b.shape && same(std::get<values>(a.values), std::get<values>(b.values)),
        "the matrix is the same, written in another way");
}

std::string written(example::field const& matrix, std::string const& between,
                    std::string const& line_end) {
  std::string text;
  std::size_t const columns = matrix.shape.back();
  std::size_t i = 0;
  for (double const number : std::get<values>(matrix.values)) {
    char digits[32];
    text.append(digits, std::to_chars(digits, digits + sizeof digits, number).ptr);
    text += ++i % columns == 0 ? line_end : between;
  }
  return text;
}

} // namespace

int LLVMFuzzerTestOneInput(std::uint8_t const* data, std::size_t size) {
  std::string_view const text = text_of(data, size);
  std::size_t const lines =
      1 + static_cast<std::size_t>(std::count(text.begin(), text.end(), '\n'));
  example::field matrix;
  try {
    matrix = read(text);
  } catch (example::field_error const& error) {
    check_place(error.what(), lines, size);
    return 0;
  }
  auto const& numbers = std::get<values>(matrix.values);
  std::size_t const rows = matrix.shape.size() == 1 ? 1 : matrix.shape[0];
  check(matrix.shape.size() == 1 || (rows > 1 && matrix.shape[1] > 1), "two axes of two or more");
  check(matrix.shape.size() <= 2 && rows <= lines && !numbers.empty(), "a line a row");
  check(rows * matrix.shape.back() == numbers.size(), "as many values as the shape says");
  check(numbers.size() <= size, "a number takes a byte");
  check_same(matrix, read(written(matrix, " ", "\n")));
  check_same(matrix, read("\n" + written(matrix, "\t,  ", " \r\n \t\n")));
  if (rows == 1) check_same(matrix, read(written(matrix, "\n", "")));
  return 0;
}
