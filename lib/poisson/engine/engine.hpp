#pragma once
// Problems of one axis in one pass, of two in three, and of three in five, whatever their
// boundaries, where all transforms are powers of two; and of two long periodic ones in five.

#include "box_passes.hpp"
#include "poisson/backend.hpp"
#include "poisson/plan.hpp"
#include "tables.hpp"

#include <cstddef>
#include <functional>
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
  std::function<void(gpu& place, unit_rows<T> const& pass)> leave;
  std::function<void(gpu& place, unit_rows<T> const& pass, bool probes)> come_back;
};
template <class T>
struct column_launcher {
  divided_axis<T> axis;
  int ahead;
  std::function<void(gpu& place, unit_columns<T> const& pass, std::size_t batch)> launch;
};

/// How passes across the planes or along the columns of a box are launched.
template <class T>
struct box_launcher {
  divided_axis<T> axis;
  int units; ///< of a block; of neighbours, twice as many
  std::function<void(gpu& place, unit_boxes<T> const& pass, std::size_t blocks)> launch;
};

/// How lines of one axis are launched.
template <class T>
struct packed_launcher {
  unit_tables<T> tables;
  std::vector<complex<T>> along;
  unsigned ahead; ///< as in packed_pass
  std::function<void(gpu& place, packed_pass<T> const& pass)> launch;
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

// What other kernels of units than those compiled here are put together with.

/// True if kernels of rows and of columns are compiled here for such an axis of two, and the GPU
/// has room for a block of them.
bool has_unit_axis(gpu const& place, axis_plan const& of, std::size_t element);
/// True if an element of so many bytes holds what modes are divided by, and its reciprocal.
bool are_moderate_in_units(plan const& of, std::size_t element);
template <class T>
row_launcher<T> unit_rows_of(gpu& place, axis_plan const& of);
/// Eigenvalues are divided by unit_share of the plan.
template <class T>
column_launcher<T> unit_columns_of(gpu& place, axis_plan const& of, double share);
/// Solves problems of two axes.
template <class T>
std::unique_ptr<backend<T>> make_units(gpu& place, plan const& of, row_launcher<T> const& rows,
                                       column_launcher<T> const& columns);

/// Periodic fields of two axes that are longer than units; null unless has_long_units.
template <class T>
std::unique_ptr<backend<T>> make_long_units(gpu& place, plan const& of);
bool has_long_units(gpu const& place, plan const& of, std::size_t element);

} // namespace warpfold::inline v0::poisson::gpu_impl
