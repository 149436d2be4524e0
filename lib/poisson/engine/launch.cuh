#pragma once
// How kernels of units are launched.

#include "engine.hpp"

#include <warpfold/detail/core/launch.cuh>
#include <warpfold/execution.hpp>

#include <cstddef>
#include <optional>
#include <utility>

namespace warpfold::inline v0::poisson::gpu_impl {

namespace {

/// A kernel and its blocks, as a place launches them: ahead of its turn, if it waits for what was
/// launched before.
template <class... Params>
class unit_kernel {
public:
  unit_kernel() = default;
  unit_kernel(gpu const& place, void (*kernel)(Params...), int threads, std::size_t shared)
      : kernel_{kernel}, threads_{threads}, shared_{shared} {
    device_guard const current{place.device()};
    detail::allow_shared(kernel, shared);
    int const capability = place.compute_capability();
    auto const facts = detail::facts_of(kernel, threads, capability);
    ahead_ = facts.waits_for_previous_grid(capability);
    knows_clusters_ = facts.knows_clusters(capability);
    at_work_ = place.multiprocessors() * detail::blocks_per_multiprocessor(kernel, threads, shared);
  }

  [[nodiscard]] bool knows_clusters() const { return knows_clusters_; }
  /// Blocks that the GPU has room for.
  [[nodiscard]] int at_work() const { return at_work_; }

  template <class... Args>
  void launch(gpu& place, std::size_t blocks, Args const&... args) const {
    launch_in_clusters(place, 1, blocks, args...);
  }
  template <class... Args>
  void launch_in_clusters(gpu& place, int cluster, std::size_t blocks, Args const&... args) const {
    device_guard const current{place.device()};
    detail::launch(place.stream(),
                   {.blocks = static_cast<int>(blocks),
                    .threads = threads_,
                    .ahead = ahead_,
                    .shared = shared_,
                    .cluster = cluster},
                   kernel_, args...);
  }

private:
  void (*kernel_)(Params...) = nullptr;
  int threads_ = 0;
  std::size_t shared_ = 0;
  bool ahead_ = false, knows_clusters_ = false;
  int at_work_ = 0;
};
/// With blocks of Shape::threads threads, which have Shape::shared bytes.
template <class Shape, class... Params>
unit_kernel<Params...> kernel_of_shape(gpu const& place, void (*kernel)(Params...)) {
  return {place, kernel, Shape::threads, Shape::shared};
}

/// True if there are so few blocks that nearly all are at work at once: what each has before it
/// starts is then of use, and they may have as many registers as that takes.
constexpr bool are_few(std::size_t blocks, int multiprocessors) {
  return blocks <= 2 * static_cast<std::size_t>(multiprocessors);
}
/// The pass with its tables touched if (nearly) all blocks are at work at once: then what they do
/// before their turn takes no time.
template <class Pass>
Pass touched_if_few(gpu const& place, Pass pass, std::size_t blocks) {
  pass.axis.is_touched = are_few(blocks, place.multiprocessors());
  return pass;
}

template <class T>
struct row_kernels {
  unit_kernel<unit_rows<T>, unsigned, bool> leave, come_back;
};
/// How rows are launched.
template <class T>
struct built_rows {
  row_kernels<T> any;                ///< for rows of any number
  std::optional<row_kernels<T>> few; ///< for few rows, in pairs: kernels that keep factors
  unsigned units;                    ///< of a block
  unsigned cluster;                  ///< blocks of a cluster; 1: none

  void launch_leave(gpu& place, unit_rows<T> const& given) const {
    unsigned const blocks = (given.units + units - 1) / units;
    auto pass = touched_if_few(place, given, blocks);
    auto const& kernel = chosen(place, given.in, given, blocks).leave;
    if (cluster > 1 && kernel.knows_clusters()) {
      pass.has_clusters = true;
      kernel.launch_in_clusters(place, static_cast<int>(cluster),
                                (blocks + cluster - 1) / cluster * cluster, pass, units, false);
    } else {
      kernel.launch(place, blocks, pass, units, false);
    }
  }
  void launch_come_back(gpu& place, unit_rows<T> const& pass, bool probes) const {
    unsigned const apart = probes ? pass.pairs.by * pass.planes.by : units;
    unsigned const blocks = (pass.units + apart - 1) / apart;
    chosen(place, pass.out, pass, blocks)
        .come_back.launch(place, blocks, touched_if_few(place, pass, blocks), apart, probes);
  }

private:
  row_kernels<T> const& chosen(gpu const& place, T const* rows, unit_rows<T> const& pass,
                               unsigned blocks) const {
    bool const keeps =
        few && are_few(blocks, place.multiprocessors()) && is_in_pairs(rows, pass.strides);
    return keeps ? *few : any;
  }
};

template <class T>
row_launcher<T> row_launcher_of(built_rows<T> const& rows, unit_tables<T>&& tables, int beside,
                                int fetches_back) {
  unsigned const at_work =
      static_cast<unsigned>((rows.few ? *rows.few : rows.any).come_back.at_work()) * rows.units;
  return {std::move(tables),
          beside,
          static_cast<int>(rows.units),
          at_work * static_cast<unsigned>(fetches_back) / 2,
          [=](gpu& place, unit_rows<T> const& pass) { rows.launch_leave(place, pass); },
          [=](gpu& place, unit_rows<T> const& pass, bool probes) {
            rows.launch_come_back(place, pass, probes);
          }};
}

template <class T>
using column_kernel = unit_kernel<unit_columns<T>, unsigned>;

/// How columns are launched.
template <class T>
struct built_columns {
  column_kernel<T> any;                ///< for columns of any number
  std::optional<column_kernel<T>> few; ///< for few, with what is kept
  int units;                           ///< of a block
  int per_line;                        ///< threads, if they take rows one by one; or 0

  void launch(gpu& place, unit_columns<T> const& pass, std::size_t batch) const {
    auto const of_entry = static_cast<unsigned>((pass.slots + units - 1) / units);
    std::size_t const blocks = batch * of_entry;
    unit_columns<T> touched = touched_if_few(place, pass, blocks);
    if (per_line > 0) touched = by_single_rows(touched, per_line);
    (few && are_few(blocks, place.multiprocessors()) ? *few : any)
        .launch(place, blocks, touched, of_entry);
  }
};

template <class T>
column_launcher<T> column_launcher_of(built_columns<T> const& columns, divided_axis<T>&& axis,
                                      int fetches) {
  int const at_work = (columns.few ? *columns.few : columns.any).at_work() * columns.units;
  return {std::move(axis), at_work * fetches / 2,
          [=](gpu& place, unit_columns<T> const& pass, std::size_t batch) {
            columns.launch(place, pass, batch);
          }};
}

} // namespace

} // namespace warpfold::inline v0::poisson::gpu_impl
