#pragma once
// One pass along an axis: what a block does with its lines.

#include "lines_transform.hpp"

#include <cstddef>

namespace warpfold::poisson {

enum class line_role : std::uint8_t {
  forward,
  backward,
  solve ///< forward, division by the symbol, backward
};

/// A problem's lines along one axis. Groups of lines follow each other in memory; the lines of a
/// group are paired, and a block takes units, which are pairs, of one group.
template <class T>
struct line_pass {
  line_axis<T> axis;
  line_role role;
  T const* in;
  T* out;                          ///< may be in
  int lines;                       ///< of a group
  std::size_t step, next, group;   ///< between the points of a line, lines, groups
  int units;                       ///< of a block; if next is 1, a power of two
  int shift;                       ///< log2 of units, if next is 1
  int blocks;                      ///< of a group
  divisor chunks, slots, elements; ///< of a line: points taken at once, mode slots, the transform
  bool wide;       ///< a unit's two lines, if next is 1, else a chunk's points are accessed at once
  bool wide_modes; ///< a slot's two modes are accessed at once

  // For line_role::solve.
  T const* slower; ///< eigenvalues along the other axes, of lines in row-major order; or null
  T const* faster;
  int fastest; ///< lines along the faster one
  T lambda, scale;
  bool is_singular;
  T* removed_mean;        ///< by group; or null
  bool fixes_first_point; ///< a line is a problem of its own
  // For line_role::backward.
  T const* subtracted; ///< from all, by group; or null
};

/// Two modes that come from the same frequencies.
struct mode_slot {
  int first_frequency, second_frequency;
  int first, second; ///< where they stand in a line
  bool is_pair;      ///< else each comes from its own frequency
  bool has_second;
};

template <class T, bool Strided, class Block>
class line_worker {
public:
  using value = complex<T>;

  WARPFOLD_HOST_DEVICE line_worker(Block const& block, line_pass<T> const& pass, value* shared,
                                   int block_rank)
      : block_{block}, pass_{pass}, axis_{pass.axis} {
    tile_ = {shared, axis_.length * pass.units, Strided ? pass.shift : 0};
    group_ = block_rank / pass.blocks;
    first_unit_ = block_rank % pass.blocks * pass.units;
    in_ = pass.in + static_cast<std::size_t>(group_) * pass.group;
    out_ = pass.out + static_cast<std::size_t>(group_) * pass.group;
  }

  WARPFOLD_HOST_DEVICE void run() {
    bool const from_points = axis_.is_third == (pass_.role == line_role::backward);
    bool const solves = pass_.role == line_role::solve;
    // III comes from what is II's modes.
    if (solves ? !axis_.is_third : from_points) {
      take_points();
      block_.sync();
      transform_tile(block_, axis_, tile_);
      if (!solves) return give_modes();
      divide_modes();
      block_.sync();
      transform_tile_back(block_, axis_, tile_);
      give_points();
    } else {
      take_modes();
      block_.sync();
      transform_tile_back(block_, axis_, tile_);
      if (!solves) return give_points();
      divide_points();
      block_.sync();
      transform_tile(block_, axis_, tile_);
      give_modes();
    }
  }

private:
  static constexpr int at_once = 8;
  static constexpr int chunk = 16 / sizeof(T);

  struct alignas(16) wide_points {
    T of[chunk];
  };

  /// use(element of a line, unit of the block), for `count` elements of each unit.
  template <class Use>
  WARPFOLD_HOST_DEVICE WARPFOLD_ALWAYS_INLINE void for_elements(divisor const& count,
                                                                Use use) const {
    int const of_line = static_cast<int>(count.by), all = of_line * pass_.units;
    for (int e = block_.thread_rank(); e < all; e += block_.size()) {
      if constexpr (Strided) {
        use(e >> pass_.shift, e & (pass_.units - 1));
      } else {
        int const unit = count.divide(e);
        use(e - unit * of_line, unit);
      }
    }
  }

  WARPFOLD_HOST_DEVICE int line_of(int unit) const { return 2 * (first_unit_ + unit); }
  WARPFOLD_HOST_DEVICE std::size_t offset(int point, int line) const {
    return static_cast<std::size_t>(point) * (Strided ? pass_.step : 1) +
           static_cast<std::size_t>(line) * (Strided ? 1 : pass_.next);
  }
  WARPFOLD_HOST_DEVICE value read(int point, int unit) const {
    int const line = line_of(unit);
    if (line >= pass_.lines) return {0, 0};
    T const* const from = in_ + offset(point, line);
    if (Strided && pass_.wide) return *reinterpret_cast<value const*>(from);
    return {*from, line + 1 < pass_.lines ? from[Strided ? 1 : pass_.next] : T{0}};
  }
  WARPFOLD_HOST_DEVICE void write(int point, int unit, value v) const {
    int const line = line_of(unit);
    if (line >= pass_.lines) return;
    T* const to = out_ + offset(point, line);
    if (Strided && pass_.wide) {
      *reinterpret_cast<value*>(to) = v;
      return;
    }
    *to = v.re;
    if (line + 1 < pass_.lines) to[Strided ? 1 : pass_.next] = v.im;
  }

  WARPFOLD_HOST_DEVICE value& element(int i, int unit) const {
    return tile_[Strided ? (i << pass_.shift) + unit : unit * axis_.length + i];
  }
  WARPFOLD_HOST_DEVICE value& frequency(int k, int unit) const {
    return element(axis_.places[k], unit);
  }

  // ---- the side of the points (of III: the modes)
  // -------------------------------------------------

  /// Where a point stands before the transform.
  WARPFOLD_HOST_DEVICE int element_of(int point) const {
    if (axis_.kind == line_kind::first) return point + axis_.is_sine;
    if (axis_.kind == line_kind::fourier || axis_.is_third) return point;
    return point % 2 == 0 ? point / 2 : axis_.points - (point + 1) / 2;
  }
  /// Of points of odd number; none of III, as that of the inverse would undo it.
  WARPFOLD_HOST_DEVICE bool changes_sign(int point) const {
    bool const alternates = axis_.kind == line_kind::fourth ? !axis_.is_sine
                                                            : axis_.kind == line_kind::second &&
                                                                  axis_.is_sine && !axis_.is_third;
    return alternates && point % 2 != 0;
  }
  WARPFOLD_HOST_DEVICE void put_point(int point, int unit, value v) const {
    int const i = element_of(point);
    if (axis_.kind == line_kind::fourier) {
      element(i, unit) = v;
      return;
    }
    if (changes_sign(point)) v = {-v.re, -v.im};
    if (axis_.kind == line_kind::fourth) v = v * axis_.tilts[i];
    element(i, unit) = v;
    if (axis_.kind == line_kind::first && i != 0 && 2 * i != axis_.length)
      element(axis_.length - i, unit) = axis_.is_sine ? value{-v.re, -v.im} : v;
  }
  WARPFOLD_HOST_DEVICE value get_point(int point, int unit) const {
    int const i = element_of(point);
    value v = element(i, unit);
    if (axis_.kind == line_kind::fourier) return v;
    if (axis_.kind == line_kind::fourth) v = v * conj(axis_.tilts[i]);
    return changes_sign(point) ? value{-v.re, -v.im} : v;
  }

  WARPFOLD_HOST_DEVICE void take_points() const {
    if (axis_.kind == line_kind::first && axis_.is_sine)
      for (int u = block_.thread_rank(); u < pass_.units; u += block_.size())
        element(0, u) = element(axis_.length / 2, u) = {0, 0};
    if (!Strided && pass_.wide) return take_chunks();
    int const of_line = axis_.points, all = of_line * pass_.units;
    for (int first = block_.thread_rank(); first < all; first += at_once * block_.size()) {
      value read_ahead[at_once];
      WARPFOLD_UNROLL
      for (int a = 0; a < at_once; ++a) {
        int const e = first + a * block_.size();
        if (e < all) read_ahead[a] = read(point_of(e), unit_of(e));
      }
      WARPFOLD_UNROLL
      for (int a = 0; a < at_once; ++a) {
        int const e = first + a * block_.size();
        if (e < all) put_point(point_of(e), unit_of(e), read_ahead[a]);
      }
    }
  }
  WARPFOLD_HOST_DEVICE int unit_of(int e) const {
    return Strided ? e & (pass_.units - 1) : pass_.chunks.divide(e);
  }
  WARPFOLD_HOST_DEVICE int point_of(int e) const {
    return Strided ? e >> pass_.shift
                   : e - pass_.chunks.divide(e) * static_cast<int>(pass_.chunks.by);
  }

  WARPFOLD_HOST_DEVICE void take_chunks() const {
    constexpr int ahead = at_once / 2;
    int const all = static_cast<int>(pass_.chunks.by) * pass_.units;
    for (int first = block_.thread_rank(); first < all; first += ahead * block_.size()) {
      wide_points a[ahead], b[ahead];
      WARPFOLD_UNROLL
      for (int k = 0; k < ahead; ++k) {
        int const e = first + k * block_.size();
        if (e >= all) continue;
        int const line = line_of(unit_of(e)), point = chunk * point_of(e);
        a[k] = b[k] = wide_points{};
        if (line < pass_.lines)
          a[k] = *reinterpret_cast<wide_points const*>(in_ + offset(point, line));
        if (line + 1 < pass_.lines)
          b[k] = *reinterpret_cast<wide_points const*>(in_ + offset(point, line + 1));
      }
      WARPFOLD_UNROLL
      for (int k = 0; k < ahead; ++k) {
        int const e = first + k * block_.size();
        if (e >= all) continue;
        WARPFOLD_UNROLL
        for (int i = 0; i < chunk; ++i)
          put_point(chunk * point_of(e) + i, unit_of(e), {a[k].of[i], b[k].of[i]});
      }
    }
  }

  WARPFOLD_HOST_DEVICE void give_points() const {
    value minus{0, 0};
    if (pass_.fixes_first_point) {
      minus.re = get_point(0, 0).re;
    } else if (pass_.subtracted) {
      T const constant = pass_.subtracted[group_];
      minus = {constant, constant};
    }
    if (!Strided && pass_.wide) {
      for_elements(pass_.chunks, [&](int e, int unit) {
        wide_points a, b;
        WARPFOLD_UNROLL
        for (int i = 0; i < chunk; ++i) {
          value const v = get_point(chunk * e + i, unit) - minus;
          a.of[i] = v.re;
          b.of[i] = v.im;
        }
        int const line = line_of(unit);
        if (line < pass_.lines) *reinterpret_cast<wide_points*>(out_ + offset(chunk * e, line)) = a;
        if (line + 1 < pass_.lines)
          *reinterpret_cast<wide_points*>(out_ + offset(chunk * e, line + 1)) = b;
      });
      return;
    }
    for_elements(pass_.chunks,
                 [&](int point, int unit) { write(point, unit, get_point(point, unit) - minus); });
  }

  // ---- the side of the modes (of III: the points)
  // -------------------------------------------------

  WARPFOLD_HOST_DEVICE mode_slot slot_of(int at) const {
    int const n = axis_.points;
    bool const is_odd = n % 2 != 0;
    mode_slot made;
    made.has_second = made.is_pair = true;
    made.first_frequency = at;
    if (axis_.kind == line_kind::fourth) {
      made.second_frequency = n - 1 - at;
      made.first = 2 * at;
      if (made.second_frequency == at) made.is_pair = made.has_second = false;
    } else {
      made.second_frequency = n - at;
      made.first = 2 * at - is_odd;
      if (at == 0) {
        made.is_pair = false;
        made.first = 0;
        made.has_second = !is_odd;
        made.second_frequency = is_odd ? 0 : n / 2;
      }
    }
    made.second = made.first + 1;
    if (axis_.is_third) {
      made.first = axis_.is_sine ? n - 1 - made.first_frequency : made.first_frequency;
      made.second = axis_.is_sine ? n - 1 - made.second_frequency : made.second_frequency;
    }
    return made;
  }

  struct two {
    value first, second;
  };
  WARPFOLD_HOST_DEVICE bool turns() const { return axis_.kind != line_kind::fourier; }
  WARPFOLD_HOST_DEVICE two modes_of(mode_slot const& slot, int at, int unit) const {
    value a = frequency(slot.first_frequency, unit), b = frequency(slot.second_frequency, unit);
    if (!slot.is_pair) {
      T const first = axis_.kind == line_kind::fourth ? T(1.4142135623730950488) : T{2};
      T const second = turns() ? T(1.4142135623730950488) : T{2};
      return {first * a, second * b};
    }
    if (turns()) {
      value const c = axis_.turns[at];
      a = c * a;
      b = conj(c) * b;
    }
    return {a + b, quarter_turned<true>(a - b)};
  }
  WARPFOLD_HOST_DEVICE void put_modes(mode_slot const& slot, int at, int unit, two modes) const {
    if (!slot.is_pair) {
      T const first = axis_.kind == line_kind::fourth ? T(1.4142135623730950488) : T{1};
      T const second = turns() ? T(1.4142135623730950488) : T{1};
      frequency(slot.first_frequency, unit) = first * modes.first;
      if (slot.has_second) frequency(slot.second_frequency, unit) = second * modes.second;
      return;
    }
    value const turned = quarter_turned<true>(modes.second);
    value a = modes.first - turned, b = modes.first + turned;
    if (turns()) {
      value const c = axis_.turns[at];
      a = conj(c) * a;
      b = c * b;
    }
    frequency(slot.first_frequency, unit) = a;
    frequency(slot.second_frequency, unit) = b;
  }

  WARPFOLD_HOST_DEVICE void give_modes() const {
    for_elements(pass_.slots, [&](int at, int unit) {
      if (axis_.kind == line_kind::first) {
        value const v = frequency(at + axis_.is_sine, unit);
        write(at, unit, axis_.is_sine ? quarter_turned<true>(v) : v);
        return;
      }
      mode_slot const slot = slot_of(at);
      two const modes = modes_of(slot, at, unit);
      if (!Strided && pass_.wide_modes) {
        int const line = line_of(unit);
        if (line < pass_.lines)
          *reinterpret_cast<value*>(out_ + offset(slot.first, line)) = {modes.first.re,
                                                                        modes.second.re};
        if (line + 1 < pass_.lines)
          *reinterpret_cast<value*>(out_ + offset(slot.first, line + 1)) = {modes.first.im,
                                                                            modes.second.im};
        return;
      }
      write(slot.first, unit, modes.first);
      if (slot.has_second) write(slot.second, unit, modes.second);
    });
  }

  WARPFOLD_HOST_DEVICE void take_modes() const {
    if (axis_.kind == line_kind::first && axis_.is_sine)
      for (int u = block_.thread_rank(); u < pass_.units; u += block_.size())
        frequency(0, u) = frequency(axis_.length / 2, u) = {0, 0};
    constexpr int ahead = at_once / 2;
    int const all = static_cast<int>(pass_.slots.by) * pass_.units;
    auto const slot_at = [&](int e) {
      return Strided ? e >> pass_.shift
                     : e - pass_.slots.divide(e) * static_cast<int>(pass_.slots.by);
    };
    auto const unit_at = [&](int e) {
      return Strided ? e & (pass_.units - 1) : pass_.slots.divide(e);
    };
    for (int begin = block_.thread_rank(); begin < all; begin += ahead * block_.size()) {
      two modes[ahead];
      WARPFOLD_UNROLL
      for (int a = 0; a < ahead; ++a) {
        int const e = begin + a * block_.size();
        if (e < all) modes[a] = read_modes(slot_at(e), unit_at(e));
      }
      WARPFOLD_UNROLL
      for (int a = 0; a < ahead; ++a) {
        int const e = begin + a * block_.size();
        if (e >= all) continue;
        if (axis_.kind == line_kind::first) put_first(slot_at(e), unit_at(e), modes[a].first);
        else put_modes(slot_of(slot_at(e)), slot_at(e), unit_at(e), modes[a]);
      }
    }
  }
  WARPFOLD_HOST_DEVICE two read_modes(int at, int unit) const {
    if (axis_.kind == line_kind::first) return {read(at, unit), {0, 0}};
    mode_slot const slot = slot_of(at);
    if (!Strided && pass_.wide_modes) {
      value a{0, 0}, b{0, 0};
      int const line = line_of(unit);
      if (line < pass_.lines) a = *reinterpret_cast<value const*>(in_ + offset(slot.first, line));
      if (line + 1 < pass_.lines)
        b = *reinterpret_cast<value const*>(in_ + offset(slot.first, line + 1));
      return {{a.re, b.re}, {a.im, b.im}};
    }
    return {read(slot.first, unit), slot.has_second ? read(slot.second, unit) : value{0, 0}};
  }
  WARPFOLD_HOST_DEVICE void put_first(int mode, int unit, value v) const {
    int const k = mode + axis_.is_sine;
    if (axis_.is_sine) v = quarter_turned<false>(v);
    frequency(k, unit) = v;
    if (k != 0 && 2 * k != axis_.length)
      frequency(axis_.length - k, unit) = axis_.is_sine ? value{-v.re, -v.im} : v;
  }

  // ---- between
  // --------------------------------------------------------------------------------------

  /// The other axes' eigenvalues of a line, less lambda.
  WARPFOLD_HOST_DEVICE T of_others(int line) const {
    if (!pass_.faster || line >= pass_.lines) return -pass_.lambda;
    T sum = pass_.faster[line % pass_.fastest];
    if (pass_.slower) sum += pass_.slower[line / pass_.fastest];
    return sum - pass_.lambda;
  }
  /// Of the two lines of the only unit that the thread meets, or of any.
  WARPFOLD_HOST_DEVICE value of_others() const {
    int const line = Strided ? line_of(block_.thread_rank() & (pass_.units - 1)) : 0;
    return {of_others(line), of_others(line + 1)};
  }
  WARPFOLD_HOST_DEVICE T factor(T divided_by) const {
    return divided_by == 0 ? T{0} : pass_.scale / divided_by;
  }
  WARPFOLD_HOST_DEVICE void divide(value& mode, int at, value others) const {
    T const own = axis_.eigenvalues[at];
    mode.re *= factor(own + others.re);
    mode.im *= factor(own + others.im);
  }
  WARPFOLD_HOST_DEVICE void keep_mean(int unit, T first_mode) const {
    if (pass_.removed_mean && line_of(unit) == 0)
      pass_.removed_mean[group_] = pass_.is_singular ? first_mode * pass_.scale : T{0};
  }

  WARPFOLD_HOST_DEVICE void divide_modes() const {
    value const others = of_others();
    if (axis_.kind == line_kind::first) {
      for_elements(pass_.elements, [&](int i, int unit) {
        int const mode = (2 * i <= axis_.length ? i : axis_.length - i) - axis_.is_sine;
        value& v = frequency(i, unit);
        if (i == 0) keep_mean(unit, v.re);
        // Sines' frequencies are i times modes, the first line's being imaginary then; two of them
        // are no modes: 0, but for rounding.
        if (mode < 0 || mode >= axis_.points) v = {0, 0};
        else divide(v, mode, axis_.is_sine ? value{others.im, others.re} : others);
      });
      return;
    }
    for_elements(pass_.slots, [&](int at, int unit) {
      mode_slot const slot = slot_of(at);
      two modes = modes_of(slot, at, unit);
      if (at == 0) keep_mean(unit, modes.first.re);
      divide(modes.first, slot.first, others);
      if (slot.has_second) divide(modes.second, slot.second, others);
      put_modes(slot, at, unit, modes);
    });
  }
  WARPFOLD_HOST_DEVICE void divide_points() const {
    value const others = of_others();
    for_elements(pass_.elements, [&](int i, int unit) {
      if (i == 0) keep_mean(unit, T{0});
      divide(element(i, unit), i, others);
    });
  }

  Block const& block_;
  line_pass<T> const& pass_;
  line_axis<T> const& axis_;
  line_tile<T> tile_;
  T const* in_;
  T* out_;
  int group_, first_unit_;
};

} // namespace warpfold::poisson
