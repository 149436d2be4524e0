#pragma once
// Where a unit, two lines as the real and the imaginary part of complex numbers, finds them.
//
// Rows lie in the caller's fields, row-major. Between the passes modes lie in tiles of
// [y / n][slot][y % n], an entry of which are the two modes of a slot of one row: so a unit of rows
// writes two entries that are beside each other, and columns, of which a unit are the two of a
// slot, read entries. Slots are pairs of modes; n is twice the units that lie beside each other.

#include <warpfold/detail/core/block.hpp>

#include "poisson/complex.hpp"
#include "poisson/engine/once.hpp"

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <type_traits>

namespace warpfold::inline v0::poisson {

template <class T>
struct alignas(4 * sizeof(T) > 16 ? 16 : 4 * sizeof(T)) complex_pair {
  complex<T> first, second;
};

/// Past the first cache, which would have no more use for it.
template <class T>
WARPFOLD_HOST_DEVICE WARPFOLD_ALWAYS_INLINE complex<T> load_past(complex<T> const* from) {
#ifdef __CUDA_ARCH__
  if constexpr (sizeof(T) == 4) {
    auto const v = __ldcg(reinterpret_cast<float2 const*>(from));
    return {v.x, v.y};
  } else {
    auto const v = __ldcg(reinterpret_cast<double2 const*>(from));
    return {v.x, v.y};
  }
#else
  return *from;
#endif
}
template <class T>
WARPFOLD_HOST_DEVICE WARPFOLD_ALWAYS_INLINE complex_pair<T> load_pair(complex_pair<T> const* from) {
#ifdef __CUDA_ARCH__
  if constexpr (sizeof(T) == 4) {
    auto const v = __ldcg(reinterpret_cast<float4 const*>(from));
    return {{v.x, v.y}, {v.z, v.w}};
  }
#endif
  return {load_past(&from->first), load_past(&from->second)};
}

/// As load_pair, but through L1 where a pair takes two loads: the second one finds its sector
/// there. N = 8192 in double 658 us, past L1 715.
template <class T>
WARPFOLD_HOST_DEVICE WARPFOLD_ALWAYS_INLINE complex_pair<T>
load_pair_cached(complex_pair<T> const* from) {
#ifdef __CUDA_ARCH__
  if constexpr (sizeof(complex_pair<T>) == 32) {
    complex_pair<T> v;
    asm volatile("ld.global.L2::128B.v2.f64 {%0, %1}, [%2];"
                 : "=d"(v.first.re), "=d"(v.first.im)
                 : "l"(&from->first));
    asm volatile("ld.global.L2::128B.v2.f64 {%0, %1}, [%2];"
                 : "=d"(v.second.re), "=d"(v.second.im)
                 : "l"(&from->second));
    return v;
  }
#endif
  return load_pair(from);
}

template <class T>
struct two {
  complex<T> first, second;
};

/// Exchanges real parts of the second with imaginary parts of the first: from two rows of a slot to
/// its two modes, and back.
template <class T>
WARPFOLD_HOST_DEVICE WARPFOLD_ALWAYS_INLINE two<T> transposed(complex<T> a, complex<T> b) {
  return {{a.re, b.re}, {a.im, b.im}};
}

/// Two rows, Number const or not. Streams: past the second cache.
template <class Number, bool Streams>
struct row_memory {
  using T = std::remove_const_t<Number>;
  static constexpr bool has_slots = false;
  Number* row;
  std::size_t second; ///< from a row to the other one; 0 if it is alone
  bool is_aligned;    ///< two numbers can be accessed at once

  WARPFOLD_HOST_DEVICE WARPFOLD_ALWAYS_INLINE Number* at(int x) const { return row + x; }
  WARPFOLD_HOST_DEVICE WARPFOLD_ALWAYS_INLINE Number* further(Number* from, int by) const {
    return from + by;
  }
  template <int By>
  WARPFOLD_HOST_DEVICE WARPFOLD_ALWAYS_INLINE complex<T> get(Number* from, int j) const {
    return {load_once<Streams>(from + j * By), load_once<Streams>(from + second + j * By)};
  }
  template <int By>
  WARPFOLD_HOST_DEVICE WARPFOLD_ALWAYS_INLINE void put(Number* to, int j, complex<T> v) const {
    store_once<Streams>(to + j * By, v.re);
    if (second != 0) store_once<Streams>(to + second + j * By, v.im);
  }
  /// Two neighbours of each row, the first of an even number.
  template <int By>
  WARPFOLD_HOST_DEVICE WARPFOLD_ALWAYS_INLINE two<T> get_two(Number* from, int j) const {
    auto const a = load_once<Streams>(from + j * By, is_aligned),
               b = load_once<Streams>(from + second + j * By, is_aligned);
    return transposed(a, b);
  }
  template <int By>
  WARPFOLD_HOST_DEVICE WARPFOLD_ALWAYS_INLINE void put_two(Number* to, int j, two<T> v) const {
    two<T> const rows = transposed(v.first, v.second);
    store_once<Streams>(to + j * By, rows.first, is_aligned);
    if (second != 0) store_once<Streams>(to + second + j * By, rows.second, is_aligned);
  }
};

/// The slots of two rows. Beside: units that lie beside each other.
template <class T, int Beside>
struct slot_memory {
  static constexpr bool has_slots = true;
  static constexpr int beside = Beside;
  complex_pair<T>* slots;

  WARPFOLD_HOST_DEVICE WARPFOLD_ALWAYS_INLINE complex_pair<T>* slot(int x) const {
    return slots + x * Beside;
  }
  template <int By, class Pair>
  WARPFOLD_HOST_DEVICE WARPFOLD_ALWAYS_INLINE Pair* moved(Pair* from, int j) const {
    return from + j * By * Beside;
  }
  template <int By>
  WARPFOLD_HOST_DEVICE WARPFOLD_ALWAYS_INLINE two<T> get_slot(complex_pair<T> const* from,
                                                              int j) const {
    auto const both = load_pair_cached(moved<By>(from, j));
    return transposed(both.first, both.second);
  }
  template <int By>
  WARPFOLD_HOST_DEVICE WARPFOLD_ALWAYS_INLINE void put_slot(complex_pair<T>* to, int j,
                                                            two<T> v) const {
    two<T> const rows = transposed(v.first, v.second);
    *moved<By>(to, j) = {rows.first, rows.second};
  }
  /// Numbers x and x + 1 of a line whose pairs of neighbours are its slots.
  WARPFOLD_HOST_DEVICE WARPFOLD_ALWAYS_INLINE complex_pair<T>* at(int x) const {
    return slot(x / 2);
  }
  template <int By>
  WARPFOLD_HOST_DEVICE WARPFOLD_ALWAYS_INLINE two<T> get_two(complex_pair<T> const* from,
                                                             int j) const {
    return get_slot<By / 2>(from, j);
  }
  template <int By>
  WARPFOLD_HOST_DEVICE WARPFOLD_ALWAYS_INLINE void put_two(complex_pair<T>* to, int j,
                                                           two<T> v) const {
    put_slot<By / 2>(to, j, v);
  }
};

/// Reads a thread's slots, counted from the one at `own`. Together: neighbouring lanes load one
/// half each of the even lane's slot, then of the odd lane's, and exchange by shuffles, so that an
/// access has whole sectors. All lanes of a warp must call it. NVIDIA H200, 2026-11-26, double: N =
/// 4096 324 us, together 319; N = 8192 1472 and 1423.
template <bool Together, class T, class Memory, detail::thread_block Block>
struct slot_reader {
  Block const& block;
  Memory const& memory;
  complex_pair<T> const* own;
  complex_pair<T> const *even = nullptr, *odd = nullptr;

  WARPFOLD_HOST_DEVICE WARPFOLD_ALWAYS_INLINE slot_reader(Block const& of, Memory const& from,
                                                          complex_pair<T> const* at)
      : block{of}, memory{from}, own{at} {
    if constexpr (Together) {
      auto const* const other = reinterpret_cast<complex_pair<T> const*>(
          from_beside(reinterpret_cast<std::uintptr_t>(own)));
      even = is_odd() ? other : own;
      odd = is_odd() ? own : other;
    }
  }

  /// Slot j * By after the first one.
  template <int By>
  WARPFOLD_HOST_DEVICE WARPFOLD_ALWAYS_INLINE two<T> get(int j) const {
    if constexpr (!Together) return memory.template get_slot<By>(own, j);
    else {
      complex<T> const p = load_past(half_of(memory.template moved<By>(even, j))),
                       q = load_past(half_of(memory.template moved<By>(odd, j)));
      complex<T> const given = is_odd() ? p : q;
      complex<T> const got{from_beside(given.re), from_beside(given.im)};
      return is_odd() ? transposed(got, q) : transposed(p, got);
    }
  }

private:
  WARPFOLD_HOST_DEVICE bool is_odd() const { return (block.lane() & 1) != 0; }
  /// The half of a slot that this lane loads.
  WARPFOLD_HOST_DEVICE WARPFOLD_ALWAYS_INLINE complex<T> const*
  half_of(complex_pair<T> const* slot) const {
    return is_odd() ? &slot->second : &slot->first;
  }
  template <class Value>
  WARPFOLD_HOST_DEVICE WARPFOLD_ALWAYS_INLINE Value from_beside(Value given) const {
    static_assert(sizeof(Value) == sizeof(std::uint64_t));
    std::uint64_t bits;
    std::memcpy(&bits, &given, sizeof bits);
    bits = block.shuffle(0xffffffffU, bits, block.lane() ^ 1);
    std::memcpy(&given, &bits, sizeof bits);
    return given;
  }
};

/// A line whose numbers are a step from each other.
template <class T>
struct strided_memory {
  static constexpr bool has_slots = false;
  complex<T>* entries; ///< the line's first number
  std::ptrdiff_t step;

  WARPFOLD_HOST_DEVICE WARPFOLD_ALWAYS_INLINE complex<T>* further(complex<T>* from, int by) const {
    return from + step * by;
  }
  template <int By>
  WARPFOLD_HOST_DEVICE WARPFOLD_ALWAYS_INLINE complex<T>* moved(complex<T>* from, int j) const {
    return from + step * (j * By);
  }
  template <int By>
  WARPFOLD_HOST_DEVICE WARPFOLD_ALWAYS_INLINE complex<T> get(complex<T>* from, int j) const {
    return load_past(moved<By>(from, j));
  }
  template <int By>
  WARPFOLD_HOST_DEVICE WARPFOLD_ALWAYS_INLINE void put(complex<T>* to, int j, complex<T> v) const {
    *moved<By>(to, j) = v;
  }
};

/// A slot's column. The step is the slots of a row, and moves go by whole tiles.
template <class T>
struct column_memory : strided_memory<T> {
  int tile_log2;

  WARPFOLD_HOST_DEVICE WARPFOLD_ALWAYS_INLINE complex<T>* at(int y) const {
    std::ptrdiff_t const tiles = this->step * (y >> tile_log2);
    return this->entries + (tiles << tile_log2) + (y & ((1 << tile_log2) - 1));
  }
  template <int By>
  WARPFOLD_HOST_DEVICE WARPFOLD_ALWAYS_INLINE two<T> get_two(complex<T>* from, int j) const {
    auto const* const both =
        reinterpret_cast<complex_pair<T> const*>(this->template moved<By>(from, j));
    auto const loaded = load_pair_cached(both);
    return {loaded.first, loaded.second};
  }
  template <int By>
  WARPFOLD_HOST_DEVICE WARPFOLD_ALWAYS_INLINE void put_two(complex<T>* to, int j, two<T> v) const {
    *reinterpret_cast<complex_pair<T>*>(this->template moved<By>(to, j)) = {v.first, v.second};
  }
};

/// A line across the planes of a box. The step is the numbers of a plane.
template <class T>
struct depth_memory : strided_memory<T> {
  WARPFOLD_HOST_DEVICE WARPFOLD_ALWAYS_INLINE complex<T>* at(int z) const {
    return this->further(this->entries, z);
  }
  template <int By>
  WARPFOLD_HOST_DEVICE WARPFOLD_ALWAYS_INLINE two<T> get_two(complex<T>* from, int j) const {
    auto* const first = this->template moved<By>(from, j);
    return {load_past(first), load_past(first + this->step)};
  }
  template <int By>
  WARPFOLD_HOST_DEVICE WARPFOLD_ALWAYS_INLINE void put_two(complex<T>* to, int j, two<T> v) const {
    auto* const first = this->template moved<By>(to, j);
    *first = v.first;
    first[this->step] = v.second;
  }
};

} // namespace warpfold::inline v0::poisson
