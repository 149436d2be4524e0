#pragma once
// What is wrong with a file, and where.

#include <cstddef>
#include <stdexcept>
#include <string>
#include <string_view>

namespace example {

/// What is wrong with a file, and where: "book.csv:17:3: strike: 'abc' is not a number" is about
/// the third cell of the record in line 17. Lines are those of an editor, also inside quotation
/// marks.
class book_error : public std::runtime_error {
public:
  book_error(std::string_view file, std::size_t line, std::size_t cell, std::string_view what)
      : std::runtime_error(std::string(file) + ":" + std::to_string(line) + ":" +
                           std::to_string(cell) + ": " + std::string(what)) {}
};

} // namespace example
