#include "layout.hpp"

#include <limits>

namespace warpfold::inline v0::poisson {
namespace {

constexpr std::size_t largest = std::numeric_limits<std::size_t>::max();

std::size_t product(std::size_t a, std::size_t b) {
  return b > 0 && a > largest / b ? largest : a * b;
}
std::size_t sum(std::size_t a, std::size_t b) { return a > largest - b ? largest : a + b; }

/// use(points, stride) of each axis, from the fastest one on, then of the batch.
template <class Layout, class Use>
void from_fastest(problem const& of, Layout& layout, Use use) {
  for (std::size_t d = of.axes.size(); d-- > 0;) use(of.axes[d].points, layout.strides[d]);
  use(of.batch, layout.batch);
}

/// From axis `d` on; of as many axes as there are, in a row.
bool share_from(problem const& of, field_layout const& complete, int d, std::ptrdiff_t distance) {
  std::size_t const count = d < 0 ? of.batch : of.axes[static_cast<std::size_t>(d)].points;
  auto const points = static_cast<std::ptrdiff_t>(count);
  auto const stride = static_cast<std::ptrdiff_t>(
      d < 0 ? complete.batch : complete.strides[static_cast<std::size_t>(d)]);
  bool const is_last = d + 1 == static_cast<int>(of.axes.size());
  // The faster axes add less than a stride, in either direction.
  std::ptrdiff_t const near = distance / stride;
  for (std::ptrdiff_t steps = near - 1; steps <= near + 1; ++steps) {
    std::ptrdiff_t const rest = distance - steps * stride;
    if (steps <= -points || steps >= points) continue;
    if (is_last ? rest == 0 : share_from(of, complete, d + 1, rest)) return true;
  }
  return false;
}

} // namespace

field_layout completed(problem const& of, field_layout const& given) {
  field_layout made = given;
  std::size_t taken = 1;
  from_fastest(of, made, [&](std::size_t points, std::size_t& stride) {
    if (stride == 0 || points == 1) stride = taken;
    taken = product(stride, points);
  });
  return made;
}

std::size_t extent_of(problem const& of, field_layout const& complete) {
  std::size_t last = 0;
  from_fastest(of, complete, [&](std::size_t points, std::size_t stride) {
    last = sum(last, product(points - 1, stride));
  });
  return sum(last, 1);
}

bool is_dense(problem const& of, field_layout const& complete) {
  bool dense = true;
  std::size_t taken = 1;
  from_fastest(of, complete, [&](std::size_t points, std::size_t stride) {
    dense = dense && stride == taken;
    taken = product(taken, points);
  });
  return dense;
}

field_layout least_layout(problem const& of, field_layout const& complete) {
  field_layout made = complete;
  std::size_t last = 0;
  from_fastest(of, made, [&](std::size_t points, std::size_t& stride) {
    std::size_t const next = sum(last, product(points - 1, stride));
    stride = sum(last, 1);
    last = next;
  });
  return made;
}

bool share_elements(problem const& of, field_layout const& complete, std::ptrdiff_t distance) {
  return share_from(of, complete, -1, distance);
}

line_starts starts_of(problem const& of, std::size_t axis, field_layout const& complete) {
  auto const number = [](std::size_t n) { return static_cast<std::int64_t>(n); };
  line_starts made{number(complete.strides[axis]), 1, 1, 0, 0, number(complete.batch)};
  std::int64_t* next[2][2] = {{&made.inner, &made.inner_stride}, {&made.outer, &made.outer_stride}};
  std::size_t others = 0;
  for (std::size_t d = of.axes.size(); d-- > 0;) {
    if (d == axis) continue;
    *next[others][0] = number(of.axes[d].points);
    *next[others++][1] = number(complete.strides[d]);
  }
  return made;
}

} // namespace warpfold::inline v0::poisson
