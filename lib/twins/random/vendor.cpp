// cuRAND's generators.

#include "vendor.hpp"
#include "core/report.hpp"

#include <warpfold/detail/core/arguments.hpp>
#include <warpfold/detail/core/refusal.hpp>
#include <warpfold/detail/core/verb.hpp>

#include <cstdio>
#include <optional>

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
  default:
    detail::refuse("twin", detail::text(to_string(twin), ", generator ", static_cast<int>(twin)),
                   "cuRAND's");
  }
}

} // namespace

void check_vendor_options(generator twin, options const& options, bool on_gpu) {
  using detail::refuse, detail::text;
  type_of(twin);
  bool const twister = twin == generator::curand_mtgp32 || twin == generator::curand_mt19937;
  if (twin == generator::curand_mtgp32 && !on_gpu)
    refuse("twin", "curand_mtgp32 on a host", "the other generators");
  if (options.stream != 0)
    refuse("options.stream", options.stream, "0; cuRAND's generators have one stream");
  if (options.offset != 0 && twister)
    refuse("options.offset", options.offset, "0; a Mersenne Twister cannot skip");
  if (options.seed != 0 && twin == generator::curand_sobol)
    refuse("options.seed", options.seed, "0; Sobol's sequence has no seed");
}

void check_vendor(curandStatus_t status, std::source_location where) {
  if (status == CURAND_STATUS_SUCCESS) return;
  cudaGetLastError(); // clears what may have caused it
  throw vendor_error(status, name_of(status), where);
}

template <class Place>
struct vendor_generator<Place>::state {
  explicit state(int number) : device{number} {}
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
  detail::verb const scope("random::vendor_generator");
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
  if (options.offset != 0) check_vendor(curandSetGeneratorOffset(handle, options.offset));
  check_vendor(curandGenerateSeeds(handle));
}

namespace {

/// Calls generate(handle, data, size, more...), with the handle's device as the current one.
template <class State, class Span, class Generate, class... More>
void generate(State& state, bool on_gpu, Span output, Generate generate, More... more) {
  detail::check_elements("output", output.data(), output.size());
  if (output.empty()) return;
  std::optional<device_guard> current;
  if (on_gpu) current.emplace(state.device);
  check_vendor(generate(state.handle, output.data(), output.size(), more...));
}

} // namespace

template <class Place>
void vendor_generator<Place>::bits_async(span<std::uint32_t> output) {
  detail::verb const scope("random::vendor_generator::bits_async");
  generate(*state_, on_gpu, output, curandGenerate);
}

template <class Place>
void vendor_generator<Place>::uniform_async(span<float> output) {
  detail::verb const scope("random::vendor_generator::uniform_async");
  generate(*state_, on_gpu, output, curandGenerateUniform);
}
template <class Place>
void vendor_generator<Place>::uniform_async(span<double> output) {
  detail::verb const scope("random::vendor_generator::uniform_async");
  generate(*state_, on_gpu, output, curandGenerateUniformDouble);
}

template <class Place>
void vendor_generator<Place>::normal_async(span<float> output) {
  detail::verb const scope("random::vendor_generator::normal_async");
  generate(*state_, on_gpu, output, curandGenerateNormal, 0.F, 1.F);
}
template <class Place>
void vendor_generator<Place>::normal_async(span<double> output) {
  detail::verb const scope("random::vendor_generator::normal_async");
  generate(*state_, on_gpu, output, curandGenerateNormalDouble, 0., 1.);
}

template class vendor_generator<gpu>;
template class vendor_generator<host>;

} // namespace warpfold::inline v0::random
