#pragma once
// Which transforms units do, and by which cores.

#include "poisson/engine/tables.hpp"
#include "poisson/engine/tuning.hpp"
#include "tables.hpp"

#include <bit>
#include <cstddef>
#include <type_traits>

namespace warpfold::inline v0::transforms {

/// The least length of a unit. Shorter lines are left to the kernels for all lengths.
inline constexpr std::size_t least_unit = 64;

/// Numbers of the complex transform: of a packed line, or half of those that type I continues to.
inline std::size_t unit_length(checked_problem const& of) {
  bool const is_first = kind_of(of.base) == poisson::line_kind::first;
  return is_first ? poisson::unit_length(of.axis()) : of.points / 2;
}

/// True for contiguous lines of such a length.
inline bool is_unit(checked_problem const& of, std::size_t element) {
  std::size_t const length = unit_length(of);
  bool const is_even = kind_of(of.base) == poisson::line_kind::first || of.points == 2 * length;
  return of.faster == 1 && is_even && std::has_single_bit(length) && length >= least_unit &&
         length <= poisson::most_unit_points(element);
}

/// use(core, whether it goes from modes to points), both as types, for what is_unit.
template <class T, class Use>
auto with_unit_core(checked_problem const& of, Use use) {
  using enum poisson::unit_kind;
  return poisson::with_power<static_cast<int>(least_unit),
                             static_cast<int>(poisson::most_unit_points(sizeof(T)))>(
      unit_length(of), [&](auto length) {
        using packed = poisson::packed_layout<T, length>;
        auto const kind = kind_of(of.base);
        if (kind == poisson::line_kind::first)
          return use(std::type_identity<typename poisson::lone_layout<T, length>::core>{},
                     std::false_type{});
        if (kind == poisson::line_kind::fourth)
          return use(std::type_identity<typename packed::template core<fourth>>{},
                     std::false_type{});
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
