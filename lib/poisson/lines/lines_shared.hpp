#pragma once
// A pass along an axis as a kernel is told of it, and the lines of a block: in shared memory, a
// pair of them, or a part of its work, for each thread.

#include <warpfold/detail/core/block.hpp>

#include "lines_body.hpp"
#include "lines_transform.hpp"
#include "poisson/engine/divider.hpp"
#include "poisson/lambda.hpp"

#include <cstddef>

namespace warpfold::inline v0::poisson {

/// Where a pass reads or writes lines. Distances are in elements, as in line_strides.
template <class T>
struct line_memory {
  T* data;
  bool wide; ///< a unit's two lines, if they are neighbours, else two points are accessed at once
  bool wide_modes; ///< a slot's two modes are accessed at once
  std::size_t step, next, row, group, entry;
};

/// A problem's lines along one axis. The lines of a group are paired. A block takes consecutive
/// pairs, its units, also of several groups.
template <class T>
struct line_pass {
  line_axis<T> axis;
  line_role role;
  line_memory<T const> in;
  line_memory<T> out; ///< may be in
  int lines;          ///< of a group
  int beside;         ///< of a row
  divider groups;     ///< of an entry of the batch
  divider pairs;      ///< of lines of a group
  unsigned all;       ///< pairs of all groups
  int units;          ///< of a block; a power of two
  int shift;          ///< log2 of units, if lines are neighbours; else 0

  // For line_role::solve.
  T const* slower; ///< eigenvalues along the other axes, of lines in row-major order; or null
  T const* faster;
  int fastest; ///< lines along the faster one
  entry_lambda<T> lambda;
  T scale;
  bool is_singular;       ///< where lambda is 0
  T* removed_mean;        ///< by group; or null
  bool fixes_first_point; ///< a line is a problem of its own
  // For line_role::backward.
  T const* subtracted; ///< from all, by entry of the batch; or null
};

template <class T, bool Strided, detail::thread_block Block>
class shared_lines {
public:
  using number = T;
  using value = complex<T>;
  static constexpr bool differentiates = false;

  WARPFOLD_HOST_DEVICE shared_lines(Block const& block, line_pass<T> const& pass, value* shared)
      : block_{block}, pass_{pass}, axis_{pass.axis}, line_{pass.axis, shared, pass.shift, 0, 0} {
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
    unsigned const wanted =
        static_cast<unsigned>(block.block_rank()) * static_cast<unsigned>(pass.units) +
        static_cast<unsigned>(unit);
    has_line_ = wanted < pass.all;
    grouped const of_group(has_line_ ? wanted : pass.all - 1, pass.pairs),
        of_entry(of_group.group, pass.groups);
    entry_ = static_cast<int>(of_entry.group);
    plane_ = static_cast<int>(of_entry.place);
    number_ = 2 * static_cast<int>(of_group.place);
    has_second_ = number_ + 1 < pass.lines;
    row_ = Strided ? number_ / pass.beside : 0;
  }

  WARPFOLD_HOST_DEVICE line_maps<T> const& maps() const { return axis_; }
  WARPFOLD_HOST_DEVICE value& element(int i) const { return line_.at(axis_.place(i)); }
  WARPFOLD_HOST_DEVICE slot_places_of<T> slot(int at) const {
    slot_places const places = axis_.places[at];
    return {line_.at(places.first), line_.at(places.second)};
  }
  WARPFOLD_HOST_DEVICE value& middle() const { return line_.at(axis_.half); }
  WARPFOLD_HOST_DEVICE bool leads() const { return line_.first == 0; }

  WARPFOLD_HOST_DEVICE void sync() const { block_.sync(); }
  WARPFOLD_HOST_DEVICE void transform(bool is_inverse) const {
    transform_line(block_, line_, is_inverse);
  }

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

  template <class Put>
  WARPFOLD_HOST_DEVICE WARPFOLD_ALWAYS_INLINE void read_points(Put put) const {
    if (!Strided && pass_.in.wide)
      for_elements<ahead / 2>(
          axis_.points / 2, [&](int e) { return read_wide(2 * e); },
          [&](int e, slot_values<T> const& v) {
            put(2 * e, v.first);
            put(2 * e + 1, v.second);
          });
    else
      for_elements<ahead>(
          axis_.points, [&](int point) { return read(point); }, put);
  }
  template <class Get>
  WARPFOLD_HOST_DEVICE WARPFOLD_ALWAYS_INLINE void write_points(Get get) const {
    value minus{0, 0};
    if (pass_.fixes_first_point) {
      minus.re = line_.values[0].re;
    } else if (pass_.subtracted) {
      T const constant = pass_.subtracted[entry_];
      minus = {constant, constant};
    }
    // Its value comes from a sum in another order.
    bool const has_fixed = pass_.subtracted && number_ == 0 && plane_ == 0;
    auto const given = [&](int point) {
      value v = get(point) - minus;
      if (has_fixed && point == 0) v.re = 0;
      return v;
    };
    if (!Strided && pass_.out.wide)
      for_elements(axis_.points / 2, [&](int e) {
        write_wide(2 * e, {given(2 * e), given(2 * e + 1)});
      });
    else for_elements(axis_.points, [&](int point) { write(point, given(point)); });
  }

  WARPFOLD_HOST_DEVICE value read(int point) const {
    T const* const from = first_of(pass_.in) + offset(pass_.in, point);
    if (Strided && pass_.in.wide) return *reinterpret_cast<value const*>(from);
    return {*from, from[to_second(pass_.in)]};
  }
  WARPFOLD_HOST_DEVICE void write(int point, value v) const {
    T* const to = first_of(pass_.out) + offset(pass_.out, point);
    if (Strided && pass_.out.wide) {
      *reinterpret_cast<value*>(to) = v;
      return;
    }
    *to = v.re;
    if (has_second_) to[to_second(pass_.out)] = v.im;
  }
  WARPFOLD_HOST_DEVICE slot_values<T> read_modes(mode_slot slot) const {
    if (!Strided && pass_.in.wide_modes) return read_wide(slot.first);
    return {read(slot.first), slot.has_second ? read(slot.second) : value{0, 0}};
  }
  WARPFOLD_HOST_DEVICE void write_modes(mode_slot slot, slot_values<T> const& modes) const {
    if (!Strided && pass_.out.wide_modes) return write_wide(slot.first, modes);
    write(slot.first, modes.first);
    if (slot.has_second) write(slot.second, modes.second);
  }

  /// The other axes' eigenvalues of a thread's two lines, less lambda.
  WARPFOLD_HOST_DEVICE value others() const {
    return {of_others(number_), of_others(number_ + has_second_)};
  }
  WARPFOLD_HOST_DEVICE value factors(int at, value others) const {
    T const own = axis_.eigenvalues[at], first = factor(own + others.re);
    return {first, others.re == others.im ? first : factor(own + others.im)};
  }
  WARPFOLD_HOST_DEVICE void keep_mean(T first_mode) const {
    if (pass_.removed_mean && number_ == 0)
      pass_.removed_mean[entry_] =
          pass_.is_singular && pass_.lambda.of(static_cast<std::size_t>(entry_)) == 0
              ? first_mode * pass_.scale
              : T{0};
  }

private:
  static constexpr int ahead = 8; ///< accesses of a thread at once

  /// Where the thread's first line begins.
  template <class U>
  WARPFOLD_HOST_DEVICE U* first_of(line_memory<U> const& memory) const {
    U* const group = memory.data + static_cast<std::size_t>(entry_) * memory.entry +
                     static_cast<std::size_t>(plane_) * memory.group;
    if constexpr (!Strided) return group + static_cast<std::size_t>(number_) * memory.next;
    return group + static_cast<std::size_t>(row_) * memory.row + (number_ - row_ * pass_.beside);
  }
  /// From that to the other one. A line without another one is its own.
  template <class U>
  WARPFOLD_HOST_DEVICE std::size_t to_second(line_memory<U> const& memory) const {
    if (!has_second_) return 0;
    if constexpr (!Strided) return memory.next;
    bool const ends_row = number_ + 1 == (row_ + 1) * pass_.beside;
    return ends_row ? memory.row - static_cast<std::size_t>(pass_.beside - 1) : 1;
  }
  template <class U>
  WARPFOLD_HOST_DEVICE static std::size_t offset(line_memory<U> const& memory, int point) {
    if (!Strided) return static_cast<unsigned>(point);
    return static_cast<std::size_t>(static_cast<unsigned>(point)) * memory.step;
  }
  /// Two neighbours of each of two contiguous lines.
  WARPFOLD_HOST_DEVICE slot_values<T> read_wide(int point) const {
    value const a = *reinterpret_cast<value const*>(first_of(pass_.in) + point);
    value const b =
        *reinterpret_cast<value const*>(first_of(pass_.in) + to_second(pass_.in) + point);
    return {{a.re, b.re}, {a.im, b.im}};
  }
  WARPFOLD_HOST_DEVICE void write_wide(int point, slot_values<T> const& v) const {
    *reinterpret_cast<value*>(first_of(pass_.out) + point) = {v.first.re, v.second.re};
    if (has_second_)
      *reinterpret_cast<value*>(first_of(pass_.out) + to_second(pass_.out) + point) = {v.first.im,
                                                                                       v.second.im};
  }
  WARPFOLD_HOST_DEVICE T of_others(int line) const {
    T const lambda = pass_.lambda.of(static_cast<std::size_t>(entry_));
    if (!pass_.faster || line >= pass_.lines) return -lambda;
    T sum = pass_.faster[line % pass_.fastest];
    if (pass_.slower) sum += pass_.slower[line / pass_.fastest];
    return sum - lambda;
  }
  WARPFOLD_HOST_DEVICE T factor(T divided_by) const {
    return divided_by == 0 ? T{0} : pass_.scale / divided_by;
  }

  Block const& block_;
  line_pass<T> const& pass_;
  line_axis<T> const& axis_;
  shared_line<T, Strided> line_;
  int entry_, plane_; ///< of the batch; of its groups
  int number_;        ///< of the first of the thread's two lines, in its group
  int row_;           ///< of that line, if lines are strided
  bool has_line_, has_second_;
};

/// What a kernel does for a pass.
template <class T, bool Strided, line_kind Kind, detail::thread_block Block>
WARPFOLD_HOST_DEVICE void work_on_lines(Block const& block, line_pass<T> const& pass,
                                        complex<T>* shared) {
  shared_lines<T, Strided, Block> lines{block, pass, shared};
  line_worker<shared_lines<T, Strided, Block>, Kind>{lines}.run(pass.role);
}

} // namespace warpfold::inline v0::poisson
