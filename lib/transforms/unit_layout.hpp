#pragma once
// The transforms that units do, and their cores.

#include "poisson/engine/tuning.hpp"
#include "tables.hpp"

#include <bit>
#include <cstddef>
#include <type_traits>

namespace warpfold::inline v0::transforms {

/// Numbers of a unit's complex transform; of type I half of those that a line is continued to.
inline std::size_t unit_length(checked_problem const& of) {
  if (of.base == poisson::transform::cosine_1) return of.points - 1;
  if (of.base == poisson::transform::sine_1) return of.points + 1;
  return of.points / 2;
}

/// True for contiguous lines of such a length.
inline bool is_unit(checked_problem const& of, std::size_t element) {
  if (of.faster != 1) return false;
  std::size_t const length = unit_length(of);
  bool const is_first = kind_of(of.base) == poisson::line_kind::first;
  return (is_first || of.points == 2 * length) && std::has_single_bit(length) &&
         length >= poisson::least_points && length <= poisson::most_unit_points(element);
}

/// use(core, whether it goes from modes to points), both as types, for what is_unit.
template <class T, class Use>
auto with_unit_core(checked_problem const& of, Use use) {
  using enum poisson::unit_kind;
  return poisson::with_points<T>(unit_length(of), [&](auto length) {
    using packed = poisson::packed_layout<T, length>;
    auto const kind = kind_of(of.base);
    if (kind == poisson::line_kind::first)
      return use(std::type_identity<typename poisson::lone_layout<T, length>::core>{},
                 std::false_type{});
    if (kind == poisson::line_kind::fourth)
      return use(std::type_identity<typename packed::template core<fourth>>{}, std::false_type{});
    using core = typename packed::template core<second>;
    if (of.is_inverse) return use(std::type_identity<core>{}, std::true_type{});
    return use(std::type_identity<core>{}, std::false_type{});
  });
}

/// Bytes of shared memory of its blocks.
template <class T>
std::size_t unit_shared(checked_problem const& of) {
  return with_unit_core<T>(
      of, [](auto core, auto) -> std::size_t { return decltype(core)::type::shape::shared; });
}

} // namespace warpfold::inline v0::transforms
