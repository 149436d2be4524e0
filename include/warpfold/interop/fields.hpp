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

/// The arguments of solver::solve. No copy is made; nothing is read. At once. Views with gaps
/// between rows, planes or right-hand sides become layouts: such as submdspan's, those of
/// layout_right_padded, or a layout_stride; their solver has solver_options::strided_fields.
/// @param problem  the solver's
/// @param rhs      has the problem's axes, in their order; before them, in views of one dimension
///                 more, the batch
/// @param solution as rhs
/// @param gradient as rhs: the derivative along each axis, in their order, or none
/// @throws argument_error for other extents than the problem's, and for strides that are not those
///         of contiguous rows, one after the other: column-major ones, say, and rows that overlap
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
  auto const f = detail::field_span<span_on<T const, Place>>("rhs", problem, rhs, true);
  auto const u = detail::field_span<span_on<T, Place>>("solution", problem, solution, true);
  fields<T, Place> made{.rhs = f.span, .solution = u.span};
  made.rhs_layout = f.layout;
  made.solution_layout = u.layout;
  [[maybe_unused]] auto const add = [&](std::size_t d, auto const& view) {
    auto const derivative =
        detail::field_span<span_on<T, Place>>(detail::gradient_names[d], problem, view, true);
    made.gradient[d] = derivative.span;
    made.gradient_layout[d] = derivative.layout;
  };
  [[maybe_unused]] std::size_t d = 0;
  (add(d++, gradient), ...);
  return made;
}

/// Boundary values, for fields::lower or fields::upper. No copy is made; nothing is read. At once.
/// @param problem the solver's
/// @param axis    number of the axis that the end belongs to
/// @param values  has the problem's other axes, in their order; before them, in views of one
///                dimension more, the batch
/// @throws argument_error for an axis that the problem has not, for other extents than its others',
///         and for values that are not row-major and contiguous
template <class Place, field_view Values>
[[nodiscard]] span_on<field_element<Values> const, Place>
make_face(Place const&, problem const& problem, std::size_t axis, Values const& values) {
  detail::verb const scope("poisson::make_face");
  return detail::field_span<span_on<field_element<Values> const, Place>>(
             "values", detail::face_problem(problem, axis), values, false)
      .span;
}

} // namespace warpfold::inline v0::poisson
