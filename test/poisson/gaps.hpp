#pragma once
// Fields with gaps, in memory that nobody else may write to.

#include "poisson.hpp"

#include <algorithm>
#include <memory>
#include <utility>

namespace test {

/// Written by nobody.
template <class T>
inline constexpr T guard = T{-77};

/// Elements between the first and the last point of a field, with both.
inline std::size_t reach_of(po::problem const& of, po::field_layout const& layout) {
  std::size_t last = (of.batch - 1) * layout.batch;
  for (std::size_t d = 0; d < of.axes.size(); ++d)
    last += (of.axes[d].points - 1) * layout.strides[d];
  return last + 1;
}

/// A field inside a larger one: so many elements more behind rows, rows behind planes, planes
/// behind right-hand sides, or behind the last.
inline po::field_layout padded(po::problem const& of, std::array<std::size_t, 3> gaps) {
  po::field_layout made;
  std::size_t stride = 1;
  for (std::size_t d = of.axes.size(), i = 0; d-- > 0; ++i) {
    made.strides[d] = stride;
    stride *= of.axes[d].points + gaps[i];
  }
  made.batch = stride + (gaps[0] > 0);
  return made;
}

/// Where the points are, in row-major order.
inline std::vector<std::size_t> places(po::problem const& of, po::field_layout const& layout) {
  std::vector<std::size_t> made;
  for (std::size_t i = 0; i < size_of(of) * of.batch; ++i) {
    std::size_t rest = i, at = 0;
    for (std::size_t d = of.axes.size(); d-- > 0; rest /= of.axes[d].points)
      at += rest % of.axes[d].points * layout.strides[d];
    made.push_back(at + rest * layout.batch);
  }
  return made;
}

/// A field in the middle of memory that is somebody else's.
template <class Place, class T>
class guarded_field {
public:
  guarded_field(Place& place, po::problem const& of, po::field_layout const& layout,
                std::vector<T> const& values)
      : place_{place}, layout_{layout}, places_{places(of, layout)}, size_{reach_of(of, layout)},
        memory_(place, spread(values)) {}

  [[nodiscard]] po::field_layout const& layout() const { return layout_; }
  auto span() { return memory_.view(begin, size_); }
  /// NaN in place of all if anything was written between them.
  std::vector<T> values() {
    std::vector<T> all = contents(place_, memory_.all()), made;
    for (std::size_t const at : places_) made.push_back(std::exchange(all[begin + at], guard<T>));
    if (std::count(all.begin(), all.end(), guard<T>) != static_cast<std::ptrdiff_t>(all.size()))
      return {};
    return made;
  }

private:
  static constexpr std::size_t begin = 4; // as cuFFT wants numbers to be
  std::vector<T> spread(std::vector<T> const& values) const {
    std::vector<T> all(begin + size_ + 5, guard<T>);
    for (std::size_t i = 0; i < places_.size(); ++i) all[begin + places_[i]] = values[i];
    return all;
  }
  Place& place_;
  po::field_layout layout_;
  std::vector<std::size_t> places_;
  std::size_t size_;
  memory_of<Place, T> memory_;
};

struct layouts {
  po::field_layout rhs, solution, gradient;
  bool in_place = false;
};

/// Nothing, if the right-hand side was changed. The solver is planned for strided fields.
template <class Place, class T>
answer<T> solve_with_gaps(Place& place, po::solver<T, Place>& solver, question<T> const& asked,
                          layouts const& by) {
  std::vector<T> const nans(asked.rhs.size(), std::numeric_limits<T>::quiet_NaN());
  guarded_field<Place, T> rhs(place, asked.of, by.rhs, asked.rhs),
      solution(place, asked.of, by.solution, by.in_place ? asked.rhs : nans);
  std::vector<std::unique_ptr<guarded_field<Place, T>>> gradient;
  arrays_of<Place, T> others(place, asked);
  auto fields = others.fields();
  fields.rhs = by.in_place ? solution.span() : rhs.span();
  fields.solution = solution.span();
  fields.rhs_layout = by.rhs;
  fields.solution_layout = by.solution;
  if (asked.of.gradient)
    for (std::size_t d = 0; d < asked.of.axes.size(); ++d) {
      gradient.push_back(
          std::make_unique<guarded_field<Place, T>>(place, asked.of, by.gradient, nans));
      fields.gradient[d] = gradient[d]->span();
      fields.gradient_layout[d] = by.gradient;
    }
  solver.solve(fields);
  if (rhs.values() != asked.rhs) return {};
  answer<T> found{solution.values(), {}, contents(place, fields.removed_mean)};
  for (std::size_t d = 0; d < gradient.size(); ++d) found.gradient[d] = gradient[d]->values();
  return found;
}

} // namespace test
