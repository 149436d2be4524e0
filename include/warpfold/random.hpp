#pragma once
// Random numbers by their index in a sequence: words, uniform and normal numbers in arrays.

#include <warpfold/detail/random/fill.hpp>

#include <cstdint>
#include <utility>

namespace warpfold::inline v0::random {

/// Which samples. To be used with designated initialisers.
struct options {
  std::uint64_t seed = 0;   ///< any number; other seeds have other sequences
  std::uint64_t stream = 0; ///< sequences of one seed, of 2^64 samples each; they do not overlap
  std::uint64_t offset = 0; ///< index in the sequence of the array's first element
};

// Contract of every form of the three verbs.
//
// output      Lives where the place works: for a gpu a device_span or any other device_range, for a
//             host any other contiguous range (std::span, std::vector, pinned_buffer, ...).
// Addressing  Philox4x32-10: output[i] is sample offset + i of the sequence (seed, stream), a
//             function of these three numbers and of nothing else. A word is a sample; a float is
//             made of the word of its index (Box and Muller: two of the words of theirs), and a
//             double of words 2 k and 2 k + 1.
// Blocking    The verbs return when the numbers are there. Their _async forms enqueue one kernel on
//             a gpu's stream and return: they neither allocate nor wait, and can be captured in a
//             CUDA graph. On a host they are done on return.
// Determinism The same bits on every GPU and host, for any number of threads.
// Throws      argument_error, before the array is touched, if it is null with a size, if
//             offset + size is more than 2^64, and for an unknown method; cuda_error.

/// Fills an array of std::uint32_t with the sequence's words.
template <class Place, detail::output_of<Place, std::uint32_t> Output>
void bits_async(Place&& place, Output&& output, options const& options = {}) {
  detail::verb const scope("random::bits_async");
  detail::fill_random(place, detail::variate::bits,
                      detail::output_view<Place>(std::forward<Output>(output)), options);
}
template <class Place, detail::output_of<Place, std::uint32_t> Output>
void bits(Place&& place, Output&& output, options const& options = {}) {
  detail::verb const scope("random::bits");
  bits_async(place, std::forward<Output>(output), options);
  detail::finish(place);
}

/// Fills an array of float or double: (w + 1/2) / 2^32 of a word w, rounded once to the nearest
/// number (of two, to the even one), but never to 1: between 2^-33 and 1 - 2^-24. In double
/// (w + 1/2) / 2^64 of two words, between 2^-65 and 1 - 2^-53.
template <class Place, detail::output_of<Place, float, double> Output>
void uniform_async(Place&& place, Output&& output, options const& options = {}) {
  detail::verb const scope("random::uniform_async");
  detail::fill_random(place, detail::variate::uniform,
                      detail::output_view<Place>(std::forward<Output>(output)), options);
}
template <class Place, detail::output_of<Place, float, double> Output>
void uniform(Place&& place, Output&& output, options const& options = {}) {
  detail::verb const scope("random::uniform");
  uniform_async(place, std::forward<Output>(output), options);
  detail::finish(place);
}

/// How a normal is made of uniform numbers.
enum class normal_method {
  box_muller, ///< two normals of two words: the faster
  inverse     ///< one of one, the larger the word the larger the normal
};

/// Which normals. To be used with designated initialisers.
struct normal_options {
  std::uint64_t seed = 0, stream = 0, offset = 0;   ///< as in options
  normal_method method = normal_method::box_muller; ///< how they are made
};

/// Fills an array of float or double with normals of mean 0 and standard deviation 1. They reach to
/// 6.76 and 9.49 by Box and Muller, and to 6.33 and 9.15 by the inverse: docs/random.md has the
/// errors.
template <class Place, detail::output_of<Place, float, double> Output>
void normal_async(Place&& place, Output&& output, normal_options const& options = {}) {
  detail::verb const scope("random::normal_async");
  detail::fill_random(place, detail::normal_variate(options.method),
                      detail::output_view<Place>(std::forward<Output>(output)),
                      {options.seed, options.stream, options.offset});
}
template <class Place, detail::output_of<Place, float, double> Output>
void normal(Place&& place, Output&& output, normal_options const& options = {}) {
  detail::verb const scope("random::normal");
  normal_async(place, std::forward<Output>(output), options);
  detail::finish(place);
}

} // namespace warpfold::inline v0::random
