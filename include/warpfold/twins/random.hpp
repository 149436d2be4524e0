#pragma once
// cuRAND's generators behind the calls of random.hpp, with float and double.

#include <warpfold/error.hpp>
#include <warpfold/random.hpp>
#include <warpfold/twins/tags.hpp>

#include <concepts>
#include <memory>
#include <type_traits>

namespace warpfold::inline v0::random {

/// Elements that cuRAND makes uniform and normal numbers of.
template <class T>
concept vendor_number = std::same_as<T, float> || std::same_as<T, double>;

/// A generator of cuRAND on a gpu or on the host. What it gives continues with each call.
/// Move-only; a gpu's stream must outlive it. Determinism: the same numbers on every GPU for one
/// version of cuRAND.
template <class Place>
class vendor_generator {
public:
  /// True if the place is a gpu.
  static constexpr bool on_gpu = std::is_same_v<Place, gpu>;
  /// An array of the place.
  template <class T>
  using span = std::conditional_t<on_gpu, device_span<T>, std::span<T>>;

  /// Makes it and, so that later calls do not, its state; blocks.
  /// @throws argument_error for generator::philox and what the place does not have, for a stream
  ///         other than 0, for a first of generators that cannot skip (the Mersenne Twisters), for
  ///         a seed of curand_sobol, and for transform::inverse: cuRAND's transforms are its own;
  ///         vendor_error; cuda_error
  vendor_generator(Place const& place, twins::generator twin, options const& options = {});

  /// Enqueues on the stream of the gpu, and promises nothing about graphs; on the host blocks. See
  /// random::bits and the others. Uniform numbers lie in (0, 1].
  /// @throws argument_error if an array is null with a size; vendor_error, for odd numbers of
  ///         normals too, where cuRAND makes them in pairs
  void bits_async(span<std::uint32_t> out);
  void uniform_async(span<float> out);
  void uniform_async(span<double> out);
  void normal_async(span<float> out);
  void normal_async(span<double> out);

private:
  struct state;
  struct destroy {
    void operator()(state* one) const noexcept;
  };
  std::unique_ptr<state, destroy> state_;
};

/// As in <warpfold/random.hpp>, by the generator that is named; blocks. cuRAND's are made and
/// seeded anew in each call, and work on one thread of a host.
/// @throws what the call without a tag and vendor_generator throw
void bits(gpu& place, device_span<std::uint32_t> out, twins::generator twin,
          options const& options = {});
template <vendor_number T>
void uniform(gpu& place, device_span<T> out, twins::generator twin, options const& options = {});
template <vendor_number T>
void normal(gpu& place, device_span<T> out, twins::generator twin, options const& options = {});
void bits(host const& place, std::span<std::uint32_t> out, twins::generator twin,
          options const& options = {});
template <vendor_number T>
void uniform(host const& place, std::span<T> out, twins::generator twin,
             options const& options = {});
template <vendor_number T>
void normal(host const& place, std::span<T> out, twins::generator twin,
            options const& options = {});

/// As in <warpfold/random.hpp>, of generator::philox alone: to enqueue others there is
/// vendor_generator.
/// @throws what the call without a tag throws; argument_error for the others
void bits_async(gpu& place, device_span<std::uint32_t> out, twins::generator twin,
                options const& options = {});
template <vendor_number T>
void uniform_async(gpu& place, device_span<T> out, twins::generator twin,
                   options const& options = {});
template <vendor_number T>
void normal_async(gpu& place, device_span<T> out, twins::generator twin,
                  options const& options = {});

} // namespace warpfold::inline v0::random
