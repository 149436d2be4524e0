#pragma once
// The backend of periodic fields of two axes that are longer than units.

#include "long_tables.hpp"
#include "poisson/engine/engine.hpp"
#include "poisson/engine/placed_tables.hpp"
#include "poisson/layout.hpp"

#include <warpfold/buffer.hpp>

#include <cstddef>
#include <functional>
#include <span>
#include <vector>

namespace warpfold::inline v0::poisson::gpu_impl {

/// How rows are launched. Pass: long_rows, or one with its frequencies elsewhere.
template <class T, class Pass = long_rows<T>>
struct long_row_launcher {
  unit_tables<T> tables;
  // They choose how far ahead rows are fetched.
  std::function<void(gpu& place, Pass pass)> leave;
  std::function<void(gpu& place, Pass pass, bool probes)> come_back;
};
/// How the passes over columns are launched.
template <class T>
struct long_column_launcher {
  unit_tables<T> across, within; ///< planes
  std::vector<complex<T>> along;
  int planes;
  int across_slots, within_slots; ///< of a block
  std::function<void(gpu& place, long_columns<T> const& pass, std::size_t blocks)> cross;
  std::function<void(gpu& place, long_columns<T> const& pass, std::size_t blocks)> solve;
};

template <class T>
long_row_launcher<T> make_long_rows(gpu& place, axis_plan const& of);
/// Eigenvalues are divided by `divisor`.
template <class T>
long_column_launcher<T> make_long_columns(gpu& place, axis_plan const& of, double divisor);

namespace {

/// The three passes over columns, whose frequencies lie in [row][slot].
template <class T>
class long_column_passes {
public:
  long_column_passes(gpu& place, plan const& of, long_column_launcher<T> const& columns)
      : place_{place}, cross_{columns.cross}, solve_{columns.solve},
        across_slots_{columns.across_slots}, within_slots_{columns.within_slots},
        across_{place, columns.across}, within_{place, columns.within},
        eigenvalues_{place,
                     std::span<complex<T> const>(long_across_of<T>(of.axes[1], long_share(of)))},
        along_{place, std::span<complex<T> const>(columns.along)},
        turns_{place, std::span<complex<T> const>(long_turns_of<T>(of.axes[0]))} {
    double const share = long_share(of);
    pass_.symbol = {.across = eigenvalues_.data(),
                    .along = along_.data(),
                    .lambda = {},
                    .lambda_unit = static_cast<T>(1 / share),
                    .mean_scale = static_cast<T>(of.has_constant() ? share : 0),
                    .removed_mean = nullptr};
    pass_.rows = static_cast<int>(of.axes[0].points) / columns.planes;
    pass_.planes = divider(static_cast<unsigned>(columns.planes));
    pass_.tiles = divider(static_cast<unsigned>(pass_.rows));
    pass_.turns = turns_.data();
  }

  /// Solves columns first ... last - 1, an even number of them, of rows that are `slots` numbers
  /// apart. `entries` is where column 0 of the first row is or would be.
  void solve(complex<T>* entries, std::size_t slots, int first, int last, entry_lambda<T> lambda,
             T* removed_mean) const {
    long_columns<T> across = pass_;
    across.entries = entries;
    across.slots = static_cast<int>(slots);
    across.entry = static_cast<std::size_t>(pass_.rows) * slots;
    across.first = first;
    across.last = last;
    across.symbol.removed_mean = removed_mean;
    across.symbol.lambda = lambda;
    long_columns<T> within = across;
    auto const blocks_of = [&](int of_block) {
      return divider(static_cast<unsigned>((last - first + of_block - 1) / of_block));
    };
    across.axis = across_.axis();
    across.blocks = blocks_of(across_slots_);
    across.role = box_role::leave;
    std::size_t const blocks = std::size_t{across.tiles.by} * across.blocks.by;
    cross_(place_, across, blocks);
    within.axis = within_.axis();
    within.blocks = blocks_of(within_slots_);
    solve_(place_, within, std::size_t{within.planes.by} * within.blocks.by);
    across.role = box_role::come_back;
    cross_(place_, across, blocks);
  }

private:
  gpu& place_;
  decltype(long_column_launcher<T>::cross) cross_;
  decltype(long_column_launcher<T>::solve) solve_;
  int across_slots_, within_slots_; ///< of a block
  placed_tables<T> across_, within_;
  device_buffer<complex<T>> eigenvalues_, along_, turns_;
  long_columns<T> pass_{};
};

/// Frequencies lie in the workspace, those of one right-hand side at a time.
template <class T>
class long_units final : public backend<T> {
public:
  long_units(gpu& place, plan const& of, long_row_launcher<T> const& rows,
             long_column_launcher<T> const& columns)
      : place_{place}, leave_{rows.leave},
        come_back_{rows.come_back}, rows_{place, rows.tables}, columns_{place, of, columns},
        first_point_{place, of.problem.gauge == gauge::first_point ? std::size_t{1} : 0},
        batch_{of.problem.batch}, lambda_{of.problem.lambda}, frequencies_{of.axes[1].points / 2 +
                                                                           2} {
    pass_.axis = rows_.axis();
    pass_.slots = (frequencies_ + 15) / 16 * 16;
    pass_.rows = static_cast<unsigned>(of.axes[0].points);
    pass_.first_point = first_point_.data();
  }

  std::size_t workspace_size() const override {
    return pass_.rows * pass_.slots * sizeof(complex<T>);
  }
  bool takes_strides() const override { return true; }

  void solve(arrays<T> const& of, std::byte* workspace) override {
    for (std::size_t entry = 0; entry < batch_; ++entry) {
      long_rows<T> rows = pass_;
      rows.in = of.rhs + entry * of.rhs_layout.batch;
      rows.out = of.solution + entry * of.solution_layout.batch;
      rows.entries = reinterpret_cast<complex<T>*>(workspace);
      rows.stride = of.rhs_layout.strides[0];
      leave_(place_, rows);
      columns_.solve(rows.entries, rows.slots, 0, static_cast<int>(frequencies_),
                     of.lambda_or(lambda_).after(entry),
                     of.removed_mean ? of.removed_mean + entry : nullptr);
      rows.stride = of.solution_layout.strides[0];
      if (rows.first_point) come_back_(place_, rows, true);
      come_back_(place_, rows, false);
    }
  }

private:
  gpu& place_;
  decltype(long_row_launcher<T>::leave) leave_;
  decltype(long_row_launcher<T>::come_back) come_back_;
  placed_tables<T> rows_;
  long_column_passes<T> columns_;
  device_buffer<T> first_point_;
  std::size_t batch_;
  double lambda_; ///< as planned
  std::size_t frequencies_;
  long_rows<T> pass_{};
};

} // namespace
} // namespace warpfold::inline v0::poisson::gpu_impl
