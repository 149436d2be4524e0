#include "code.hpp"

#include "texts.hpp"

#include <warpfold/error.hpp>
#include <warpfold/execution.hpp>

#include <nvrtc.h>

#include <future>
#include <map>
#include <memory>
#include <mutex>
#include <type_traits>
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

std::string list(std::vector<int> const& numbers) {
  std::string all;
  for (int const number : numbers) {
    if (!all.empty()) all.push_back(',');
    all.append(std::to_string(number));
  }
  return all;
}

/// Of kernels.cuh, as options.
std::vector<std::string> macros_of(kernel_parameters const& of) {
  constexpr char const* kinds[] = {"fourier", "first", "second", "third", "fourth"};
  mixed_plan const& plan = of.plan;
  std::vector<std::string> all;
  auto const add = [&](char const* name, std::string const& value) {
    all.emplace_back("-DWARPFOLD_").append(name).append("=").append(value);
  };
  add("ELEMENT", of.is_float ? "float" : "double");
  add("KIND", kinds[static_cast<int>(of.kind)]);
  add("RADICES", list(plan.radices));
  add("LAYOUT", list({plan.units, of.beside, plan.blocks, of.tile_rows}));
  add("THREADS", std::to_string(plan.threads()));
  add("SHARED", std::to_string(of.shared()));
  if (of.streams) add("STREAMS", *of.streams ? "true" : "false");
  return all;
}

std::string compile(std::vector<std::string> const& macros, int compute_capability) {
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
  options.insert(options.end(), macros.begin(), macros.end());
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

/// Loads them, if no other solver has.
cudaLibrary_t loaded(std::vector<std::string> const& macros, int compute_capability) {
  static std::mutex guard;
  // Outlives the runtime's own state.
  static auto& all = *new std::map<std::pair<int, std::vector<std::string>>, cudaLibrary_t>;
  std::pair const key{compute_capability, macros};
  {
    std::lock_guard const lock(guard);
    if (auto const found = all.find(key); found != all.end()) return found->second;
  }
  // Threads may compile side by side.
  std::string const code = compile(macros, compute_capability);
  cudaLibrary_t made = nullptr;
  check(cudaLibraryLoadData(&made, code.data(), nullptr, nullptr, 0, nullptr, nullptr, 0));
  std::lock_guard const lock(guard);
  auto const [kept, is_new] = all.try_emplace(key, made);
  if (!is_new) check(cudaLibraryUnload(made)); // another thread was faster
  return kept->second;
}

} // namespace

std::string compile_kernels(kernel_parameters const& of, int compute_capability) {
  return compile(macros_of(of), compute_capability);
}

cudaLibrary_t compiled_kernels(kernel_parameters const& of, int compute_capability) {
  return loaded(macros_of(of), compute_capability);
}

void prepare_kernels(kernel_parameters const& rows, kernel_parameters const& columns,
                     int compute_capability) {
  int device = 0;
  check(cudaGetDevice(&device));
  auto other = std::async(std::launch::async, [&] {
    device_guard const current{device};
    return compiled_kernels(columns, compute_capability);
  });
  compiled_kernels(rows, compute_capability);
  other.get();
}

} // namespace warpfold::inline v0::poisson::gpu_impl
