#pragma once
// The backend of periodic fields of two axes that are longer than units.

#include "engine.hpp"
#include "long_tables.hpp"
#include "placed_tables.hpp"
#include "poisson/layout.hpp"

#include <warpfold/buffer.hpp>

#include <cstddef>
#include <span>
#include <vector>

namespace warpfold::inline v0::poisson::gpu_impl {

/// How rows are launched.
template <class T>
struct long_row_launcher {
  unit_tables<T> tables;
  unsigned at_work; ///< blocks that the GPU has room for
  // They choose how far ahead rows are fetched.
  void (*leave)(gpu& place, long_rows<T> pass, unsigned at_work);
  void (*come_back)(gpu& place, long_rows<T> pass, unsigned at_work, bool probes);
};
/// How the passes over columns are launched.
template <class T>
struct long_column_launcher {
  unit_tables<T> across, within; ///< planes
  std::vector<complex<T>> along;
  int planes;
  int across_slots, within_slots; ///< of a block
  void (*cross)(gpu& place, long_columns<T> const& pass, std::size_t blocks);
  void (*solve)(gpu& place, long_columns<T> const& pass, std::size_t blocks);
};

template <class T>
long_row_launcher<T> make_long_rows(gpu& place, axis_plan const& of);
/// Eigenvalues are divided by `divisor`.
template <class T>
long_column_launcher<T> make_long_columns(gpu& place, axis_plan const& of, double divisor);

namespace {

/// Frequencies lie in the workspace, those of one right-hand side at a time.
template <class T>
class long_units final : public backend<T> {
public:
  long_units(gpu& place, plan const& of, long_row_launcher<T> const& rows,
             long_column_launcher<T> const& columns)
      : place_{place}, leave_{rows.leave}, come_back_{rows.come_back}, cross_{columns.cross},
        solve_{columns.solve}, at_work_{rows.at_work}, across_blocks_{columns.across_slots},
        within_blocks_{columns.within_slots}, rows_{place, rows.tables},
        across_{place, columns.across}, within_{place, columns.within},
        eigenvalues_{place,
                     std::span<complex<T> const>(long_across_of<T>(of.axes[1], long_share(of)))},
        along_{place, std::span<complex<T> const>(columns.along)},
        turns_{place, std::span<complex<T> const>(long_turns_of<T>(of.axes[0]))},
        first_point_{place, of.problem.gauge == gauge::first_point ? std::size_t{1} : 0},
        batch_{of.problem.batch}, lambda_{of.problem.lambda} {
    std::size_t const height = of.axes[0].points, frequencies = of.axes[1].points / 2 + 2;
    std::size_t const slots = (frequencies + 15) / 16 * 16;
    entry_ = height * slots;
    row_pass_.axis = rows_.axis();
    row_pass_.slots = slots;
    row_pass_.rows = static_cast<unsigned>(height);
    row_pass_.first_point = first_point_.data();
    double const share = long_share(of);
    pass_.symbol = {.across = eigenvalues_.data(),
                    .along = along_.data(),
                    .lambda = {},
                    .lambda_unit = static_cast<T>(1 / share),
                    .mean_scale = static_cast<T>(of.has_constant() ? share : 0),
                    .removed_mean = nullptr};
    pass_.slots = static_cast<int>(slots);
    pass_.rows = static_cast<int>(height) / columns.planes;
    pass_.entry = static_cast<std::size_t>(pass_.rows) * slots;
    pass_.planes = divider(static_cast<unsigned>(columns.planes));
    pass_.tiles = divider(static_cast<unsigned>(pass_.rows));
    pass_.turns = turns_.data();
    pass_.last = static_cast<int>(frequencies);
  }

  std::size_t workspace_size() const override { return entry_ * sizeof(complex<T>); }
  bool takes_strides() const override { return true; }

  void solve(arrays<T> const& of, std::byte* workspace) override {
    for (std::size_t entry = 0; entry < batch_; ++entry) {
      long_rows<T> rows = row_pass_;
      rows.in = of.rhs + entry * of.rhs_layout.batch;
      rows.out = of.solution + entry * of.solution_layout.batch;
      rows.entries = reinterpret_cast<complex<T>*>(workspace);
      rows.stride = of.rhs_layout.strides[0];
      leave_(place_, rows, at_work_);

      long_columns<T> pass = pass_;
      pass.entries = rows.entries;
      pass.symbol.removed_mean = of.removed_mean ? of.removed_mean + entry : nullptr;
      pass.symbol.lambda = of.lambda_or(lambda_).after(entry);
      solve_columns(pass);

      rows.stride = of.solution_layout.strides[0];
      if (rows.first_point) come_back_(place_, rows, at_work_, true);
      come_back_(place_, rows, at_work_, false);
    }
  }

private:
  void solve_columns(long_columns<T> pass) {
    auto const blocks_of = [&](int of_block) {
      return divider(static_cast<unsigned>((pass.last + of_block - 1) / of_block));
    };
    long_columns<T> across = pass;
    across.axis = across_.axis();
    across.blocks = blocks_of(across_blocks_);
    across.role = box_role::leave;
    std::size_t const blocks = std::size_t{across.tiles.by} * across.blocks.by;
    cross_(place_, across, blocks);
    pass.axis = within_.axis();
    pass.blocks = blocks_of(within_blocks_);
    solve_(place_, pass, std::size_t{pass.planes.by} * pass.blocks.by);
    across.role = box_role::come_back;
    cross_(place_, across, blocks);
  }

  gpu& place_;
  decltype(long_row_launcher<T>::leave) leave_;
  decltype(long_row_launcher<T>::come_back) come_back_;
  decltype(long_column_launcher<T>::cross) cross_;
  decltype(long_column_launcher<T>::solve) solve_;
  unsigned at_work_;
  int across_blocks_, within_blocks_; ///< slots of a block
  placed_tables<T> rows_, across_, within_;
  device_buffer<complex<T>> eigenvalues_, along_, turns_;
  device_buffer<T> first_point_;
  std::size_t batch_;
  double lambda_; ///< as planned
  std::size_t entry_;
  long_rows<T> row_pass_{};
  long_columns<T> pass_{};
};

} // namespace
} // namespace warpfold::inline v0::poisson::gpu_impl
