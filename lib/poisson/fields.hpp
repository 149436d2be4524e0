#pragma once
// The check of a solve's arrays.

#include "backend.hpp"

#include <warpfold/detail/core/arguments.hpp>
#include <warpfold/detail/core/refusal.hpp>

#include <array>
#include <span>

namespace warpfold::inline v0::poisson {

template <class T>
struct call {
  T const* rhs;
  T* solution;
  T* gradient[3];
  T* removed_mean;
  T const* lambda;
  faces<T> values;
  bool has_faces;
};

/// Arrays by their names, of the sizes that they must have, outputs overlapping nothing. Allocates
/// nothing unless it throws.
class named_arrays {
public:
  template <class Span>
  auto* add_input(char const* name, Span array, std::size_t size) {
    return add(name, array, size, inputs_, input_count_);
  }
  template <class Span>
  auto* add_output(char const* name, Span array, std::size_t size) {
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
    std::size_t bytes;
  };
  using extents = std::array<extent, 8>; // a right-hand side, six faces, lambda

  template <class Span>
  static auto* add(char const* name, Span array, std::size_t size, extents& all,
                   std::size_t& count) {
    if (array.size() != size)
      detail::refuse(name, detail::text(array.size(), " elements"), detail::text(size));
    detail::check_elements(name, array.data(), size);
    all[count++] = {name, array.data(), size * sizeof *array.data()};
    return array.data();
  }
  static void check_overlap(extent const& output, extent const& other) {
    if (detail::share_memory(output.data, output.bytes, other.data, other.bytes))
      detail::refuse(output.name, detail::text("overlaps ", other.name), "memory of its own");
  }

  extents inputs_{}, outputs_{};
  std::size_t input_count_ = 0, output_count_ = 0;
};

/// Refuses what solver::solve says that it refuses.
template <class T, class Place>
call<T> check_fields(fields<T, Place> const& fields, plan const& plan, std::byte* workspace,
                     std::size_t workspace_size) {
  constexpr char const* lower[] = {"fields.lower[0]", "fields.lower[1]", "fields.lower[2]"};
  constexpr char const* upper[] = {"fields.upper[0]", "fields.upper[1]", "fields.upper[2]"};
  constexpr char const* gradient[] = {"fields.gradient[0]", "fields.gradient[1]",
                                      "fields.gradient[2]"};
  std::size_t const all = plan.size() * plan.problem.batch, axes = plan.axes.size();
  named_arrays arrays;
  call<T> checked{};
  checked.rhs = arrays.add_input("fields.rhs", fields.rhs, all);
  checked.solution = arrays.add_output("fields.solution", fields.solution, all);
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
    checked.gradient[d] = arrays.add_output(gradient[d], fields.gradient[d], all);
  }
  if (!fields.removed_mean.empty())
    checked.removed_mean =
        arrays.add_output("fields.removed_mean", fields.removed_mean, plan.problem.batch);
  if (!fields.lambda.empty())
    checked.lambda = arrays.add_input("fields.lambda", fields.lambda, plan.problem.batch);
  arrays.check_overlaps();
  return checked;
}

} // namespace warpfold::inline v0::poisson
