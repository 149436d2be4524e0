#pragma once
// Problems of one axis in one pass, of two in three, and of three in five, whatever their
// boundaries, where all transforms are powers of two; and of two long periodic ones in five.

#include "passes.hpp"
#include "poisson/backend.hpp"
#include "poisson/plan.hpp"
#include "tables.hpp"

#include <memory>
#include <vector>

namespace warpfold::inline v0::poisson::gpu_impl {

/// False where the library was built for periodic axes of squares alone.
#ifdef WARPFOLD_PERIODIC_UNITS
constexpr bool has_all_units = false;
#else
constexpr bool has_all_units = true;
#endif

/// How the rows of a problem are launched.
template <class T>
struct row_launcher {
  unit_tables<T> tables;
  int beside;     ///< units in a tile
  int units;      ///< of a block
  unsigned ahead; ///< as in unit_rows
  void (*leave)(gpu& place, unit_rows<T> const& pass);
  void (*come_back)(gpu& place, unit_rows<T> const& pass, bool probes);
};
template <class T>
struct column_launcher {
  divided_axis<T> axis;
  int ahead;
  void (*launch)(gpu& place, unit_columns<T> const& pass, std::size_t batch);
};

/// How passes across the planes or along the columns of a box are launched.
template <class T>
struct box_launcher {
  divided_axis<T> axis;
  int units; ///< of a block; of neighbours, twice as many
  void (*launch)(gpu& place, unit_boxes<T> const& pass, std::size_t blocks);
};

/// How lines of one axis are launched.
template <class T>
struct packed_launcher {
  unit_tables<T> tables;
  std::vector<complex<T>> along;
  unsigned ahead; ///< as in packed_pass
  void (*launch)(gpu& place, packed_pass<T> const& pass);
};

/// The rows' kernels and tables, for the axis that rows lie along. There are many of them, or few.
template <class T, unit_kind Kind>
row_launcher<T> make_unit_rows(gpu& place, axis_plan const& of, bool many);
/// The columns' ones, for the axis that columns lie along; its eigenvalues are divided by
/// `divisor`.
template <class T, unit_kind Kind>
column_launcher<T> make_unit_columns(gpu& place, axis_plan const& of, double divisor);

/// Those of the other two axes of a box: of columns, or across its planes.
template <class T, unit_kind Kind>
box_launcher<T> make_unit_boxes(gpu& place, axis_plan const& of, double divisor,
                                bool across_planes);

/// The kernel and tables of one axis alone.
template <class T, unit_kind Kind>
packed_launcher<T> make_packed(gpu& place, axis_plan const& of, double divisor);

/// null unless has_units.
template <class T>
std::unique_ptr<backend<T>> make_units(gpu& place, plan const& of);
bool has_units(gpu const& place, plan const& of, std::size_t element);

/// Periodic fields of two axes that are longer than units; null unless has_long_units.
template <class T>
std::unique_ptr<backend<T>> make_long_units(gpu& place, plan const& of);
bool has_long_units(gpu const& place, plan const& of, std::size_t element);

} // namespace warpfold::inline v0::poisson::gpu_impl
