#pragma once
// One pass along an axis: what a block does with its lines.

#include <warpfold/detail/core/block.hpp>

#include "lines_pass.hpp"
#include "lines_transform.hpp"

#include <cstddef>

namespace warpfold::inline v0::poisson {

/// Where in a line the two modes of a slot stand.
struct mode_slot {
  int first, second;
  bool is_pair; ///< else each comes from its own frequency
  bool has_second;
};

template <class T, bool Strided, line_kind Kind, detail::thread_block Block>
class line_worker {
public:
  using value = complex<T>;

  WARPFOLD_HOST_DEVICE line_worker(Block const& block, line_pass<T> const& pass, value* shared)
      : block_{block}, pass_{pass}, axis_{pass.axis}, line_{pass.axis, shared, pass.shift, 0, 0},
        group_{block.block_rank() / pass.blocks} {
    int const rank = block.thread_rank(), size = block.size();
    int unit;
    if constexpr (Strided) {
      unit = rank & (pass.units - 1);
      line_.first = rank >> pass.shift;
      line_.by = size >> pass.shift;
      line_.values += unit;
    } else {
      line_.by = size / pass.units;
      unit = rank / line_.by;
      line_.first = rank - unit * line_.by;
      line_.values += unit * axis_.room;
    }
    number_ = 2 * (block.block_rank() % pass.blocks * pass.units + unit);
    has_line_ = number_ < pass.lines;
    has_second_ = number_ + 1 < pass.lines;
    std::size_t const next = Strided ? 1 : pass.next;
    // A line without another one is its own.
    second_ = has_second_ ? next : 0;
    std::size_t const begin =
        static_cast<std::size_t>(group_) * pass.group + static_cast<std::size_t>(number_) * next;
    in_ = pass.in + begin;
    out_ = pass.out + begin;
  }

  WARPFOLD_HOST_DEVICE void run() {
    bool const solves = pass_.role == line_role::solve;
    // III goes as what undoes II.
    constexpr bool is_third = Kind == line_kind::third;
    if (solves ? !is_third : is_third == (pass_.role == line_role::backward)) {
      take_points();
      block_.sync();
      transform_line(block_, line_);
      if (!solves) return give_modes();
      divide_modes();
      block_.sync();
      transform_line_back(block_, line_);
      give_points();
    } else {
      take_modes();
      block_.sync();
      transform_line_back(block_, line_);
      if (!solves) return give_points();
      divide_points();
      block_.sync();
      transform_line(block_, line_);
      give_modes();
    }
  }

private:
  static constexpr int ahead = 8; ///< accesses of a thread at once
  static constexpr bool is_first = Kind == line_kind::first;
  static constexpr bool turns = Kind != line_kind::fourier && !is_first;

  struct two {
    value first, second;
  };

  /// ready(element) for several elements of a thread, then done(element, what it gave).
  template <int Ahead, class Ready, class Done>
  WARPFOLD_HOST_DEVICE WARPFOLD_ALWAYS_INLINE void for_elements(int count, Ready ready,
                                                                Done done) const {
    if (!has_line_) return;
    int const by = line_.by;
    for (int e = line_.first; e < count; e += Ahead * by) {
      decltype(ready(0)) given[Ahead];
      WARPFOLD_UNROLL
      for (int a = 0; a < Ahead; ++a)
        if (e + a * by < count) given[a] = ready(e + a * by);
      WARPFOLD_UNROLL
      for (int a = 0; a < Ahead; ++a)
        if (e + a * by < count) done(e + a * by, given[a]);
    }
  }
  template <class Use>
  WARPFOLD_HOST_DEVICE WARPFOLD_ALWAYS_INLINE void for_elements(int count, Use use) const {
    if (!has_line_) return;
    for (int e = line_.first; e < count; e += line_.by) use(e);
  }

  WARPFOLD_HOST_DEVICE std::size_t offset(int point) const {
    if (!Strided) return static_cast<unsigned>(point);
    return static_cast<std::size_t>(static_cast<unsigned>(point)) * pass_.step;
  }
  WARPFOLD_HOST_DEVICE value read(int point) const {
    T const* const from = in_ + offset(point);
    if (Strided && pass_.wide) return *reinterpret_cast<value const*>(from);
    return {*from, from[second_]};
  }
  WARPFOLD_HOST_DEVICE void write(int point, value v) const {
    T* const to = out_ + offset(point);
    if (Strided && pass_.wide) {
      *reinterpret_cast<value*>(to) = v;
      return;
    }
    *to = v.re;
    if (has_second_) to[second_] = v.im;
  }
  /// Two neighbours of each of two contiguous lines.
  WARPFOLD_HOST_DEVICE two read_wide(int point) const {
    value const a = *reinterpret_cast<value const*>(in_ + offset(point));
    value const b = *reinterpret_cast<value const*>(in_ + second_ + offset(point));
    return {{a.re, b.re}, {a.im, b.im}};
  }
  WARPFOLD_HOST_DEVICE void write_wide(int point, two const& v) const {
    *reinterpret_cast<value*>(out_ + offset(point)) = {v.first.re, v.second.re};
    if (has_second_)
      *reinterpret_cast<value*>(out_ + second_ + offset(point)) = {v.first.im, v.second.im};
  }

  WARPFOLD_HOST_DEVICE value& element(int i) const { return line_.at(axis_.place(i)); }

  // ---- the side of the points (of III: the modes)

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
  WARPFOLD_HOST_DEVICE void put_point(int point, value v) const {
    int const i = element_of(point);
    if (changes_sign(point)) v = {-v.re, -v.im};
    if (Kind == line_kind::fourth) v = v * axis_.tilts[i];
    element(i) = v;
    if (is_first && i != 0 && 2 * i != axis_.length)
      element(axis_.length - i) = axis_.is_sine ? value{-v.re, -v.im} : v;
  }
  WARPFOLD_HOST_DEVICE value get_point(int point) const {
    int const i = element_of(point);
    value v = element(i);
    if (Kind == line_kind::fourth) v = v * conj(axis_.tilts[i]);
    return changes_sign(point) ? value{-v.re, -v.im} : v;
  }

  WARPFOLD_HOST_DEVICE void take_points() const {
    if (is_first && axis_.is_sine && line_.first == 0)
      element(0) = element(axis_.length / 2) = {0, 0};
    if (!Strided && pass_.wide)
      for_elements<ahead / 2>(
          axis_.points / 2, [&](int e) { return read_wide(2 * e); },
          [&](int e, two const& v) {
            put_point(2 * e, v.first);
            put_point(2 * e + 1, v.second);
          });
    else
      for_elements<ahead>(
          axis_.points, [&](int point) { return read(point); },
          [&](int point, value v) { put_point(point, v); });
  }

  WARPFOLD_HOST_DEVICE void give_points() const {
    value minus{0, 0};
    if (pass_.fixes_first_point) {
      minus.re = line_.values[0].re;
    } else if (pass_.subtracted) {
      T const constant = pass_.subtracted[group_ / pass_.groups];
      minus = {constant, constant};
    }
    // Its value comes from a sum in another order.
    bool const has_fixed = pass_.subtracted && number_ == 0 && group_ % pass_.groups == 0;
    auto const given = [&](int point) {
      value v = get_point(point) - minus;
      if (has_fixed && point == 0) v.re = 0;
      return v;
    };
    if (!Strided && pass_.wide)
      for_elements(axis_.points / 2, [&](int e) {
        write_wide(2 * e, {given(2 * e), given(2 * e + 1)});
      });
    else for_elements(axis_.points, [&](int point) { write(point, given(point)); });
  }

  // ---- the side of the modes (of III: the points)

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
        axis_.slots,
        [&](int at) {
          slot_places const places = axis_.places[at];
          return two{line_.at(places.first), line_.at(places.second)};
        },
        [&](int at, two const& v) {
          if constexpr (is_first) {
            write(at, axis_.is_sine ? quarter_turned<true>(v.first) : v.first);
          } else {
            mode_slot const slot = slot_of(at);
            two const modes = modes_of(slot.is_pair, at, v.first, v.second);
            if (!Strided && pass_.wide_modes) return write_wide(slot.first, modes);
            write(slot.first, modes.first);
            if (slot.has_second) write(slot.second, modes.second);
          }
        });
  }

  WARPFOLD_HOST_DEVICE void take_modes() const {
    if (is_first && axis_.is_sine && line_.first == 0) line_.at(0) = line_.at(axis_.half) = {0, 0};
    for_elements<ahead / 2>(
        axis_.slots,
        [&](int at) -> two {
          if constexpr (is_first) return {read(at), {0, 0}};
          mode_slot const slot = slot_of(at);
          if (!Strided && pass_.wide_modes) return read_wide(slot.first);
          return {read(slot.first), slot.has_second ? read(slot.second) : value{0, 0}};
        },
        [&](int at, two const& modes) {
          slot_places const places = axis_.places[at];
          two v;
          if constexpr (is_first) {
            v.first = axis_.is_sine ? quarter_turned<false>(modes.first) : modes.first;
            v.second = axis_.is_sine ? value{-v.first.re, -v.first.im} : v.first;
          } else {
            v = frequencies_of(slot_of(at).is_pair, at, modes);
          }
          line_.at(places.second) = v.second;
          line_.at(places.first) = v.first; // last, where they are the same
        });
  }

  // ---- between

  /// The other axes' eigenvalues of a line, less lambda.
  WARPFOLD_HOST_DEVICE T of_others(int line) const {
    if (!pass_.faster || line >= pass_.lines) return -pass_.lambda;
    T sum = pass_.faster[line % pass_.fastest];
    if (pass_.slower) sum += pass_.slower[line / pass_.fastest];
    return sum - pass_.lambda;
  }
  WARPFOLD_HOST_DEVICE value of_others() const {
    return {of_others(number_), of_others(number_ + has_second_)};
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
  WARPFOLD_HOST_DEVICE void keep_mean(T first_mode) const {
    if (pass_.removed_mean && number_ == 0)
      pass_.removed_mean[group_] = pass_.is_singular ? first_mode * pass_.scale : T{0};
  }

  WARPFOLD_HOST_DEVICE void divide_modes() const {
    value others = of_others();
    // Frequencies of sines are i times modes: the first line's are imaginary. Two of them are no
    // modes: 0, but for rounding.
    if (is_first && axis_.is_sine) {
      others = {others.im, others.re};
      if (line_.first == 0) line_.at(0) = line_.at(axis_.half) = {0, 0};
    }
    for_elements(axis_.slots, [&](int at) {
      slot_places const places = axis_.places[at];
      value &a = line_.at(places.first), &b = line_.at(places.second);
      two v;
      if constexpr (is_first) {
        // Rounding errors that have the wrong symmetry are no mode of either line; the factors of
        // one line would reach into the other through them.
        if (at == 0) keep_mean(a.re);
        value const mode = axis_.is_sine ? value{(a.re - b.re) / 2, (a.im - b.im) / 2}
                                         : value{(a.re + b.re) / 2, (a.im + b.im) / 2};
        value const one = scaled(mode, factors(at, others));
        v = {one, axis_.is_sine ? value{-one.re, -one.im} : one};
      } else {
        mode_slot const slot = slot_of(at);
        two modes = modes_of(slot.is_pair, at, a, b);
        if (at == 0) keep_mean(modes.first.re);
        value const by = factors(slot.first, others);
        modes.first = scaled(modes.first, by);
        if (Kind == line_kind::fourier && slot.is_pair) modes.second = scaled(modes.second, by);
        else if (slot.has_second) modes.second = scaled(modes.second, factors(slot.second, others));
        v = frequencies_of(slot.is_pair, at, modes);
      }
      b = v.second;
      a = v.first; // last, where they are the same
    });
  }
  WARPFOLD_HOST_DEVICE void divide_points() const {
    value const others = of_others();
    for_elements(axis_.points, [&](int i) {
      if (i == 0) keep_mean(T{0});
      value& v = element(i);
      v = scaled(v, factors(i, others));
    });
  }

  Block const& block_;
  line_pass<T> const& pass_;
  line_axis<T> const& axis_;
  shared_line<T, Strided> line_;
  int group_;
  int number_; ///< of the first of the thread's two lines, in its group
  bool has_line_, has_second_;
  std::size_t second_; ///< from a line to its other one
  T const* in_;
  T* out_;
};

/// What a kernel does for a pass.
template <class T, bool Strided, line_kind Kind, detail::thread_block Block>
WARPFOLD_HOST_DEVICE void work_on_lines(Block const& block, line_pass<T> const& pass,
                                        complex<T>* shared) {
  line_worker<T, Strided, Kind, Block>{block, pass, shared}.run();
}

} // namespace warpfold::inline v0::poisson
