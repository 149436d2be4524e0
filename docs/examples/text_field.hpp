#pragma once
// A matrix as text: a row a line, numbers separated by spaces, tabs or commas.

#include "npy.hpp"
#include "shown.hpp"

#include <algorithm>
#include <charconv>
#include <cstddef>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

namespace example {

/// Reads the whole of a file's contents; `file` is what messages call it. Lines end with LF or CR
/// LF; empty ones do not count. One row, or one column, is an array of one dimension.
/// @throws field_error
inline field read_text_field(std::string_view contents, std::string_view file) {
  constexpr std::string_view space = " \t\r";
  std::vector<double> values;
  std::size_t rows = 0, columns = 0, line_number = 0, first_line = 0;
  auto const fail = [&](std::size_t column, std::string const& what) {
    throw field_error(std::string(file) + ":" + std::to_string(line_number) + ":" +
                      std::to_string(column) + ": " + what);
  };
  while (!contents.empty()) {
    std::size_t const end = contents.find('\n');
    std::string_view line = contents.substr(0, end);
    contents.remove_prefix(end == contents.npos ? contents.size() : end + 1);
    ++line_number;
    if (line.find_first_not_of(space) == line.npos) continue;
    bool const has_commas = line.find(',') != line.npos;
    std::size_t count = 0;
    for (bool more = true; more;) {
      line.remove_prefix(std::min(line.find_first_not_of(space), line.size()));
      if (!has_commas && line.empty()) break;
      std::size_t const stop = std::min(line.find_first_of(has_commas ? "," : space), line.size());
      std::string_view cell = line.substr(0, stop);
      cell = cell.substr(0, cell.find_last_not_of(space) + 1);
      more = stop < line.size();
      line.remove_prefix(more ? stop + 1 : stop);
      ++count;
      double value = 0;
      auto const [parsed, status] = std::from_chars(cell.data(), cell.data() + cell.size(), value);
      if (status == std::errc::result_out_of_range)
        fail(count, shown(cell) + " is not within the range of double");
      if (status != std::errc{} || parsed != cell.data() + cell.size())
        fail(count, shown(cell) + " is not a number");
      values.push_back(value);
    }
    if (rows++ == 0) {
      columns = count;
      first_line = line_number;
    }
    if (count != columns)
      fail(count, std::to_string(count) + " numbers, but " + std::to_string(columns) + " in line " +
                      std::to_string(first_line));
  }
  if (rows == 0) throw field_error(std::string(file) + ":1:1: no numbers");
  if (rows == 1 || columns == 1) return {{rows * columns}, std::move(values)};
  return {{rows, columns}, std::move(values)};
}

} // namespace example
