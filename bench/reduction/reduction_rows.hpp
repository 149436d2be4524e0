#pragma once
// Names of the reductions' rows on GPUs and on the host, and results known
// without adding anything up in floating point.

#include "paired_timing.hpp"

#include <warpfold/memory.hpp>

#include <algorithm>
#include <cmath>
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <limits>
#include <span>
#include <string>

namespace warpfold::bench {

constexpr std::size_t power(int exponent) { return std::size_t{1} << exponent; }

template <class T>
std::string type_name() {
  if constexpr (std::is_same_v<T, std::uint8_t>) return "uint8";
  else if constexpr (std::is_same_v<T, std::int32_t>) return "int32";
  else if constexpr (std::is_same_v<T, std::uint32_t>) return "uint32";
  else if constexpr (std::is_same_v<T, std::int64_t>) return "int64";
  else if constexpr (std::is_same_v<T, std::uint64_t>) return "uint64";
  else if constexpr (std::is_same_v<T, float>) return "float";
  else if constexpr (std::is_same_v<T, double>) return "double";
  else if constexpr (std::is_same_v<T, __half>) return "half";
  else return "bfloat16";
}

/// A reduction of elements of T in an accumulator of A, as rows name it.
template <class T, class A, class Op, class Transform>
struct reduction_kind {
  std::string operation; ///< sum, product, min, sum_of_squares

  [[nodiscard]] std::string name() const {
    std::string const type = type_name<T>();
    using usual = typename detail::default_accumulator<T>::type;
    return operation + "/" + (std::is_same_v<A, usual> ? type : type + "_in_" + type_name<A>());
  }
  /// True if a twin is compiled for it: see <warpfold/twins/reductions.hpp>. Others have no rows.
  [[nodiscard]] static constexpr bool has(twins::reducer twin) {
    constexpr bool is_usual = std::is_same_v<A, typename detail::default_accumulator<T>::type>;
    constexpr bool is_sum = std::is_same_v<Op, plus> && std::is_same_v<Transform, identity>;
    if (twin.is_classic()) return is_sum && is_usual;
    switch (twin.as_vendor()) {
    case twins::fold: return true;
    case twins::cub: return detail::compared_reduction<T, A, Op, Transform>;
    case twins::thrust: return detail::compared_element<T, A>;
    }
    return false;
  }
  /// Products need elements that stay finite, minima such that few elements are the least.
  [[nodiscard]] static constexpr pattern elements() {
    return std::is_same_v<Op, multiplies>  ? pattern::signs
           : std::is_same_v<Op, minimum<>> ? pattern::falling
                                           : pattern::small_integers;
  }
  [[nodiscard]] static constexpr A init() {
    if constexpr (std::is_same_v<Op, plus>) return A{0};
    else if constexpr (std::is_same_v<Op, multiplies>) return A{1};
    else return std::numeric_limits<A>::max();
  }

  /// The exact result for `size` elements, from number `first` on, of an endlessly repeated block
  /// of integers.
  [[nodiscard]] static double expected(std::span<T const> block, std::size_t first,
                                       std::size_t size) {
    auto const fold = [](double folded, std::span<T const> values) {
      for (T const& element : values)
        folded = Op{}(folded, detail::widened<double, Transform>{}(element));
      return folded;
    };
    auto const none = static_cast<double>(init());
    std::size_t const part = size % block.size();
    std::size_t const before_end = std::min(part, block.size() - first);
    double const rest =
        fold(fold(none, block.subspan(first, before_end)), block.first(part - before_end));
    std::size_t const blocks = size / block.size();
    if (blocks == 0) return rest;
    double const whole = fold(none, block);
    if constexpr (std::is_same_v<Op, plus>) return rest + static_cast<double>(blocks) * whole;
    else if constexpr (std::is_same_v<Op, multiplies>) return blocks % 2 == 0 ? rest : rest * whole;
    else return Op{}(rest, whole);
  }

  /// "" or what is wrong with a result. Sums of squares outgrow the integers that a float holds
  /// (and are then rounded a dozen times, at the top of the tree); all else must be exact, integers
  /// after wrapping around.
  [[nodiscard]] static std::string complaint(A result, double exact) {
    bool agrees = false;
    if constexpr (std::is_same_v<Transform, square> && std::is_same_v<A, float>)
      agrees = std::abs(static_cast<double>(result) - exact) <= 1e-6 * exact;
    else if constexpr (std::is_integral_v<A>)
      agrees = result == static_cast<A>(static_cast<std::int64_t>(exact));
    else agrees = static_cast<double>(result) == exact;
    if (agrees) return {};
    return "result " + std::to_string(result) + ", should be " + std::to_string(exact);
  }
};

/// Searches for extrema and descriptions have the twins that minima have.
template <class T>
using search_kind =
    reduction_kind<T, typename detail::default_accumulator<T>::type, minimum<>, identity>;

/// verb(place, values, twin) by Thrust, or verb(place, values) on the host where Thrust is not
/// compiled: what other results are held against.
template <class T, class Verb>
auto found_elsewhere(gpu& place, device_span<T const> values, Verb verb) {
  if constexpr (search_kind<T>::has(twins::thrust)) return verb(place, values, twins::thrust);
  else return verb(host(), to_vector(place, values));
}

} // namespace warpfold::bench
