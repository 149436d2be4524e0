#pragma once
// Sobol's sequence, randomised so that errors can be estimated.

#include <warpfold/buffer.hpp>
#include <warpfold/random.hpp>

#include <type_traits>
#include <vector>

namespace warpfold::inline v0::random {

/// Sobol's sequence in up to 20,000 dimensions: S. Joe and F. Y. Kuo, Constructing Sobol sequences
/// with better two-dimensional projections, SIAM Journal on Scientific Computing 30, 2008. It keeps
/// their direction numbers, new-joe-kuo-6, in the memory of a gpu or of the host.
template <class Place>
class sobol_sequence {
public:
  /// As many as are known.
  static constexpr int max_dimensions = 20'000;
  /// True if the place is a gpu.
  static constexpr bool on_gpu = std::is_same_v<Place, gpu>;
  /// A view of direction numbers.
  using words =
      std::conditional_t<on_gpu, device_span<std::uint32_t const>, std::span<std::uint32_t const>>;

  /// Makes the direction numbers, about 70 ns a dimension. Blocks.
  /// @throws argument_error unless 1 <= dimensions <= max_dimensions; cuda_error
  sobol_sequence(Place const& place, int dimensions);

  /// As given.
  [[nodiscard]] int dimensions() const noexcept { return dimensions_; }
  /// 32 a dimension.
  [[nodiscard]] words directions() const noexcept { return {table_.data(), table_.size()}; }

private:
  int dimensions_;
  std::conditional_t<on_gpu, device_buffer<std::uint32_t>, std::vector<std::uint32_t>> table_;
};

/// How the points are randomised. Every method keeps the sequence's elementary intervals.
enum class scrambling {
  none,          ///< the sequence itself, whose first point is the origin
  digital_shift, ///< exclusive-or with one random word a dimension
  owen           ///< random at every level of bits, by a hash
};

/// Which points. To be used with designated initialisers.
struct sobol_options {
  /// How they are randomised.
  random::scrambling scrambling = random::scrambling::owen;
  /// Choose the randomisation: replicates of one seed are independent of each other.
  std::uint64_t seed = 0, replicate = 0;
  /// The index of the first point.
  std::uint64_t offset = 0;
};

// Contract of every form of the three verbs, beside that of random.hpp.
//
// output      A number of points for each dimension: coordinate d of point offset + i goes to
//             output[d points + i], where points = output.size() / sequence.dimensions().
// Determinism The same bits on every GPU and host.
// Throws      argument_error, before the array is touched: if it is null with a size; if its size
//             is no multiple of the dimensions; if offset + points is more than 2^32; for an
//             unknown scrambling. cuda_error.

/// Fills an array of std::uint32_t with coordinates as fractions of 2^32. Blocks; `_async` enqueues
/// on a gpu's stream.
template <class Place, detail::output_of<Place, std::uint32_t> Output>
void bits_async(Place&& place, sobol_sequence<std::remove_cvref_t<Place>> const& sequence,
                Output&& output, sobol_options const& options = {}) {
  detail::verb const scope("random::bits_async");
  detail::fill_points(place, sequence, detail::variate::bits,
                      detail::output_view<Place>(std::forward<Output>(output)), options);
}
template <class Place, detail::output_of<Place, std::uint32_t> Output>
void bits(Place&& place, sobol_sequence<std::remove_cvref_t<Place>> const& sequence,
          Output&& output, sobol_options const& options = {}) {
  detail::verb const scope("random::bits");
  bits_async(place, sequence, std::forward<Output>(output), options);
  detail::finish(place);
}

/// Fills an array of float or double with (w + 1/2) / 2^32, w being the word that bits() gives:
/// between 2^-33 and 1 - 2^-33 in double, where it is exact. In float between 2^-33 and 1 - 2^-24,
/// and rounded twice: first w, then the rest. So one in 128 is the other neighbour, not the nearest
/// number. Blocks; `_async` enqueues on a gpu's stream.
template <class Place, detail::output_of<Place, float, double> Output>
void uniform_async(Place&& place, sobol_sequence<std::remove_cvref_t<Place>> const& sequence,
                   Output&& output, sobol_options const& options = {}) {
  detail::verb const scope("random::uniform_async");
  detail::fill_points(place, sequence, detail::variate::uniform,
                      detail::output_view<Place>(std::forward<Output>(output)), options);
}
template <class Place, detail::output_of<Place, float, double> Output>
void uniform(Place&& place, sobol_sequence<std::remove_cvref_t<Place>> const& sequence,
             Output&& output, sobol_options const& options = {}) {
  detail::verb const scope("random::uniform");
  uniform_async(place, sequence, std::forward<Output>(output), options);
  detail::finish(place);
}

/// Fills an array of float or double with the inverse of the normal distribution at the numbers of
/// uniform(). Blocks; `_async` enqueues on a gpu's stream.
template <class Place, detail::output_of<Place, float, double> Output>
void normal_async(Place&& place, sobol_sequence<std::remove_cvref_t<Place>> const& sequence,
                  Output&& output, sobol_options const& options = {}) {
  detail::verb const scope("random::normal_async");
  detail::fill_points(place, sequence, detail::variate::inverse,
                      detail::output_view<Place>(std::forward<Output>(output)), options);
}
template <class Place, detail::output_of<Place, float, double> Output>
void normal(Place&& place, sobol_sequence<std::remove_cvref_t<Place>> const& sequence,
            Output&& output, sobol_options const& options = {}) {
  detail::verb const scope("random::normal");
  normal_async(place, sequence, std::forward<Output>(output), options);
  detail::finish(place);
}

} // namespace warpfold::inline v0::random
