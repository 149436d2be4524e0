#pragma once
// How a fold reads its input: a pack of neighbouring elements at a time.

#include <warpfold/detail/fold_shape.hpp>

#include <cstdint>
#include <cstring>
#include <iterator>

namespace warpfold::detail {

/// Reads 16 bytes at once from an array aligned to 16 bytes.
template <class T, class Transform>
struct packed_reader {
  static constexpr int lanes = lanes_per_thread<T>;
  struct pack {
    T element[lanes];
  };

  T const* elements;
  Transform transform;

  /// Elements [first, first + lanes).
  WARPFOLD_HOST_DEVICE pack load(std::int64_t first) const {
    pack loaded;
#ifdef __CUDA_ARCH__
    if constexpr (sizeof(pack) == 16) {
      // Read once: let it leave the caches first.
      int4 const words = __ldcs(reinterpret_cast<int4 const*>(elements + first));
      std::memcpy(&loaded, &words, sizeof(pack));
      return loaded;
    }
#endif
    std::memcpy(&loaded, elements + first, sizeof(pack));
    return loaded;
  }

  /// Elements [first, first + min(count, lanes)); the rest of the pack is unspecified.
  WARPFOLD_HOST_DEVICE pack load_first(std::int64_t first, int count) const {
    pack loaded{};
    WARPFOLD_UNROLL
    for (int v = 0; v < lanes; ++v)
      if (v < count) loaded.element[v] = elements[first + v];
    return loaded;
  }

  WARPFOLD_HOST_DEVICE auto operator()(pack const& loaded, int v) const {
    return transform(loaded.element[v]);
  }
};

/// Reads element by element: arrays at any alignment, and any random-access iterator.
template <class Iterator, class Transform>
struct element_reader {
  using T = typename std::iterator_traits<Iterator>::value_type;
  static constexpr int lanes = lanes_per_thread<T>;
  struct pack {
    T element[lanes];
  };

  Iterator elements;
  Transform transform;

  WARPFOLD_HOST_DEVICE pack load(std::int64_t first) const { return load_first(first, lanes); }

  WARPFOLD_HOST_DEVICE pack load_first(std::int64_t first, int count) const {
    pack loaded{};
    WARPFOLD_UNROLL
    for (int v = 0; v < lanes; ++v)
      if (v < count) loaded.element[v] = elements[first + v];
    return loaded;
  }

  WARPFOLD_HOST_DEVICE auto operator()(pack const& loaded, int v) const {
    return transform(loaded.element[v]);
  }
};

} // namespace warpfold::detail
