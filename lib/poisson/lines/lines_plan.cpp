#include "lines_plan.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

namespace warpfold::inline v0::poisson {
namespace {

constexpr int all_radices[] = {16, 15, 12, 10, 9, 8, 7, 6, 5, 4, 3, 2};

/// The cost of a stage is taken to be that of one more trip through shared memory, and a little
/// more for large radices.
double search(std::size_t left, int largest, std::vector<int>& best) {
  best.clear();
  if (left == 1) return 0;
  double least = 1e9;
  std::vector<int> rest;
  for (int const radix : all_radices) {
    if (radix > largest || left % static_cast<std::size_t>(radix) != 0) continue;
    double const cost =
        1 + 0.01 * radix + search(left / static_cast<std::size_t>(radix), radix, rest);
    if (cost < least) {
      least = cost;
      best = rest;
      best.insert(best.begin(), radix);
    }
  }
  return least;
}

line_kind kind_of(transform forward) {
  switch (forward) {
  case transform::fourier: return line_kind::fourier;
  case transform::cosine_1:
  case transform::sine_1: return line_kind::first;
  case transform::cosine_4:
  case transform::sine_4: return line_kind::fourth;
  case transform::cosine_3:
  case transform::sine_3: return line_kind::third;
  default: return line_kind::second;
  }
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

/// The frequencies of a slot.
std::pair<std::size_t, std::size_t> frequencies_of(line_kind kind, bool is_sine, std::size_t slot,
                                                   std::size_t n, std::size_t m) {
  if (kind == line_kind::first) {
    std::size_t const k = slot + is_sine;
    return {k, (m - k) % m};
  }
  if (kind == line_kind::fourth) return {slot, n - 1 - slot};
  if (slot > 0) return {slot, n - slot};
  return {0, n % 2 == 0 ? n / 2 : 0};
}

/// How many times threads that access shared memory at once must wait, in a sample of what a pass
/// does.
template <class T>
double conflicts(line_axis<T> const& axis, std::vector<std::size_t> const& place_of, bool is_sine,
                 int shift) {
  constexpr int lanes = static_cast<int>(128 / sizeof(complex<T>)), sampled = 24;
  double cost = 0;
  auto const see = [&](auto at, int count) {
    int seen = 0;
    double waits = 0;
    int const groups = std::max(1, (count << shift) / lanes), by = std::max(1, groups / sampled);
    for (int group = 0; group < groups; group += by, ++seen) {
      int used[lanes] = {}, most = 0;
      for (int lane = 0; lane < lanes; ++lane) {
        int const thread = group * lanes + lane, j = thread >> shift;
        if (j >= count) break;
        int const bank = ((axis.place(at(j)) << shift) + (thread & ((1 << shift) - 1))) % lanes;
        most = std::max(most, ++used[bank]);
      }
      waits += most;
    }
    return waits / seen;
  };
  for (int s = 0; s < axis.stages; ++s) {
    auto const& stage = axis.stage[s];
    int const stride = static_cast<int>(stage.stride.by);
    cost += 2 * see([&](int j) { return j + j / stride * stride * (stage.radix - 1); },
                    stage.butterflies);
  }
  auto const frequency = [&](bool second) {
    return [&, second](int slot) {
      auto const both = frequencies_of(axis.kind, is_sine, static_cast<std::size_t>(slot),
                                       static_cast<std::size_t>(axis.points),
                                       static_cast<std::size_t>(axis.length));
      return static_cast<int>(place_of[second ? both.second : both.first]);
    };
  };
  cost += see(frequency(false), axis.slots) + see(frequency(true), axis.slots);
  return cost + 2 * see([&](int i) { return i; }, axis.length);
}

std::uint32_t gap_after(std::size_t elements) {
  return elements < 2 ? 0 : divisor{elements}.inverse;
}

} // namespace

std::size_t transform_length(axis_plan const& of) {
  if (of.forward == transform::cosine_1) return 2 * (of.points - 1);
  if (of.forward == transform::sine_1) return 2 * (of.points + 1);
  return of.points;
}

std::vector<int> radices_of(std::size_t length) {
  std::vector<int> best;
  if (length == 0) return best;
  std::size_t left = length;
  for (std::size_t const prime : {2U, 3U, 5U, 7U})
    while (left % prime == 0) left /= prime;
  if (left != 1) return best;
  search(length, 16, best);
  return best;
}

template <class T>
line_tables<T> make_line(axis_plan const& of, int shift) {
  line_tables<T> made;
  auto& axis = made.axis;
  std::size_t const n = of.points, m = transform_length(of);
  axis.points = static_cast<int>(n);
  axis.length = static_cast<int>(m);
  axis.kind = kind_of(of.forward);
  axis.is_sine = of.forward >= transform::sine_1;
  bool const is_first = axis.kind == line_kind::first, is_fourth = axis.kind == line_kind::fourth;
  axis.slots = static_cast<int>(is_first ? n : (n + 1) / 2);
  made.period = of.forward == transform::fourier ? 2 * of.period : of.period;

  std::size_t stride = m;
  std::vector<std::size_t> place(m, 0), strides{0};
  for (int const radix : radices_of(m)) {
    auto const r = static_cast<std::size_t>(radix);
    stride /= r;
    axis.stage[axis.stages++] = {radix, static_cast<int>(m / r), divisor{stride}, 0,
                                 static_cast<int>(made.complexes.size())};
    for (std::size_t j = 0; j < stride; ++j)
      for (int power = 1; power <= roots_of_butterfly(radix) * 3; power += 3)
        made.complexes.push_back(
            root_of_unity<T>(static_cast<double>(j) * power, static_cast<double>(stride * r)));
    // Frequency k is, with the radices r, s ..., at (k mod r) m / r + (k / r mod s) m / r s + ...
    for (std::size_t k = 0; k < m; ++k) place[k] += k / (m / stride / r) % r * stride;
    strides.push_back(stride);
  }
  double least = std::numeric_limits<double>::infinity();
  std::uint32_t best[2] = {};
  for (std::size_t a = 0; a < strides.size(); ++a)
    for (std::size_t b = 0; b <= a; ++b) {
      axis.gaps[0] = gap_after(strides[a]);
      axis.gaps[1] = gap_after(strides[b]);
      if (static_cast<std::size_t>(axis.place(axis.length - 1)) >= most_room(m)) continue;
      double const cost = conflicts(axis, place, axis.is_sine, shift);
      if (cost >= least) continue;
      least = cost;
      std::copy_n(axis.gaps, 2, best);
    }
  std::copy_n(best, 2, axis.gaps);
  axis.room = axis.place(axis.length - 1) + 1;
  axis.half = axis.place(static_cast<int>(place[m / 2]));
  for (int s = 0; s < axis.stages; ++s)
    axis.stage[s].step = axis.place(static_cast<int>(axis.stage[s].stride.by));
  for (int slot = 0; slot < axis.slots; ++slot) {
    auto const both = frequencies_of(axis.kind, axis.is_sine, static_cast<std::size_t>(slot), n, m);
    auto const placed = [&](std::size_t k) {
      return static_cast<std::uint16_t>(axis.place(static_cast<int>(place[k])));
    };
    made.places.push_back({placed(both.first), placed(both.second)});
  }

  auto const length = static_cast<double>(m);
  if (!is_first && axis.kind != line_kind::fourier)
    for (int k = 0; k < axis.slots; ++k)
      made.complexes.push_back(root_of_unity<T>(is_fourth ? 2. * k + 1 : 2. * k, 8 * length));
  if (is_fourth)
    for (std::size_t j = 0; j < m; ++j)
      made.complexes.push_back(root_of_unity<T>(static_cast<double>(j), 2 * length));

  auto const order = order_of(axis.kind, axis.is_sine, n);
  for (std::size_t at = 0; at < n; ++at) {
    made.eigenvalues.push_back(static_cast<T>(of.eigenvalues[order[at]]));
    double factor = 2;
    if (at == 0 || (axis.kind == line_kind::fourier && n % 2 == 0 && at == 1)) factor = 1;
    else if (axis.kind == line_kind::first && at + 1 == n) factor = 1;
    else if (axis.kind == line_kind::fourier) factor = (at + n % 2) % 2 == 0 ? 2 : 0;
    else if (axis.kind == line_kind::second)
      factor = 2 * std::cos(std::numbers::pi * static_cast<double>(order[at]) / (2 * length));
    made.first_point.push_back(static_cast<T>(factor));
  }
  return made;
}

template <class T>
line_axis<T> line_tables<T>::at(complex<T> const* complexes_at, T const* eigenvalues_at,
                                slot_places const* places_at) const {
  line_axis<T> placed = axis;
  std::size_t after = 0;
  for (int s = 0; s < axis.stages; ++s)
    after +=
        axis.stage[s].stride.by * static_cast<std::size_t>(roots_of_butterfly(axis.stage[s].radix));
  bool const turns = axis.kind != line_kind::fourier && axis.kind != line_kind::first;
  placed.twiddles = complexes_at;
  placed.turns = turns ? complexes_at + after : nullptr;
  placed.tilts = axis.kind == line_kind::fourth ? complexes_at + after + axis.slots : nullptr;
  placed.places = places_at;
  placed.eigenvalues = eigenvalues_at;
  return placed;
}

template struct line_tables<float>;
template struct line_tables<double>;
template line_tables<float> make_line<float>(axis_plan const&, int);
template line_tables<double> make_line<double>(axis_plan const&, int);

} // namespace warpfold::inline v0::poisson
