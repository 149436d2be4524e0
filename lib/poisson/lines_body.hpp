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
  T* out;                        ///< may be in
  int lines;                     ///< of a group
  std::size_t step, next, group; ///< between the points of a line, lines, groups
  int units;                     ///< of a block; if next is 1, a power of two
  int shift;                     ///< log2 of units, if next is 1
  int blocks;                    ///< of a group
  int first_block;
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
  T const* subtracted; ///< from all, by entry of the batch; or null
  int groups;          ///< of an entry
};

/// Where in a line the two modes of a slot stand.
struct mode_slot {
  int first, second;
  bool is_pair; ///< else each comes from its own frequency
  bool has_second;
};

template <class T, bool Strided, line_kind Kind, class Block>
class line_worker {
public:
  using value = complex<T>;

  WARPFOLD_HOST_DEVICE line_worker(Block const& block, line_pass<T> const& pass, value* shared,
                                   int block_rank)
      : block_{block}, pass_{pass}, axis_{pass.axis}, tile_{pass.axis, shared, pass.units,
                                                            pass.shift},
        group_{block_rank / pass.blocks}, first_unit_{block_rank % pass.blocks * pass.units},
        in_{pass.in + static_cast<std::size_t>(group_) * pass.group},
        out_{pass.out + static_cast<std::size_t>(group_) * pass.group} {}

  WARPFOLD_HOST_DEVICE void run() {
    bool const solves = pass_.role == line_role::solve;
    // III goes as what undoes II.
    constexpr bool is_third = Kind == line_kind::third;
    if (solves ? !is_third : is_third == (pass_.role == line_role::backward)) {
      take_points();
      block_.sync();
      transform_tile(block_, tile_);
      if (!solves) return give_modes();
      divide_modes();
      block_.sync();
      transform_tile_back(block_, tile_);
      give_points();
    } else {
      take_modes();
      block_.sync();
      transform_tile_back(block_, tile_);
      if (!solves) return give_points();
      divide_points();
      block_.sync();
      transform_tile(block_, tile_);
      give_modes();
    }
  }

private:
  static constexpr int ahead = 8; ///< accesses of a thread at once
  static constexpr int chunk = 2;
  static constexpr bool is_first = Kind == line_kind::first;
  static constexpr bool turns = Kind != line_kind::fourier && !is_first;

  struct alignas(chunk * sizeof(T)) wide_points {
    T of[chunk];
  };
  struct two {
    value first, second;
  };

  /// ready(element, unit) for several elements of a thread, then done(element, unit, what it gave).
  template <int Ahead, class Ready, class Done>
  WARPFOLD_HOST_DEVICE WARPFOLD_ALWAYS_INLINE void for_elements(divisor const& count, Ready ready,
                                                                Done done) const {
    int const of_line = static_cast<int>(count.by), size = block_.size();
    if constexpr (Strided) {
      int const unit = block_.thread_rank() & (pass_.units - 1), by = size >> pass_.shift;
      for (int e = block_.thread_rank() >> pass_.shift; e < of_line; e += Ahead * by) {
        decltype(ready(0, 0)) given[Ahead];
        WARPFOLD_UNROLL
        for (int a = 0; a < Ahead; ++a)
          if (e + a * by < of_line) given[a] = ready(e + a * by, unit);
        WARPFOLD_UNROLL
        for (int a = 0; a < Ahead; ++a)
          if (e + a * by < of_line) done(e + a * by, unit, given[a]);
      }
    } else {
      int const all = of_line * pass_.units;
      auto const unit_of = [&](int e) { return pass_.units == 1 ? 0 : count.divide(e); };
      for (int e = block_.thread_rank(); e < all; e += Ahead * size) {
        decltype(ready(0, 0)) given[Ahead];
        WARPFOLD_UNROLL
        for (int a = 0; a < Ahead; ++a) {
          int const unit = unit_of(e + a * size);
          if (e + a * size < all) given[a] = ready(e + a * size - unit * of_line, unit);
        }
        WARPFOLD_UNROLL
        for (int a = 0; a < Ahead; ++a) {
          int const unit = unit_of(e + a * size);
          if (e + a * size < all) done(e + a * size - unit * of_line, unit, given[a]);
        }
      }
    }
  }
  template <class Use>
  WARPFOLD_HOST_DEVICE WARPFOLD_ALWAYS_INLINE void for_elements(divisor const& count,
                                                                Use use) const {
    for_elements<1>(
        count, [](int, int) { return 0; }, [&](int e, int unit, int) { use(e, unit); });
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
  /// Two neighbours of each of a unit's contiguous lines.
  WARPFOLD_HOST_DEVICE two read_wide(int point, int unit) const {
    int const line = line_of(unit);
    value a{0, 0}, b{0, 0};
    if (line < pass_.lines) a = *reinterpret_cast<value const*>(in_ + offset(point, line));
    if (line + 1 < pass_.lines) b = *reinterpret_cast<value const*>(in_ + offset(point, line + 1));
    return {{a.re, b.re}, {a.im, b.im}};
  }
  WARPFOLD_HOST_DEVICE void write_wide(int point, int unit, two const& v) const {
    int const line = line_of(unit);
    if (line < pass_.lines)
      *reinterpret_cast<value*>(out_ + offset(point, line)) = {v.first.re, v.second.re};
    if (line + 1 < pass_.lines)
      *reinterpret_cast<value*>(out_ + offset(point, line + 1)) = {v.first.im, v.second.im};
  }

  WARPFOLD_HOST_DEVICE value& element(int i, int unit) const {
    return tile_.at(axis_.place(i), unit);
  }

  // ---- the side of the points (of III: the modes)
  // -------------------------------------------------

  /// Where a point stands before the transform.
  WARPFOLD_HOST_DEVICE int element_of(int point) const {
    if (is_first) return point + axis_.is_sine;
    if (Kind == line_kind::fourier || Kind == line_kind::third) return point;
    return point % 2 == 0 ? point / 2 : axis_.points - (point + 1) / 2;
  }
  /// Of points of odd number; none of III, as that of the inverse would undo it.
  WARPFOLD_HOST_DEVICE bool changes_sign(int point) const {
    if (Kind == line_kind::second) return axis_.is_sine && point % 2 != 0;
    return Kind == line_kind::fourth && !axis_.is_sine && point % 2 != 0;
  }
  WARPFOLD_HOST_DEVICE void put_point(int point, int unit, value v) const {
    int const i = element_of(point);
    if (changes_sign(point)) v = {-v.re, -v.im};
    if (Kind == line_kind::fourth) v = v * axis_.tilts[i];
    element(i, unit) = v;
    if (is_first && i != 0 && 2 * i != axis_.length)
      element(axis_.length - i, unit) = axis_.is_sine ? value{-v.re, -v.im} : v;
  }
  WARPFOLD_HOST_DEVICE value get_point(int point, int unit) const {
    int const i = element_of(point);
    value v = element(i, unit);
    if (Kind == line_kind::fourth) v = v * conj(axis_.tilts[i]);
    return changes_sign(point) ? value{-v.re, -v.im} : v;
  }

  WARPFOLD_HOST_DEVICE void take_points() const {
    if (is_first && axis_.is_sine)
      for (int u = block_.thread_rank(); u < pass_.units; u += block_.size())
        element(0, u) = element(axis_.length / 2, u) = {0, 0};
    if (!Strided && pass_.wide)
      for_elements<ahead / 2>(
          pass_.chunks, [&](int e, int unit) { return read_wide(chunk * e, unit); },
          [&](int e, int unit, two const& v) {
            put_point(chunk * e, unit, v.first);
            put_point(chunk * e + 1, unit, v.second);
          });
    else
      for_elements<ahead>(
          pass_.chunks, [&](int point, int unit) { return read(point, unit); },
          [&](int point, int unit, value v) { put_point(point, unit, v); });
  }

  WARPFOLD_HOST_DEVICE void give_points() const {
    value minus{0, 0};
    if (pass_.fixes_first_point) {
      minus.re = get_point(0, 0).re;
    } else if (pass_.subtracted) {
      T const constant = pass_.subtracted[group_ / pass_.groups];
      minus = {constant, constant};
    }
    if (!Strided && pass_.wide)
      for_elements(pass_.chunks, [&](int e, int unit) {
        write_wide(chunk * e, unit,
                   {get_point(chunk * e, unit) - minus, get_point(chunk * e + 1, unit) - minus});
      });
    else
      for_elements(pass_.chunks, [&](int point, int unit) {
        write(point, unit, get_point(point, unit) - minus);
      });
  }

  // ---- the side of the modes (of III: the points)
  // -------------------------------------------------

  WARPFOLD_HOST_DEVICE mode_slot slot_of(int at) const {
    int const n = axis_.points;
    bool const is_odd = n % 2 != 0;
    if (Kind == line_kind::fourth) {
      bool const is_pair = 2 * at + 1 != n;
      return {2 * at, 2 * at + 1, is_pair, is_pair};
    }
    if (Kind == line_kind::third) {
      int const second = at > 0 ? n - at : is_odd ? 0 : n / 2;
      if (axis_.is_sine) return {n - 1 - at, n - 1 - second, at > 0, at > 0 || !is_odd};
      return {at, second, at > 0, at > 0 || !is_odd};
    }
    if (at == 0) return {0, 1, false, !is_odd};
    return {2 * at - is_odd, 2 * at - is_odd + 1, true, true};
  }

  // Frequencies that are their own partners, 0 and half the length, are multiplied by 2 Re c_k.
  static constexpr T root = T(1.4142135623730950488);

  WARPFOLD_HOST_DEVICE two modes_of(bool is_pair, int at, value a, value b) const {
    if (!is_pair) return {(Kind == line_kind::fourth ? root : T{2}) * a, (turns ? root : T{2}) * b};
    if (turns) {
      value const c = axis_.turns[at];
      a = c * a;
      b = conj(c) * b;
    }
    return {a + b, quarter_turned<true>(a - b)};
  }
  WARPFOLD_HOST_DEVICE two frequencies_of(bool is_pair, int at, two const& modes) const {
    if (!is_pair)
      return {(Kind == line_kind::fourth ? root : T{1}) * modes.first,
              (turns ? root : T{1}) * modes.second};
    value const turned = quarter_turned<true>(modes.second);
    value a = modes.first - turned, b = modes.first + turned;
    if (turns) {
      value const c = axis_.turns[at];
      a = conj(c) * a;
      b = c * b;
    }
    return {a, b};
  }

  WARPFOLD_HOST_DEVICE void give_modes() const {
    for_elements<2>(
        pass_.slots,
        [&](int at, int unit) {
          slot_places const places = axis_.places[at];
          return two{tile_.at(places.first, unit), tile_.at(places.second, unit)};
        },
        [&](int at, int unit, two const& v) {
          if constexpr (is_first) {
            write(at, unit, axis_.is_sine ? quarter_turned<true>(v.first) : v.first);
          } else {
            mode_slot const slot = slot_of(at);
            two const modes = modes_of(slot.is_pair, at, v.first, v.second);
            if (!Strided && pass_.wide_modes) return write_wide(slot.first, unit, modes);
            write(slot.first, unit, modes.first);
            if (slot.has_second) write(slot.second, unit, modes.second);
          }
        });
  }

  WARPFOLD_HOST_DEVICE void take_modes() const {
    if (is_first && axis_.is_sine)
      for (int u = block_.thread_rank(); u < pass_.units; u += block_.size()) {
        tile_.at(0, u) = {0, 0};
        tile_.at(axis_.half, u) = {0, 0};
      }
    for_elements<ahead / 2>(
        pass_.slots,
        [&](int at, int unit) -> two {
          if constexpr (is_first) return {read(at, unit), {0, 0}};
          mode_slot const slot = slot_of(at);
          if (!Strided && pass_.wide_modes) return read_wide(slot.first, unit);
          return {read(slot.first, unit), slot.has_second ? read(slot.second, unit) : value{0, 0}};
        },
        [&](int at, int unit, two const& modes) {
          slot_places const places = axis_.places[at];
          if constexpr (is_first) {
            value const v = axis_.is_sine ? quarter_turned<false>(modes.first) : modes.first;
            if (places.first != places.second)
              tile_.at(places.second, unit) = axis_.is_sine ? value{-v.re, -v.im} : v;
            tile_.at(places.first, unit) = v;
          } else {
            two const v = frequencies_of(slot_of(at).is_pair, at, modes);
            if (places.first != places.second) tile_.at(places.second, unit) = v.second;
            tile_.at(places.first, unit) = v.first;
          }
        });
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
  WARPFOLD_HOST_DEVICE value factors(int at, value others) const {
    T const own = axis_.eigenvalues[at], first = factor(own + others.re);
    return {first, others.re == others.im ? first : factor(own + others.im)};
  }
  WARPFOLD_HOST_DEVICE static value scaled(value a, value by) {
    return {a.re * by.re, a.im * by.im};
  }
  WARPFOLD_HOST_DEVICE void keep_mean(int unit, T first_mode) const {
    if (pass_.removed_mean && line_of(unit) == 0)
      pass_.removed_mean[group_] = pass_.is_singular ? first_mode * pass_.scale : T{0};
  }

  WARPFOLD_HOST_DEVICE void divide_modes() const {
    value others = of_others();
    // Frequencies of sines are i times modes: the first line's are imaginary.
    if (is_first && axis_.is_sine) {
      others = {others.im, others.re};
      for (int u = block_.thread_rank(); u < pass_.units; u += block_.size()) {
        // No modes: 0, but for rounding.
        tile_.at(0, u) = {0, 0};
        tile_.at(axis_.half, u) = {0, 0};
      }
    }
    for_elements(pass_.slots, [&](int at, int unit) {
      slot_places const places = axis_.places[at];
      value &a = tile_.at(places.first, unit), &b = tile_.at(places.second, unit);
      if constexpr (is_first) {
        if (at == 0) keep_mean(unit, a.re);
        value const by = factors(at, others);
        value const second = scaled(b, by);
        a = scaled(a, by);
        if (places.first != places.second) b = second;
      } else {
        mode_slot const slot = slot_of(at);
        two modes = modes_of(slot.is_pair, at, a, b);
        if (at == 0) keep_mean(unit, modes.first.re);
        value const by = factors(slot.first, others);
        modes.first = scaled(modes.first, by);
        if (Kind == line_kind::fourier && slot.is_pair) modes.second = scaled(modes.second, by);
        else if (slot.has_second) modes.second = scaled(modes.second, factors(slot.second, others));
        two const v = frequencies_of(slot.is_pair, at, modes);
        if (places.first != places.second) b = v.second;
        a = v.first;
      }
    });
  }
  WARPFOLD_HOST_DEVICE void divide_points() const {
    value const others = of_others();
    for_elements(pass_.elements, [&](int i, int unit) {
      if (i == 0) keep_mean(unit, T{0});
      value& v = element(i, unit);
      v = scaled(v, factors(i, others));
    });
  }

  Block const& block_;
  line_pass<T> const& pass_;
  line_axis<T> const& axis_;
  line_tile<T, Strided> tile_;
  int group_, first_unit_;
  T const* in_;
  T* out_;
};

/// What a kernel does for a pass.
template <class T, bool Strided, line_kind Kind, class Block>
WARPFOLD_HOST_DEVICE void work_on_lines(Block const& block, line_pass<T> const& pass,
                                        complex<T>* shared) {
  line_worker<T, Strided, Kind, Block>{block, pass, shared, block.block_rank() + pass.first_block}
      .run();
}

} // namespace warpfold::poisson
