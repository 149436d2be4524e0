#pragma once
// cuRAND's generators, made once and used for many arrays.

#include <warpfold/error.hpp>
#include <warpfold/random.hpp>

#include <memory>
#include <type_traits>

namespace warpfold::random {

/// A generator of cuRAND on a gpu or on the host. What it gives continues with each call.
/// Move-only; a gpu's stream must outlive it. Determinism: the same numbers on every GPU for one
/// version of cuRAND.
template <class Place>
class vendor_generator {
public:
  /// Whether the place is a gpu.
  static constexpr bool on_gpu = std::is_same_v<Place, gpu>;
  /// An array of the place.
  template <class T>
  using span = std::conditional_t<on_gpu, device_span<T>, std::span<T>>;

  /// Makes it and, so that later calls do not, its state; blocks.
  /// @throws argument_error for method::philox, for a stream other than 0, for a first of methods
  ///         that cannot skip (the Mersenne Twisters), for a seed of curand_sobol, and for
  ///         transform::inverse: cuRAND's transforms are its own
  explicit vendor_generator(Place const& place, options const& options);

  /// Enqueues on the stream of the gpu; on the host blocks. See random::bits and the others.
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

} // namespace warpfold::random
