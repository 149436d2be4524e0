#pragma once
// Random numbers by their place in a sequence: words, uniform and normal numbers in arrays.

#include <warpfold/execution.hpp>
#include <warpfold/span.hpp>

#include <cstdint>
#include <span>

namespace warpfold::random {

/// Whose generator, and which.
enum class method {
  philox,        ///< Philox4x32-10, ours: any part of the sequence anywhere, with the same bits
  curand_philox, ///< the others are cuRAND's, with its own seeding, order and transforms
  curand_xorwow,
  curand_mrg32k3a,
  curand_mtgp32,  ///< Mersenne Twister for GPUs, 200 streams of period 2^11213 - 1; needs a gpu
  curand_mt19937, ///< Mersenne Twister, 8192 substreams
  curand_sobol    ///< one dimension; takes no seed
};

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
  transform by = transform::box_muller; ///< read by normal(); cuRAND's have no other
  method how = method::philox;          ///< whose generator
};

// What holds for every form of the three verbs.
//
// Elements    uniform and normal: float or double.
// Addressing  method::philox: out[i] is sample first + i of the sequence (seed, stream), a function
//             of these three numbers and of nothing else. A word is a sample, a float is made of
//             the word of its index (Box and Muller: two of the words of theirs), and a double of
//             words 2 k and 2 k + 1.
// uniform     (w + 1/2) / 2^32, rounded, between 2^-33 and 1 - 2^-24; in double (w + 1/2) / 2^64,
//             between 2^-65 and 1 - 2^-53. Never 0 or 1. cuRAND's lie in (0, 1].
// normal      Mean 0, standard deviation 1. They reach to 6.76 and 9.49 by Box and Muller, and to
//             6.33 and 9.15 by the inverse: docs/random.md has the errors.
// Determinism method::philox: the same bits on every GPU and host. cuRAND's: on every GPU for one
//             version of it.
// Throws      argument_error, before the array is touched, if it is null with a size, if
//             first + size is more than 2^64, for a method that is none or that the place or the
//             form does not have, and for options that it does not know; vendor_error; cuda_error.

/// Enqueues the work on the place's stream and returns: neither allocates nor waits, and can be
/// captured in a CUDA graph. method::philox alone; for the others there is vendor_generator, which
/// enqueues on the stream, and promises nothing about graphs.
void bits_async(gpu& place, device_span<std::uint32_t> out, options const& options = {});
template <class T>
void uniform_async(gpu& place, device_span<T> out, options const& options = {});
template <class T>
void normal_async(gpu& place, device_span<T> out, options const& options = {});

/// The same, and waits until it is done. cuRAND's generators are made and seeded anew in each call.
void bits(gpu& place, device_span<std::uint32_t> out, options const& options = {});
template <class T>
void uniform(gpu& place, device_span<T> out, options const& options = {});
template <class T>
void normal(gpu& place, device_span<T> out, options const& options = {});

/// On the host's threads; cuRAND's on one. Blocks.
void bits(host const& place, std::span<std::uint32_t> out, options const& options = {});
template <class T>
void uniform(host const& place, std::span<T> out, options const& options = {});
template <class T>
void normal(host const& place, std::span<T> out, options const& options = {});

} // namespace warpfold::random
