// The files that the example solve_field reads and writes, and the program (SOLVE_FIELD).

#include <files.hpp>
#include <npy.hpp>
#include <text_field.hpp>

#include <doctest/doctest.h>

#include <sys/wait.h>

#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <numbers>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace {

using namespace example;

template <class Read>
std::string refusal(Read read) {
  try {
    read();
  } catch (field_error const& error) {
    return error.what();
  }
  return "(nothing)";
}

/// A file of format 1.0 whose header is what is given.
std::string npy(std::string header, std::size_t bytes, char version = 1) {
  std::string contents("\x93NUMPY");
  contents +=
      {version, 0, static_cast<char>(header.size() % 256), static_cast<char>(header.size() / 256)};
  if (version > 1) contents += {0, 0};
  return contents + header + std::string(bytes, '\0');
}

template <class T>
std::vector<T> read_values(std::string const& contents, std::vector<std::size_t> const& shape) {
  field const read = read_npy(contents, "f");
  CHECK(read.shape == shape);
  return std::get<std::vector<T>>(read.values);
}

} // namespace

TEST_CASE_TEMPLATE("what is written as .npy is read", T, float, double) {
  std::vector<T> const values{1, T(-0.1), 3, T(1e30), 0, T(-0.)};
  for (std::vector<std::size_t> const& shape : {std::vector<std::size_t>{6}, {2, 3}, {3, 1, 2}}) {
    std::string const contents = npy_of(shape, std::span<T const>(values));
    CHECK(is_npy(contents));
    CHECK((contents.size() - values.size() * sizeof(T)) % 64 == 0);
    CHECK(contents[contents.size() - values.size() * sizeof(T) - 1] == '\n');
    CHECK(read_values<T>(contents, shape) == values);
  }
}

TEST_CASE("headers of .npy files in all their forms") {
  // As numpy.lib.format writes them, and as it reads them too.
  for (char const* const header :
       {"{'descr': '<f4', 'fortran_order': False, 'shape': (3,), }         \n",
        "{\"shape\":(3),'fortran_order':False,\"descr\":\"<f4\"}"})
    for (char const version : {'\1', '\2', '\3'})
      CHECK(read_values<float>(npy(header, 12, version), {3}) == std::vector<float>(3));
}

TEST_CASE("files that are no .npy, or not ours, are refused with the place") {
  auto const said = [](std::string const& contents) {
    return refusal([&] { read_npy(contents, "f"); });
  };
  auto const header = [](std::string_view descr, std::string_view order, std::string_view shape) {
    return std::string("{'descr': ") + std::string(descr) +
           ", 'fortran_order': " + std::string(order) + ", 'shape': " + std::string(shape) + "}";
  };
  std::string const right = header("'<f8'", "False", "(2, 2)");
  CHECK(said(npy(right, 32)) == "(nothing)");
  CHECK(said(npy(right, 31)) == "f: byte 98: truncated: 31 bytes of values, not 32");
  CHECK(said(npy(right, 33)) == "f: byte 100: too long: 33 bytes of values, not 32");
  CHECK(said("hello") == "f: byte 0: not a file of NumPy's: it does not begin with \\x93NUMPY");
  CHECK(said(npy(right, 32).substr(0, 7)) == "f: byte 7: the file ends within the header");
  CHECK(said(npy(right, 32).substr(0, 9)) == "f: byte 8: the file ends within the header");
  CHECK(said(npy(right, 32).substr(0, 30)) == "f: byte 10: the file ends within the header");
  CHECK(said(npy(right, 32, 4)) == "f: byte 8: format 4.0, not 1.0 to 3.0");
  CHECK(said(npy(header("'<i4'", "False", "(2, 2)"), 16)) ==
        "f: byte 20: numbers of type '<i4', not float32 ('<f4') or float64 ('<f8'): write "
        "array.astype('<f8') instead");
  CHECK(said(npy(header("'>f8'", "False", "(2, 2)"), 32)) ==
        "f: byte 20: numbers of type '>f8', not float32 ('<f4') or float64 ('<f8'): write "
        "array.astype('<f8') instead");
  CHECK(said(npy(header("[('a', '<f4')]", "False", "(2,)"), 8)) ==
        "f: byte 20: records, not float32 or float64");
  CHECK(said(npy(header("'<f8'", "True", "(2, 2)"), 32)) ==
        "f: byte 44: Fortran order: write numpy.ascontiguousarray(...) instead");
  CHECK(said(npy(header("'<f8'", "false", "(2, 2)"), 32)) == "f: byte 44: 'False' is missing here");
  CHECK(said(npy(header("'<f8'", "False", "()"), 8)) ==
        "f: byte 60: 0 dimensions, not one to three");
  CHECK(said(npy(header("'<f8'", "False", "(1,1,1,1)"), 8)) ==
        "f: byte 60: 4 dimensions, not one to three");
  CHECK(said(npy(header("'<f8'", "False", "(0, 2)"), 0)) == "f: byte 60: no values");
  CHECK(said(npy(header("'<f8'", "False", "(4294967296, 4294967296)"), 0)) ==
        "f: byte 60: more values than memory can have");
  CHECK(said(npy(header("'<f8'", "False", "(99999999999999999999,)"), 0)) ==
        "f: byte 80: too large");
  CHECK(said(npy(header("'<f8'", "False", "(-1,)"), 0)) == "f: byte 61: a number is missing here");
  CHECK(said(npy("{'descr': '<f8', 'shape': (1,)}", 8)) ==
        "f: byte 41: descr, fortran_order or shape is missing");
  CHECK(said(npy("{'descr': '<f8', 'name': (1,)}", 8)) == "f: byte 27: 'name' is not a key here");
  CHECK(said(npy("{'descr': '<f8", 8)) == "f: byte 21: a text without an end");
  CHECK(said(npy(right + " and", 32)) == "f: byte 68: something after the header's dictionary");
}

TEST_CASE("matrices as text") {
  auto const read = [](std::string_view text) { return read_text_field(text, "f"); };
  auto const values = [&](std::string_view text) {
    return std::get<std::vector<double>>(read(text).values);
  };
  std::vector<double> const six{1, -2.5, 3e-2, 4, 5, 6};
  for (char const* const text :
       {"1 -2.5 3e-2\n4 5 6\n", "1,-2.5,3e-2\n4,5,6", "\n1 ,\t-2.5, 0.03\r\n\r\n4,5,6\r\n"}) {
    CHECK(read(text).shape == std::vector<std::size_t>{2, 3});
    CHECK(values(text) == six);
  }
  CHECK(read("1 2 3").shape == std::vector<std::size_t>{3});
  CHECK(read("1\n2\n3\n").shape == std::vector<std::size_t>{3});
  auto const said = [&](std::string_view text) { return refusal([&] { read(text); }); };
  CHECK(said("") == "f:1:1: no numbers");
  CHECK(said(" \n\n") == "f:1:1: no numbers");
  CHECK(said("1 2\n\n3 4 5\n") == "f:3:3: 3 numbers, but 2 in line 1");
  CHECK(said("1 2\n3\n") == "f:2:1: 1 numbers, but 2 in line 1");
  CHECK(said("1 2\n3 x4\n") == "f:2:2: 'x4' is not a number");
  CHECK(said("1,2\n3,4z\n") == "f:2:2: '4z' is not a number");
  CHECK(said("1,,2\n") == "f:1:2: '' is not a number");
  CHECK(said("1,2,\n") == "f:1:3: '' is not a number");
  CHECK(said("1 1e999\n") == "f:1:2: '1e999' is not within the range of double");
}

TEST_CASE("solve_field solves, and says what is wrong") {
  namespace fs = std::filesystem;
  fs::path const here = fs::temp_directory_path() / ("solve_field." + std::to_string(getpid()));
  fs::create_directory(here);
  auto const path = [&](char const* name) { return (here / name).string(); };
  std::string said;
  auto const run = [&](std::string const& arguments) {
    std::string const line =
        std::string(SOLVE_FIELD) + " " + arguments + " >" + path("said") + " 2>&1";
    int const status = std::system(line.c_str());
    said = contents_of(path("said").c_str());
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
  };

  SUBCASE("a mode of each axis, in float") {
    // u = sin(pi y) cos(pi x / 2), 0 at y = 0 and 1, with derivative 0 at x = 0 and 2.
    std::vector<float> f, u;
    for (int j = 1; j <= 7; ++j)
      for (int i = 0; i < 10; ++i) {
        double const pi = std::numbers::pi, y = j / 8., x = (i + 0.5) / 5;
        double const value = std::sin(pi * y) * std::cos(pi * x / 2);
        u.push_back(static_cast<float>(value));
        f.push_back(static_cast<float>(-1.25 * pi * pi * value));
      }
    write_file(path("f.npy"), npy_of({7, 10}, std::span<float const>(f)));
    REQUIRE(run("--boundary=dirichlet,neumann --grid=nodes,cells --length=1,2 " + path("f.npy") +
                " " + path("u.npy")) == 0);
    CHECK(said == "");
    auto const solution = read_values<float>(contents_of(path("u.npy").c_str()), {7, 10});
    for (std::size_t i = 0; i < u.size(); ++i) CHECK(std::abs(solution[i] - u[i]) < 2e-6f);
  }
  SUBCASE("a constant as text") {
    write_file(path("f.txt"), "1 1 1");
    // u'' = 1 on a length of 4: x (x - 4) / 2.
    REQUIRE(run("--boundary=dirichlet --length=4 --symbol=second-order " + path("f.txt") + " " +
                path("u.npy")) == 0);
    auto const solution = read_values<double>(contents_of(path("u.npy").c_str()), {3});
    for (std::size_t i = 0; i < 3; ++i) CHECK(std::abs(solution[i] - (i == 1 ? -2 : -1.5)) < 1e-14);
    REQUIRE(run(path("f.txt") + " " + path("u.npy")) == 0);
    CHECK(said == "the mean of the right-hand side was removed: 1\n");
  }
  SUBCASE("what overflows leaves no output") {
    auto const refused = [&](char const* file, std::string const& begin, std::string const& end) {
      CAPTURE(said);
      CHECK(said.starts_with("solve_field: " + path(file) + begin));
      CHECK(said.ends_with(end + "; scale the right-hand side\n"));
      CHECK_FALSE(fs::exists(path("u.npy")));
    };
    // The sums of these are beyond the range: of a mode, and of the mean.
    for (char const* const text : {"1e308 -1e308 1e308 -1e308", "1.7e308 1.7e308 1.7e308"}) {
      write_file(path("f.txt"), text);
      CHECK(run(path("f.txt") + " " + path("u.npy")) == 1);
      refused("f.txt", ": ", "too large for double");
    }
    std::vector<float> const large{3e38f, -3e38f, 3e38f, -3e38f};
    write_file(path("f.npy"), npy_of({2, 2}, std::span(large)));
    CHECK(run(path("f.npy") + " " + path("u.npy")) == 1);
    refused("f.npy", ": solution[0, 0] is not finite: ", "too large for float");
    // A solution that is too large itself: u'' = 1 on a long axis.
    write_file(path("f.txt"), "1e300 1e300");
    CHECK(run("--boundary=dirichlet --length=1e10 " + path("f.txt") + " " + path("u.npy")) == 1);
    refused("f.txt", ": solution[0] is not finite: ", "too large for double");
    write_file(path("f.txt"), "1e307 -1e307 1e307 -1e307");
    CHECK(run(path("f.txt") + " " + path("u.npy")) == 0);
  }
  SUBCASE("bad files and bad commands leave no output") {
    write_file(path("f.txt"), "1 2\n3\n");
    CHECK(run(path("f.txt") + " " + path("u.npy")) == 1);
    CHECK(said == "solve_field: " + path("f.txt") + ":2:1: 1 numbers, but 2 in line 1\n");
    write_file(path("f.txt"), "1 2\n3 nan\n");
    CHECK(run(path("f.txt") + " " + path("u.npy")) == 1);
    CHECK(said == "solve_field: " + path("f.txt") + ": value[1, 1] is not finite\n");
    CHECK(run(path("none") + " " + path("u.npy")) == 1);
    write_file(path("f.txt"), "1 2\n3 4\n");
    for (char const* const option :
         {"", "--length=1,2,3 ", "--length=a ", "--boundary=both ", "--grid=none ", "--lambda=1x ",
          "--symbol=third ", "--gauge=none ", "--place=there ", "--other=1 ", "--lambda "}) {
      CAPTURE(option);
      CHECK(run(option + (*option ? path("f.txt") + " " + path("u.npy") : path("f.txt"))) == 2);
      CHECK(said.find("usage: ") != said.npos);
    }
    CHECK(run("--grid=none " + path("f.txt") + " " + path("u.npy")) == 2);
    CHECK(said.starts_with("solve_field: --grid: 'none' is not one of nodes, cells\n"));
    CHECK(run("--grid cells " + path("f.txt") + " " + path("u.npy")) == 2);
    CHECK(said.starts_with("solve_field: --grid: no value; write --grid=VALUE\n"));
    CHECK(run("-g " + path("f.txt") + " " + path("u.npy")) == 2);
    CHECK(said.starts_with("solve_field: -g: no such option\n"));
    CHECK(run("--help") == 0);
    CHECK(said.starts_with("usage: "));
    write_file(path("f.npz"), "PK\x03\x04...");
    CHECK(run(path("f.npz") + " " + path("u.npy")) == 1);
    CHECK(said.find("f.npz: an archive, as of numpy.savez; write one") != said.npos);
    CHECK(run("--length=-1 " + path("f.txt") + " " + path("u.npy")) == 1);
    CHECK(said.find("length") != said.npos);
    CHECK_FALSE(fs::exists(path("u.npy")));
  }
  fs::remove_all(here);
}
