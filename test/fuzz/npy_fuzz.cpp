// docs/examples/npy.hpp: an array or a complaint with its place; what is written is what was read.

#include "fuzz.hpp"

#include <npy.hpp>

#include <span>
#include <string>

namespace {

/// Returns true if the contents are refused, and checks the message.
bool is_refused(std::string_view contents) {
  try {
    (void)example::read_npy(contents, "f");
    return false;
  } catch (example::field_error const& error) {
    std::string_view const message = error.what();
    check_message(message);
    std::size_t byte = 0;
    check(std::sscanf(message.data(), "f: byte %zu: ", &byte) == 1, "a refusal names a place");
    check(byte <= contents.size(), "the place is in the file");
    return true;
  }
}

template <class T>
void check_written(std::string_view contents, example::field const& read) {
  auto const& values = std::get<std::vector<T>>(read.values);
  std::size_t count = 1;
  for (std::size_t const extent : read.shape) count *= extent;
  check(!read.shape.empty() && read.shape.size() <= 3, "one to three dimensions");
  check(count > 0 && count == values.size(), "as many values as the shape says");
  std::size_t const bytes = count * sizeof(T);
  std::string const written = example::npy_of(read.shape, std::span<T const>(values));
  check((written.size() - bytes) % 64 == 0, "values begin at a multiple of 64 bytes");
  check(contents.substr(contents.size() - bytes) ==
            std::string_view(written).substr(written.size() - bytes),
        "the bytes of the values are those of the file");
  example::field const again = example::read_npy(written, "f");
  check(again.shape == read.shape && same(std::get<std::vector<T>>(again.values), values),
        "what is written is read");
}

} // namespace

int LLVMFuzzerTestOneInput(std::uint8_t const* data, std::size_t size) {
  std::string_view const contents = text_of(data, size);
  if (is_refused(contents)) return 0;
  example::field const read = example::read_npy(contents, "f");
  if (read.values.index() == 0) check_written<double>(contents, read);
  else check_written<float>(contents, read);
  check(is_refused(contents.substr(0, size - 1)), "a byte is missing");
  check(is_refused(std::string(contents) + '\0'), "a byte too many");
  return 0;
}
