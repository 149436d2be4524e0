#pragma once
// Arrays of float and double in NumPy's file format: R. Kern, "NEP 1 - A simple file format for
// NumPy arrays", 2007, versions 1.0 to 3.0.

#include "shown.hpp"

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <type_traits>
#include <variant>
#include <vector>

namespace example {

static_assert(std::endian::native == std::endian::little, "files hold little-endian numbers");

/// What is wrong with a file, and where: "rhs.npy: byte 9: ...".
class field_error : public std::runtime_error {
public:
  using std::runtime_error::runtime_error;
};

/// An array of one to three dimensions, row-major.
struct field {
  std::vector<std::size_t> shape;
  std::variant<std::vector<double>, std::vector<float>> values;
};

inline constexpr std::string_view npy_magic = "\x93NUMPY";

inline bool is_npy(std::string_view contents) { return contents.starts_with(npy_magic); }

namespace detail {

/// Reads the header's dictionary, a literal of Python.
class npy_header {
public:
  npy_header(std::string_view contents, std::string_view file) : all_{contents}, file_{file} {
    if (!is_npy(all_)) fail("not a file of NumPy's: it does not begin with \\x93NUMPY");
    at_ = npy_magic.size();
    std::size_t const major = number(1), minor = number(1);
    if (major < 1 || major > 3 || minor != 0)
      fail("format " + std::to_string(major) + "." + std::to_string(minor) + ", not 1.0 to 3.0");
    std::size_t const length = number(major == 1 ? 2 : 4);
    if (length > all_.size() - at_) fail("the file ends within the header");
    end_ = at_ + length;
    read_dictionary();
  }

  [[noreturn]] void fail(std::string const& what) const { fail(at_, what); }
  [[noreturn]] void fail(std::size_t at, std::string const& what) const {
    throw field_error(std::string(file_) + ": byte " + std::to_string(at) + ": " + what);
  }

  std::string descr;
  bool is_fortran_order = false;
  std::vector<std::size_t> shape;
  std::size_t descr_at = 0, order_at = 0, shape_at = 0; ///< where they stand

  std::size_t values_begin() const { return end_; }

private:
  std::size_t number(std::size_t bytes) {
    if (bytes > all_.size() - at_) fail("the file ends within the header");
    std::size_t value = 0;
    for (std::size_t i = 0; i < bytes; ++i)
      value |= std::size_t{static_cast<unsigned char>(all_[at_ + i])} << 8 * i;
    at_ += bytes;
    return value;
  }
  void skip_space() {
    while (at_ < end_ && std::string_view(" \t\n\r").find(all_[at_]) != std::string_view::npos)
      ++at_;
  }
  bool has(std::string_view token) {
    skip_space();
    if (!all_.substr(at_, end_ - at_).starts_with(token)) return false;
    at_ += token.size();
    return true;
  }
  void expect(std::string_view token) {
    if (!has(token)) fail(shown(token) + " is missing here");
  }
  std::string text() {
    char const quote = has("\"") ? '"' : '\'';
    if (quote == '\'') expect("'");
    std::size_t const end = all_.substr(0, end_).find(quote, at_);
    if (end == std::string_view::npos) fail("a text without an end");
    std::string value(all_.substr(at_, end - at_));
    at_ = end + 1;
    return value;
  }
  std::size_t extent() {
    skip_space();
    std::size_t const begin = at_;
    std::size_t value = 0;
    for (; at_ < end_ && all_[at_] >= '0' && all_[at_] <= '9'; ++at_) {
      auto const digit = static_cast<std::size_t>(all_[at_] - '0');
      if (value > (std::numeric_limits<std::size_t>::max() - digit) / 10) fail("too large");
      value = 10 * value + digit;
    }
    if (at_ == begin) fail("a number is missing here");
    return value;
  }
  void read_dictionary() {
    bool has_descr = false, has_order = false, has_shape = false;
    expect("{");
    while (!has("}")) {
      skip_space();
      std::size_t const key_at = at_;
      std::string const key = text();
      expect(":");
      skip_space();
      if (key == "descr" && !has_descr) {
        has_descr = true;
        descr_at = at_;
        if (at_ < end_ && all_[at_] == '[') fail("records, not float32 or float64");
        descr = text();
      } else if (key == "fortran_order" && !has_order) {
        has_order = true;
        order_at = at_;
        is_fortran_order = has("True");
        if (!is_fortran_order) expect("False");
      } else if (key == "shape" && !has_shape) {
        has_shape = true;
        shape_at = at_;
        expect("(");
        while (!has(")")) {
          shape.push_back(extent());
          if (!has(",")) {
            expect(")");
            break;
          }
        }
      } else fail(key_at, shown(key) + " is not a key here");
      if (!has(",")) {
        expect("}");
        break;
      }
    }
    if (!has_descr || !has_order || !has_shape) fail("descr, fortran_order or shape is missing");
    skip_space();
    if (at_ != end_) fail("something after the header's dictionary");
  }

  std::string_view all_, file_;
  std::size_t at_ = 0, end_ = 0;
};

template <class T>
std::vector<T> npy_values(std::string_view contents, npy_header const& header,
                          std::string_view file) {
  std::size_t count = 1;
  for (std::size_t const extent : header.shape) {
    if (extent == 0) header.fail(header.shape_at, "no values");
    if (count > std::numeric_limits<std::size_t>::max() / sizeof(T) / extent)
      header.fail(header.shape_at, "more values than memory can have");
    count *= extent;
  }
  std::string_view const bytes = contents.substr(header.values_begin());
  if (bytes.size() != count * sizeof(T))
    throw field_error(std::string(file) + ": byte " + std::to_string(contents.size()) + ": " +
                      (bytes.size() < count * sizeof(T) ? "truncated: " : "too long: ") +
                      std::to_string(bytes.size()) + " bytes of values, not " +
                      std::to_string(count * sizeof(T)));
  std::vector<T> values(count);
  std::memcpy(values.data(), bytes.data(), bytes.size());
  return values;
}

} // namespace detail

/// Reads the whole of a file's contents; `file` is what messages call it.
/// @throws field_error
inline field read_npy(std::string_view contents, std::string_view file) {
  detail::npy_header const header(contents, file);
  if (header.descr != "<f4" && header.descr != "<f8") {
    std::string what = "numbers of type " + shown(header.descr);
    what += ", not float32 ('<f4') or float64 ('<f8')";
    bool const is_real = header.descr.find_first_of("fiub") == 1;
    header.fail(header.descr_at, what + (is_real ? ": write array.astype('<f8') instead" : ""));
  }
  if (header.is_fortran_order)
    header.fail(header.order_at, "Fortran order: write numpy.ascontiguousarray(...) instead");
  if (header.shape.empty() || header.shape.size() > 3)
    header.fail(header.shape_at,
                std::to_string(header.shape.size()) + " dimensions, not one to three");
  if (header.descr == "<f4")
    return {header.shape, detail::npy_values<float>(contents, header, file)};
  return {header.shape, detail::npy_values<double>(contents, header, file)};
}

/// The contents of a file of format 1.0.
template <class T>
std::string npy_of(std::vector<std::size_t> const& shape, std::span<T const> values) {
  static_assert(std::is_same_v<T, float> || std::is_same_v<T, double>);
  std::string header = "{'descr': '";
  header += std::is_same_v<T, float> ? "<f4" : "<f8";
  header += "', 'fortran_order': False, 'shape': (";
  for (std::size_t const extent : shape) header += std::to_string(extent) + ",";
  header += "), }";
  // Values begin at a multiple of 64 bytes; a line end comes before them.
  std::size_t const before = npy_magic.size() + 4;
  header.append(63 - (before + header.size()) % 64, ' ');
  header += '\n';
  std::string contents(npy_magic);
  contents += {'\x01', '\x00', static_cast<char>(header.size() % 256),
               static_cast<char>(header.size() / 256)};
  contents += header;
  std::size_t const begin = contents.size();
  contents.resize(begin + values.size_bytes());
  std::memcpy(contents.data() + begin, values.data(), values.size_bytes());
  return contents;
}

} // namespace example
