#include "product_csv.hpp"
#include "product_cells.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <span>
#include <string>
#include <utility>

namespace example {
namespace {

constexpr double none = std::numeric_limits<double>::quiet_NaN();
constexpr std::size_t most_assets = 64;

// ---- curves -------------------------------------------------------------------------------------

enum curve_column { of_quantity, of_asset, of_value, of_other, of_time, curve_columns };
constexpr std::array<std::string_view, curve_columns> curve_names = {"quantity", "asset", "value",
                                                                     "other", "time"};
using curve_record = named_record<curve_columns>;

/// The asset of that name, or how many there are.
std::size_t index_of(std::vector<asset> const& assets, std::string_view name) {
  auto const same = [&](asset const& one) { return one.name == name; };
  return static_cast<std::size_t>(std::ranges::find_if(assets, same) - assets.begin());
}

struct market_reader {
  market result;
  std::vector<book_error> incomplete; ///< what to say if an asset stays without a number
  struct pair {
    std::size_t first, second;
    double value;
  };
  std::vector<pair> pairs;

  void take_piece(curve_record const& row, pieces& to) const {
    if (to.values.size() > to.times.size())
      row.refuse(of_quantity, "a record above has no time, so it holds for ever");
    to.values.push_back(row.number(of_value));
    if (row.text(of_time).empty()) return;
    double const time = row.number(of_time);
    if (!(time > (to.times.empty() ? 0 : to.times.back())))
      row.refuse(of_time, shown(row.text(of_time)) + " is not after the time before");
    to.times.push_back(time);
  }

  void take_correlation(curve_record const& row, std::size_t first) {
    row.require(of_other);
    std::size_t const second = index_of(result.assets, row.text(of_other));
    if (second == result.assets.size())
      row.refuse(of_other, shown(row.text(of_other)) + " is no asset above");
    if (first == second) row.refuse(of_other, "this is the asset itself");
    double const value = row.number(of_value);
    if (!(std::abs(value) <= 1)) row.refuse(of_value, "a correlation is from -1 to 1");
    for (pair const& one : pairs)
      if (std::minmax(one.first, one.second) == std::minmax(first, second))
        row.refuse(of_other, "these assets have a correlation already");
    pairs.push_back({first, second, value});
  }

  void take(curve_record const& row, std::string_view file, std::size_t asset_cell) {
    for (curve_column const c : {of_quantity, of_asset, of_value}) row.require(c);
    std::string_view const quantity = row.text(of_quantity), name = row.text(of_asset);
    if (name.find_first_of(separators) != name.npos)
      row.refuse(of_asset, "a name has no space or semicolon");
    std::size_t const at = index_of(result.assets, name);
    bool const is_correlation = quantity == "correlation";
    if (at == result.assets.size()) {
      if (is_correlation) row.refuse(of_asset, shown(name) + " is no asset above");
      if (at == most_assets)
        row.refuse(of_asset, "there are more than " + std::to_string(most_assets) + " assets");
      result.assets.push_back({std::string(name), none, {}, {}, {}});
      incomplete.emplace_back(file, row.line(), asset_cell,
                              "asset: " + shown(name) + " lacks a spot, a rate or a volatility");
    }
    asset& one = result.assets[at];
    bool const is_spot = quantity == "spot";
    if (!is_correlation && !row.text(of_other).empty())
      row.refuse(of_other, "only a correlation has one");
    if ((is_correlation || is_spot) && !row.text(of_time).empty())
      row.refuse(of_time, "a " + std::string(quantity) + " has none");
    if (is_spot) {
      if (!std::isnan(one.spot)) row.refuse(of_quantity, "the asset has a spot already");
      one.spot = row.number(of_value);
      if (!(one.spot > 0)) row.refuse(of_value, "a spot is above 0");
    } else if (quantity == "rate") take_piece(row, one.rate);
    else if (quantity == "dividend_yield") take_piece(row, one.dividend_yield);
    else if (quantity == "volatility") {
      if (double const value = row.number(of_value); !(value > 0 && value <= 2.5))
        row.refuse(of_value, "a volatility is above 0, and at most 2.5");
      take_piece(row, one.volatility);
    } else if (is_correlation) take_correlation(row, at);
    else
      row.refuse(of_quantity, shown(quantity) + " is not one of spot, rate, dividend_yield, "
                                                "volatility, correlation");
  }

  market finished() {
    std::size_t const count = result.assets.size();
    for (std::size_t i = 0; i < count; ++i) {
      asset& one = result.assets[i];
      if (std::isnan(one.spot) || one.rate.values.empty() || one.volatility.values.empty())
        throw book_error(incomplete[i]);
      if (one.dividend_yield.values.empty()) one.dividend_yield.values.push_back(0);
    }
    result.correlation.assign(count * count, 0);
    for (std::size_t i = 0; i < count; ++i) result.correlation[i * count + i] = 1;
    for (pair const& one : pairs)
      result.correlation[one.first * count + one.second] =
          result.correlation[one.second * count + one.first] = one.value;
    return std::move(result);
  }
};

// ---- products -----------------------------------------------------------------------------------

enum product_column : unsigned {
  name,
  kind,
  of_assets,
  quantity,
  times,
  side,
  strike,
  weights,
  levels,
  payments,
  knock_in,
  coupon_level,
  coupon,
  memory,
  floor_of,
  cap_of,
  notional,
  published,
  product_columns
};
constexpr std::array<std::string_view, product_columns> product_names = {
    "name",   "kind",    "assets", "quantity", "times",    "side",
    "strike", "weights", "levels", "payments", "knock_in", "coupon_level",
    "coupon", "memory",  "floor",  "cap",      "notional", "published"};
using product_record = named_record<product_columns>;

/// What a kind reads beside the first five columns and `published`.
struct kind_of_product {
  std::string_view name;
  product_kind kind;
  std::vector<product_column> needed, wanted;
  std::size_t least_assets, most_assets;
  bool takes_contracts; ///< may be settled as any contract, not as an option alone
};
std::array<kind_of_product, 12> const& kinds_of_products() {
  using enum product_kind;
  static std::array<kind_of_product, 12> const all{{
      {"european", european, {side, strike}, {}, 1, 1, true},
      {"asian", asian, {side, strike}, {}, 1, 1, true},
      {"geometric", geometric, {side, strike}, {}, 1, 1, true},
      {"bermudan", bermudan, {side, strike}, {}, 1, 1, false},
      {"autocallable", autocallable, {levels, payments}, {knock_in, notional}, 1, 8, false},
      {"phoenix",
       phoenix,
       {levels, coupon_level, coupon},
       {knock_in, memory, notional},
       1,
       8,
       false},
      {"cliquet", cliquet, {floor_of, cap_of}, {notional}, 1, 8, false},
      {"lookback", lookback, {side}, {strike, notional}, 1, 8, false},
      {"basket", basket, {side, strike, weights}, {}, 2, 16, true},
      {"best_of", best_of, {side, strike, weights}, {}, 2, 16, true},
      {"worst_of", worst_of, {side, strike, weights}, {}, 2, 16, true},
      {"geometric_basket", geometric_basket, {side, strike, weights}, {}, 2, 16, true},
  }};
  return all;
}

std::vector<double> list_of(product_record const& row, product_column column) {
  std::vector<double> values;
  for_each_word(row.text(column), [&](std::string_view word) {
    std::string const wrong = read_word(word, column == times, column == levels, values);
    if (!wrong.empty()) row.refuse(column, wrong);
  });
  if (values.empty() && !row.text(column).empty()) row.refuse(column, "the list is empty");
  return values;
}

kind_of_product const& read_kind(product_record const& row) {
  row.require(kind);
  std::string known;
  for (kind_of_product const& one : kinds_of_products()) {
    if (one.name == row.text(kind)) return one;
    (known += known.empty() ? "" : ", ") += one.name;
  }
  row.refuse(kind, shown(row.text(kind)) + " is not one of " + known);
}

/// Cells that a kind needs are there, and those that it does not read are empty.
void check_cells(product_record const& row, kind_of_product const& what) {
  for (product_column const c : {name, of_assets, quantity, times}) row.require(c);
  for (product_column const c : what.needed) row.require(c);
  for (unsigned c = side; c < published; ++c) {
    auto const in = [&](auto const& list) { return std::ranges::count(list, c) > 0; };
    if (!row.text(c).empty() && !in(what.needed) && !in(what.wanted))
      row.refuse(c, "kind " + std::string(what.name) + " has none");
  }
}

void read_assets(product_record const& row, kind_of_product const& what, market const& curves,
                 product& one) {
  for_each_word(row.text(of_assets), [&](std::string_view word) {
    std::size_t const at = index_of(curves.assets, word);
    if (at == curves.assets.size())
      row.refuse(of_assets, shown(word) + " is no asset of the curves");
    if (std::ranges::count(one.assets, at) > 0)
      row.refuse(of_assets, shown(word) + " is there twice");
    one.assets.push_back(at);
  });
  if (one.assets.size() < what.least_assets || one.assets.size() > what.most_assets)
    row.refuse(of_assets, "kind " + std::string(what.name) + " takes " +
                              std::to_string(what.least_assets) + " to " +
                              std::to_string(what.most_assets));
}

void read_side(product_record const& row, kind_of_product const& what, product& one) {
  using enum product_side;
  using named = std::pair<std::string_view, product_side>;
  static constexpr std::array<named, 5> all{named{"call", call},
                                            {"put", put},
                                            {"forward", forward},
                                            {"digital_call", digital_call},
                                            {"digital_put", digital_put}};
  std::string_view const text = row.text(side);
  if (text.empty()) return;
  for (named const& one_of : std::span(all).first(what.takes_contracts ? 5 : 2)) // options: two
    if (one_of.first == text) {
      one.side = one_of.second;
      return;
    }
  row.refuse(side,
             shown(text) + (what.takes_contracts
                                ? " is none of call, put, forward, digital_call and digital_put"
                                : " is neither call nor put"));
}

/// Lists with one value for each of the product's `count`, none below `least`.
std::vector<double> list_of(product_record const& row, product_column column, std::size_t count,
                            double least) {
  std::vector<double> values = list_of(row, column);
  if (!values.empty() && values.size() != count)
    row.refuse(column, "there are " + std::to_string(values.size()) + " values, and not " +
                           std::to_string(count));
  for (double const value : values)
    if (value < least) row.refuse(column, "a value is negative");
  return values;
}

product read_product(product_record const& row, market const& curves) {
  kind_of_product const& what = read_kind(row);
  check_cells(row, what);
  product one;
  one.line = row.line();
  one.name = row.text(name);
  one.kind = what.kind;
  one.quantity = row.number(quantity);
  read_assets(row, what, curves, one);
  read_side(row, what, one);
  one.times = list_of(row, times);
  for (std::size_t i = 0; i < one.times.size(); ++i)
    if (!(one.times[i] > (i == 0 ? 0 : one.times[i - 1])))
      row.refuse(times, "they are not above 0 and increasing");
  bool const one_sign = what.most_assets == 16 && what.kind != product_kind::basket;
  one.weights = list_of(row, weights, one.assets.size(), one_sign ? 0 : -never);
  one.levels = list_of(row, levels, one.times.size(), 0);
  one.payments = list_of(row, payments, one.times.size(), -never);
  if (!row.text(strike).empty())
    one.strike = what.most_assets == 16 ? row.number(strike) : row.not_negative(strike);
  one.floating = row.text(strike).empty();
  if (!row.text(knock_in).empty()) one.knock_in = row.not_negative(knock_in);
  if (!row.text(coupon_level).empty()) one.coupon_level = row.not_negative(coupon_level);
  if (!row.text(coupon).empty()) one.coupon = row.number(coupon);
  if (!row.text(floor_of).empty()) one.floor = row.number(floor_of);
  if (!row.text(cap_of).empty()) one.cap = row.number(cap_of);
  if (one.floor > one.cap) row.refuse(cap_of, shown(row.text(cap_of)) + " is below the floor");
  if (!row.text(notional).empty()) one.notional = row.number(notional);
  one.memory = row.text(memory) == "yes";
  if (!one.memory && !row.text(memory).empty() && row.text(memory) != "no")
    row.refuse(memory, shown(row.text(memory)) + " is neither yes nor no");
  one.published = row.text(published).empty() ? none : row.number(published);
  return one;
}

} // namespace

market read_market(std::string_view text, std::string_view file) {
  record_reader reader(text, file);
  csv_header<curve_columns> const head(reader, curve_names, file);
  for (curve_column const c : {of_quantity, of_asset, of_value})
    head.require(c, curve_names[c], file);
  market_reader all;
  while (auto const cells = head.next(reader, file))
    all.take({head, curve_names, *cells, file}, file, *head.cell_of[of_asset] + 1);
  return all.finished();
}

std::vector<product> read_products(std::string_view text, std::string_view file,
                                   market const& curves) {
  record_reader reader(text, file);
  csv_header<product_columns> const head(reader, product_names, file);
  for (product_column const c : {name, kind, of_assets, quantity, times})
    head.require(c, product_names[c], file);
  std::vector<product> book;
  while (auto const cells = head.next(reader, file))
    book.push_back(read_product({head, product_names, *cells, file}, curves));
  return book;
}

} // namespace example
