#pragma once
// Records of CSV, with libcsv, and where in a file they are: for the readers of books.

#include "book_error.hpp"
#include "shown.hpp"

#include <csv.h>

#include <array>
#include <charconv>
#include <cmath>
#include <cstddef>
#include <new>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <system_error>
#include <vector>

namespace example {

struct cell {
  std::string text;
  std::size_t line; ///< where it begins
};

/// Cuts a text into records with libcsv, which does not say where it is: it gets one line at a
/// time, so that every cell that it reports ends in that line.
class record_reader {
public:
  record_reader(std::string_view text, std::string_view file) : rest_{text}, file_{file} {
    if (rest_.starts_with("\xEF\xBB\xBF")) rest_.remove_prefix(3);
    if (csv_init(&parser_, CSV_STRICT | CSV_STRICT_FINI) != 0) throw std::bad_alloc();
  }
  ~record_reader() { csv_free(&parser_); }
  record_reader(record_reader const&) = delete;
  record_reader& operator=(record_reader const&) = delete;

  /// The next record, valid until the next call; nothing at the end.
  std::optional<std::span<cell const>> next() {
    cells_.clear();
    complete_ = false;
    bool begun = false;
    while (!complete_ && !rest_.empty()) {
      std::string_view const line = take_line();
      if (!begun && line.find_first_not_of(" \t\r\n") == line.npos) continue;
      if (!begun) cell_line_ = line_;
      begun = true;
      if (csv_parse(&parser_, line.data(), line.size(), on_cell, on_record, this) != line.size())
        fail("characters beside the quotation marks of a cell");
    }
    if (begun && !complete_ && csv_fini(&parser_, on_cell, on_record, this) != 0)
      fail("a quotation mark that is never closed");
    if (!begun) return {};
    return cells_;
  }

  /// The line of the last character that was read, counted from 1; 0 before the first.
  [[nodiscard]] std::size_t line() const noexcept { return line_; }

private:
  // Nothing may be thrown through libcsv.
  static void on_cell(void* text, std::size_t size, void* self) noexcept {
    auto& reader = *static_cast<record_reader*>(self);
    reader.cells_.push_back({{static_cast<char const*>(text), size}, reader.cell_line_});
    reader.cell_line_ = reader.line_;
  }
  static void on_record(int, void* self) noexcept {
    static_cast<record_reader*>(self)->complete_ = true;
  }

  std::string_view take_line() {
    std::size_t end = rest_.find_first_of("\r\n");
    if (end == rest_.npos) end = rest_.size();
    else end += rest_.substr(end, 2) == "\r\n" ? 2 : 1;
    std::string_view const line = rest_.substr(0, end);
    rest_.remove_prefix(end);
    ++line_;
    return line;
  }

  [[noreturn]] void fail(std::string_view what) {
    if (csv_error(&parser_) != CSV_EPARSE) throw std::bad_alloc();
    throw book_error(file_, cell_line_, cells_.size() + 1, what);
  }

  csv_parser parser_{};
  std::string_view rest_, file_;
  std::vector<cell> cells_;
  std::size_t line_ = 0;
  std::size_t cell_line_ = 0; ///< where the cell that is being read begins
  bool complete_ = false;
};

/// The columns that a file's first record names, some of `Columns` known ones, in any order.
template <std::size_t Columns>
struct csv_header {
  std::vector<std::size_t> of_cell; ///< which column each cell of a record belongs to
  std::array<std::optional<std::size_t>, Columns> cell_of{}; ///< and back, of those that are there
  std::size_t line;                                          ///< where the record ends

  csv_header(record_reader& reader, std::array<std::string_view, Columns> const& names,
             std::string_view file) {
    auto const cells = reader.next();
    if (!cells) throw book_error(file, 1, 1, "the file is empty: a header is missing");
    line = cells->back().line;
    for (std::size_t i = 0; i < cells->size(); ++i) {
      cell const& one = (*cells)[i];
      auto const refuse = [&](std::string const& why) {
        throw book_error(file, one.line, i + 1, "column " + shown(one.text) + why);
      };
      std::size_t c = 0;
      while (c < Columns && names[c] != one.text) ++c;
      if (c == Columns) {
        std::string known;
        for (std::string_view const name : names) (known += known.empty() ? "" : ", ") += name;
        refuse(" is not one of " + known);
      }
      if (cell_of[c]) refuse(" is there already, as cell " + std::to_string(*cell_of[c] + 1));
      cell_of[c] = i;
      of_cell.push_back(c);
    }
  }

  /// Refuses a file without that column.
  void require(std::size_t column, std::string_view name, std::string_view file) const {
    if (!cell_of[column])
      throw book_error(file, line, of_cell.size() + 1, "there is no column " + shown(name));
  }

  /// The next record, with as many cells as this one, or nothing.
  std::optional<std::span<cell const>> next(record_reader& reader, std::string_view file) const {
    auto const cells = reader.next();
    std::size_t const width = of_cell.size();
    if (cells && cells->size() < width)
      throw book_error(file, reader.line(), cells->size() + 1,
                       "the record ends here, but the header has " + std::to_string(width) +
                           " cells");
    if (cells && cells->size() > width)
      throw book_error(file, (*cells)[width].line, width + 1,
                       "the header has " + std::to_string(width) + " cells only");
    return cells;
  }
};

/// Reads a decimal, finite number, all of the text. Returns "", or what is wrong with it.
inline std::string read_number(std::string_view text, double& number) {
  char const* const end = text.data() + text.size();
  auto const [last, status] = std::from_chars(text.data(), end, number);
  if (status == std::errc::invalid_argument || last != end) return shown(text) + " is not a number";
  if (status == std::errc::result_out_of_range) return shown(text) + " is out of range";
  if (!std::isfinite(number)) return shown(text) + " is not a finite number";
  return "";
}

} // namespace example
