#pragma once
// cuRAND's generators behind the calls of random.hpp, with float and double.

#include <warpfold/error.hpp>
#include <warpfold/random.hpp>
#include <warpfold/twins/tags.hpp>

#include <memory>
#include <type_traits>

namespace warpfold::inline v0::detail {

/// fill_random by a generator. `blocking` says that the caller will wait.
template <class T>
void fill_random(gpu& place, variate what, device_span<T> output, twins::generator twin,
                 random::options const& options, bool blocking);
template <class T>
void fill_random(host const& place, variate what, std::span<T> output, twins::generator twin,
                 random::options const& options, bool blocking);

} // namespace warpfold::inline v0::detail

namespace warpfold::inline v0::random {

/// A generator of cuRAND on a gpu or on the host. Each call continues the sequence.
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
  /// @throws argument_error for generator::philox and what the place does not have; a stream other
  ///         than 0; an offset of generators that cannot skip (the Mersenne Twisters); a seed of
  ///         curand_sobol. vendor_error; cuda_error
  vendor_generator(Place const& place, twins::generator twin, options const& options = {});

  /// Enqueues on the stream that the gpu had when this was made, and promises nothing about
  /// graphs; on the host blocks. See random::bits and the others. Uniform numbers lie in (0, 1].
  /// @throws argument_error if an array is null with a size; vendor_error, for odd numbers of
  ///         normals too, where cuRAND makes them in pairs
  void bits_async(span<std::uint32_t> output);
  void uniform_async(span<float> output);
  void uniform_async(span<double> output);
  void normal_async(span<float> output);
  void normal_async(span<double> output);

private:
  struct state;
  struct destroy {
    void operator()(state* one) const noexcept;
  };
  std::unique_ptr<state, destroy> state_;
};

// Contract of the verbs below, which are those of <warpfold/random.hpp>.
//
// Generators  cuRAND's are made and seeded anew in each call, and work on one thread of a host.
// _async      On a gpu for generator::philox alone: to enqueue others there is vendor_generator.
// Throws      what the call without a tag and vendor_generator throw; argument_error also for
//             normal_method::inverse: cuRAND's generators have methods of their own.

/// bits() by a generator.
template <class Place, detail::output_of<Place, std::uint32_t> Output>
void bits(Place&& place, Output&& output, twins::generator twin, options const& options = {}) {
  detail::verb const scope("random::bits");
  detail::fill_random(place, detail::variate::bits,
                      detail::output_view<Place>(std::forward<Output>(output)), twin, options,
                      true);
  detail::finish(place);
}
template <class Place, detail::output_of<Place, std::uint32_t> Output>
void bits_async(Place&& place, Output&& output, twins::generator twin,
                options const& options = {}) {
  detail::verb const scope("random::bits_async");
  detail::fill_random(place, detail::variate::bits,
                      detail::output_view<Place>(std::forward<Output>(output)), twin, options,
                      false);
}

/// uniform() by a generator.
template <class Place, detail::output_of<Place, float, double> Output>
void uniform(Place&& place, Output&& output, twins::generator twin, options const& options = {}) {
  detail::verb const scope("random::uniform");
  detail::fill_random(place, detail::variate::uniform,
                      detail::output_view<Place>(std::forward<Output>(output)), twin, options,
                      true);
  detail::finish(place);
}
template <class Place, detail::output_of<Place, float, double> Output>
void uniform_async(Place&& place, Output&& output, twins::generator twin,
                   options const& options = {}) {
  detail::verb const scope("random::uniform_async");
  detail::fill_random(place, detail::variate::uniform,
                      detail::output_view<Place>(std::forward<Output>(output)), twin, options,
                      false);
}

/// normal() by a generator.
template <class Place, detail::output_of<Place, float, double> Output>
void normal(Place&& place, Output&& output, twins::generator twin,
            normal_options const& options = {}) {
  detail::verb const scope("random::normal");
  detail::fill_random(place, detail::normal_variate(options.method),
                      detail::output_view<Place>(std::forward<Output>(output)), twin,
                      {options.seed, options.stream, options.offset}, true);
  detail::finish(place);
}
template <class Place, detail::output_of<Place, float, double> Output>
void normal_async(Place&& place, Output&& output, twins::generator twin,
                  normal_options const& options = {}) {
  detail::verb const scope("random::normal_async");
  detail::fill_random(place, detail::normal_variate(options.method),
                      detail::output_view<Place>(std::forward<Output>(output)), twin,
                      {options.seed, options.stream, options.offset}, false);
}

} // namespace warpfold::inline v0::random
