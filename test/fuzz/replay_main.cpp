// In the place of libFuzzer, which comes with clang: gives a target the files of its corpus.

#include "fuzz.hpp"

#include <filesystem>
#include <fstream>
#include <iterator>

int main(int argc, char** argv) {
  int files = 0;
  for (int i = 1; i < argc; ++i)
    for (auto const& entry : std::filesystem::directory_iterator(argv[i])) {
      std::ifstream from(entry.path(), std::ios::binary);
      std::vector<char> const bytes(std::istreambuf_iterator<char>(from), {});
      std::fprintf(stderr, "%s\n", entry.path().c_str());
      LLVMFuzzerTestOneInput(reinterpret_cast<std::uint8_t const*>(bytes.data()), bytes.size());
      ++files;
    }
  std::printf("%d inputs\n", files);
  return files > 0 ? 0 : 1;
}
