// Prices a book of products on simulated paths, with Greeks, and says what ten days may cost it.
// product_csv.hpp says what the files look like.
//
// Rows on the same assets, with the same times and of kinds that one verb prices are simulated
// together. Such groups have numbers of their own, so their errors are independent.

#include "files.hpp"
#include "product_csv.hpp"
#include "product_groups.hpp"
#include "product_risk.hpp"

#include <warpfold/warpfold.hpp>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <exception>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <system_error>
#include <variant>
#include <vector>

namespace {

namespace pricing = warpfold::pricing;
using example::engine, example::group, example::move, example::product, example::two_deviations;
using estimates = std::vector<pricing::estimate>;

struct greek {
  double value = 0, error = 0;
};

/// A row's results. Lists have an element for each asset.
struct priced {
  pricing::estimate price;
  std::vector<greek> delta, vega;
  greek rho;
  std::vector<double> slope, curvature; ///< in the spot, over two deviations of the horizon
};

/// A group's rows as products of the library.
template <class ProductOf>
auto book_of(group const& rows, ProductOf const& product_of) {
  std::vector<decltype(product_of(rows.first()))> book;
  for (product const* const row : rows.rows) book.push_back(product_of(*row));
  return book;
}

// ---- contracts and schedules on one asset -------------------------------------------------------

// [example]
/// Prices and Greeks of contracts, or of products with a schedule, on one asset.
template <class Place, class Product>
std::vector<priced> price_on_one(Place& place, group const& rows, std::vector<Product> const& book,
                                 pricing::simulation_options const& options) {
  example::asset const& asset = *rows.assets[0];
  auto const model = rows.moved(std::vector<move>(1))[0];
  std::size_t const size = book.size();
  estimates value(size), delta(size), vega(size), rho(size), slope(size), curvature(size);
  pricing::simulate<double>(place, model, book,
                            {.value = value, .delta = delta, .vega = vega, .rho = rho}, options);
  // Over ten days' moves, for the risk: the parabola through three prices.
  pricing::simulate<double>(place, model, book, {.delta = slope, .gamma = curvature}, options,
                            {.spot = two_deviations(asset)});
  auto const greek_of = [](pricing::estimate const& of) {
    return greek{of.value, of.standard_error};
  };
  std::vector<priced> found;
  for (std::size_t i = 0; i < size; ++i)
    found.push_back({.price = value[i],
                     .delta = {greek_of(delta[i])},
                     .vega = {greek_of(vega[i])},
                     .rho = greek_of(rho[i]),
                     .slope = {slope[i].value},
                     .curvature = {curvature[i].value}});
  return found;
}
// [example]

// ---- several assets, and early exercise ---------------------------------------------------------

/// Prices of rows on several assets, or with early exercise, where the assets are moved.
template <class Place>
estimates prices_of(Place& place, group const& rows, std::span<move const> by,
                    pricing::simulation_options const& options) {
  estimates prices(rows.rows.size());
  auto const models = rows.moved(by);
  switch (engine_of(rows.first().kind)) {
  case engine::exercise: {
    auto const book = book_of(rows, example::bermudan_of);
    std::vector<pricing::exercise_estimate> found(book.size());
    pricing::simulate<double>(place, models[0], book, found, options);
    std::ranges::transform(found, prices.begin(), &pricing::exercise_estimate::price);
    break;
  }
  case engine::schedules: {
    // The worst of the assets' performances, which count from the spots that are not moved.
    std::vector<double> weights;
    for (move const& one : by) weights.push_back(one.spot);
    auto const book =
        book_of(rows, [](product const& row) { return example::schedule_of(row, 1); });
    pricing::simulate<double>(place,
                              pricing::basket_index{.assets = models,
                                                    .correlation = rows.correlation,
                                                    .weights = weights},
                              book, prices, options);
    break;
  }
  default:
    pricing::simulate<double>(place, pricing::basket{models, rows.correlation},
                              book_of(rows, example::basket_contract_of), prices, options);
  }
  return prices;
}

/// Derivatives of the rows' prices by differences of prices on the same paths, `size` to both
/// sides. Batches of paths with numbers of their own say how much they vary.
template <class Place, class Moved>
std::vector<greek> differences(Place& place, group const& rows, double size, Moved const& moved_by,
                               pricing::simulation_options options) {
  constexpr std::uint64_t batches = 16;
  if (options.regression_paths == 0) // a batch learns exercise from as many as all of them
    options.regression_paths = std::min<std::uint64_t>(options.paths, 1 << 18);
  options.paths = std::max<std::uint64_t>(options.paths / batches / 2 * 2, 2); // pairs
  std::vector<greek> found(rows.rows.size());
  std::vector<double> squares(rows.rows.size());
  for (std::uint64_t batch = 0; batch < batches; ++batch, ++options.stream) {
    auto const up = prices_of(place, rows, moved_by(size), options);
    auto const down = prices_of(place, rows, moved_by(-size), options);
    for (std::size_t i = 0; i < found.size(); ++i) {
      double const slope = (up[i].value - down[i].value) / (2 * size);
      double const before = found[i].value;
      found[i].value += (slope - before) / static_cast<double>(batch + 1);
      squares[i] += (slope - before) * (slope - found[i].value);
    }
  }
  for (std::size_t i = 0; i < found.size(); ++i)
    found[i].error = std::sqrt(squares[i] / (batches * (batches - 1)));
  return found;
}

template <class Place>
std::vector<priced> price_by_differences(Place& place, group const& rows,
                                         pricing::simulation_options const& options) {
  std::size_t const assets = rows.assets.size();
  std::vector<move> const here(assets);
  estimates const prices = prices_of(place, rows, here, options);
  std::vector<priced> found(prices.size());
  for (std::size_t i = 0; i < found.size(); ++i) found[i].price = prices[i];

  for (std::size_t k = 0; k < assets; ++k) {
    double const spot = rows.assets[k]->spot;
    auto const spot_moved = [&](double by) {
      auto moves = here;
      moves[k].spot += by / spot;
      return moves;
    };
    auto const volatility_moved = [&](double by) {
      auto moves = here;
      moves[k].volatility = by;
      return moves;
    };
    auto const deltas = differences(place, rows, 0.01 * spot, spot_moved, options);
    double const least = std::ranges::min(rows.assets[k]->volatility.values);
    auto const vegas =
        differences(place, rows, std::min(0.01, least / 2), volatility_moved, options);
    double const far = two_deviations(*rows.assets[k]) * spot;
    estimates const up = prices_of(place, rows, spot_moved(far), options),
                    down = prices_of(place, rows, spot_moved(-far), options);
    for (std::size_t i = 0; i < found.size(); ++i) {
      found[i].delta.push_back(deltas[i]);
      found[i].vega.push_back(vegas[i]);
      found[i].slope.push_back((up[i].value - down[i].value) / (2 * far));
      found[i].curvature.push_back((up[i].value - 2 * prices[i].value + down[i].value) /
                                   (far * far));
    }
  }
  auto const rate_moved = [&](double by) { return std::vector<move>(assets, {.rate = by}); };
  auto const rhos = differences(place, rows, 0.001, rate_moved, options);
  for (std::size_t i = 0; i < found.size(); ++i) found[i].rho = rhos[i];
  return found;
}

template <class Place>
std::vector<priced> price(Place& place, group const& rows,
                          pricing::simulation_options const& options) {
  engine const by = engine_of(rows.first().kind);
  if (by == engine::contracts)
    return price_on_one(place, rows, book_of(rows, example::contract_of), options);
  if (by == engine::schedules && rows.assets.size() == 1) {
    auto const from_spot = [&](product const& row) {
      return example::schedule_of(row, rows.assets[0]->spot);
    };
    return price_on_one(place, rows, book_of(rows, from_spot), options);
  }
  return price_by_differences(place, rows, options);
}

// ---- results ------------------------------------------------------------------------------------

/// Numbers below 1e-9 are rounding, and print as 0.
std::string text_of(double number, int digits = 6) {
  if (std::abs(number) < 1e-9) number = 0;
  std::array<char, 32> text;
  auto const end = std::to_chars(text.data(), text.data() + text.size(), number,
                                 std::chars_format::general, digits);
  return {text.data(), end.ptr};
}

/// A cell, in quotation marks if it needs them.
std::string quoted(std::string const& text) {
  if (text.find_first_of(",\"\r\n") == text.npos && text.find_first_of(" \t") != 0) return text;
  std::string cell = "\"";
  for (char const c : text) (cell += c == '"' ? "\"" : "") += c;
  return cell + '"';
}

/// A value and its error, or lists of them.
void add_greeks(std::string& line, std::span<greek const> all) {
  std::string values, errors;
  for (greek const& one : all) {
    (values += values.empty() ? "" : " ") += text_of(one.value, 5);
    (errors += errors.empty() ? "" : " ") += text_of(one.error, 2);
  }
  line += ',' + values + ',' + errors;
}

/// A line for a product. Known prices are compared in standard errors.
std::string line_of(product const& row, priced const& found) {
  pricing::estimate const& price = found.price;
  std::string line = quoted(row.name) + ',' + text_of(row.quantity, 15) + ',' +
                     text_of(price.value) + ',' + text_of(price.standard_error, 2) + ',' +
                     text_of(price.lower) + ',' + text_of(price.upper);
  add_greeks(line, found.delta);
  add_greeks(line, found.vega);
  add_greeks(line, {&found.rho, 1});
  line += ',' + text_of(row.quantity * price.value, 9) + ',';
  if (std::isnan(row.published) || price.standard_error == 0)
    return line + (std::isnan(row.published) ? "" : text_of(row.published, 9)) + ",\n";
  std::array<char, 32> apart;
  std::snprintf(apart.data(), apart.size(), "%.2f",
                (price.value - row.published) / price.standard_error);
  return line + text_of(row.published, 9) + ',' + apart.data() + '\n';
}

struct request {
  bool on_host = false;
  std::uint64_t paths = 1 << 18, seed = 1;
  std::vector<char const*> files;
};

/// Nothing if the arguments make no sense.
std::optional<request> request_of(std::span<char* const> arguments) {
  request found;
  for (std::string_view const one : arguments) {
    bool const is_paths = one.starts_with("--paths=");
    if (one == "--host") found.on_host = true;
    else if (is_paths || one.starts_with("--seed=")) {
      std::string_view const digits = one.substr(one.find('=') + 1);
      auto const [last, status] = std::from_chars(digits.data(), digits.data() + digits.size(),
                                                  is_paths ? found.paths : found.seed);
      if (status != std::errc() || last != one.data() + one.size()) return {};
    } else if (one.starts_with("-")) return {};
    else found.files.push_back(one.data());
  }
  bool const are_pairs = found.paths >= 2 && found.paths % 2 == 0;
  if (!are_pairs || found.files.size() < 2 || found.files.size() > 3) return {};
  return found;
}

} // namespace

int main(int argc, char** argv) try {
  constexpr char usage[] =
      "usage: price_products [--host] [--paths=EVEN] [--seed=N] PRODUCTS.csv CURVES.csv "
      "[OUTPUT.csv]\n"
      "Prices, standard errors and sensitivities of a book of products by Monte Carlo, of\n"
      "262144 paths each if you do not say how many. --host: not on a GPU.\n";
  std::span const arguments = std::span(argv, static_cast<std::size_t>(argc)).subspan(1);
  if (std::ranges::find(arguments, std::string_view("--help")) != arguments.end())
    return example::write(stdout, usage) ? 0 : 1;
  auto const asked = request_of(arguments);
  if (!asked) {
    std::fputs(usage, stderr);
    return 2;
  }
  auto const& files = asked->files;
  auto const market = example::read_market(example::contents_of(files[1]), files[1]);
  auto const book = example::read_products(example::contents_of(files[0]), files[0], market);
  try {
    (void)example::factor_of(market);
  } catch (std::runtime_error const& error) {
    throw std::runtime_error(std::string(files[1]) + ": " + error.what());
  }
  if (files.size() == 3) example::check_output(files[2], std::span(files).first(2));
  warpfold::any_place place = asked->on_host ? warpfold::host() : warpfold::default_place();

  std::vector<std::string> lines(book.size());
  std::vector<double> slope(market.assets.size()), curvature(market.assets.size());
  double total = 0, variance = 0;
  std::size_t done = 0;
  pricing::simulation_options options{
      .paths = asked->paths, .seed = asked->seed, .antithetic = true};
  for (group const& rows : example::groups_of(book, market)) {
    product const& first = rows.first();
    options.times = first.times;
    std::vector<priced> found;
    try {
      found = std::visit([&](auto& one) { return price(one, rows, options); }, place);
    } catch (warpfold::argument_error const& error) {
      throw std::runtime_error(std::string(files[0]) + ":" + std::to_string(first.line) + ": " +
                               first.name + ", or a row that is priced with it: " + error.what());
    }
    options.stream += 1 << 16;
    double error = 0;
    for (std::size_t i = 0; i < found.size(); ++i) {
      product const& row = *rows.rows[i];
      lines[static_cast<std::size_t>(&row - book.data())] = line_of(row, found[i]);
      total += row.quantity * found[i].price.value;
      error += std::abs(row.quantity) * found[i].price.standard_error;
      for (std::size_t k = 0; k < row.assets.size(); ++k) {
        slope[row.assets[k]] += row.quantity * found[i].slope[k];
        curvature[row.assets[k]] += row.quantity * found[i].curvature[k];
      }
    }
    variance += error * error;
    done += found.size();
    std::fprintf(stderr, "%zu of %zu rows\n", done, book.size());
  }

  std::string text = "name,quantity,price,standard_error,lower,upper,delta,delta_error,vega,"
                     "vega_error,rho,rho_error,value,published,errors_apart\n";
  for (std::string const& line : lines) text += line;
  text += "total,,," + text_of(std::sqrt(variance), 2) + ",,,,,,,,," + text_of(total, 9) + ",,\n";
  auto const risk = example::risk_of(market, slope, curvature, asked->seed);
  std::string const losses = "ten days, " + text_of(100 * example::risk_level) +
                             " %: value at risk " + text_of(risk.value_at_risk, 5) + " in [" +
                             text_of(risk.lower, 5) + ", " + text_of(risk.upper, 5) +
                             "], expected shortfall " + text_of(risk.expected_shortfall, 5) +
                             " +- " + text_of(risk.standard_error, 2) + "\n";
  if (files.size() == 3) example::write_file(files[2], text);
  if (!example::write(stdout, files.size() == 3 ? losses : text + losses))
    example::fail("standard output");
  return 0;
} catch (std::exception const& failure) {
  std::fprintf(stderr, "price_products: %s\n", failure.what());
  return 1;
}
