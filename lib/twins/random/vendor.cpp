// cuRAND's generators.

#include "vendor.hpp"
#include "core/report.hpp"

#include <warpfold/detail/core/arguments.hpp>

#include <cstdio>
#include <optional>
#include <string>

namespace warpfold::inline v0::random {
namespace {

using twins::generator;

char const* name_of(curandStatus_t status) {
  switch (status) {
  case CURAND_STATUS_SUCCESS: return "CURAND_STATUS_SUCCESS";
  case CURAND_STATUS_VERSION_MISMATCH: return "CURAND_STATUS_VERSION_MISMATCH";
  case CURAND_STATUS_NOT_INITIALIZED: return "CURAND_STATUS_NOT_INITIALIZED";
  case CURAND_STATUS_ALLOCATION_FAILED: return "CURAND_STATUS_ALLOCATION_FAILED";
  case CURAND_STATUS_TYPE_ERROR: return "CURAND_STATUS_TYPE_ERROR";
  case CURAND_STATUS_OUT_OF_RANGE: return "CURAND_STATUS_OUT_OF_RANGE";
  case CURAND_STATUS_LENGTH_NOT_MULTIPLE: return "CURAND_STATUS_LENGTH_NOT_MULTIPLE";
  case CURAND_STATUS_DOUBLE_PRECISION_REQUIRED: return "CURAND_STATUS_DOUBLE_PRECISION_REQUIRED";
  case CURAND_STATUS_LAUNCH_FAILURE: return "CURAND_STATUS_LAUNCH_FAILURE";
  case CURAND_STATUS_PREEXISTING_FAILURE: return "CURAND_STATUS_PREEXISTING_FAILURE";
  case CURAND_STATUS_INITIALIZATION_FAILED: return "CURAND_STATUS_INITIALIZATION_FAILED";
  case CURAND_STATUS_ARCH_MISMATCH: return "CURAND_STATUS_ARCH_MISMATCH";
  case CURAND_STATUS_INTERNAL_ERROR: return "CURAND_STATUS_INTERNAL_ERROR";
  default: return "an unknown status of cuRAND";
  }
}

curandRngType_t type_of(generator twin) {
  switch (twin) {
  case generator::curand_philox: return CURAND_RNG_PSEUDO_PHILOX4_32_10;
  case generator::curand_xorwow: return CURAND_RNG_PSEUDO_XORWOW;
  case generator::curand_mrg32k3a: return CURAND_RNG_PSEUDO_MRG32K3A;
  case generator::curand_mtgp32: return CURAND_RNG_PSEUDO_MTGP32;
  case generator::curand_mt19937: return CURAND_RNG_PSEUDO_MT19937;
  case generator::curand_sobol: return CURAND_RNG_QUASI_SOBOL32;
  default: throw argument_error("twin", std::string(to_string(twin)) + ": not one of cuRAND's");
  }
}

} // namespace

void check_vendor_options(generator twin, options const& options, bool on_gpu) {
  type_of(twin);
  bool const twister = twin == generator::curand_mtgp32 || twin == generator::curand_mt19937;
  if (twin == generator::curand_mtgp32 && !on_gpu)
    throw argument_error("twin", "curand_mtgp32 needs a gpu");
  if (options.stream != 0)
    throw argument_error("options.stream",
                         std::to_string(options.stream) + ": cuRAND's generators have one");
  if (options.first != 0 && twister)
    throw argument_error("options.first",
                         std::to_string(options.first) + ": a Mersenne Twister cannot skip");
  if (options.seed != 0 && twin == generator::curand_sobol)
    throw argument_error("options.seed", std::to_string(options.seed) + ": Sobol's has none");
  if (options.by != transform::box_muller)
    throw argument_error("options.by", "cuRAND's generators have transforms of their own");
}

void check_vendor(curandStatus_t status, std::source_location where) {
  if (status == CURAND_STATUS_SUCCESS) return;
  cudaGetLastError(); // clears what may have caused it
  throw vendor_error(status, name_of(status), where);
}

template <class Place>
struct vendor_generator<Place>::state {
  explicit state(int of_device) : device{of_device} {}
  state(state const&) = delete;
  state& operator=(state const&) = delete;
  ~state() {
    if (!handle) return;
    // A device_guard may throw.
    int previous = device;
    if constexpr (on_gpu) detail::report(cudaGetDevice(&previous), "cudaGetDevice");
    if (previous != device) detail::report(cudaSetDevice(device), "cudaSetDevice");
    if (curandDestroyGenerator(handle) != CURAND_STATUS_SUCCESS)
      std::fputs("warpfold: curandDestroyGenerator failed in a destructor\n", stderr);
    if (previous != device) detail::report(cudaSetDevice(previous), "cudaSetDevice");
  }

  curandGenerator_t handle = nullptr;
  int device; ///< of no meaning on the host
};

template <class Place>
void vendor_generator<Place>::destroy::operator()(state* one) const noexcept {
  delete one;
}

template <class Place>
vendor_generator<Place>::vendor_generator(Place const& place, generator twin,
                                          options const& options) {
  check_vendor_options(twin, options, on_gpu);
  curandRngType_t const type = type_of(twin);
  std::optional<device_guard> current;
  if constexpr (on_gpu) {
    current.emplace(place.device());
    state_.reset(new state(place.device()));
    check_vendor(curandCreateGenerator(&state_->handle, type));
    check_vendor(curandSetStream(state_->handle, place.stream()));
  } else {
    state_.reset(new state(0));
    check_vendor(curandCreateGeneratorHost(&state_->handle, type));
  }
  curandGenerator_t const handle = state_->handle;
  if (twin != generator::curand_sobol)
    check_vendor(curandSetPseudoRandomGeneratorSeed(handle, options.seed));
  if (options.first != 0) check_vendor(curandSetGeneratorOffset(handle, options.first));
  check_vendor(curandGenerateSeeds(handle));
}

namespace {

/// Calls `generate` for the array, with the handle's device as the current one.
template <class State, class Span, class Generate>
void generate(State& state, bool on_gpu, Span out, Generate generate) {
  detail::check_elements("out", out.data(), out.size());
  if (out.empty()) return;
  std::optional<device_guard> current;
  if (on_gpu) current.emplace(state.device);
  check_vendor(generate(state.handle, out.data(), out.size()));
}

} // namespace

template <class Place>
void vendor_generator<Place>::bits_async(span<std::uint32_t> out) {
  generate(*state_, on_gpu, out, curandGenerate);
}

template <class Place>
void vendor_generator<Place>::uniform_async(span<float> out) {
  generate(*state_, on_gpu, out, curandGenerateUniform);
}
template <class Place>
void vendor_generator<Place>::uniform_async(span<double> out) {
  generate(*state_, on_gpu, out, curandGenerateUniformDouble);
}

template <class Place>
void vendor_generator<Place>::normal_async(span<float> out) {
  generate(*state_, on_gpu, out, [](curandGenerator_t handle, float* to, std::size_t size) {
    return curandGenerateNormal(handle, to, size, 0, 1);
  });
}
template <class Place>
void vendor_generator<Place>::normal_async(span<double> out) {
  generate(*state_, on_gpu, out, [](curandGenerator_t handle, double* to, std::size_t size) {
    return curandGenerateNormalDouble(handle, to, size, 0, 1);
  });
}

template class vendor_generator<gpu>;
template class vendor_generator<host>;

} // namespace warpfold::inline v0::random
