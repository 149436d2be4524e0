#include "option_csv.hpp"
#include "shown.hpp"

#include <csv.h>

#include <array>
#include <charconv>
#include <cmath>
#include <limits>
#include <new>
#include <optional>
#include <span>
#include <utility>

namespace example {
namespace {

using warpfold::pricing::option_kind;

constexpr double none = std::numeric_limits<double>::quiet_NaN();

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

enum column { spot, strike, expiry, rate, volatility, dividend_yield, kind, market_price, columns };
constexpr std::array<std::string_view, columns> names = {
    "spot", "strike", "expiry", "rate", "volatility", "dividend_yield", "kind", "market_price"};

/// Which column each cell of a record belongs to, and where each column is, if it is there.
struct header {
  std::vector<column> of_cell;
  std::array<std::optional<std::size_t>, columns> cell_of{};

  header(std::span<cell const> cells, std::string_view file) {
    for (std::size_t i = 0; i < cells.size(); ++i) {
      auto const refuse = [&](std::string const& why) {
        throw book_error(file, cells[i].line, i + 1, "column " + shown(cells[i].text) + why);
      };
      int c = 0;
      while (c < columns && names[c] != cells[i].text) ++c;
      if (c == columns) {
        std::string known;
        for (std::string_view const name : names) (known += known.empty() ? "" : ", ") += name;
        refuse(" is not one of " + known);
      }
      if (cell_of[c]) refuse(" is there already, as cell " + std::to_string(*cell_of[c] + 1));
      cell_of[c] = i;
      of_cell.push_back(static_cast<column>(c));
    }
    for (int c = spot; c <= volatility; ++c)
      if (!cell_of[c] && !(c == volatility && cell_of[market_price]))
        throw book_error(file, cells.back().line, cells.size() + 1,
                         "there is no column " + shown(names[c]));
  }
};

/// The numbers and the kind of one option.
struct row {
  std::array<double, columns> number;
  option_kind what = option_kind::call;

  row() {
    number.fill(none);
    number[dividend_yield] = 0;
  }

  /// Takes a cell in; "", or what is wrong with it.
  std::string take(column c, std::string const& text) {
    if (text.empty()) return c <= rate ? "the cell is empty" : "";
    if (c == kind) {
      if (text != "call" && text != "put") return shown(text) + " is neither call nor put";
      what = text == "put" ? option_kind::put : option_kind::call;
      return "";
    }
    char const* const end = text.data() + text.size();
    auto const [last, status] = std::from_chars(text.data(), end, number[c]);
    if (status == std::errc::invalid_argument || last != end)
      return shown(text) + " is not a number";
    if (status == std::errc::result_out_of_range) return shown(text) + " is out of range";
    if (!std::isfinite(number[c])) return shown(text) + " is not a finite number";
    bool const may_be_negative = c == rate || c == dividend_yield || c == market_price;
    if (!may_be_negative && number[c] < 0) return shown(text) + " is negative";
    return "";
  }
};

} // namespace

book_error::book_error(std::string_view file, std::size_t line, std::size_t cell,
                       std::string_view what)
    : std::runtime_error(std::string(file) + ":" + std::to_string(line) + ":" +
                         std::to_string(cell) + ": " + std::string(what)) {}

option_columns read_options(std::string_view text, std::string_view file) {
  record_reader reader(text, file);
  auto const first = reader.next();
  if (!first) throw book_error(file, 1, 1, "the file is empty: a header is missing");
  header const head(*first, file);
  std::size_t const width = head.of_cell.size();

  option_columns book;
  book.has_market_prices = head.cell_of[market_price].has_value();
  while (auto const cells = reader.next()) {
    if (cells->size() < width)
      throw book_error(file, reader.line(), cells->size() + 1,
                       "the record ends here, but the header has " + std::to_string(width) +
                           " cells");
    if (cells->size() > width)
      throw book_error(file, (*cells)[width].line, width + 1,
                       "the header has " + std::to_string(width) + " cells only");
    row one;
    for (std::size_t i = 0; i < width; ++i) {
      column const c = head.of_cell[i];
      std::string const wrong = one.take(c, (*cells)[i].text);
      if (!wrong.empty())
        throw book_error(file, (*cells)[i].line, i + 1, std::string(names[c]) + ": " + wrong);
    }
    if (std::isnan(one.number[volatility]) && std::isnan(one.number[market_price])) {
      column const c = head.cell_of[volatility] ? volatility : market_price;
      std::size_t const at = *head.cell_of[c];
      throw book_error(file, (*cells)[at].line, at + 1,
                       "the option has neither a volatility nor a market price");
    }
    book.spot.push_back(one.number[spot]);
    book.strike.push_back(one.number[strike]);
    book.expiry.push_back(one.number[expiry]);
    book.rate.push_back(one.number[rate]);
    book.volatility.push_back(one.number[volatility]);
    book.dividend_yield.push_back(one.number[dividend_yield]);
    book.market_price.push_back(one.number[market_price]);
    book.kind.push_back(one.what);
  }
  return book;
}

} // namespace example
