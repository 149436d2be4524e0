#pragma once
// Whole files in memory, for the examples.

#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstddef>
#include <cstdio>
#include <filesystem>
#include <stdexcept>
#include <string>
#include <string_view>
#include <system_error>

namespace example {

[[noreturn]] inline void fail(std::string const& path) {
  throw std::system_error(errno, std::generic_category(), path);
}

inline std::string contents_of(char const* path) {
  std::FILE* const file = std::fopen(path, "rb");
  if (file == nullptr) fail(path);
  std::string text;
  std::array<char, 1 << 16> block;
  while (std::size_t const size = std::fread(block.data(), 1, block.size(), file))
    text.append(block.data(), size);
  bool const broken = std::ferror(file) != 0;
  std::fclose(file);
  if (broken) fail(path);
  return text;
}

inline bool write(std::FILE* file, std::string_view text) {
  return std::fwrite(text.data(), 1, text.size(), file) == text.size() && std::fflush(file) == 0;
}

/// Refuses an output that is one of the inputs, or in a folder that is not there.
template <class Inputs>
void check_output(std::string const& path, Inputs const& inputs) {
  namespace fs = std::filesystem;
  for (auto const& input : inputs)
    if (fs::exists(path) && fs::equivalent(path, input))
      throw std::runtime_error(path + ": is read and cannot be written");
  auto const folder = fs::path(path).parent_path();
  if (folder.empty() || fs::is_directory(folder)) return;
  errno = ENOENT;
  fail(path);
}

/// All of the text or nothing: to a file beside the target, which then takes its name. What is
/// there must be a file, or a link to one, and keeps its permissions.
inline void write_file(std::string const& path, std::string_view text) {
  namespace fs = std::filesystem;
  bool const exists = fs::exists(path);
  if (exists && !fs::is_regular_file(path)) throw std::runtime_error(path + ": not a file");
  std::string const target = exists ? fs::canonical(path).string() : path;
  std::string const beside = target + ".unfinished-" + std::to_string(getpid());
  std::FILE* const file = std::fopen(beside.c_str(), "wbx");
  if (file == nullptr) fail(path);
  bool const written = write(file, text);
  int const cause = errno;
  bool const closed = std::fclose(file) == 0;
  if (!written) errno = cause;
  std::error_code error;
  if (!written || !closed) error = {errno, std::generic_category()};
  if (!error && exists) fs::permissions(beside, fs::status(target).permissions(), error);
  if (!error) fs::rename(beside, target, error);
  if (!error) return;
  std::remove(beside.c_str());
  throw std::system_error(error, path);
}

} // namespace example
