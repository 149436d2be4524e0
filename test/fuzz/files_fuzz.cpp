// docs/examples/files.hpp: what is written to a file, a new one or one that is there or a link to
// it, is read, and nothing is left beside it.

#include "fuzz.hpp"

#include <files.hpp>

#include <string>

namespace {

namespace fs = std::filesystem;

struct folder {
  fs::path path = fs::temp_directory_path() / ("files_fuzz." + std::to_string(getpid()));
  folder() {
    fs::remove_all(path); // of one that was ended
    fs::create_directory(path);
  }
  ~folder() { fs::remove_all(path); }
  [[nodiscard]] std::string file(char const* name) const { return (path / name).string(); }
  [[nodiscard]] std::ptrdiff_t files() const {
    return std::distance(fs::directory_iterator(path), fs::directory_iterator());
  }
};

} // namespace

int LLVMFuzzerTestOneInput(std::uint8_t const* data, std::size_t size) {
  static folder const here;
  // The first bytes say how; the others, often enough to fill several blocks of a reader's, what.
  if (size < 2) return 0;
  bool const there = data[0] & 1, linked = data[0] & 2;
  std::string text;
  for (unsigned i = 0; i <= data[1]; ++i) text.append(text_of(data + 2, size - 2));
  std::string const file = here.file("file"), link = here.file("link");
  if (there) example::write_file(file, "what was there");
  if (there && linked) fs::create_symlink("file", link);
  example::write_file(there && linked ? link : file, text);
  check(example::contents_of(file.c_str()) == text, "what is written is read");
  check(here.files() == (there && linked ? 2 : 1), "nothing is left beside it");
  check(!there || !linked || fs::is_symlink(link), "a link stays one");
  fs::remove(link);
  fs::remove(file);
  return 0;
}
