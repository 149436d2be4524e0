#pragma once
// Checks of views of fields.

#include <warpfold/detail/core/verb.hpp>
#include <warpfold/poisson.hpp>

#include <array>
#include <cstddef>
#include <span>

namespace warpfold::inline v0::detail {

inline constexpr char const* gradient_names[] = {"gradient[0]", "gradient[1]", "gradient[2]"};

/// The problem on the other axes. @throws argument_error if there is no such axis
[[nodiscard]] poisson::problem face_problem(poisson::problem const& problem, std::size_t axis);

/// Number of the elements of a view with one field of each of the batch.
/// @throws argument_error unless the view has the problem's extents, and is row-major and
///         contiguous
[[nodiscard]] std::size_t check_field_view(char const* argument, poisson::problem const& problem,
                                           std::span<std::size_t const> extents,
                                           std::span<std::size_t const> strides);

template <class Span, class M>
Span field_span(char const* argument, poisson::problem const& problem, M const& view) {
  std::array<std::size_t, M::rank()> extents, strides;
  for (std::size_t d = 0; d < extents.size(); ++d) {
    extents[d] = static_cast<std::size_t>(view.extent(d));
    strides[d] = static_cast<std::size_t>(view.stride(d));
  }
  return {view.data_handle(), check_field_view(argument, problem, extents, strides)};
}

} // namespace warpfold::inline v0::detail
