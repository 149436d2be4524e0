// docs/examples/product_csv.hpp: a market and a book, the same with other ends of lines and empty
// ones between, or a complaint's place. A file is the curves, then a zero byte, then the products.

#include "fuzz.hpp"

#include <product_csv.hpp>

#include <cmath>
#include <string>

namespace {

struct files {
  std::string_view curves, products;
};

void check_refusal(example::book_error const& error, std::string_view text) {
  std::size_t lines = 1, commas = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    lines += text[i] == '\n' || (text[i] == '\r' && text.substr(i, 2) != "\r\n");
    commas += text[i] == ',';
  }
  check_place(error.what(), lines, commas + 1);
}

std::string with_crlf(std::string_view text) {
  std::string result;
  for (char const c : text) (result += c == '\n' ? "\r" : "") += c;
  return result + "\r\n \r\n";
}

void check_curve(example::pieces const& one) {
  std::size_t const values = one.values.size();
  check(values == one.times.size() || values == one.times.size() + 1, "a value for each piece");
  for (std::size_t i = 0; i < one.times.size(); ++i)
    check(one.times[i] > (i == 0 ? 0 : one.times[i - 1]), "times increase from 0");
  for (double const value : one.values) check(std::isfinite(value), "values are finite");
}

void check_market(example::market const& all) {
  std::size_t const count = all.assets.size();
  check(count <= 64 && all.correlation.size() == count * count, "a matrix of the assets");
  for (auto const& one : all.assets) {
    check(one.spot > 0 && std::isfinite(one.spot) && !one.name.empty(), "a spot and a name");
    for (double const value : one.volatility.values)
      check(value > 0 && value <= 2.5, "a volatility is above 0");
    for (auto const* const curve : {&one.rate, &one.dividend_yield, &one.volatility}) {
      check(!curve->values.empty(), "a curve has a value");
      check_curve(*curve);
    }
  }
  for (std::size_t i = 0; i < count; ++i)
    for (std::size_t j = 0; j < count; ++j) {
      double const value = all.correlation[i * count + j];
      check(std::abs(value) <= 1 && (i != j || value == 1), "correlations are in [-1, 1]");
      check(value == all.correlation[j * count + i], "and symmetric");
    }
}

void check_product(example::product const& one, example::market const& curves) {
  using enum example::product_kind;
  check(!one.name.empty() && std::isfinite(one.quantity), "a name and a quantity");
  check(!one.assets.empty() && one.assets.size() <= 16, "some assets");
  for (std::size_t const asset : one.assets) check(asset < curves.assets.size(), "known ones");
  std::size_t const times = one.times.size();
  check(1 <= times && times <= 4096, "some times");
  for (std::size_t i = 0; i < times; ++i)
    check(std::isfinite(one.times[i]) && one.times[i] > (i == 0 ? 0 : one.times[i - 1]),
          "times increase from 0");
  bool const calls = one.kind == autocallable || one.kind == phoenix;
  check(one.levels.size() == (calls ? times : 0), "a level a time");
  check(one.payments.size() == (one.kind == autocallable ? times : 0), "a payment a time");
  bool const several = one.kind == basket || one.kind == best_of || one.kind == worst_of ||
                       one.kind == geometric_basket;
  check(one.weights.size() == (several ? one.assets.size() : 0), "a weight an asset");
  for (double const level : one.levels) check(level >= 0, "a level is not negative");
  check(one.knock_in >= 0 && one.coupon_level >= 0 && one.floor <= one.cap, "levels are");
}

} // namespace

int LLVMFuzzerTestOneInput(std::uint8_t const* data, std::size_t size) {
  std::string_view const text = text_of(data, size);
  std::size_t const cut = std::min(text.find('\0'), text.size());
  files const are{text.substr(0, cut), text.substr(std::min(cut + 1, text.size()))};
  example::market curves;
  try {
    curves = example::read_market(are.curves, "f");
  } catch (example::book_error const& error) {
    check_refusal(error, are.curves);
    return 0;
  }
  check_market(curves);
  check(example::read_market(with_crlf(are.curves), "f").correlation == curves.correlation,
        "the market is the same, with other ends of lines");
  std::vector<example::product> book;
  try {
    book = example::read_products(are.products, "f", curves);
  } catch (example::book_error const& error) {
    check_refusal(error, are.products);
    return 0;
  }
  for (auto const& one : book) check_product(one, curves);
  auto const again = example::read_products(with_crlf(are.products), "f", curves);
  check(again.size() == book.size(), "the book is as long, with other ends of lines");
  for (std::size_t i = 0; i < book.size(); ++i) {
    check(again[i].kind == book[i].kind && again[i].quantity == book[i].quantity &&
              again[i].assets == book[i].assets && again[i].side == book[i].side,
          "and the same");
    check(same(again[i].times, book[i].times) && same(again[i].levels, book[i].levels) &&
              same(again[i].payments, book[i].payments) && same(again[i].weights, book[i].weights),
          "with the same lists");
  }
  return 0;
}
