// Solves Poisson's equation for a right-hand side in a file: NumPy's .npy, or a matrix as text. The
// solution is written as .npy, in the type of the right-hand side (text is read as double).

#include "files.hpp"
#include "npy.hpp"
#include "text_field.hpp"

#include <warpfold/poisson.hpp>
#include <warpfold/warpfold.hpp>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstddef>
#include <cstdio>
#include <exception>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <system_error>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

namespace {

namespace poisson = warpfold::poisson;

constexpr char const* usage =
    "usage: solve_field [OPTION=VALUE ...] INPUT OUTPUT.npy\n"
    "  --length=1            of each axis, the slowest in memory first: 1 or 2,0.5\n"
    "  --boundary=periodic   periodic, dirichlet, neumann, dirichlet-neumann or neumann-dirichlet\n"
    "  --grid=nodes          nodes or cells\n"
    "  --symbol=spectral     spectral, second-order or fourth-order\n"
    "  --lambda=0            solves Laplacian(u) - lambda u = f\n"
    "  --gauge=zero-mean     zero-mean or first-point\n"
    "  --place=              gpu or host; if not given, a GPU where there is one\n"
    "Lengths, boundaries and grids: one for all axes, or one each, separated by commas.\n";

struct command {
  std::string input, output;
  std::vector<std::string> length{"1"}, boundary{"periodic"}, grid{"nodes"};
  std::string symbol = "spectral", lambda = "0", gauge = "zero-mean", place;
};

/// What is wrong with the command line.
class usage_error : public std::runtime_error {
public:
  using std::runtime_error::runtime_error;
};

std::vector<std::string> split(std::string_view text) {
  std::vector<std::string> parts;
  for (std::size_t end = 0; end != text.npos;) {
    end = text.find(',');
    parts.emplace_back(text.substr(0, end));
    text.remove_prefix(end == text.npos ? text.size() : end + 1);
  }
  return parts;
}

command read_command(std::span<char* const> arguments) {
  command all;
  std::vector<std::string> files;
  for (std::string_view const argument : arguments) {
    if (!argument.starts_with("-")) {
      files.emplace_back(argument);
      continue;
    }
    std::size_t const equals = argument.find('=');
    if (!argument.starts_with("--")) throw usage_error(std::string(argument) + ": no such option");
    if (equals == argument.npos)
      throw usage_error(std::string(argument) + ": no value; write " + std::string(argument) +
                        "=VALUE");
    std::string_view const name = argument.substr(2, equals - 2);
    std::string const value(argument.substr(equals + 1));
    if (name == "length") all.length = split(value);
    else if (name == "boundary") all.boundary = split(value);
    else if (name == "grid") all.grid = split(value);
    else if (name == "symbol") all.symbol = value;
    else if (name == "lambda") all.lambda = value;
    else if (name == "gauge") all.gauge = value;
    else if (name == "place") all.place = value;
    else throw usage_error(std::string(argument) + ": no such option");
  }
  if (files.size() != 2) throw usage_error("an input and an output are wanted");
  all.input = files[0];
  all.output = files[1];
  return all;
}

double number_of(std::string const& text, std::string const& option) {
  double value = 0;
  char const* const end = text.data() + text.size();
  auto const [parsed, status] = std::from_chars(text.data(), end, value);
  if (status != std::errc{} || parsed != end)
    throw usage_error("--" + option + ": '" + text + "' is not a number");
  return value;
}

template <class Value>
using choices = std::vector<std::pair<std::string_view, Value>>;

template <class Value>
Value chosen(std::string const& text, std::string const& option, choices<Value> const& among) {
  std::string names;
  for (auto const& [name, value] : among) {
    if (name == text) return value;
    (names += names.empty() ? "" : ", ") += name;
  }
  throw usage_error("--" + option + ": '" + text + "' is not one of " + names);
}

/// The one of an axis.
std::string const& part(std::vector<std::string> const& parts, std::size_t axis, std::size_t axes,
                        std::string const& option) {
  if (parts.size() != 1 && parts.size() != axes)
    throw usage_error("--" + option + ": " + std::to_string(parts.size()) + " values for " +
                      std::to_string(axes) + " axes");
  return parts[parts.size() == 1 ? 0 : axis];
}

poisson::problem problem_of(command const& asked, std::vector<std::size_t> const& shape) {
  using poisson::boundary, poisson::symbol, poisson::gauge, poisson::grid;
  using ends = std::pair<boundary, boundary>;
  constexpr auto dirichlet = boundary::dirichlet, neumann = boundary::neumann;
  choices<ends> const boundaries{{"periodic", {boundary::periodic, boundary::periodic}},
                                 {"dirichlet", {dirichlet, dirichlet}},
                                 {"neumann", {neumann, neumann}},
                                 {"dirichlet-neumann", {dirichlet, neumann}},
                                 {"neumann-dirichlet", {neumann, dirichlet}}};
  poisson::problem of;
  for (std::size_t d = 0; d < shape.size(); ++d) {
    auto const [lower, upper] =
        chosen(part(asked.boundary, d, shape.size(), "boundary"), "boundary", boundaries);
    of.axes.push_back({.points = shape[d],
                       .length = number_of(part(asked.length, d, shape.size(), "length"), "length"),
                       .lower = lower,
                       .upper = upper,
                       .grid = chosen<grid>(part(asked.grid, d, shape.size(), "grid"), "grid",
                                            {{"nodes", grid::nodes}, {"cells", grid::cells}})});
  }
  of.lambda = number_of(asked.lambda, "lambda");
  of.symbol = chosen<symbol>(asked.symbol, "symbol",
                             {{"spectral", symbol::spectral},
                              {"second-order", symbol::second_order},
                              {"fourth-order", symbol::fourth_order}});
  of.gauge = chosen<gauge>(asked.gauge, "gauge",
                           {{"zero-mean", gauge::zero_mean}, {"first-point", gauge::first_point}});
  return of;
}

template <class T>
struct solved {
  std::vector<T> solution;
  T removed_mean;
};

// [example]
/// Laplacian(u) - lambda u = f, as the problem says, on a GPU.
template <class T>
solved<T> solve_on(warpfold::gpu& place, poisson::problem const& of, std::vector<T> const& rhs) {
  poisson::solver<T, warpfold::gpu> solver(place, of);
  warpfold::device_buffer<T> u(place, std::span<T const>(rhs)), mean(place, 1);
  poisson::fields<T, warpfold::gpu> fields{.rhs = u, .solution = u}; // in place
  fields.removed_mean = mean;
  solver.solve(fields);
  return {to_vector(place, u.span()), to_vector(place, mean.span())[0]};
}

/// The same on the host.
template <class T>
solved<T> solve_on(warpfold::host& place, poisson::problem const& of, std::vector<T> const& rhs) {
  poisson::solver<T, warpfold::host> solver(place, of);
  solved<T> result{rhs, 0};
  poisson::fields<T, warpfold::host> fields{.rhs = result.solution, .solution = result.solution};
  fields.removed_mean = std::span<T>(&result.removed_mean, 1);
  solver.solve(fields);
  return result;
}
// [example]

warpfold::any_place place_of(std::string const& name) {
  if (name.empty()) return warpfold::default_place();
  if (chosen<bool>(name, "place", {{"gpu", true}, {"host", false}})) return warpfold::gpu();
  return warpfold::host();
}

/// Where a value stands in an array of that shape, as NumPy writes it: [2, 0].
std::string index_text(std::size_t index, std::vector<std::size_t> const& shape) {
  std::string text = "]";
  for (std::size_t d = shape.size(); d-- > 0; index /= shape[d])
    text.insert(0, (d == 0 ? "[" : ", ") + std::to_string(index % shape[d]));
  return text;
}

template <class T>
void check_finite(std::string const& what, std::vector<T> const& values,
                  std::vector<std::size_t> const& shape, std::string const& why = "") {
  auto const bad = std::ranges::find_if_not(values, [](T x) { return std::isfinite(x); });
  if (bad == values.end()) return;
  auto const index = static_cast<std::size_t>(bad - values.begin());
  throw example::field_error(what + index_text(index, shape) + " is not finite" + why);
}

/// The right-hand side may be finite, and a sum of it not.
template <class T>
void check_finite(std::string const& file, solved<T> const& result,
                  std::vector<std::size_t> const& shape) {
  std::string const why = std::string(": it, or a sum on the way to it, is too large for ") +
                          (std::is_same_v<T, float> ? "float" : "double") +
                          "; scale the right-hand side";
  check_finite(file + ": solution", result.solution, shape, why);
  check_finite(file + ": mean", std::vector<T>{result.removed_mean}, {1}, why);
}

} // namespace

int main(int argc, char** argv) try {
  for (std::string_view const argument : std::span(argv, argv + argc))
    if (argument == "--help" || argument == "-h") {
      std::fputs(usage, stdout);
      return 0;
    }
  command const asked = read_command({argv + 1, argv + argc});
  std::string const contents = example::contents_of(asked.input.c_str());
  if (contents.starts_with("PK\x03\x04"))
    throw example::field_error(asked.input + ": an archive, as of numpy.savez; write one array by "
                                             "numpy.save instead");
  example::field const rhs = example::is_npy(contents)
                                 ? example::read_npy(contents, asked.input)
                                 : example::read_text_field(contents, asked.input);
  poisson::problem const of = problem_of(asked, rhs.shape);
  warpfold::any_place place = place_of(asked.place);
  std::visit(
      [&](auto& on, auto const& values) {
        check_finite(asked.input + ": value", values, rhs.shape);
        auto const result = solve_on(on, of, values);
        check_finite(asked.input, result, rhs.shape);
        example::write_file(asked.output, example::npy_of(rhs.shape, std::span(result.solution)));
        if (is_singular(of))
          std::printf("the mean of the right-hand side was removed: %.9g\n",
                      static_cast<double>(result.removed_mean));
      },
      place, rhs.values);
  return 0;
} catch (usage_error const& failure) {
  std::fprintf(stderr, "solve_field: %s\n%s", failure.what(), usage);
  return 2;
} catch (std::exception const& failure) {
  std::fprintf(stderr, "solve_field: %s\n", failure.what());
  return 1;
}
