#pragma once
// Sobol's sequence, randomised so that errors can be estimated.

#include <warpfold/buffer.hpp>
#include <warpfold/random.hpp>

#include <type_traits>
#include <vector>

namespace warpfold::inline v0::random {

/// How the points are randomised. All of them keep the sequence's elementary intervals.
enum class scrambling {
  none,          ///< the sequence itself, whose first point is the origin
  digital_shift, ///< exclusive-or with one random word a dimension
  owen           ///< random at every level of bits, by a hash
};

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

/// Which points. To be used with designated initialisers.
struct sobol_options {
  /// How they are randomised.
  scrambling how = scrambling::owen;
  /// Choose the randomisation: replicates of one seed are independent of each other.
  std::uint64_t seed = 0, replicate = 0;
  /// The index of the first point.
  std::uint64_t first = 0;
};

// What holds for every form of the three verbs.
//
// out         A number of points for each dimension: coordinate d of point first + i goes to
//             out[d points + i], where points = out.size() / sequence.dimensions().
// uniform     (w + 1/2) / 2^32, w being the word that bits() gives: between 2^-33 and 1 - 2^-33 in
//             double, where it is exact. In float between 2^-33 and 1 - 2^-24, and rounded twice:
//             first w, then the rest. So one in 128 is the other neighbour, not the nearest number.
// normal      The inverse of the normal distribution of that.
// Determinism The same bits on every GPU and host.
// Throws      argument_error, before the array is touched, if it is null with a size, if its size
//             is no multiple of the dimensions, if first + points is more than 2^32, and for a
//             scrambling that is none; cuda_error.

/// Enqueues the work on the place's stream and returns: neither allocates nor waits, and can be
/// captured in a CUDA graph.
void bits_async(gpu& place, sobol_sequence<gpu> const& sequence, device_span<std::uint32_t> out,
                sobol_options const& options = {});
template <class T>
void uniform_async(gpu& place, sobol_sequence<gpu> const& sequence, device_span<T> out,
                   sobol_options const& options = {});
template <class T>
void normal_async(gpu& place, sobol_sequence<gpu> const& sequence, device_span<T> out,
                  sobol_options const& options = {});

/// The same, and waits until it is done.
void bits(gpu& place, sobol_sequence<gpu> const& sequence, device_span<std::uint32_t> out,
          sobol_options const& options = {});
template <class T>
void uniform(gpu& place, sobol_sequence<gpu> const& sequence, device_span<T> out,
             sobol_options const& options = {});
template <class T>
void normal(gpu& place, sobol_sequence<gpu> const& sequence, device_span<T> out,
            sobol_options const& options = {});

/// On the host's threads. Blocks.
void bits(host const& place, sobol_sequence<host> const& sequence, std::span<std::uint32_t> out,
          sobol_options const& options = {});
template <class T>
void uniform(host const& place, sobol_sequence<host> const& sequence, std::span<T> out,
             sobol_options const& options = {});
template <class T>
void normal(host const& place, sobol_sequence<host> const& sequence, std::span<T> out,
            sobol_options const& options = {});

} // namespace warpfold::inline v0::random
