// The reader of products and curves in CSV (docs/examples/product_csv.hpp): what it reads, and what
// it says about files that are no book.

#include "product_csv.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <limits>
#include <string>
#include <string_view>
#include <vector>

namespace {

using namespace std::string_literals;
using example::market;
using example::product;
using example::product_kind;
using example::read_market;
using example::read_products;
using numbers = std::vector<double>;

constexpr double never = std::numeric_limits<double>::infinity();

constexpr char curve_head[] = "quantity,asset,other,time,value\n";
std::string const two_assets =
    curve_head +
    "spot,a,,,100\nrate,a,,,0.02\nvolatility,a,,,0.2\nspot,b,,,50\nrate,b,,,0.02\nvolatility,b,,,0.3\n"s;

market curves_of(std::string_view text) { return read_market(text, "c"); }
std::vector<product> book_of(std::string_view text) {
  return read_products(text, "b", curves_of(two_assets));
}

/// The message with which `read` refuses a text; "" if it takes the text.
template <class Read>
std::string complaint(Read const& read, std::string const& text) {
  try {
    (void)read(text);
  } catch (example::book_error const& error) {
    return error.what();
  }
  return "";
}

TEST_CASE("products csv: curves in pieces, and correlations") {
  market const all = curves_of("value,time,asset,quantity,other\n"
                               "0.01,1,a,rate,\n"
                               "0.02,2.5,a,rate,\n"
                               "0.03,,a,rate,\n"
                               "100,,a,spot,\n"
                               "0.25,0.5,a,volatility,\n"
                               "7,,b,spot,\n"
                               "-0.01,,b,rate,\n"
                               "0.1,,b,volatility,\n"
                               "0.04,,b,dividend_yield,\n"
                               "-0.5,,b,correlation,a\n");
  REQUIRE(all.assets.size() == 2);
  example::asset const &a = all.assets[0], &b = all.assets[1];
  CHECK(a.name == "a");
  CHECK(a.spot == 100);
  CHECK(a.rate.times == numbers{1, 2.5});
  CHECK(a.rate.values == numbers{0.01, 0.02, 0.03});
  CHECK(a.volatility.times == numbers{0.5});
  CHECK(a.volatility.values == numbers{0.25});
  CHECK(a.dividend_yield.values == numbers{0});
  CHECK(b.rate.values == numbers{-0.01});
  CHECK(b.dividend_yield.values == numbers{0.04});
  CHECK(b.dividend_yield.times.empty());
  CHECK(all.correlation == numbers{1, -0.5, -0.5, 1});
}

TEST_CASE("products csv: a row of each kind") {
  auto const row = [](std::string const& columns, std::string const& cells) {
    auto const book = book_of("name,kind,assets,quantity,times," + columns + "\nx," + cells + "\n");
    REQUIRE(book.size() == 1);
    CHECK(book[0].name == "x");
    CHECK(book[0].line == 2);
    return book[0];
  };
  product one = row("side,strike", "european,a,2,1.5,forward,90");
  CHECK(one.kind == product_kind::european);
  CHECK(one.assets == std::vector<std::size_t>{0});
  CHECK(one.quantity == 2);
  CHECK(one.times == numbers{1.5});
  CHECK(one.side == example::product_side::forward);
  CHECK(one.strike == 90);
  CHECK(std::isnan(one.published));
  one = row("side,strike,published", "asian,b,-1,0.1;0.25 1:2  1.5,put,95,7.5");
  CHECK(one.kind == product_kind::asian);
  CHECK(one.assets == std::vector<std::size_t>{1});
  CHECK(one.side == example::product_side::put);
  CHECK(one.times == numbers{0.1, 0.25, 0.5, 1, 1.5});
  CHECK(one.published == 7.5);
  CHECK(row("side,strike", "geometric,a,1,1,call,9").kind == product_kind::geometric);
  CHECK(row("side,strike", "european,a,1,1,digital_call,9").side ==
        example::product_side::digital_call);
  CHECK(row("side,strike,weights", "basket,a b,1,1,digital_put,9,1 1").side ==
        example::product_side::digital_put);
  CHECK(row("side,strike", "bermudan,a,1,1:3,put,9").times == numbers{1 / 3., 2 / 3., 1});
  one = row("levels,payments,knock_in", "autocallable,a b,1,1 2 3,never 2*0.9,3*8,0.6");
  CHECK(one.kind == product_kind::autocallable);
  CHECK(one.assets == std::vector<std::size_t>{0, 1});
  CHECK(one.levels == numbers{never, 0.9, 0.9});
  CHECK(one.payments == numbers{8, 8, 8});
  CHECK(one.knock_in == 0.6);
  CHECK(one.notional == 100);
  one = row("levels,coupon_level,coupon,memory,notional", "phoenix,a,1,1 2,2*1,0.7,2,yes,1000");
  CHECK(one.kind == product_kind::phoenix);
  CHECK(one.coupon_level == 0.7);
  CHECK(one.coupon == 2);
  CHECK(one.memory);
  CHECK(one.notional == 1000);
  one = row("floor,cap", "cliquet,a,1,1:2,-0.02,0.03");
  CHECK(one.kind == product_kind::cliquet);
  CHECK(one.floor == -0.02);
  CHECK(one.cap == 0.03);
  CHECK(row("side,strike", "lookback,a,1,1,put,").floating);
  one = row("side,strike", "lookback,a,1,1,call,1.1");
  CHECK(one.kind == product_kind::lookback);
  CHECK_FALSE(one.floating);
  CHECK(one.strike == 1.1);
  one = row("side,strike,weights", "basket,b a,1,1,call,-3,1 -2");
  CHECK(one.kind == product_kind::basket);
  CHECK(one.assets == std::vector<std::size_t>{1, 0});
  CHECK(one.strike == -3);
  CHECK(one.weights == numbers{1, -2});
  CHECK(row("side,strike,weights", "best_of,a b,1,1,call,1,1 1").kind == product_kind::best_of);
  CHECK(row("side,strike,weights", "worst_of,a b,1,1,call,1,2*1").kind == product_kind::worst_of);
  one = row("side,strike,weights", "geometric_basket,a b,1,1,forward,1,0.4 0.6");
  CHECK(one.kind == product_kind::geometric_basket);
  CHECK(one.weights == numbers{0.4, 0.6});
}

TEST_CASE("products csv: what is wrong with curves, and where") {
  struct refusal {
    char const *text, *says;
  };
  for (refusal const& one : std::vector<refusal>{
           {"", "c:1:1: the file is empty: a header is missing"},
           {"quantity,asset\n", "c:1:3: there is no column 'value'"},
           {"quantity,asset,value,tenor\n",
            "c:1:4: column 'tenor' is not one of quantity, asset, value, other, time"},
           {"quantity,asset,value\nspot,a\n",
            "c:2:3: the record ends here, but the header has 3 cells"},
           {"quantity,asset,value\nprice,a,1\n", "c:2:1: quantity: 'price' is not one of spot, "
                                                 "rate, dividend_yield, volatility, correlation"},
           {"quantity,asset,value\nspot,a b,1\n", "c:2:2: asset: a name has no space or semicolon"},
           {"quantity,asset,value\nspot,,1\n", "c:2:2: asset: the cell is empty"},
           {"quantity,asset,value\nspot,a,0\n", "c:2:3: value: a spot is above 0"},
           {"quantity,asset,value\nspot,a,1e999\n", "c:2:3: value: '1e999' is out of range"},
           {"quantity,asset,value\nspot,a,1\nspot,a,1\n",
            "c:3:1: quantity: the asset has a spot already"},
           {"quantity,asset,value\nvolatility,a,-0.1\n",
            "c:2:3: value: a volatility is above 0, and at most 2.5"},
           {"quantity,asset,value\nspot,a,1\nrate,a,1\n",
            "c:2:2: asset: 'a' lacks a spot, a rate or a volatility"},
           {"quantity,asset,time,value\nspot,a,1,1\n", "c:2:3: time: a spot has none"},
           {"quantity,asset,time,value\nrate,a,0,1\n",
            "c:2:3: time: '0' is not after the time before"},
           {"quantity,asset,time,value\nrate,a,2,1\nrate,a,1,1\n",
            "c:3:3: time: '1' is not after the time before"},
           {"quantity,asset,time,value\nrate,a,,1\nrate,a,1,1\n",
            "c:3:1: quantity: a record above has no time, so it holds for ever"},
           {"quantity,asset,other,value\nspot,a,b,1\n", "c:2:3: other: only a correlation has one"},
           {"quantity,asset,other,value\ncorrelation,a,b,1\n",
            "c:2:2: asset: 'a' is no asset above"},
           {"quantity,asset,other,value\nspot,a,,1\ncorrelation,a,b,1\n",
            "c:3:3: other: 'b' is no asset above"},
           {"quantity,asset,other,value\nspot,a,,1\ncorrelation,a,a,1\n",
            "c:3:3: other: this is the asset itself"},
           {"quantity,asset,value\nspot,a,1\ncorrelation,a,1\n",
            "c:3:4: other: there is no such column"},
           {"quantity,asset,other,value\nspot,a,,1\nspot,b,,1\ncorrelation,a,b,1.1\n",
            "c:4:4: value: a correlation is from -1 to 1"},
           {"quantity,asset,other,value\nspot,a,,1\nspot,b,,1\ncorrelation,a,b,1\ncorrelation,b,a,"
            "1\n",
            "c:5:3: other: these assets have a correlation already"}}) {
    CAPTURE(one.text);
    CHECK(complaint(curves_of, one.text) == one.says);
  }
}

TEST_CASE("products csv: what is wrong with a row, and where") {
  struct refusal {
    std::string columns, cells, says;
  };
  std::string const kinds = "european, asian, geometric, bermudan, autocallable, phoenix, cliquet, "
                            "lookback, basket, best_of, worst_of, geometric_basket";
  for (refusal const& one : std::vector<refusal>{
           {"side", "swap,a,1,1,call", "2: kind: 'swap' is not one of " + kinds},
           {"side", ",a,1,1,call", "2: kind: the cell is empty"},
           {"side,strike", "european,c,1,1,call,9", "3: assets: 'c' is no asset of the curves"},
           {"side,strike", "european,a b,1,1,call,9", "3: assets: kind european takes 1 to 1"},
           {"floor,cap", "cliquet,a a,1,1,0,1", "3: assets: 'a' is there twice"},
           {"side,strike,weights", "basket,a,1,1,call,9,1", "3: assets: kind basket takes 2 to 16"},
           {"side,strike", "european,a,,1,call,9", "4: quantity: the cell is empty"},
           {"side,strike", "european,a,nan,1,call,9", "4: quantity: 'nan' is not a finite number"},
           {"side,strike", "european,a,1,,call,9", "5: times: the cell is empty"},
           {"side,strike", "european,a,1,;,call,9", "5: times: the list is empty"},
           {"side,strike", "european,a,1,0,call,9",
            "5: times: they are not above 0 and increasing"},
           {"side,strike", "asian,a,1,2 1,call,9", "5: times: they are not above 0 and increasing"},
           {"side,strike", "asian,a,1,1 x,call,9", "5: times: 'x' is not a number"},
           {"side,strike", "asian,a,1,never,call,9", "5: times: 'never' is not a number"},
           {"side,strike", "asian,a,1,1:0,call,9", "5: times: '0' is not a count from 1 to 4096"},
           {"side,strike", "asian,a,1,1:9999999999999999999999,call,9",
            "5: times: '9999999999999999999999' is not a count from 1 to 4096"},
           {"side,strike", "asian,a,1,1:1.5,call,9", "5: times: '1.5' is not a count"},
           {"side,strike", "asian,a,1,1:4096 2,call,9",
            "5: times: there are more than 4096 values"},
           {"side,strike", "european,a,1,1,both,9",
            "6: side: 'both' is none of call, put, forward, digital_call and digital_put"},
           {"side,strike", "bermudan,a,1,1,forward,9",
            "6: side: 'forward' is neither call nor put"},
           {"side,strike", "european,a,1,1,call,", "7: strike: the cell is empty"},
           {"side,strike", "european,a,1,1,call,-1", "7: strike: '-1' is negative"},
           {"side", "european,a,1,1,call", "7: strike: there is no such column"},
           {"side,strike,weights", "european,a,1,1,call,1,1", "8: weights: kind european has none"},
           {"side,strike,weights", "basket,a b,1,1,call,1,1",
            "8: weights: there are 1 values, and not 2"},
           {"side,strike,weights", "best_of,a b,1,1,call,1,1 -1",
            "8: weights: a value is negative"},
           {"side,strike,weights", "geometric_basket,a b,1,1,put,1,-1 1",
            "8: weights: a value is negative"},
           {"levels,payments", "autocallable,a,1,1 2,1,8 16",
            "6: levels: there are 1 values, and not 2"},
           {"levels,payments", "autocallable,a,1,1 2,1 -1,8 16", "6: levels: a value is negative"},
           {"levels,payments", "autocallable,a,1,1 2,1 1,3*8",
            "7: payments: there are 3 values, and not 2"},
           {"levels,payments,knock_in", "autocallable,a,1,1,1,8,-0.6",
            "8: knock_in: '-0.6' is negative"},
           {"levels,coupon_level,coupon,memory", "phoenix,a,1,1,1,0.7,2,maybe",
            "9: memory: 'maybe' is neither yes nor no"},
           {"floor,cap", "cliquet,a,1,1,0.1,0", "7: cap: '0' is below the floor"},
           {"side,published", "lookback,a,1,1,put,x", "7: published: 'x' is not a number"}}) {
    CAPTURE(one.cells);
    CHECK(complaint(book_of, "name,kind,assets,quantity,times," + one.columns + "\n\nx," +
                                 one.cells + "\n") == "b:3:" + one.says);
  }
  CHECK(complaint(book_of, "name,kind,assets,quantity\n") == "b:1:5: there is no column 'times'");
}

} // namespace
