#pragma once
// Kernels that are compiled while a program runs, from kernels.cuh, whose text this library holds.

#include "poisson/engine/mixed/mixed_plan.hpp"

#include <warpfold/detail/core/check.hpp>

#include <cuda_runtime_api.h>

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace warpfold::inline v0::poisson::gpu_impl {

/// A mixed_shape that is known only now, and which kernels are wanted of it.
struct kernel_parameters {
  bool is_float;
  unit_kind kind;
  mixed_plan plan;
  int beside, tile_rows;
  std::optional<bool> streams{}; ///< of rows, as transform_rows has it; nothing for columns

  [[nodiscard]] std::size_t shared() const {
    return is_float ? plan.shared<float>(beside) : plan.shared<double>(beside);
  }
};

/// Compiles them for one compute capability, and for that alone.
/// @throws vendor_error
std::string compile_kernels(kernel_parameters const& of, int compute_capability);

/// The same, loaded, and kept until the process ends: for the next solver of such an axis. Threads
/// may call it together.
/// @throws also cuda_error
cudaLibrary_t compiled_kernels(kernel_parameters const& of, int compute_capability);

/// Loads both, which are compiled side by side.
void prepare_kernels(kernel_parameters const& rows, kernel_parameters const& columns,
                     int compute_capability);

/// One of its kernels, to be launched as one that nvcc compiled.
template <class... Params>
void (*kernel_of(cudaLibrary_t library, char const* name))(Params...) {
  cudaKernel_t kernel = nullptr;
  check(cudaLibraryGetKernel(&kernel, library, name));
  // The runtime takes either for a kernel.
  return reinterpret_cast<void (*)(Params...)>(kernel);
}

} // namespace warpfold::inline v0::poisson::gpu_impl
