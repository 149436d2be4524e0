#pragma once
// Problems of two axes in three passes, whatever their boundaries, where both transforms are powers
// of two.

#include "passes.hpp"
#include "poisson/backend.hpp"
#include "poisson/plan.hpp"
#include "tables.hpp"

#include <memory>
#include <vector>

namespace warpfold::inline v0::poisson::gpu_impl {

/// How the rows of a problem are launched.
template <class T>
struct row_launcher {
  unit_tables<T> tables;
  int beside;        ///< units in a tile
  int units;         ///< of a block
  std::size_t ahead; ///< as in unit_rows
  void (*leave)(gpu& place, unit_rows<T> const& pass);
  void (*come_back)(gpu& place, unit_rows<T> const& pass, bool probes);
};
template <class T>
struct column_launcher {
  unit_tables<T> tables;
  std::vector<complex<T>> along;
  int per_line; ///< threads
  int ahead;
  void (*launch)(gpu& place, unit_columns<T> const& pass, std::size_t batch);
};

/// The rows' kernels and tables, for the axis that rows lie along.
template <class T, unit_kind Kind>
row_launcher<T> make_paired_rows(gpu& place, axis_plan const& of);
template <class T>
row_launcher<T> make_pruned_rows(gpu& place, axis_plan const& of);
/// The columns' ones, for the axis that columns lie along; its eigenvalues are divided by
/// `divisor`.
template <class T, unit_kind Kind>
column_launcher<T> make_paired_columns(gpu& place, axis_plan const& of, double divisor);
template <class T>
column_launcher<T> make_pruned_columns(gpu& place, axis_plan const& of, double divisor);

/// null unless has_units.
template <class T>
std::unique_ptr<backend<T>> make_units(gpu& place, plan const& of);
bool has_units(gpu const& place, plan const& of, std::size_t element);

} // namespace warpfold::inline v0::poisson::gpu_impl
