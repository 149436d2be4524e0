#pragma once
// Records of CSV by the names of their columns, and lists in cells: for the reader of products and
// curves.

#include "csv_records.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstddef>
#include <functional>
#include <limits>
#include <span>
#include <string>
#include <string_view>
#include <system_error>
#include <vector>

namespace example {

/// A record by the names of its columns; an empty text where a column is missing.
template <std::size_t Columns>
class named_record {
public:
  named_record(csv_header<Columns> const& head, std::array<std::string_view, Columns> const& names,
               std::span<cell const> cells, std::string_view file)
      : head_{head}, names_{names}, cells_{cells}, file_{file} {}

  [[nodiscard]] std::string_view text(std::size_t column) const {
    auto const& at = head_.cell_of[column];
    return at ? std::string_view(cells_[*at].text) : std::string_view();
  }
  [[nodiscard]] std::size_t line() const { return cells_.front().line; }

  /// About a cell, or the end of the record if it has no such column.
  [[noreturn]] void refuse(std::size_t column, std::string const& why) const {
    std::size_t const at = head_.cell_of[column].value_or(cells_.size());
    throw book_error(file_, cells_[std::min(at, cells_.size() - 1)].line, at + 1,
                     std::string(names_[column]) + ": " + why);
  }
  void require(std::size_t column) const {
    if (text(column).empty())
      refuse(column, head_.cell_of[column] ? "the cell is empty" : "there is no such column");
  }
  /// A finite number.
  [[nodiscard]] double number(std::size_t column) const {
    require(column);
    double result = 0;
    if (std::string const wrong = read_number(text(column), result); !wrong.empty())
      refuse(column, wrong);
    return result;
  }
  [[nodiscard]] double not_negative(std::size_t column) const {
    double const result = number(column);
    if (result < 0) refuse(column, shown(text(column)) + " is negative");
    return result;
  }

private:
  csv_header<Columns> const& head_;
  std::array<std::string_view, Columns> const& names_;
  std::span<cell const> cells_;
  std::string_view file_;
};

inline constexpr std::string_view separators = " ;";                     ///< of a list's words
inline constexpr double never = std::numeric_limits<double>::infinity(); ///< as a level
inline constexpr std::size_t most_values = 4096;                         ///< of a list

/// Calls `take` with the words of a list, in their order.
inline void for_each_word(std::string_view text,
                          std::function<void(std::string_view)> const& take) {
  while (true) {
    text.remove_prefix(std::min(text.find_first_not_of(separators), text.size()));
    if (text.empty()) return;
    std::string_view const word = text.substr(0, text.find_first_of(separators));
    take(word);
    text.remove_prefix(word.size());
  }
}

/// Reads a count of values. Returns "", or what is wrong with it.
inline std::string read_count(std::string_view text, std::size_t& count) {
  auto const [last, status] = std::from_chars(text.data(), text.data() + text.size(), count);
  if (status == std::errc::invalid_argument || last != text.data() + text.size())
    return shown(text) + " is not a count";
  if (status != std::errc() || count < 1 || count > most_values)
    return shown(text) + " is not a count from 1 to " + std::to_string(most_values);
  return "";
}

/// Reads a word of a list: X or N*X, for times EXPIRY:N, for levels `never`.
inline std::string read_word(std::string_view word, bool are_times, bool are_levels,
                             std::vector<double>& values) {
  std::size_t count = 1;
  double value = 0;
  std::string wrong;
  std::size_t const star = word.find('*'), colon = are_times ? word.find(':') : word.npos;
  if (star != word.npos) wrong = read_count(word.substr(0, star), count);
  if (colon != word.npos) wrong = read_count(word.substr(colon + 1), count);
  std::string_view const number =
      star != word.npos ? word.substr(star + 1) : word.substr(0, std::min(colon, word.size()));
  if (!wrong.empty()) return wrong;
  if (are_levels && number == "never") value = never;
  else if (wrong = read_number(number, value); !wrong.empty()) return wrong;
  if (values.size() + count > most_values)
    return "there are more than " + std::to_string(most_values) + " values";
  for (std::size_t i = 1; i <= count; ++i)
    values.push_back(
        colon == word.npos ? value : value * static_cast<double>(i) / static_cast<double>(count));
  return "";
}

} // namespace example
