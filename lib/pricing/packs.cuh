#pragma once
// A book as packs of options: a pack is read and written with accesses of 16 bytes.

#include "backend.hpp"
#include "each_index.cuh"

#include <warpfold/detail/pricing/black_scholes_limits.hpp>

#include <cmath>
#include <cstdint>
#include <type_traits>

namespace warpfold::inline v0::pricing::gpu_impl {

/// `width` options side by side.
template <class T, int width>
struct option_pack {
  option<T> of[width];
};

/// Their results. Those of irregular options are wrong: see results_writer.
template <class Result, int width>
struct result_pack {
  Result of[width];
  bool all_regular = true;
};

/// Elements that one access moves: 16 bytes of them, if there are so many in a pack.
template <class T, int width>
struct access {
  static constexpr int elements = width < 16 / int{sizeof(T)} ? width : 16 / int{sizeof(T)};
  using type =
      std::conditional_t<elements == 1, T,
                         std::conditional_t<std::is_same_v<T, double>, double2,
                                            std::conditional_t<elements == 2, float2, float4>>>;
};

template <int width, class T>
__device__ void repeat(T value, T (&to)[width]) {
  for (T& one : to) one = value;
}

/// Reads elements that are not read again.
template <bool is_array, int width, class T>
__device__ void read_pack(column<T> const& from, std::int64_t p, T (&to)[width]) {
  using vector = typename access<T, width>::type;
  constexpr int elements = access<T, width>::elements;
  if (!is_array && !from.array) return repeat(from.value, to);
#pragma unroll
  for (int i = 0; i < width; i += elements) {
    vector const some = __ldcs(reinterpret_cast<vector const*>(from.array + p * width + i));
    __builtin_memcpy(&to[i], &some, sizeof(vector));
  }
}

template <int width, class T>
__device__ void write_pack(T* to, std::int64_t p, T const (&values)[width]) {
  using vector = typename access<T, width>::type;
  constexpr int elements = access<T, width>::elements;
#pragma unroll
  for (int i = 0; i < width; i += elements) {
    vector some;
    __builtin_memcpy(&some, &values[i], sizeof(vector));
    __stcs(reinterpret_cast<vector*>(to + p * width + i), some);
  }
}

/// Facts about a book that are known when its kernel is compiled. No bit depends on them.
enum class shape {
  any,
  no_yields, ///< the dividend yield is 0
  usual      ///< that, and see price_call::is_usual
};

template <class T>
shape shape_of(price_call<T> const& call) {
  column<T> const& yield = call.book.of[5];
  if (yield.array || yield.value != 0 || std::signbit(yield.value)) return shape::any;
  return call.is_usual() ? shape::usual : shape::no_yields;
}

template <shape known>
inline constexpr detail::yields yields_of =
    known == shape::any ? detail::yields::any : detail::yields::none;

template <class T, int width, shape known>
struct book_reader {
  book_view<T> book;

  __device__ option_pack<T, width> operator()(std::int64_t p) const {
    T of[book_columns][width];
    constexpr bool is_usual = known == shape::usual;
    for (int k = 0; k < 3; ++k) read_pack<is_usual>(book.of[k], p, of[k]);
    for (int k = 3; k < 5; ++k)
      if constexpr (is_usual) repeat(book.of[k].value, of[k]);
      else read_pack<false>(book.of[k], p, of[k]);
    if constexpr (known == shape::any) read_pack<false>(book.of[5], p, of[5]);
    else repeat(T(0), of[5]);
    option_pack<T, width> options;
#pragma unroll
    for (int i = 0; i < width; ++i)
      options.of[i] = {of[0][i], of[1][i], of[2][i], of[3][i], of[4][i], of[5][i]};
    return options;
  }
};

/// Writes a pack of results. The irregular ones among them are rare: they are then computed one by
/// one from what is in memory, and written again, so that they take no registers from the others.
template <class T, int width, class Compute>
struct results_writer {
  book_view<T> book;
  outputs_view<T> outputs;

  template <class Result>
  __device__ void operator()(std::int64_t p, result_pack<Result, width> const& results) const {
    constexpr int columns = sizeof(Result) / sizeof(T);
    T of[columns][width];
#pragma unroll
    for (int i = 0; i < width; ++i)
      for_each_value(results.of[i], [&](int k, T value) { of[k][i] = value; });
#pragma unroll
    for (int k = 0; k < columns; ++k)
      if ((Compute::known == shape::usual && k < 2) || outputs.of[k])
        write_pack(outputs.of[k], p, of[k]);
    if (results.all_regular) return;
#pragma unroll 1
    for (int i = 0; i < width; ++i) {
      auto const at = static_cast<std::size_t>(p * width + i);
      option<T> const one = book[at];
      if (detail::is_regular(one)) continue;
      for_each_value(Compute::limit(one), [&](int k, T value) {
        if (outputs.of[k]) outputs.of[k][at] = value;
      });
    }
  }
};

/// outputs[i] = compute(book[i]) for the packs number p, p + stride, ...
template <int width, class T, class Compute>
struct price_run {
  static constexpr int registers = Compute::template registers<T>;
  static constexpr int turns = Compute::turns;
  book_reader<T, width, Compute::known> read;
  results_writer<T, width, Compute> write;
  Compute compute;
  std::int64_t stride, packs;

  __device__ void operator()(std::int64_t p) const {
#pragma unroll 1
    for (int i = 0; i < Compute::packs_of_thread && p < packs; ++i, p += stride)
      write(p, compute(read(p)));
  }
};

/// outputs[i] = compute(book[i]) for packs of options: one run a thread.
template <int width, class T, class Compute>
void transform_packs(cudaStream_t stream, price_call<T> const& call, Compute compute) {
  constexpr std::int64_t enough = 1 << 19; // for threads that take one each
  auto const packs = static_cast<std::int64_t>(call.size()) / width;
  std::int64_t const each = packs < enough ? 1 : Compute::packs_of_thread;
  std::int64_t const runs = (packs + each - 1) / each;
  for_each_index(
      stream, runs,
      price_run<width, T, Compute>{{call.book}, {call.book, call.outputs}, compute, runs, packs});
}

/// outputs[i] = Compute<shape>(book[i]): packs of `width` options as far as they go, and what is
/// left one by one; all one by one if an array is not aligned.
template <int width, template <shape> class Compute, class T>
void transform_book(cudaStream_t stream, price_call<T> const& call) {
  std::uintptr_t bits = 0;
  call.moved(0, [&](auto* array) { bits |= reinterpret_cast<std::uintptr_t>(array); });
  std::size_t const packed = bits % 16 == 0 ? call.size() / width * width : 0;
  if (packed > 0) {
    auto const part = call.part(0, packed);
    switch (shape_of(call)) {
    case shape::any: transform_packs<width>(stream, part, Compute<shape::any>{}); break;
    case shape::no_yields: transform_packs<width>(stream, part, Compute<shape::no_yields>{}); break;
    case shape::usual: transform_packs<width>(stream, part, Compute<shape::usual>{}); break;
    }
  }
  if (packed < call.size())
    transform_packs<1>(stream, call.part(packed, call.size() - packed), Compute<shape::any>{});
}

} // namespace warpfold::inline v0::pricing::gpu_impl
