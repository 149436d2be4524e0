#pragma once
// Accesses to elements that are read or written once, which leave the caches first.

#include <warpfold/detail/core/elements.hpp>
#include <warpfold/detail/core/macros.hpp>

#include <cstdint>
#include <type_traits>

namespace warpfold::inline v0::detail {

/// True for the types that __ldcs and __stcs take: numbers, neither bool nor characters.
template <class T>
inline constexpr bool has_streaming_access =
    std::is_floating_point_v<T> || std::is_same_v<T, std::int8_t> ||
    std::is_same_v<T, std::uint8_t> || std::is_same_v<T, std::int16_t> ||
    std::is_same_v<T, std::uint16_t> || std::is_same_v<T, std::int32_t> ||
    std::is_same_v<T, std::uint32_t> || std::is_same_v<T, std::int64_t> ||
    std::is_same_v<T, std::uint64_t>;

template <class Iterator>
WARPFOLD_HOST_DEVICE iterator_element<Iterator> read_once(Iterator from) {
#ifdef __CUDA_ARCH__
  if constexpr (std::is_pointer_v<Iterator>)
    if constexpr (has_streaming_access<std::remove_cv_t<std::remove_pointer_t<Iterator>>>)
      return __ldcs(from);
#endif
  return *from;
}

template <class T>
WARPFOLD_HOST_DEVICE void write_once(T* to, T const& value) {
#ifdef __CUDA_ARCH__
  if constexpr (has_streaming_access<T>) {
    __stcs(to, value);
    return;
  }
#endif
  *to = value;
}

/// The same pointer, of which a compiler knows nothing more. It no longer reads a kernel's
/// parameter as a constant, for which threads with different addresses wait for each other. Nor
/// does it add up what the pointer was computed from again at every access.
template <class T>
WARPFOLD_HOST_DEVICE T* unknown(T* pointer) {
#ifdef __CUDA_ARCH__
  asm("" : "+l"(pointer));
#endif
  return pointer;
}

/// As read_once and write_once, for packs of up to 16 bytes that are aligned to their size.
template <class Pack>
WARPFOLD_HOST_DEVICE Pack read_pack(Pack const* from) {
#ifdef __CUDA_ARCH__
  static_assert(alignof(Pack) == sizeof(Pack));
  if constexpr (sizeof(Pack) == 16)
    return __builtin_bit_cast(Pack, __ldcs(reinterpret_cast<int4 const*>(from)));
  else if constexpr (sizeof(Pack) == 8)
    return __builtin_bit_cast(Pack, __ldcs(reinterpret_cast<int2 const*>(from)));
#endif
  return *from;
}
template <class Pack>
WARPFOLD_HOST_DEVICE void write_pack(Pack* to, Pack const& pack) {
#ifdef __CUDA_ARCH__
  if constexpr (sizeof(Pack) == 16)
    return __stcs(reinterpret_cast<int4*>(to), __builtin_bit_cast(int4, pack));
#endif
  *to = pack;
}

} // namespace warpfold::inline v0::detail
