#pragma once
// How units of mixed_core are divided among threads, and their tables, for lengths that are known
// only when a solver is made.

#include "mixed_stages.hpp"
#include "poisson/engine/tables.hpp"

#include <cstddef>
#include <optional>
#include <vector>

namespace warpfold::inline v0::poisson {

/// The parameters of a mixed_shape.
struct mixed_plan {
  std::vector<int> radices;
  int units, blocks;

  [[nodiscard]] int held() const { return radices.back(); } ///< numbers of a thread
  [[nodiscard]] int length() const;
  [[nodiscard]] int per_line() const { return length() / held(); } ///< threads
  [[nodiscard]] int threads() const { return per_line() * units; }
  /// Bytes of shared memory of a block.
  template <class T>
  [[nodiscard]] std::size_t shared(int beside) const {
    int last = length() - 1, stride = length();
    for (std::size_t stage = 0; stage + 1 < radices.size(); ++stage) {
      stride /= radices[stage];
      last += (length() - 1) / stride;
    }
    return sizeof(complex<T>) * static_cast<std::size_t>(units) *
           static_cast<std::size_t>(line_size<T>(last, beside));
  }
};

/// Few stages for rows or columns of `length` elements of so many bytes, and about as many numbers
/// a thread as were measured to be fast, in blocks of at most so many bytes of shared memory;
/// nothing if there is no such division.
std::optional<mixed_plan> mixed_plan_of(std::size_t length, std::size_t element, bool of_rows,
                                        std::size_t most_shared);

/// As unit_tables_of a mixed_core.
template <class T>
unit_tables<T> mixed_tables_of(axis_plan const& of, mixed_plan const& plan) {
  unit_tables<T> made;
  int const n = plan.length();
  for (int stage = 0, within = n; stage + 1 < static_cast<int>(plan.radices.size()); ++stage) {
    int const stride = within / plan.radices[static_cast<std::size_t>(stage)];
    for (int const power : {1, 4}) append_roots(made.factors, stride, power, within);
    within = stride;
  }
  bool const is_tilted = is_fourth_type(of);
  made.axis.odd = is_tilted != is_sine(of) ? T(-1) : T(1);
  for (int rank = 0; rank < plan.per_line(); ++rank) {
    if (of.forward != transform::fourier) append_root(made.turns, 2 * rank + is_tilted, 8. * n);
    if (is_tilted) append_root(made.tilts, rank, 2. * n);
  }
  return made;
}

/// As along_of a mixed_core.
template <class T>
std::vector<complex<T>> mixed_along_of(axis_plan const& of, mixed_plan const& plan,
                                       double divisor) {
  int const n = plan.length(), shift = is_fourth_type(of) ? 1 : 0;
  std::vector<complex<T>> all;
  for (int k = 0; k < n / 2; ++k)
    append_eigenvalues(all, of, k, k == 0 && shift == 0 ? n / 2 : n - shift - k, divisor);
  return all;
}

} // namespace warpfold::inline v0::poisson
