#pragma once
// Samplers make elements of a block of Philox's words, in order: as many as fill 16 bytes.

#include <warpfold/detail/random/inverse_normal.hpp>

namespace warpfold::inline v0::random {

/// `width` elements that are written at once.
template <class T>
struct alignas(16) pack {
  static constexpr int width = 16 / sizeof(T);
  T of[width];
};

struct word_sampler {
  using element = std::uint32_t;
  WARPFOLD_HOST_DEVICE WARPFOLD_ALWAYS_INLINE static pack<element>
  sample(detail::philox_words const& words) {
    return {{words.of[0], words.of[1], words.of[2], words.of[3]}};
  }
};

/// One element a word: of 64 bits for doubles.
template <class T, T (*transform)(detail::bits_of<T>)>
struct single_sampler {
  using element = T;
  WARPFOLD_HOST_DEVICE WARPFOLD_ALWAYS_INLINE static pack<T>
  sample(detail::philox_words const& words) {
    if constexpr (sizeof(T) == 4)
      return {{transform(words.of[0]), transform(words.of[1]), transform(words.of[2]),
               transform(words.of[3])}};
    else
      return {{transform(detail::two_words(words.of[0], words.of[1])),
               transform(detail::two_words(words.of[2], words.of[3]))}};
  }
};

template <class T>
using uniform_sampler = single_sampler<T, detail::uniform_of_word<T>>;
template <class T>
using inverse_sampler = single_sampler<T, detail::inverse_normal_of_word<T>>;

template <class T>
struct box_muller_sampler {
  using element = T;
  WARPFOLD_HOST_DEVICE WARPFOLD_ALWAYS_INLINE static pack<T>
  sample(detail::philox_words const& words) {
    if constexpr (sizeof(T) == 4) {
      auto const normals = detail::normals_of(words);
      return {{normals.of[0], normals.of[1], normals.of[2], normals.of[3]}};
    } else {
      auto const normals = detail::double_normals_of(words);
      return {{normals.of[0], normals.of[1]}};
    }
  }
};

} // namespace warpfold::inline v0::random
