#pragma once
// The check of a solve's arrays.

#include "backend.hpp"

#include <warpfold/detail/core/arguments.hpp>
#include <warpfold/detail/core/refusal.hpp>

#include <array>
#include <cstdint>
#include <optional>
#include <span>

namespace warpfold::inline v0::poisson {

template <class T>
struct call {
  arrays<T> of;
  faces<T> values;
  bool has_faces;
};

/// The layout of an array; without one it is dense.
struct expected_layout {
  problem const& of;
  field_layout complete;
  bool reaches; ///< at least to the last element; else of just as many
};

/// Elements of an array: so many, or those of a layout.
struct expected_size {
  std::size_t size;
  expected_layout const* layout = nullptr;

  expected_size(std::size_t elements) : size{elements} {}
  expected_size(expected_layout const& of) : size{extent_of(of.of, of.complete)}, layout{&of} {}
};

/// A layout of the caller's, complete. Refuses one whose elements overlap, and, unless gaps are
/// allowed, one that has some.
inline expected_layout check_layout(char const* name, problem const& of, field_layout const& given,
                                    bool allows_gaps) {
  field_layout const complete = completed(of, given), least = least_layout(of, complete);
  std::size_t const last = of.axes.size() - 1;
  if (complete.strides[last] != 1)
    detail::refuse(name, detail::text("strides[", last, "] of ", complete.strides[last]),
                   "1: points of the last axis are neighbours");
  for (std::size_t d = 0; d < last; ++d)
    if (complete.strides[d] < least.strides[d])
      detail::refuse(name, detail::text("strides[", d, "] of ", complete.strides[d]),
                     detail::text("at least ", least.strides[d], ", which the faster axes take"));
  if (complete.batch < least.batch)
    detail::refuse(name, detail::text("batch of ", complete.batch),
                   detail::text("at least ", least.batch, ", which a right-hand side takes"));
  if (!allows_gaps && !is_dense(of, complete))
    detail::refuse(name, "gaps", "a dense field, unless options.strided_fields");
  bool const is_given = given.batch != 0 || given.strides != std::array<std::size_t, 3>{};
  return {of, complete, is_given};
}

inline bool is_same(expected_layout const& a, expected_layout const& b) {
  return a.complete.strides == b.complete.strides && a.complete.batch == b.complete.batch;
}

/// Arrays by their names, of the sizes that they must have, outputs overlapping nothing. Allocates
/// nothing unless it throws. Layouts outlive it.
class named_arrays {
public:
  template <class Span>
  auto* add_input(char const* name, Span array, expected_size size) {
    return add(name, array, size, inputs_, input_count_);
  }
  template <class Span>
  auto* add_output(char const* name, Span array, expected_size size) {
    return add(name, array, size, outputs_, output_count_);
  }
  /// The first output may be the same array as the first input.
  void check_overlaps() const {
    for (std::size_t i = 0; i < output_count_; ++i) {
      for (std::size_t j = 0; j < i; ++j) check_overlap(outputs_[i], outputs_[j]);
      bool const may_be_same = i == 0 && outputs_[0].data == inputs_[0].data;
      for (std::size_t j = may_be_same; j < input_count_; ++j)
        check_overlap(outputs_[i], inputs_[j]);
    }
  }

private:
  struct extent {
    char const* name;
    void const* data;
    std::size_t bytes, element;
    expected_layout const* layout; ///< of a field; else null
  };
  using extents = std::array<extent, 8>; // a right-hand side, six faces, lambda

  template <class Span>
  static auto* add(char const* name, Span array, expected_size expected, extents& all,
                   std::size_t& count) {
    auto const [size, layout] = expected;
    bool const reaches = layout && layout->reaches;
    if (reaches ? array.size() < size : array.size() != size)
      detail::refuse(name, detail::text(array.size(), " elements"),
                     reaches ? detail::text("at least ", size, ", by its layout")
                             : detail::text(size));
    detail::check_elements(name, array.data(), array.size());
    constexpr std::size_t element = sizeof *array.data();
    all[count++] = {name, array.data(), size * element, element, layout};
    return array.data();
  }
  static void check_overlap(extent const& output, extent const& other) {
    if (!detail::share_memory(output.data, output.bytes, other.data, other.bytes)) return;
    if (output.layout && other.layout && is_same(*output.layout, *other.layout)) {
      auto const distance = reinterpret_cast<std::intptr_t>(other.data) -
                            reinterpret_cast<std::intptr_t>(output.data);
      if (!share_elements(output.layout->of, output.layout->complete,
                          distance / static_cast<std::intptr_t>(output.element)))
        return;
    }
    detail::refuse(output.name, detail::text("overlaps ", other.name), "memory of its own");
  }

  extents inputs_{}, outputs_{};
  std::size_t input_count_ = 0, output_count_ = 0;
};

/// Refuses what solver::solve says that it refuses.
template <class T, class Place>
call<T> check_fields(fields<T, Place> const& fields, plan const& plan, bool allows_gaps,
                     std::byte* workspace, std::size_t workspace_size) {
  constexpr char const* lower[] = {"fields.lower[0]", "fields.lower[1]", "fields.lower[2]"};
  constexpr char const* upper[] = {"fields.upper[0]", "fields.upper[1]", "fields.upper[2]"};
  constexpr char const* gradient[] = {"fields.gradient[0]", "fields.gradient[1]",
                                      "fields.gradient[2]"};
  constexpr char const* gradient_layout[] = {
      "fields.gradient_layout[0]", "fields.gradient_layout[1]", "fields.gradient_layout[2]"};
  std::size_t const all = plan.size() * plan.problem.batch, axes = plan.axes.size();
  named_arrays arrays;
  call<T> checked{};
  auto& of = checked.of;
  auto const layout_of = [&](char const* name, field_layout const& given) {
    return check_layout(name, plan.problem, given, allows_gaps);
  };
  auto const rhs = layout_of("fields.rhs_layout", fields.rhs_layout),
             solution = layout_of("fields.solution_layout", fields.solution_layout);
  std::array<std::optional<expected_layout>, 3> gradients;
  of.rhs = arrays.add_input("fields.rhs", fields.rhs, rhs);
  of.solution = arrays.add_output("fields.solution", fields.solution, solution);
  if (of.solution == of.rhs && !is_same(rhs, solution))
    detail::refuse("fields.solution_layout", "another one than that of fields.rhs",
                   "the same for one array");
  of.rhs_layout = rhs.complete;
  of.solution_layout = solution.complete;
  if (workspace_size > 0)
    arrays.add_output("the workspace", std::span(workspace, workspace_size), workspace_size);
  auto const refuse_unless = [](bool accepted, char const* name, char const* wanted) {
    if (!accepted) detail::refuse(name, "an array", wanted);
  };
  auto const add_face = [&](char const* name, std::size_t d, auto face, boundary axis::*end) {
    if (face.empty()) return static_cast<T const*>(nullptr);
    refuse_unless(d < axes, name, "none: the problem has fewer axes");
    refuse_unless(plan.problem.axes[d].*end != boundary::periodic, name,
                  "none: the axis is periodic");
    refuse_unless(plan.problem.symbol != symbol::spectral, name,
                  "none: symbol::spectral has no boundary values");
    checked.has_faces = true;
    return arrays.add_input(name, face, all / plan.axes[d].points);
  };
  for (std::size_t d = 0; d < 3; ++d) {
    checked.values.lower[d] = add_face(lower[d], d, fields.lower[d], &axis::lower);
    checked.values.upper[d] = add_face(upper[d], d, fields.upper[d], &axis::upper);
    if (fields.gradient[d].empty()) continue;
    refuse_unless(d < axes, gradient[d], "none: the problem has fewer axes");
    refuse_unless(plan.problem.gradient, gradient[d], "none: problem.gradient is false");
    gradients[d].emplace(layout_of(gradient_layout[d], fields.gradient_layout[d]));
    of.gradient[d] = arrays.add_output(gradient[d], fields.gradient[d], *gradients[d]);
    of.gradient_layout[d] = gradients[d]->complete;
  }
  if (!fields.removed_mean.empty())
    of.removed_mean =
        arrays.add_output("fields.removed_mean", fields.removed_mean, plan.problem.batch);
  if (!fields.lambda.empty())
    of.lambdas = arrays.add_input("fields.lambda", fields.lambda, plan.problem.batch);
  arrays.check_overlaps();
  return checked;
}

} // namespace warpfold::inline v0::poisson
