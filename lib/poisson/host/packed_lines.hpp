#pragma once
// Lines of a host, as line_worker wants them: a pack of pairs of them, each in a lane of its own.

#include "host_pass.hpp"
#include "poisson/lines/lines_body.hpp"

#include <algorithm>
#include <array>
#include <cstddef>

namespace warpfold::inline v0::poisson {

template <class V>
class packed_lines {
public:
  using number = V;
  using real = lane_of<V>;
  using value = complex<V>;
  static constexpr bool differentiates = true;
  static constexpr std::size_t lanes = lanes_of<V>;

  /// For pairs first ... last - 1, or as many as there are lanes.
  packed_lines(host_pass<real> const& pass, std::size_t first, std::size_t last, value* values,
               value* staged)
      : pass_{pass}, axis_{*pass.axis}, maps_{axis_.maps()}, values_{values}, staged_{staged} {
    std::size_t const pairs = pass.pairs();
    line_strides const &in = pass.shape.in, &out = pass.shape.out;
    std::size_t group = first / pairs, pair = first % pairs;
    std::size_t from = pass.shape.begin(in, group), to = pass.shape.begin(out, group);
    for (std::size_t l = 0; l < lanes; ++l) {
      bool const exists = first + l < last, has_second = 2 * pair + 1 < pass.shape.lines;
      // A line without another one is its own.
      for (std::size_t i = 0; i < 2; ++i) {
        from_[2 * l + i] = from + pass.shape.begin_in_group(in, 2 * pair + (i && has_second));
        to_[2 * l + i] = to + pass.shape.begin_in_group(out, 2 * pair + (i && has_second));
      }
      exists_[2 * l] = exists;
      exists_[2 * l + 1] = exists && has_second;
      if (pass.role == line_role::solve) {
        real const lambda = pass.lambda.of(group);
        set_lane(others_.re, l, others_of(2 * pair, lambda));
        set_lane(others_.im, l, others_of(2 * pair + has_second, lambda));
        has_mean_[l] = exists && pair == 0 && pass.removed_mean;
        groups_[l] = group;
      }
      if (first + l + 1 >= last) continue; // the last pair stands for those that are missing
      if (++pair < pairs) continue;
      pair = 0;
      ++group;
      from = pass.shape.begin(in, group);
      to = pass.shape.begin(out, group);
    }
  }

  line_maps<real> const& maps() const { return maps_; }
  real const* wavenumbers() const { return axis_.wavenumbers(); }
  bool derives() const { return pass_.derives; }
  value& element(int i) const { return values_[i]; }
  slot_places_of<V> slot(int at) const {
    auto const [first, second] = axis_.slots()[at];
    return {values_[first], values_[second]};
  }
  value& middle() const { return values_[axis_.middle()]; }
  static bool leads() { return true; }
  static void sync() {}
  void transform(bool is_inverse) const { axis_.transform().run(values_, is_inverse); }

  template <int, class Ready, class Done>
  void for_elements(int count, Ready ready, Done done) const {
    for (int e = 0; e < count; ++e) done(e, ready(e));
  }
  template <class Use>
  void for_elements(int count, Use use) const {
    for (int e = 0; e < count; ++e) use(e);
  }

  template <class Put>
  void read_points(Put put) const {
    if (reads_rows()) return load_points(put);
    for (int point = 0; point < maps_.points; ++point) put(point, read(point));
  }
  template <class Get>
  void write_points(Get get) const {
    if (writes_rows()) return store_points(get);
    for (int point = 0; point < maps_.points; ++point) write(point, get(point));
  }
  value read(int point) const { return lanes == 1 ? read_lanes(point) : staged_[point]; }
  void write(int point, value const& v) const {
    if constexpr (lanes == 1) write_lanes(point, v);
    else staged_[point] = v;
  }
  slot_values<V> read_modes(mode_slot slot) const {
    return {read(slot.first), slot.has_second ? read(slot.second) : value{}};
  }
  void write_modes(mode_slot slot, slot_values<V> const& modes) const {
    write(slot.first, modes.first);
    if (slot.has_second) write(slot.second, modes.second);
  }

  value others() const { return others_; }
  value factors(int at, value const& others) const {
    real const own = maps_.eigenvalues[at];
    return {factor(own + others.re), factor(own + others.im)};
  }
  void keep_mean(V first_mode) const {
    for (std::size_t l = 0; l < lanes; ++l)
      if (has_mean_[l])
        pass_.removed_mean[groups_[l]] = pass_.is_singular && pass_.lambda.of(groups_[l]) == 0
                                             ? lane(first_mode, l) * pass_.scale
                                             : real{0};
  }

  /// Brings lines together, where read() wants them; else only read_points may be called.
  void gather() const {
    if constexpr (lanes > 1) load_points([&](int point, value const& v) { staged_[point] = v; });
  }
  /// Puts what write() has taken where it belongs.
  void scatter() const {
    if constexpr (lanes > 1) store_points([&](int point) { return staged_[point]; });
  }
  /// True if the points of a line are neighbours in memory, where it comes from or goes to.
  bool reads_rows() const { return lanes > 1 && pass_.shape.in.step == 1; }
  bool writes_rows() const { return lanes > 1 && pass_.shape.out.step == 1; }

private:
  static constexpr int chunk = static_cast<int>(lanes); ///< points of rows at once

  static std::size_t offset(line_strides const& by, int point) {
    return static_cast<std::size_t>(point) * by.step;
  }
  using rows = std::array<value, lanes>; ///< of `chunk` points

  /// put(point, its value in memory) of all, and back.
  template <class Put>
  void load_points(Put put) const {
    int point = 0;
    if (reads_rows())
      for (; point + chunk <= maps_.points; point += chunk) {
        rows const points = read_rows(point);
        unrolled<chunk>([&](auto i) { put(point + i.value, points[i.value]); });
      }
    for (; point < maps_.points; ++point) put(point, read_lanes(point));
  }
  template <class Get>
  void store_points(Get get) const {
    int point = 0;
    if (writes_rows())
      for (; point + chunk <= maps_.points; point += chunk) {
        rows points;
        unrolled<chunk>([&](auto i) { points[i.value] = get(point + i.value); });
        write_rows(point, points);
      }
    for (; point < maps_.points; ++point) write_lanes(point, get(point));
  }
  rows read_rows(int point) const {
    std::array<V, lanes> re, im;
    unrolled<chunk>([&](auto l) {
      re[l.value] = load_pack<V>(pass_.in + from_[2 * l.value] + point);
      im[l.value] = load_pack<V>(pass_.in + from_[2 * l.value + 1] + point);
    });
    transpose<V>(re);
    transpose<V>(im);
    rows made;
    unrolled<chunk>([&](auto i) { made[i.value] = {re[i.value], im[i.value]}; });
    return made;
  }
  void write_rows(int point, rows const& points) const {
    std::array<V, lanes> re, im;
    unrolled<chunk>([&](auto i) {
      re[i.value] = points[i.value].re;
      im[i.value] = points[i.value].im;
    });
    transpose<V>(re);
    transpose<V>(im);
    unrolled<chunk>([&](auto l) {
      if (exists_[2 * l.value]) store_pack(pass_.out + to_[2 * l.value] + point, re[l.value]);
      if (exists_[2 * l.value + 1])
        store_pack(pass_.out + to_[2 * l.value + 1] + point, im[l.value]);
    });
  }
  value read_lanes(int point) const {
    V re{}, im{};
    std::size_t const at = offset(pass_.shape.in, point);
    for (std::size_t l = 0; l < lanes; ++l) {
      set_lane(re, l, pass_.in[from_[2 * l] + at]);
      set_lane(im, l, pass_.in[from_[2 * l + 1] + at]);
    }
    return {re, im};
  }
  void write_lanes(int point, value const& v) const {
    std::size_t const at = offset(pass_.shape.out, point);
    for (std::size_t l = 0; l < lanes; ++l) {
      if (exists_[2 * l]) pass_.out[to_[2 * l] + at] = lane(v.re, l);
      if (exists_[2 * l + 1]) pass_.out[to_[2 * l + 1] + at] = lane(v.im, l);
    }
  }
  /// The other axes' eigenvalues of a line, less lambda.
  real others_of(std::size_t line, real lambda) const {
    if (!pass_.faster) return -lambda;
    auto const fastest = static_cast<std::size_t>(pass_.fastest);
    real sum = pass_.faster[line % fastest];
    if (pass_.slower) sum += pass_.slower[line / fastest];
    return sum - lambda;
  }
  V factor(V divided_by) const {
    V const none{};
    V const quotient = pass_.scale / divided_by;
    return divided_by == none ? none : quotient;
  }

  host_pass<real> const& pass_;
  host_axis<real> const& axis_;
  line_maps<real> maps_;
  value *values_, *staged_;
  std::size_t from_[2 * lanes], to_[2 * lanes]; ///< where lines begin
  bool exists_[2 * lanes];
  value others_{};
  bool has_mean_[lanes] = {};
  std::size_t groups_[lanes] = {};
};

/// Packs of pairs that lie beside each other, in a row of memory at every point.
template <class V>
class tile {
public:
  static constexpr std::size_t lanes = lanes_of<V>;

  /// How many packs a pass may bring together.
  static std::size_t most(host_pass<lane_of<V>> const& pass) {
    if (lanes == 1 || !pass.shape.is_strided) return 1;
    std::size_t const bytes =
        static_cast<std::size_t>(pass.axis->maps().points) * sizeof(complex<V>);
    return std::clamp<std::size_t>(room / bytes, 1, widest);
  }

  /// From pair `first` on, none after last; of no packs if they are not whole or not in one row.
  tile(host_pass<lane_of<V>> const& pass, std::size_t first, std::size_t last, complex<V>* staged)
      : pass_{pass}, staged_{staged}, points_{static_cast<std::size_t>(pass.axis->maps().points)} {
    if (lanes == 1 || !pass.shape.is_strided) return;
    std::size_t const group = first / pass.pairs(), pair = first % pass.pairs();
    auto const begin = [&](line_strides const& by) {
      return pass.shape.begin(by, group) + pass.shape.begin_in_group(by, 2 * pair);
    };
    from_ = pass.in + begin(pass.shape.in);
    to_ = pass.out + begin(pass.shape.out);
    std::size_t const left = pass.shape.beside - 2 * pair % pass.shape.beside;
    packs_ = std::min({most(pass), (last - first) / lanes, left / 2 / lanes});
  }
  std::size_t packs() const { return packs_; }

  void gather() const {
    if constexpr (lanes > 1)
      for (std::size_t point = 0; point < points_; ++point)
        for (std::size_t p = 0; p < packs_; ++p)
          staged_[p * points_ + point] =
              load_alternating<V>(from_ + point * pass_.shape.in.step + 2 * lanes * p);
  }
  void scatter() const {
    if constexpr (lanes > 1)
      for (std::size_t point = 0; point < points_; ++point)
        for (std::size_t p = 0; p < packs_; ++p)
          store_alternating(to_ + point * pass_.shape.out.step + 2 * lanes * p,
                            staged_[p * points_ + point]);
  }

private:
  static constexpr std::size_t widest = 8, room = 1024 * 1024;

  host_pass<lane_of<V>> const& pass_;
  complex<V>* staged_;
  std::size_t points_, packs_ = 0;
  lane_of<V> const* from_ = nullptr;
  lane_of<V>* to_ = nullptr;
};

/// work(lines) for packs of pairs first ... last - 1 of all groups, each in the form Lines, and
/// what goes before and after, unless it reads or writes points where they are in rows.
template <class Lines, class V, class Pass, class Work>
void for_each_pack(Pass const& pass, std::size_t first, std::size_t last, complex<V>* room,
                   bool reads_points, bool writes_points, Work work) {
  auto const points = static_cast<std::size_t>(pass.axis->maps().points);
  auto* const staged = room + pass.axis->transform().template room<V>();
  while (first < last) {
    tile<V> const together(pass, first, last, staged);
    together.gather();
    std::size_t const packs = std::max<std::size_t>(together.packs(), 1);
    for (std::size_t p = 0; p < packs; ++p, first += lanes_of<V>) {
      Lines lines(pass, first, last, room, staged + p * points);
      bool const is_alone = together.packs() == 0;
      if (is_alone && !(lines.reads_rows() && reads_points)) lines.gather();
      work(lines);
      if (is_alone && !(lines.writes_rows() && writes_points)) lines.scatter();
    }
    together.scatter();
  }
}

} // namespace warpfold::inline v0::poisson
