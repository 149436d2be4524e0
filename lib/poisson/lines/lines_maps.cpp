#include "lines_maps.hpp"

#include <cmath>
#include <numbers>

namespace warpfold::inline v0::poisson {
namespace {

/// The cost of a stage is taken to be that of one more trip through memory, and a little more for
/// large radices.
double search(std::size_t left, std::span<int const> radices, std::vector<int>& best) {
  best.clear();
  if (left == 1) return 0;
  double least = 1e9;
  std::vector<int> rest;
  for (; !radices.empty(); radices = radices.subspan(1)) {
    auto const radix = static_cast<std::size_t>(radices[0]);
    if (left % radix != 0) continue;
    double const cost = 1 + 0.01 * radices[0] + search(left / radix, radices, rest);
    if (cost >= least) continue;
    least = cost;
    best = rest;
    best.insert(best.begin(), radices[0]);
  }
  return least;
}

/// Which mode of the plan's order stands where after a pass forward.
std::vector<std::size_t> order_of(line_kind kind, bool is_sine, std::size_t n) {
  std::vector<std::size_t> order(n);
  for (std::size_t at = 0; at < n; ++at) {
    std::size_t mode = at;
    if (kind == line_kind::third) {
      mode = at < (n + 1) / 2 ? 2 * at : 2 * (n - 1 - at) + 1;
    } else if (kind == line_kind::fourth) {
      mode = at + 1 == n && n % 2 == 1 ? n / 2 : at % 2 == 0 ? at / 2 : n - 1 - at / 2;
    } else if (kind != line_kind::first) {
      std::size_t const past = at + n % 2;
      mode = at == 0 ? 0 : past == 1 ? n / 2 : past % 2 == 0 ? past / 2 : n - past / 2;
    }
    bool const is_reversed = is_sine && (kind == line_kind::second || kind == line_kind::fourth);
    order[at] = is_reversed ? n - 1 - mode : mode;
  }
  return order;
}

} // namespace

std::size_t transform_length(axis_plan const& of) {
  std::size_t const spacings = spacings_of(of.forward, of.points);
  return kind_of(of.forward) == line_kind::first ? 2 * spacings : spacings;
}

std::vector<int> radices_of(std::size_t length, std::span<int const> given) {
  std::vector<int> best;
  std::size_t left = length;
  for (int const radix : given)
    while (left > 1 && left % static_cast<std::size_t>(radix) == 0)
      left /= static_cast<std::size_t>(radix);
  if (left == 1) search(length, given, best);
  return best;
}

std::vector<std::size_t> frequency_places(std::size_t length, std::vector<int> const& radices) {
  // Frequency k is, with the radices r, s ..., at (k mod r) m / r + (k / r mod s) m / r s + ...
  std::vector<std::size_t> places(length, 0);
  std::size_t stride = length;
  for (int const radix : radices) {
    std::size_t const r = static_cast<std::size_t>(radix), below = length / stride;
    stride /= r;
    for (std::size_t k = 0; k < length; ++k) places[k] += k / below % r * stride;
  }
  return places;
}

template <class T>
std::pair<std::size_t, std::size_t> line_maps<T>::frequencies(std::size_t slot) const {
  auto const n = static_cast<std::size_t>(points), m = static_cast<std::size_t>(length);
  if (kind == line_kind::first) {
    std::size_t const k = slot + is_sine;
    return {k, (m - k) % m};
  }
  if (kind == line_kind::fourth) return {slot, n - 1 - slot};
  if (slot > 0) return {slot, n - slot};
  return {0, n % 2 == 0 ? n / 2 : 0};
}

template <class T>
map_tables<T> make_maps(axis_plan const& of) {
  map_tables<T> made;
  auto& maps = made.maps;
  std::size_t const n = of.points;
  maps.points = static_cast<int>(n);
  maps.length = static_cast<int>(transform_length(of));
  maps.kind = kind_of(of.forward);
  maps.is_sine = is_sine(of.forward);
  bool const is_fourier = maps.kind == line_kind::fourier, is_first = maps.kind == line_kind::first,
             is_fourth = maps.kind == line_kind::fourth, is_third = maps.kind == line_kind::third;
  maps.slots = static_cast<int>(is_first ? n : (n + 1) / 2);
  made.period = is_fourier ? 2 * of.period : of.period;

  double const length = maps.length;
  if (!is_first && !is_fourier)
    for (int k = 0; k < maps.slots; ++k)
      made.turns.push_back(root_of_unity<T>(is_fourth ? 2. * k + 1 : 2. * k, 8 * length));
  if (is_fourth)
    for (int j = 0; j < maps.length; ++j) made.tilts.push_back(root_of_unity<T>(j, 2 * length));

  auto const order = order_of(maps.kind, maps.is_sine, n);
  for (std::size_t at = 0; at < n; ++at) {
    std::size_t const mode = order[at];
    made.eigenvalues.push_back(static_cast<T>(of.eigenvalues[mode]));
    // Sines III are kept with alternating signs.
    bool const is_negative = maps.is_sine == (is_third && mode % 2 != 0);
    made.wavenumbers.push_back(
        static_cast<T>(is_negative ? -of.wavenumbers[mode] : of.wavenumbers[mode]));
    double factor = 2;
    if (at == 0 || (is_fourier && n % 2 == 0 && at == 1)) factor = 1;
    else if (is_first && at + 1 == n) factor = 1;
    else if (is_fourier) factor = (at + n % 2) % 2 == 0 ? 2 : 0;
    else if (maps.kind == line_kind::second)
      factor = 2 * std::cos(std::numbers::pi * static_cast<double>(mode) / (2 * length));
    made.first_point.push_back(static_cast<T>(factor));
  }
  return made;
}

#define INSTANTIATE(T)                                                                             \
  template std::pair<std::size_t, std::size_t> line_maps<T>::frequencies(std::size_t) const;       \
  template map_tables<T> make_maps(axis_plan const&);
INSTANTIATE(float)
INSTANTIATE(double)
#undef INSTANTIATE

line_geometry line_geometry::between(field_layout const& from, field_layout const& to) const {
  bool const has_rows = axes == 3 && axis == 0;
  auto const strides_of = [&](field_layout const& layout) -> line_strides {
    auto const& strides = layout.strides;
    std::size_t const next = axis > 0 ? strides[axis - 1] : 0;
    return {.step = strides[axis],
            .next = is_strided ? 1 : next,
            .row = has_rows ? strides[1] : 0,
            .group = axes == 3 && axis > 0 ? strides[0] : 0,
            .entry = layout.batch};
  };
  line_geometry made = *this;
  made.in = strides_of(from);
  made.out = strides_of(to);
  made.beside = has_rows && (made.in.row != width || made.out.row != width) ? width : lines;
  return made;
}

line_geometry geometry_of(plan const& of, std::size_t axis) {
  std::size_t const last = of.axes.size() - 1;
  field_layout dense;
  dense.batch = 1;
  for (std::size_t d = last + 1; d-- > 0; dense.batch *= of.axes[d].points)
    dense.strides[d] = dense.batch;
  line_geometry made{};
  made.axes = of.axes.size();
  made.axis = axis;
  made.width = of.axes[last].points;
  made.is_strided = axis < last;
  made.lines = made.is_strided ? dense.strides[axis] : axis > 0 ? of.axes[axis - 1].points : 1;
  made.planes = made.axes == 3 && axis > 0 ? of.axes[0].points : 1;
  made.groups = made.planes * of.problem.batch;
  return made.between(dense, dense);
}

} // namespace warpfold::inline v0::poisson
