#pragma once
// Fields of Poisson's solver given as an mdspan: std::mdspan, cuda::std::mdspan, or any other view
// of that shape.
//
//   solver.solve(poisson::make_fields(place, solver.problem(), f, u));
//
// An mdspan does not say where its elements live: they must live where the place works.

#include <warpfold/detail/core/mdspan_like.hpp>
#include <warpfold/detail/poisson/field_views.hpp>
#include <warpfold/poisson.hpp>

#include <cstddef>
#include <type_traits>
#include <utility>

namespace warpfold::inline v0::poisson {

/// A view of one to four dimensions: an mdspan whose accessor is a plain pointer.
template <class M>
concept field_view = detail::mdspan_like<M> &&(M::rank() <= 4);

/// The element of a view, without const.
template <field_view M>
using field_element = std::remove_cvref_t<decltype(*std::declval<M const&>().data_handle())>;

/// The arguments of solver::solve. No copy is made; nothing is read. At once.
/// @param problem  the solver's
/// @param rhs      has the problem's axes, in their order; before them, in views of one dimension
///                 more, the batch
/// @param solution as rhs
/// @param gradient as rhs: the derivative along each axis, in their order, or none
/// @throws argument_error for other extents than the problem's, and for layouts that are not
///         row-major and contiguous: padded, strided and column-major ones are not taken yet
template <class Place, field_view Rhs, field_view Solution, field_view... Gradient>
requires(sizeof...(Gradient) <= 3 && std::is_same_v<field_element<Rhs>, field_element<Solution>> &&
         (std::is_same_v<field_element<Gradient>, field_element<Solution>> && ...))
    [[nodiscard]] fields<field_element<Solution>, Place> make_fields(Place const&,
                                                                     problem const& problem,
                                                                     Rhs const& rhs,
                                                                     Solution const& solution,
                                                                     Gradient const&... gradient) {
  detail::verb const scope("poisson::make_fields");
  using T = field_element<Solution>;
  [[maybe_unused]] std::size_t d = 0;
  return {.rhs = detail::field_span<span_on<T const, Place>>("rhs", problem, rhs),
          .solution = detail::field_span<span_on<T, Place>>("solution", problem, solution),
          .gradient = {detail::field_span<span_on<T, Place>>(detail::gradient_names[d++], problem,
                                                             gradient)...}};
}

/// Boundary values, for fields::lower or fields::upper. No copy is made; nothing is read. At once.
/// @param problem the solver's
/// @param axis    number of the axis that the end belongs to
/// @param values  has the problem's other axes, in their order; before them, in views of one
///                dimension more, the batch
/// @throws argument_error for an axis that the problem has not, and as make_fields
template <class Place, field_view Values>
[[nodiscard]] span_on<field_element<Values> const, Place>
make_face(Place const&, problem const& problem, std::size_t axis, Values const& values) {
  detail::verb const scope("poisson::make_face");
  return detail::field_span<span_on<field_element<Values> const, Place>>(
      "values", detail::face_problem(problem, axis), values);
}

} // namespace warpfold::inline v0::poisson
