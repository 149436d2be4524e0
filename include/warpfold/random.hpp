#pragma once
// Random numbers by their place in a sequence: words, uniform and normal numbers in arrays.

#include <warpfold/execution.hpp>
#include <warpfold/span.hpp>

#include <cstdint>
#include <span>
#include <utility>

namespace warpfold::inline v0::random {

/// How a normal is made of uniform numbers.
enum class transform {
  box_muller, ///< two normals of two words: the faster
  inverse     ///< one of one, the larger the word the larger the normal
};

/// Which numbers. To be used with designated initialisers.
struct options {
  /// Any number; other seeds have other sequences.
  std::uint64_t seed = 0;
  /// Sequences of one seed, each of 2^64 samples, that do not overlap.
  std::uint64_t stream = 0;
  /// The index in the sequence of what goes to the array's first element.
  std::uint64_t first = 0;
  transform by = transform::box_muller; ///< read by normal()
};

// What holds for every form of the three verbs.
//
// Elements    uniform and normal: float or double.
// Addressing  Philox4x32-10: out[i] is sample first + i of the sequence (seed, stream), a function
//             of these three numbers and of nothing else. A word is a sample, a float is made of
//             the word of its index (Box and Muller: two of the words of theirs), and a double of
//             words 2 k and 2 k + 1.
// uniform     (w + 1/2) / 2^32, rounded once to the nearest number (of two, to the even one), but
//             never to 1: between 2^-33 and 1 - 2^-24. In double (w + 1/2) / 2^64, between 2^-65
//             and 1 - 2^-53.
// normal      Mean 0, standard deviation 1. They reach to 6.76 and 9.49 by Box and Muller, and to
//             6.33 and 9.15 by the inverse: docs/random.md has the errors.
// Determinism The same bits on every GPU and host.
// Throws      argument_error, before the array is touched, if it is null with a size, if
//             first + size is more than 2^64, and for a transform that is none; cuda_error.

/// Enqueues the work on the place's stream and returns: neither allocates nor waits, and can be
/// captured in a CUDA graph.
void bits_async(gpu& place, device_span<std::uint32_t> out, options const& options = {});
template <class T>
void uniform_async(gpu& place, device_span<T> out, options const& options = {});
template <class T>
void normal_async(gpu& place, device_span<T> out, options const& options = {});

/// The same, and waits until it is done.
void bits(gpu& place, device_span<std::uint32_t> out, options const& options = {});
template <class T>
void uniform(gpu& place, device_span<T> out, options const& options = {});
template <class T>
void normal(gpu& place, device_span<T> out, options const& options = {});

/// The same for any other array in GPU memory: `_async` enqueues, the others block.
///@{
template <detail::other_device_range Range>
void uniform_async(gpu& place, Range&& out, options const& options = {}) {
  uniform_async(place, device_span(std::forward<Range>(out)), options);
}
template <detail::other_device_range Range>
void normal_async(gpu& place, Range&& out, options const& options = {}) {
  normal_async(place, device_span(std::forward<Range>(out)), options);
}
template <detail::other_device_range Range>
void uniform(gpu& place, Range&& out, options const& options = {}) {
  uniform(place, device_span(std::forward<Range>(out)), options);
}
template <detail::other_device_range Range>
void normal(gpu& place, Range&& out, options const& options = {}) {
  normal(place, device_span(std::forward<Range>(out)), options);
}

///@}

/// On the host's threads. Blocks.
void bits(host const& place, std::span<std::uint32_t> out, options const& options = {});
template <class T>
void uniform(host const& place, std::span<T> out, options const& options = {});
template <class T>
void normal(host const& place, std::span<T> out, options const& options = {});

} // namespace warpfold::inline v0::random
