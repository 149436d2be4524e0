#pragma once
// Common to the tests of real transforms.

#include "contents.hpp"
#include "gpu.hpp"
#include "support.hpp"

#include <warpfold/transforms.hpp>

#include <cstddef>
#include <random>
#include <vector>

namespace test::real_transforms {

namespace tf = warpfold::transforms;
using tf::direction;
using tf::kind;
using tf::scaling;

inline constexpr kind kinds[] = {kind::cosine_1,    kind::cosine_2, kind::cosine_3, kind::cosine_4,
                                 kind::sine_1,      kind::sine_2,   kind::sine_3,   kind::sine_4,
                                 kind::halfcomplex, kind::hartley};
inline constexpr direction directions[] = {direction::forward, direction::inverse};
inline constexpr scaling scalings[] = {scaling::none, scaling::inverse, scaling::orthonormal};

/// Elements along, before and behind the axis of a shape.
struct extents {
  std::size_t slower = 1, points, faster = 1;

  explicit extents(tf::problem const& of) : points{of.shape[of.axis]} {
    for (std::size_t d = 0; d < of.axis; ++d) slower *= of.shape[d];
    for (std::size_t d = of.axis + 1; d < of.shape.size(); ++d) faster *= of.shape[d];
  }
  std::size_t lines() const { return slower * faster; }
  std::size_t size() const { return lines() * points; }
  std::size_t at(std::size_t line, std::size_t i) const {
    return (line / faster * points + i) * faster + line % faster;
  }
};

/// Transformed by a plan, from and to arrays that begin `offset` elements after aligned ones.
template <class T, class Place>
std::vector<T> transformed(Place& place, tf::problem const& of, std::vector<T> const& values,
                           std::size_t offset, bool in_place) {
  std::size_t const size = values.size();
  std::vector<T> shifted(offset);
  shifted.insert(shifted.end(), values.begin(), values.end());
  memory_of<Place, T> input(place, shifted), output(place, std::vector<T>(size + offset, T{7}));
  auto const to = in_place ? input.view(offset, size) : output.view(offset, size);
  tf::plan<T, Place> plan(place, of);
  CHECK(plan.size() == size);
  if (in_place) plan.run(to, to);
  else plan.run_async(input.view(offset, size), to);
  if (!in_place) CHECK(same_elements(contents(place, input.view(offset, size)), values));
  return contents(place, to);
}

/// A host takes all problems.
template <class Place, class T>
bool takes([[maybe_unused]] Place& place, [[maybe_unused]] tf::problem const& of) {
  if constexpr (std::same_as<Place, warpfold::gpu>) return tf::can_transform<T>(place, of);
  else return true;
}

} // namespace test::real_transforms
