#include "lines_plan.hpp"

#include "lines_chirp.hpp"

#include <algorithm>
#include <limits>
#include <numeric>

namespace warpfold::inline v0::poisson {
namespace {

constexpr int all_radices[] = {16, 15, 12, 10, 9, 8, 7, 6, 5, 4, 3, 2};

/// How many times threads that access shared memory at once must wait, in a sample of what a pass
/// does.
template <class T>
double conflicts(line_axis<T> const& axis, std::vector<std::size_t> const& place_of, int shift) {
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
      auto const both = axis.frequencies(static_cast<std::size_t>(slot));
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

std::vector<int> radices_of(std::size_t length) { return radices_of(length, all_radices); }

std::size_t staged_length(std::size_t length, std::size_t element) {
  std::size_t const most = most_line_shared / (2 * element);
  auto const stages_of = [](std::size_t n) -> std::size_t {
    auto const radices = radices_of(n);
    return n == 1 || radices.size() > most_stages ? 0 : radices.size();
  };
  if (length == 0 || most_room(length) > most) return 0;
  if (length == 1 || stages_of(length) > 0) return length;
  // The cheapest of a few: stages there and back, and three products, pass over all numbers.
  std::size_t const shortest = 2 * length - 1;
  std::size_t best = 0, least = std::numeric_limits<std::size_t>::max();
  for (std::size_t m = shortest; most_room(m) <= most && (best == 0 || 8 * m <= 9 * shortest);
       ++m) {
    std::size_t const stages = stages_of(m), cost = m * (2 * stages + 3);
    if (stages == 0 || cost >= least) continue;
    least = cost;
    best = m;
  }
  return best;
}

template <class T>
std::vector<std::size_t> frequency_places(line_axis<T> const& axis) {
  auto const length = static_cast<std::size_t>(axis.length);
  if (!axis.convolves()) return frequency_places(length, radices_of(length));
  std::vector<std::size_t> in_order(length);
  std::iota(in_order.begin(), in_order.end(), std::size_t{0});
  return in_order;
}

template <class T>
line_tables<T> make_line(axis_plan const& of, int shift) {
  map_tables<T> maps = make_maps<T>(of);
  line_tables<T> made;
  auto& axis = made.axis;
  static_cast<line_maps<T>&>(axis) = maps.maps;
  std::size_t const m = staged_length(transform_length(of), sizeof(T));
  axis.staged = static_cast<int>(m);
  std::vector<int> const radices = radices_of(m);
  std::vector<std::size_t> const place = frequency_places(axis);

  std::size_t stride = m;
  std::vector<std::size_t> strides{0};
  for (int const radix : radices) {
    auto const r = static_cast<std::size_t>(radix);
    stride /= r;
    axis.stage[axis.stages++] = {radix, static_cast<int>(m / r), divisor{stride}, 0,
                                 static_cast<int>(made.complexes.size())};
    for (std::size_t j = 0; j < stride; ++j)
      for (int power = 1; power <= roots_of_butterfly(radix) * 3; power += 3)
        made.complexes.push_back(
            root_of_unity<T>(static_cast<double>(j) * power, static_cast<double>(stride * r)));
    strides.push_back(stride);
  }
  double least = std::numeric_limits<double>::infinity();
  std::uint32_t best[2] = {};
  for (std::size_t a = 0; a < strides.size(); ++a)
    for (std::size_t b = 0; b <= a; ++b) {
      axis.gaps[0] = gap_after(strides[a]);
      axis.gaps[1] = gap_after(strides[b]);
      if (static_cast<std::size_t>(axis.place(axis.staged - 1)) >= most_room(m)) continue;
      double const cost = conflicts(axis, place, shift);
      if (cost >= least) continue;
      least = cost;
      std::copy_n(axis.gaps, 2, best);
    }
  std::copy_n(best, 2, axis.gaps);
  axis.room = axis.place(axis.staged - 1) + 1;
  // Odd, so that threads of several lines meet different banks.
  if (axis.room % 2 == 0 && static_cast<std::size_t>(axis.room) < most_room(m)) ++axis.room;
  axis.half = axis.place(static_cast<int>(place[place.size() / 2]));
  for (int s = 0; s < axis.stages; ++s)
    axis.stage[s].step = axis.place(static_cast<int>(axis.stage[s].stride.by));
  for (int slot = 0; slot < axis.slots; ++slot) {
    auto const both = axis.frequencies(static_cast<std::size_t>(slot));
    auto const placed = [&](std::size_t k) {
      return static_cast<std::uint16_t>(axis.place(static_cast<int>(place[k])));
    };
    made.places.push_back({placed(both.first), placed(both.second)});
  }
  made.complexes.insert(made.complexes.end(), maps.turns.begin(), maps.turns.end());
  made.complexes.insert(made.complexes.end(), maps.tilts.begin(), maps.tilts.end());
  if (axis.convolves()) {
    chirp_tables const tables =
        make_chirp(static_cast<std::size_t>(axis.length), frequency_places(m, radices));
    for (auto const* table : {&tables.chirp, &tables.spectrum})
      for (auto const& v : *table)
        made.complexes.push_back({static_cast<T>(v.re), static_cast<T>(v.im)});
  }
  made.eigenvalues = std::move(maps.eigenvalues);
  made.first_point = std::move(maps.first_point);
  made.period = maps.period;
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
  if (axis.convolves()) {
    placed.spectrum = complexes_at + complexes.size() - axis.staged;
    placed.chirp = placed.spectrum - axis.length;
  }
  placed.places = places_at;
  placed.eigenvalues = eigenvalues_at;
  return placed;
}

template struct line_tables<float>;
template struct line_tables<double>;
template std::vector<std::size_t> frequency_places(line_axis<float> const&);
template std::vector<std::size_t> frequency_places(line_axis<double> const&);
template line_tables<float> make_line<float>(axis_plan const&, int);
template line_tables<double> make_line<double>(axis_plan const&, int);

} // namespace warpfold::inline v0::poisson
