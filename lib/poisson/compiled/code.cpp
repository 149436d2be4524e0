#include "code.hpp"

#include "poisson/engine/passes.hpp"
#include "texts.hpp"

#include <warpfold/error.hpp>

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

/// Size of a kernel's first argument.
std::size_t bytes_of_pass(kernel_parameters const& of) {
  if (of.streams) return of.is_float ? sizeof(unit_rows<float>) : sizeof(unit_rows<double>);
  return of.is_float ? sizeof(unit_columns<float>) : sizeof(unit_columns<double>);
}

/// The macros of kernels.cuh, as the compiler's options.
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
  add("PASS", std::to_string(bytes_of_pass(of)));
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
  std::vector<std::string> options{"-std=c++20", "-default-device", "--no-source-include",
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

/// The libraries that are loaded, for compute capabilities and macros.
class loaded_libraries {
public:
  using key = std::pair<int, std::vector<std::string>>;

  cudaLibrary_t find(key const& of) {
    std::lock_guard const lock(guard_);
    auto const found = all_.find(of);
    return found == all_.end() ? nullptr : found->second;
  }
  /// Another thread may have been faster.
  cudaLibrary_t load(key const& of, std::string const& code) {
    std::lock_guard const lock(guard_);
    auto const [kept, is_new] = all_.try_emplace(of, nullptr);
    if (is_new) try {
        check(cudaLibraryLoadData(&kept->second, code.data(), nullptr, nullptr, 0, nullptr, nullptr,
                                  0));
      } catch (...) {
        all_.erase(kept);
        throw;
      }
    return kept->second;
  }

private:
  std::mutex guard_;
  std::map<key, cudaLibrary_t> all_;
};

loaded_libraries& libraries() {
  static auto& all = *new loaded_libraries; // outlives the runtime's own state
  return all;
}

} // namespace

std::string compile_kernels(kernel_parameters const& of, int compute_capability) {
  return compile(macros_of(of), compute_capability);
}

cudaLibrary_t compiled_kernels(kernel_parameters const& of, int compute_capability) {
  loaded_libraries::key const key{compute_capability, macros_of(of)};
  if (auto* const known = libraries().find(key)) return known;
  return libraries().load(key, compile(key.second, compute_capability));
}

void prepare_kernels(kernel_parameters const& rows, kernel_parameters const& columns,
                     int compute_capability) {
  loaded_libraries::key const key{compute_capability, macros_of(columns)};
  if (libraries().find(key)) return;
  // Another thread knows neither the current device nor the verb: it compiles, and no more.
  auto code = std::async(std::launch::async, [&] { return compile(key.second, key.first); });
  compiled_kernels(rows, compute_capability);
  libraries().load(key, code.get());
}

} // namespace warpfold::inline v0::poisson::gpu_impl
