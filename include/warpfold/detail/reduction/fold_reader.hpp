#pragma once
// How a fold reads its input: a pack of neighbouring elements at a time.

#include <warpfold/detail/core/elements.hpp>
#include <warpfold/detail/reduction/fold_shape.hpp>

#include <cstdint>
#include <cstring>
#include <type_traits>

namespace warpfold::inline v0::detail {

/// Reads element by element: arrays at any alignment, and any random-access iterator.
template <class Iterator, class Transform>
struct element_reader {
  using T = iterator_element<Iterator>;
  static constexpr int lanes = lanes_per_thread<T>;
  struct pack {
    T element[lanes];
  };

  Iterator elements;
  Transform transform;

  WARPFOLD_HOST_DEVICE void advance(std::int64_t by) { elements += by; }

  /// Asks for elements [offset, offset + lanes) to be brought to the L2 cache, where that is known
  /// to help. Reads nothing, so it may come before the work that writes them is done.
  WARPFOLD_HOST_DEVICE void prefetch(int) const {}

  WARPFOLD_HOST_DEVICE pack load(int offset) const { return load_first(offset, lanes); }

  /// Elements [offset, offset + min(count, lanes)); the rest of the pack is unspecified.
  WARPFOLD_HOST_DEVICE pack load_first(int offset, int count) const {
    pack loaded{};
    WARPFOLD_UNROLL
    for (int v = 0; v < lanes; ++v)
      if (v < count) loaded.element[v] = elements[offset + v];
    return loaded;
  }

  WARPFOLD_HOST_DEVICE auto operator()(pack const& loaded, int v) const {
    return transform(loaded.element[v]);
  }
};

/// Reads 16 bytes at once from an array aligned to 16 bytes.
template <class T, class Transform>
struct packed_reader {
  static constexpr int lanes = lanes_per_thread<T>;
  struct pack {
    T element[lanes];
  };

  T const* elements;
  Transform transform;

  WARPFOLD_HOST_DEVICE void advance(std::int64_t by) { elements += by; }

  WARPFOLD_HOST_DEVICE void prefetch([[maybe_unused]] int offset) const {
#ifdef __CUDA_ARCH__
    asm volatile("prefetch.global.L2 [%0];" ::"l"(elements + offset));
#endif
  }

  WARPFOLD_HOST_DEVICE pack load(int offset) const {
    pack loaded;
#ifdef __CUDA_ARCH__
    if constexpr (sizeof(pack) == 16) {
      // Read once: let it leave the caches first.
      int4 const words = __ldcs(reinterpret_cast<int4 const*>(elements + offset));
      std::memcpy(static_cast<void*>(&loaded), &words, sizeof(pack));
      return loaded;
    }
#endif
    std::memcpy(static_cast<void*>(&loaded), elements + offset, sizeof(pack));
    return loaded;
  }

  WARPFOLD_HOST_DEVICE pack load_first(int offset, int count) const {
    pack loaded{};
    WARPFOLD_UNROLL
    for (int v = 0; v < lanes; ++v)
      if (v < count) loaded.element[v] = elements[offset + v];
    return loaded;
  }

  WARPFOLD_HOST_DEVICE auto operator()(pack const& loaded, int v) const {
    return transform(loaded.element[v]);
  }
};

inline bool is_aligned(void const* x) { return reinterpret_cast<std::uintptr_t>(x) % 16 == 0; }

/// Calls run(reader of the elements from `first` on), which reads 16 bytes at a time where the
/// alignment of an array allows.
template <class Iterator, class Transform, class Run>
void with_reader(Iterator first, Transform transform, Run run) {
  if constexpr (std::is_pointer_v<Iterator>) {
    using T = iterator_element<Iterator>;
    if (is_aligned(first)) run(packed_reader<T, Transform>{first, transform});
    else run(element_reader<T const*, Transform>{first, transform});
  } else {
    run(element_reader<Iterator, Transform>{first, transform});
  }
}

} // namespace warpfold::inline v0::detail
