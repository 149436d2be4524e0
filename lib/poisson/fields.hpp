#pragma once
// The check of a solve's arrays.

#include "backend.hpp"

#include <warpfold/detail/core/arguments.hpp>
#include <warpfold/error.hpp>

#include <array>
#include <functional>
#include <span>
#include <string>

namespace warpfold::inline v0::poisson {

template <class T>
struct call {
  T const* rhs;
  T* solution;
  T* gradient[3];
  T* removed_mean;
  faces<T> values;
  bool has_faces;
};

/// Arrays by their names, of the sizes that they must have, outputs overlapping nothing. Allocates
/// nothing unless it throws.
class named_arrays {
public:
  template <class Span>
  auto* add(char const* name, Span of, std::size_t size) {
    return add(name, of, size, inputs_, input_count_);
  }
  template <class Span>
  auto* add_output(char const* name, Span of, std::size_t size) {
    return add(name, of, size, outputs_, output_count_);
  }
  /// The first output may be the same array as the first input.
  void check_overlaps() const {
    for (std::size_t i = 0; i < output_count_; ++i) {
      for (std::size_t j = 0; j < i; ++j) check_overlap(outputs_[i], outputs_[j]);
      bool const may_be_same = i == 0 && outputs_[0].begin == inputs_[0].begin;
      for (std::size_t j = may_be_same; j < input_count_; ++j)
        check_overlap(outputs_[i], inputs_[j]);
    }
  }

private:
  struct extent {
    char const* name;
    void const *begin, *end;
  };
  using extents = std::array<extent, 7>; // a right-hand side, six faces

  template <class Span>
  static auto* add(char const* name, Span of, std::size_t size, extents& to, std::size_t& count) {
    if (of.size() != size)
      throw argument_error(name,
                           std::to_string(of.size()) + " elements, not " + std::to_string(size));
    detail::check_elements(name, of.data(), of.size());
    to[count++] = {name, of.data(), of.data() + of.size()};
    return of.data();
  }
  static void check_overlap(extent const& output, extent const& other) {
    std::less<void const*> const before;
    if (before(output.begin, other.end) && before(other.begin, output.end))
      throw argument_error(output.name, std::string("overlaps ") + other.name);
  }

  extents inputs_{}, outputs_{};
  std::size_t input_count_ = 0, output_count_ = 0;
};

/// Refuses what solver::solve says that it refuses.
template <class T, class Place>
call<T> check_fields(fields<T, Place> const& of, plan const& planned, std::byte* workspace,
                     std::size_t workspace_size) {
  constexpr char const* lower[] = {"of.lower[0]", "of.lower[1]", "of.lower[2]"};
  constexpr char const* upper[] = {"of.upper[0]", "of.upper[1]", "of.upper[2]"};
  constexpr char const* gradient[] = {"of.gradient[0]", "of.gradient[1]", "of.gradient[2]"};
  std::size_t const all = planned.size() * planned.of.batch;
  named_arrays arrays;
  call<T> checked{};
  checked.rhs = arrays.add("of.rhs", of.rhs, all);
  checked.solution = arrays.add_output("of.solution", of.solution, all);
  if (workspace_size > 0)
    arrays.add_output("the workspace", std::span(workspace, workspace_size), workspace_size);
  auto const check_axis = [&](char const* name, std::size_t d) {
    if (d >= planned.axes.size())
      throw argument_error(name, "there are " + std::to_string(planned.axes.size()) + " axes");
  };
  auto const add_face = [&](char const* name, std::size_t d, auto face, boundary axis::*end) {
    if (face.empty()) return static_cast<T const*>(nullptr);
    check_axis(name, d);
    if (planned.of.axes[d].*end == boundary::periodic)
      throw argument_error(name, "the axis is periodic");
    if (planned.of.stands == symbol::spectral)
      throw argument_error(name, "symbol::spectral has no boundary values");
    checked.has_faces = true;
    return arrays.add(name, face, all / planned.axes[d].points);
  };
  for (std::size_t d = 0; d < 3; ++d) {
    checked.values.lower[d] = add_face(lower[d], d, of.lower[d], &axis::lower);
    checked.values.upper[d] = add_face(upper[d], d, of.upper[d], &axis::upper);
    if (of.gradient[d].empty()) continue;
    check_axis(gradient[d], d);
    if (!planned.of.gradient) throw argument_error(gradient[d], "no derivatives were planned");
    checked.gradient[d] = arrays.add_output(gradient[d], of.gradient[d], all);
  }
  if (!of.removed_mean.empty())
    checked.removed_mean = arrays.add_output("of.removed_mean", of.removed_mean, planned.of.batch);
  arrays.check_overlaps();
  return checked;
}

} // namespace warpfold::inline v0::poisson
