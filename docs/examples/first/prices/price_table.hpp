#pragma once
// The options of a CSV file, as price_csv reads them.

#include <warpfold/pricing/option.hpp>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <fstream>
#include <istream>
#include <iterator>
#include <limits>
#include <stdexcept>
#include <string>
#include <system_error>
#include <vector>

inline std::string const header =
    "kind,spot,strike,expiry,rate,volatility,dividend_yield,market_price";

/// The columns of a file. An empty cell is NaN, but for the dividend yield: there it is 0.
struct table {
  std::vector<warpfold::pricing::option_kind> kind;
  std::vector<double> spot, strike, expiry, rate, volatility, dividend_yield, market_price;
};

/// Takes the first cell off a line, without quotation marks.
inline std::string take_cell(std::string& line) {
  std::size_t const end = line.find(',');
  std::string cell = line.substr(0, end);
  line.erase(0, end == line.npos ? end : end + 1);
  std::erase(cell, '"');
  return cell;
}

/// Reads a whole file or throws std::runtime_error, which names the file and the line.
inline table read_table(std::istream& file, std::string const& path) {
  using warpfold::pricing::option_kind;
  table read;
  std::array const columns{&read.spot,       &read.strike,         &read.expiry,      &read.rate,
                           &read.volatility, &read.dividend_yield, &read.market_price};
  std::string line;
  int number = 0;
  auto const refuse = [&](std::string const& why) {
    throw std::runtime_error(path + ":" + std::to_string(number) + ": " + why);
  };
  while (std::getline(file, line)) {
    std::erase(line, '\r');
    if (++number == 1 && line != header) refuse("the header is not " + header);
    if (number == 1) continue;
    auto const commas = std::ranges::count(line, ',');
    if (commas != std::ssize(columns))
      refuse("the row has " + std::to_string(commas + 1) + " cells, not " +
             std::to_string(columns.size() + 1));
    std::string const kind = take_cell(line);
    if (kind != "call" && kind != "put") refuse("'" + kind + "' is neither call nor put");
    read.kind.push_back(kind == "put" ? option_kind::put : option_kind::call);
    for (auto* const column : columns) {
      std::string const cell = take_cell(line);
      double value = column == &read.dividend_yield ? 0 : std::numeric_limits<double>::quiet_NaN();
      char const* const end = cell.data() + cell.size();
      if (!cell.empty()) {
        auto const [rest, error] = std::from_chars(cell.data(), end, value);
        if (error != std::errc{} || rest != end || !std::isfinite(value))
          refuse("'" + cell + "' is not a number");
      }
      column->push_back(value);
    }
  }
  if (file.bad()) throw std::runtime_error(path + ": cannot be read");
  if (number == 0) throw std::runtime_error(path + ": there is no header");
  return read;
}

inline table read_table(std::string const& path) {
  std::ifstream file(path);
  if (!file) throw std::runtime_error(path + ": cannot be read");
  return read_table(file, path);
}
