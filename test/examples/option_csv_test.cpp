// The reader of option books in CSV (docs/examples/option_csv.hpp): what it reads, and what it says
// about files that are not a book.

#include "option_csv.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <random>
#include <string>
#include <string_view>
#include <vector>

namespace {

using namespace std::string_literals;
using example::book_error;
using example::option_columns;
using example::read_options;
using warpfold::pricing::option_kind;

/// The message with which read_options refuses a text; "" if it takes the text.
std::string complaint(std::string_view text) {
  try {
    (void)read_options(text, "b");
  } catch (book_error const& error) {
    return error.what();
  }
  return "";
}

constexpr char head[] = "spot,strike,expiry,rate,volatility\n";
constexpr char quoted_head[] = "kind,spot,strike,expiry,rate,volatility,market_price\n";

TEST_CASE("csv: a book with every column, in another order") {
  option_columns const book = read_options("market_price,kind,rate,expiry,dividend_yield,"
                                           "volatility,strike,spot\n"
                                           "10.5,put,-0.01,0.5,0.02,0.25,105,1e2\n"
                                           ",,0,1,,2e-1,99.5,100\n"
                                           "7,call,0.1,2,0,,100,100\n",
                                           "b");
  REQUIRE(book.size() == 3);
  CHECK(book.has_market_prices);
  CHECK(book.spot == std::vector<double>{100, 100, 100});
  CHECK(book.strike == std::vector<double>{105, 99.5, 100});
  CHECK(book.expiry == std::vector<double>{0.5, 1, 2});
  CHECK(book.rate == std::vector<double>{-0.01, 0, 0.1});
  CHECK(book.dividend_yield == std::vector<double>{0.02, 0, 0});
  CHECK(book.kind == std::vector{option_kind::put, option_kind::call, option_kind::call});
  CHECK(book.volatility[0] == 0.25);
  CHECK(book.volatility[1] == 0.2);
  CHECK(std::isnan(book.volatility[2]));
  CHECK(book.market_price[0] == 10.5);
  CHECK(std::isnan(book.market_price[1]));
  CHECK(book.market_price[2] == 7);
}

TEST_CASE("csv: ways to write the same book") {
  for (std::string const& text : {
           head + "1,2,3,4,5\n6,7,8,9,10\n"s,
           head + "1,2,3,4,5\n6,7,8,9,10"s, // no newline at the end
           "\xEF\xBB\xBF"s + head + "1,2,3,4,5\n6,7,8,9,10\n",
           "spot,strike,expiry,rate,volatility\r\n1,2,3,4,5\r\n6,7,8,9,10\r\n"s,
           "spot,strike,expiry,rate,volatility\r1,2,3,4,5\r6,7,8,9,10"s,
           "\n \n"s + head + "\n1,2,3,4,5\n\t\n\r\n6,7,8,9,10\n\n\n", // empty lines
           "\"spot\",strike,expiry,rate,volatility\n\"1\",2,3,4,\"5\"\n6,7,8,9,\"10\""s,
           " spot, strike ,expiry,rate,volatility\n1 , 2,\t3,4,5\n 6,7,8, \"9\" ,10 \n"s,
       }) {
    CAPTURE(text);
    option_columns const book = read_options(text, "b");
    CHECK(book.spot == std::vector<double>{1, 6});
    CHECK(book.strike == std::vector<double>{2, 7});
    CHECK(book.expiry == std::vector<double>{3, 8});
    CHECK(book.rate == std::vector<double>{4, 9});
    CHECK(book.volatility == std::vector<double>{5, 10});
    CHECK(book.dividend_yield == std::vector<double>{0, 0});
    CHECK(!book.has_market_prices);
  }
}

TEST_CASE("csv: a header alone is a book of no options") {
  CHECK(read_options(head, "b").size() == 0);
  CHECK(read_options("spot,strike,expiry,rate,market_price", "b").has_market_prices);
}

TEST_CASE("csv: complaints name the line, the cell and the cause") {
  struct sample {
    std::string text, expected;
  };
  std::string const columns = "spot, strike, expiry, rate, volatility, dividend_yield, kind, "
                              "market_price";
  std::string const begin = head, quoted = quoted_head;
  for (sample const& one : std::vector<sample>{
           // the header
           {"", "b:1:1: the file is empty: a header is missing"},
           {"\n \r\n\t", "b:1:1: the file is empty: a header is missing"},
           {"\xEF\xBB\xBF", "b:1:1: the file is empty: a header is missing"},
           {"spot,sprike\n", "b:1:2: column 'sprike' is not one of " + columns},
           {"Spot\n", "b:1:1: column 'Spot' is not one of " + columns},
           {"spot,,strike\n", "b:1:2: column '' is not one of " + columns},
           {"spot;strike\n", "b:1:1: column 'spot;strike' is not one of " + columns},
           {"\n\nspot,strike,spot\n", "b:3:3: column 'spot' is there already, as cell 1"},
           {"spot,strike,rate,volatility\n1,2,3,4\n", "b:1:5: there is no column 'expiry'"},
           {"spot,strike,rate,expiry\n", "b:1:5: there is no column 'volatility'"},
           {"\xFF\xFEs", "b:1:1: column '\\xff\\xfes' is not one of " + columns},
           {"1,2,3,4,5\n", "b:1:1: column '1' is not one of " + columns},
           // the number of cells
           {begin + "1,2,3,4\n", "b:2:5: the record ends here, but the header has 5 cells"},
           {begin + "1\n", "b:2:2: the record ends here, but the header has 5 cells"},
           {begin + "1,2,3,4,5,\n", "b:2:6: the header has 5 cells only"},
           {begin + "1,2,3,4,5\n1,2,3,4,5,6,7", "b:3:6: the header has 5 cells only"},
           {begin + ",\n", "b:2:3: the record ends here, but the header has 5 cells"},
           // numbers
           {begin + "1,abc,3,4,5\n", "b:2:2: strike: 'abc' is not a number"},
           {begin + "1,2,3,4,5\n1,2,3,4,5x\n", "b:3:5: volatility: '5x' is not a number"},
           {begin + "1 000,2,3,4,5\n", "b:2:1: spot: '1 000' is not a number"},
           {begin + "\"1,5\",2,3,4,5\n", "b:2:1: spot: '1,5' is not a number"},
           {begin + "1,2,3,4%,5\n", "b:2:4: rate: '4%' is not a number"},
           {begin + "\" 1\",2,3,4,5\n", "b:2:1: spot: ' 1' is not a number"},
           {begin + "1,0x10,3,4,5\n", "b:2:2: strike: '0x10' is not a number"},
           {begin + "1,--2,3,4,5\n", "b:2:2: strike: '--2' is not a number"},
           {begin + "1e,2,3,4,5\n", "b:2:1: spot: '1e' is not a number"},
           {begin + "1,,3,4,5\n", "b:2:2: strike: the cell is empty"},
           {begin + "1,2,3,4,\n", "b:2:5: the option has neither a volatility nor a market price"},
           {begin + "1e999,2,3,4,5\n", "b:2:1: spot: '1e999' is out of range"},
           {begin + "1,2,3,-1e999,5\n", "b:2:4: rate: '-1e999' is out of range"},
           {begin + "1e-999,2,3,4,5\n", "b:2:1: spot: '1e-999' is out of range"},
           {begin + "inf,2,3,4,5\n", "b:2:1: spot: 'inf' is not a finite number"},
           {begin + "1,2,3,nan,5\n", "b:2:4: rate: 'nan' is not a finite number"},
           {begin + "-1,2,3,4,5\n", "b:2:1: spot: '-1' is negative"},
           {begin + "1,2,3,4,-0.2\n", "b:2:5: volatility: '-0.2' is negative"},
           {begin + "1,2\0,3,4,5\n"s, "b:2:2: strike: '2\\x00' is not a number"},
           {begin + std::string(99, '7') + "x,2,3,4,5\n",
            "b:2:1: spot: '" + std::string(40, '7') + "...' is not a number"},
           // kinds and prices
           {quoted + "cal,1,2,3,4,5,6\n", "b:2:1: kind: 'cal' is neither call nor put"},
           {quoted + "put,1,2,3,4,,\n",
            "b:2:6: the option has neither a volatility nor a market price"},
           {"market_price,spot,strike,expiry,rate\n,1,2,3,4\n",
            "b:2:1: the option has neither a volatility nor a market price"},
           {quoted + "put,1,2,3,4,5,six\n", "b:2:7: market_price: 'six' is not a number"},
           // quotation marks, and lines within them
           {begin + "1,2\"2,3,4,5\n", "b:2:2: characters beside the quotation marks of a cell"},
           {begin + "1,\"2\"2,3,4,5\n", "b:2:2: characters beside the quotation marks of a cell"},
           {begin + "1,2,\"3,4,5\n1,2,3,4,5\n", "b:2:3: a quotation mark that is never closed"},
           {begin + "1,\"2\r\n\",x,4,5\n", "b:2:2: strike: '2\\x0d\\x0a' is not a number"},
           {"\"spot\n\",strike\n", "b:1:1: column 'spot\\x0a' is not one of " + columns},
           {quoted + "\"\n\n\",1,2,3,4,5,6\n", "b:2:1: kind: '\\x0a\\x0a' is neither call nor put"},
           {quoted + "\"call\",1,2,3,4,5,6\n\"call\",1,2,3,4,\"\n\",x\n",
            "b:3:6: volatility: '\\x0a' is not a number"},
           {"spot,strike,expiry,rate,volatility\r\n1,2,3,4,5\r\n\r\n1,2,3,4,five\r\n",
            "b:4:5: volatility: 'five' is not a number"},
           {begin + "1,2,3,4,5\r1,2,3,4,5\r1,2,3,4,five\r",
            "b:4:5: volatility: 'five' is not a number"},
       }) {
    CAPTURE(one.text);
    CHECK(complaint(one.text) == one.expected);
  }
}

TEST_CASE("csv: a place is where the cell begins, also among cells of several lines") {
  std::string const begin = head;
  CHECK(complaint(begin + "1,2,3,4,5,\"\n\"\n") == "b:2:6: the header has 5 cells only");
  CHECK(complaint(begin + "1,2,3,4,\"\n\n\",6,7\n") == "b:4:6: the header has 5 cells only");
  CHECK(complaint(begin + "1,\"\n\",3,\"\r\n\"\n") ==
        "b:4:5: the record ends here, but the header has 5 cells");
  CHECK(complaint(begin + "1,2,3,4,\"\n5\n") == "b:2:5: a quotation mark that is never closed");
  CHECK(complaint(begin + "\"1\n\"\n\"1") ==
        "b:3:2: the record ends here, but the header has 5 cells");
}

TEST_CASE("csv: numbers are read as they are meant") {
  option_columns const book = read_options(
      head + "0.1,1.7976931348623157e308,5e-324,-0,0\n.5,1.,1E2,-1e-3,0.30000000000000004\n"s, "b");
  CHECK(book.spot == std::vector<double>{0.1, 0.5});
  CHECK(book.strike == std::vector<double>{1.7976931348623157e308, 1});
  CHECK(book.expiry == std::vector<double>{5e-324, 100});
  CHECK(book.rate == std::vector<double>{0, -1e-3});
  CHECK(book.volatility == std::vector<double>{0, 0.30000000000000004});
}

TEST_CASE("csv: whatever the text, it is a book or a complaint that begins with a place") {
  unsigned const seed = std::random_device{}();
  CAPTURE(seed);
  std::mt19937 random(seed);
  std::string const good = quoted_head + "put,100,90,0.5,0.01,0.2,3\n\"call\",1,2,3,4,,6\n"s;
  std::string const bytes = ",,\"\"\n\r \t\0xe-1.5\xEF\xFF"s;
  int books = 0, complaints = 0;
  for (int i = 0; i < 20'000; ++i) {
    std::string text = good;
    for (unsigned changes = random() % 4 + 1; changes > 0; --changes) {
      std::size_t const at = random() % text.size();
      char const byte = bytes[random() % bytes.size()];
      switch (random() % 3) {
      case 0: text[at] = byte; break;
      case 1: text.insert(at, 1, byte); break;
      default: text.erase(at, random() % 3 + 1);
      }
    }
    CAPTURE(text);
    std::string const said = complaint(text);
    if (said.empty()) {
      ++books;
      option_columns const book = read_options(text, "b");
      CHECK(book.kind.size() == book.size());
      CHECK(book.market_price.size() == book.size());
    } else {
      ++complaints;
      std::size_t line = 0, cell = 0;
      REQUIRE(std::sscanf(said.c_str(), "b:%zu:%zu: ", &line, &cell) == 2);
      CHECK(line >= 1);
      CHECK(cell >= 1);
      CHECK(line <= 1 + std::size_t(std::count_if(text.begin(), text.end(),
                                                  [](char c) { return c == '\n' || c == '\r'; })));
    }
  }
  CHECK(books > 0);
  CHECK(complaints > 0);
}

} // namespace
