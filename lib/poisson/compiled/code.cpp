#include "code.hpp"

#include "texts.hpp"

#include <warpfold/error.hpp>

#include <nvrtc.h>

#include <array>
#include <map>
#include <memory>
#include <mutex>
#include <utility>

namespace warpfold::inline v0::poisson::gpu_impl {
namespace {

void check_nvrtc(nvrtcResult status, std::string_view what = {},
                 std::source_location where = std::source_location::current()) {
  if (status == NVRTC_SUCCESS) return;
  std::string name = nvrtcGetErrorString(status);
  if (!what.empty()) name.append(": ").append(what);
  throw vendor_error(status, name, where);
}

struct program_deleter {
  void operator()(nvrtcProgram program) const { nvrtcDestroyProgram(&program); }
};
using program = std::unique_ptr<std::remove_pointer_t<nvrtcProgram>, program_deleter>;

/// What the compiler says, without an end.
std::string log_of(nvrtcProgram of) {
  std::size_t size = 0;
  check_nvrtc(nvrtcGetProgramLogSize(of, &size));
  std::string log(size, '\0');
  check_nvrtc(nvrtcGetProgramLog(of, log.data()));
  return log.substr(0, log.find('\0'));
}

} // namespace

std::string compile_kernels(std::vector<std::string> const& macros, int compute_capability) {
  std::vector<char const*> names, texts;
  for (source_text const& one : kernel_headers()) {
    names.push_back(one.name);
    texts.push_back(one.text);
  }
  nvrtcProgram made = nullptr;
  check_nvrtc(nvrtcCreateProgram(&made, "#include \"poisson/compiled/kernels.cuh\"\n",
                                 "warpfold.cu", static_cast<int>(names.size()), texts.data(),
                                 names.data()));
  program const compiled(made);

  // Functions that say nothing are the device's: constexpr ones of the standard library are.
  std::vector<std::string> options{"-std=c++20", "-default-device",
                                   "-arch=sm_" + std::to_string(compute_capability)};
  for (std::string const& macro : macros) options.push_back("-D" + macro);
  std::vector<char const*> given;
  for (std::string const& option : options) given.push_back(option.c_str());
  nvrtcResult const status =
      nvrtcCompileProgram(made, static_cast<int>(given.size()), given.data());
  check_nvrtc(status, status == NVRTC_SUCCESS ? "" : log_of(made));

  std::size_t size = 0;
  check_nvrtc(nvrtcGetCUBINSize(made, &size));
  std::string code(size, '\0');
  check_nvrtc(nvrtcGetCUBIN(made, code.data()));
  return code;
}

cudaLibrary_t compiled_kernels(std::vector<std::string> const& macros, int compute_capability) {
  static std::mutex guard;
  // Outlives the runtime's own state.
  static auto& all = *new std::map<std::pair<int, std::vector<std::string>>, cudaLibrary_t>;
  std::pair const key{compute_capability, macros};
  auto const find = [&]() -> cudaLibrary_t {
    std::lock_guard const lock(guard);
    auto const found = all.find(key);
    return found == all.end() ? nullptr : found->second;
  };
  if (auto* const known = find()) return known;
  // Threads may compile side by side.
  std::string const code = compile_kernels(macros, compute_capability);
  cudaLibrary_t loaded = nullptr;
  check(cudaLibraryLoadData(&loaded, code.data(), nullptr, nullptr, 0, nullptr, nullptr, 0));
  std::lock_guard const lock(guard);
  auto const [kept, is_new] = all.try_emplace(key, loaded);
  if (!is_new) check(cudaLibraryUnload(loaded)); // another thread was faster
  return kept->second;
}

} // namespace warpfold::inline v0::poisson::gpu_impl
