#pragma once
// One pass along an axis: what its maps do before, between and after the transforms.

#include "lines_butterflies.hpp"
#include "lines_maps.hpp"

namespace warpfold::inline v0::poisson {

/// Where in a line the two modes of a slot stand.
struct mode_slot {
  int first, second;
  bool is_pair; ///< else each comes from its own frequency
  bool has_second;
};

/// The two modes of a slot, or its two frequencies.
template <class V>
struct slot_values {
  complex<V> first, second;
};

/// Where the frequencies of a slot stand.
template <class V>
struct slot_places_of {
  complex<V>&first, &second;
};

/// Works on lines two by two, the second as the imaginary part. `Lines` are those of a thread in a
/// block, or packs of lines on a host:
///   number                     of a line's values; tables are of its lanes
///   differentiates             whether derives() may be true: derivatives are wanted
///   maps(), wavenumbers()      of the axis
///   element(i), slot(at)       what is transformed, and what comes of it
///   middle()                   the frequency of half the length, of I
///   leads()                    whether to write what belongs to no point
///   for_elements<Ahead>(count, ready, done), for_elements(count, use)
///   read_points(put), write_points(get), read/write(point), read_modes/write_modes(slot)
///   others(), factors(at, others)  by which the division multiplies mode `at`
///   keep_mean(mode), transform(is_inverse), sync()
template <class Lines, line_kind Kind>
class line_worker {
public:
  using number = typename Lines::number;
  using value = complex<number>;
  using real = lane_of<number>;
  using two = slot_values<number>;

  WARPFOLD_HOST_DEVICE explicit line_worker(Lines& lines) : lines_{lines}, maps_{lines.maps()} {}

  WARPFOLD_HOST_DEVICE void run(line_role role) {
    bool const solves = role == line_role::solve;
    // III goes as what undoes II.
    constexpr bool is_third = Kind == line_kind::third;
    bool is_inverse = solves ? is_third : is_third != (role == line_role::backward);
    is_inverse ? take_modes() : take_points();
    // One call for all roles: the transforms are most of a kernel's code.
    for (bool is_last = !solves;; is_last = true, is_inverse = !is_inverse) {
      lines_.sync();
      lines_.transform(is_inverse);
      if (is_last) break;
      if constexpr (is_third) divide_points();
      else divide_modes();
    }
    is_inverse ? give_points() : give_modes();
  }

private:
  static constexpr bool is_first = Kind == line_kind::first;
  static constexpr bool turns = Kind != line_kind::fourier && !is_first;

  WARPFOLD_HOST_DEVICE bool derives() const {
    if constexpr (Lines::differentiates) return lines_.derives();
    else return false;
  }
  WARPFOLD_HOST_DEVICE real wavenumber(int at) const {
    if constexpr (Lines::differentiates) return lines_.wavenumbers()[at];
    else return real{1};
  }
  /// For what is written, which is a sine series if it is the derivative of cosines.
  WARPFOLD_HOST_DEVICE bool gives_sines() const { return maps_.is_sine != derives(); }

  // ---- the side of the points (of III: the modes)

  /// Where a point stands before the transform.
  WARPFOLD_HOST_DEVICE int element_of(int point) const {
    if (is_first) return point + maps_.is_sine;
    if (Kind == line_kind::fourier || Kind == line_kind::third) return point;
    return point % 2 == 0 ? point / 2 : maps_.points - (point + 1) / 2;
  }
  /// For points of odd number; none of III, as that of the inverse would undo it.
  WARPFOLD_HOST_DEVICE static bool changes_sign(int point, bool is_sine) {
    if (Kind == line_kind::second) return is_sine && point % 2 != 0;
    return Kind == line_kind::fourth && !is_sine && point % 2 != 0;
  }
  WARPFOLD_HOST_DEVICE void put_point(int point, value v) const {
    int const i = element_of(point);
    if (changes_sign(point, maps_.is_sine)) v = {-v.re, -v.im};
    if (Kind == line_kind::fourth) v = v * maps_.tilts[i];
    if (Kind == line_kind::third && derives()) v = wavenumber(i) * v;
    lines_.element(i) = v;
    if (is_first && i != 0 && 2 * i != maps_.length)
      lines_.element(maps_.length - i) = maps_.is_sine ? value{-v.re, -v.im} : v;
  }
  WARPFOLD_HOST_DEVICE value get_point(int point) const {
    int const i = element_of(point);
    // Sines of ends that are points.
    if (is_first && derives() && (i == 0 || 2 * i == maps_.length)) return value{};
    value v = lines_.element(i);
    if (Kind == line_kind::fourth) v = v * conj(maps_.tilts[i]);
    return changes_sign(point, gives_sines()) ? value{-v.re, -v.im} : v;
  }

  WARPFOLD_HOST_DEVICE void take_points() const {
    if (is_first && maps_.is_sine && lines_.leads())
      lines_.element(0) = lines_.element(maps_.length / 2) = value{};
    lines_.read_points([&](int point, value v) { put_point(point, v); });
  }
  WARPFOLD_HOST_DEVICE void give_points() const {
    lines_.write_points([&](int point) { return get_point(point); });
  }

  // ---- the side of the modes (of III: the points)

  WARPFOLD_HOST_DEVICE mode_slot slot_of(int at) const {
    int const n = maps_.points;
    bool const is_odd = n % 2 != 0;
    if (Kind == line_kind::fourth) {
      bool const is_pair = 2 * at + 1 != n;
      return {2 * at, 2 * at + 1, is_pair, is_pair};
    }
    if (Kind == line_kind::third) {
      int const second = at > 0 ? n - at : is_odd ? 0 : n / 2;
      if (maps_.is_sine) return {n - 1 - at, n - 1 - second, at > 0, at > 0 || !is_odd};
      return {at, second, at > 0, at > 0 || !is_odd};
    }
    if (at == 0) return {0, 1, false, !is_odd};
    return {2 * at - is_odd, 2 * at - is_odd + 1, true, true};
  }

  // Frequencies that are their own partners, 0 and half the length, are multiplied by 2 Re c_k.
  static constexpr real root = real(1.4142135623730950488);

  WARPFOLD_HOST_DEVICE two modes_of(bool is_pair, int at, value a, value b) const {
    if (!is_pair)
      return {(Kind == line_kind::fourth ? root : real{2}) * a, (turns ? root : real{2}) * b};
    if (turns) {
      complex<real> const c = maps_.turns[at];
      a = a * c;
      b = b * conj(c);
    }
    return {a + b, quarter_turned<true>(a - b)};
  }
  WARPFOLD_HOST_DEVICE two frequencies_of(bool is_pair, int at, two const& modes) const {
    if (!is_pair)
      return {(Kind == line_kind::fourth ? root : real{1}) * modes.first,
              (turns ? root : real{1}) * modes.second};
    value const turned = quarter_turned<true>(modes.second);
    value a = modes.first - turned, b = modes.first + turned;
    if (turns) {
      complex<real> const c = maps_.turns[at];
      a = a * conj(c);
      b = b * c;
    }
    return {a, b};
  }
  /// Frequencies k and -k of I.
  WARPFOLD_HOST_DEVICE two both_ways(value mode) const {
    if (!gives_sines()) return {mode, mode};
    value const turned = quarter_turned<false>(mode);
    return {turned, {-turned.re, -turned.im}};
  }

  /// Modes of a derivative, which change places, each times its wavenumber.
  WARPFOLD_HOST_DEVICE two derived(mode_slot slot, two const& modes) const {
    // The derivative of the last sine is 0 at all points, as is that of a constant.
    if (!slot.is_pair)
      return {Kind == line_kind::fourth ? wavenumber(slot.first) * modes.first : value{},
              slot.has_second ? wavenumber(slot.second) * modes.second : value{}};
    return {wavenumber(slot.second) * modes.second, wavenumber(slot.first) * modes.first};
  }
  WARPFOLD_HOST_DEVICE value derived(int at, value mode) const {
    bool const is_constant = !maps_.is_sine && (at == 0 || at + 1 == maps_.points);
    return is_constant ? value{} : wavenumber(at) * mode;
  }

  WARPFOLD_HOST_DEVICE void give_modes() const {
    lines_.template for_elements<2>(
        maps_.slots,
        [&](int at) {
          auto const places = lines_.slot(at);
          return two{places.first, places.second};
        },
        [&](int at, two const& v) {
          if constexpr (is_first) {
            lines_.write(at, maps_.is_sine ? quarter_turned<true>(v.first) : v.first);
          } else {
            mode_slot const slot = slot_of(at);
            two modes = modes_of(slot.is_pair, at, v.first, v.second);
            if (Kind == line_kind::third && derives())
              modes = {slot.is_pair ? modes.second : value{},
                       slot.is_pair ? modes.first : modes.second};
            lines_.write_modes(slot, modes);
          }
        });
  }

  WARPFOLD_HOST_DEVICE void take_modes() const {
    if (is_first && maps_.is_sine && lines_.leads()) lines_.element(0) = lines_.middle() = value{};
    lines_.template for_elements<4>(
        maps_.slots,
        [&](int at) -> two {
          if constexpr (is_first) return {lines_.read(at), value{}};
          else return lines_.read_modes(slot_of(at));
        },
        [&](int at, two const& modes) {
          auto const places = lines_.slot(at);
          two v;
          if constexpr (is_first) {
            v = both_ways(derives() ? derived(at, modes.first) : modes.first);
          } else {
            mode_slot const slot = slot_of(at);
            bool const is_derived = Kind != line_kind::third && derives();
            v = frequencies_of(slot.is_pair, at, is_derived ? derived(slot, modes) : modes);
          }
          places.second = v.second;
          places.first = v.first; // last, where they are the same
        });
  }

  // ---- between

  WARPFOLD_HOST_DEVICE static value scaled(value a, value by) {
    return {a.re * by.re, a.im * by.im};
  }

  WARPFOLD_HOST_DEVICE void divide_modes() const {
    value const others = lines_.others();
    // Two frequencies of sines are no modes: 0, but for rounding.
    if (is_first && maps_.is_sine && lines_.leads()) lines_.element(0) = lines_.middle() = value{};
    lines_.for_elements(maps_.slots, [&](int at) {
      auto const places = lines_.slot(at);
      value const a = places.first, b = places.second;
      two v;
      if constexpr (is_first) {
        // Rounding errors that have the wrong symmetry are no mode of either line; the factors of
        // one line would reach into the other through them.
        value mode = real(0.5) * (maps_.is_sine ? quarter_turned<true>(a - b) : a + b);
        if (at == 0) lines_.keep_mean(mode.re);
        mode = scaled(mode, lines_.factors(at, others));
        v = both_ways(derives() ? derived(at, mode) : mode);
      } else {
        mode_slot const slot = slot_of(at);
        two modes = modes_of(slot.is_pair, at, a, b);
        if (at == 0) lines_.keep_mean(modes.first.re);
        value const by = lines_.factors(slot.first, others);
        modes.first = scaled(modes.first, by);
        if (Kind == line_kind::fourier && slot.is_pair) modes.second = scaled(modes.second, by);
        else if (slot.has_second)
          modes.second = scaled(modes.second, lines_.factors(slot.second, others));
        v = frequencies_of(slot.is_pair, at, derives() ? derived(slot, modes) : modes);
      }
      places.second = v.second;
      places.first = v.first; // last, where they are the same
    });
  }
  WARPFOLD_HOST_DEVICE void divide_points() const {
    value const others = lines_.others();
    lines_.for_elements(maps_.points, [&](int i) {
      if (i == 0) lines_.keep_mean(number{});
      value& v = lines_.element(i);
      v = scaled(v, lines_.factors(i, others));
      if (derives()) v = wavenumber(i) * v;
    });
  }

  Lines& lines_;
  line_maps<real> const& maps_;
};

} // namespace warpfold::inline v0::poisson
