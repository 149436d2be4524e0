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

/// Elements of a view from the first to the last one, and its layout: none if there are no gaps.
struct checked_view {
  std::size_t size;
  poisson::field_layout layout;
};
/// @throws argument_error unless the view has the problem's extents, with or without the batch, and
///         its rows are contiguous, one after the other, perhaps with gaps if `allows_gaps`
[[nodiscard]] checked_view check_field_view(char const* argument, poisson::problem const& problem,
                                            std::span<std::size_t const> extents,
                                            std::span<std::size_t const> strides, bool allows_gaps);

template <class Span>
struct placed_span {
  Span span;
  poisson::field_layout layout;
};

template <class Span, class M>
placed_span<Span> field_span(char const* argument, poisson::problem const& problem, M const& view,
                             bool allows_gaps) {
  std::array<std::size_t, M::rank()> extents, strides;
  for (std::size_t d = 0; d < extents.size(); ++d) {
    extents[d] = static_cast<std::size_t>(view.extent(d));
    strides[d] = static_cast<std::size_t>(view.stride(d));
  }
  auto const checked = check_field_view(argument, problem, extents, strides, allows_gaps);
  return {{view.data_handle(), checked.size}, checked.layout};
}

} // namespace warpfold::inline v0::detail
