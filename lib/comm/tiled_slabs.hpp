#pragma once
// Slabs of large squares on GPUs. Tiles travel on a stream of their own: those of the first rows
// while the others are transformed, those of the first columns while the others are solved.

#include "poisson/backend.hpp"
#include "poisson/layout.hpp"
#include "poisson/slabs/square_slabs.hpp"
#include "slab_backend.hpp"

#include <warpfold/buffer.hpp>

#include <algorithm>
#include <array>

namespace warpfold::inline v0::poisson {
namespace {

/// One stream waits for what another one has been given before.
class handover {
public:
  handover() { check(cudaEventCreateWithFlags(&event_, cudaEventDisableTiming)); }
  handover(handover const&) = delete;
  handover& operator=(handover const&) = delete;
  ~handover() { cudaEventDestroy(event_); }

  void record(cudaStream_t stream) { check(cudaEventRecord(event_, stream)); }
  void await(cudaStream_t stream) const { check(cudaStreamWaitEvent(stream, event_)); }

private:
  cudaEvent_t event_ = nullptr;
};

/// Before what else the GPU does: tiles are what ranks wait for.
class urgent_stream {
public:
  urgent_stream() {
    int least = 0, greatest = 0;
    check(cudaDeviceGetStreamPriorityRange(&least, &greatest));
    check(cudaStreamCreateWithPriority(&stream_, cudaStreamNonBlocking, greatest));
  }
  urgent_stream(urgent_stream const&) = delete;
  urgent_stream& operator=(urgent_stream const&) = delete;
  ~urgent_stream() { cudaStreamDestroy(stream_); }

  [[nodiscard]] cudaStream_t get() const { return stream_; }

private:
  cudaStream_t stream_ = nullptr;
};

template <class T>
class tiled_slabs final : public slab_backend<T> {
  using pair = complex_pair<T>;

public:
  tiled_slabs(communicator<gpu>& comm, std::unique_ptr<square_slabs<T>> passes)
      : comm_{comm}, passes_{std::move(passes)}, tiles_{passes_->tiles()},
        here_{comm.place(), static_cast<std::size_t>(comm.size()) + 1} {
    check(cudaMemsetAsync(here_.data(), 0, 1, comm.place().stream()));
    comm.place().synchronize(); // another stream uses it first
    std::size_t by_lines = 0, by_columns = 0;
    for (int r = 0; r < comm.size(); ++r) {
      by_lines = std::max(by_lines, tiles_.size_by_lines(r));
      by_columns = std::max(by_columns, tiles_.size_by_columns(r));
    }
    std::size_t const means = sizeof(T) * (static_cast<std::size_t>(comm.size()) + 1);
    memory_ = comm.transport().allocate((by_lines + by_columns) * sizeof(pair) + means);
    by_lines_ = reinterpret_cast<pair*>(memory_.get());
    by_columns_ = by_lines_ + by_lines;
    means_ = reinterpret_cast<T*>(by_columns_ + by_columns);
  }

  index_range rank_slab(int rank) const override {
    auto const own = tiles_.rows_of(rank);
    return {own.first, own.count};
  }

  void solve(T const* rhs, T* solution, T* removed_mean) override {
    device_guard const current{comm_.place().device()};
    cudaStream_t const computing = comm_.place().stream(), travelling = stream_.get();
    int const line_parts = tiles_.line_parts(), column_parts = tiles_.column_parts();
    for (int k = 0; k < line_parts; ++k) {
      passes_->forward(k, rhs, by_lines_);
      ready_[at(k)].record(computing);
    }
    // Tiles that copy engines wait for cannot be called off: so not before all ranks are here.
    comm_.transport().all_gather(here_.data(), here_.data() + 1, 1, travelling);
    comm_.transport().wait(travelling);
    for (int k = 0; k < line_parts; ++k) {
      ready_[at(k)].await(travelling);
      for (int j = 0; j < column_parts; ++j) {
        exchange(k, j, way::to_columns);
        if (k == line_parts - 1) arrived_[at(j)].record(travelling);
      }
    }
    for (int j = 0; j < column_parts; ++j) {
      arrived_[at(j)].await(computing);
      passes_->solve(j, by_columns_, means_);
      solved_[at(j)].record(computing);
    }
    for (int j = 0; j < column_parts; ++j) {
      solved_[at(j)].await(travelling);
      for (int k = 0; k < line_parts; ++k) {
        exchange(k, j, way::to_lines);
        if (j == column_parts - 1) returned_[at(k)].record(travelling);
      }
    }
    for (int k = 0; k < line_parts; ++k) {
      returned_[at(k)].await(computing);
      passes_->back(k, by_lines_, solution);
    }
    // The mean is with the first rank; all take part, whoever wants it.
    comm_.transport().all_gather(means_, means_ + 1, sizeof(T), travelling);
    done_.record(travelling);
    done_.await(computing);
    if (removed_mean)
      check(cudaMemcpyAsync(removed_mean, means_ + 1, sizeof(T), cudaMemcpyDeviceToDevice,
                            computing));
  }

private:
  static std::size_t at(int i) { return static_cast<std::size_t>(i); }

  enum class way { to_columns, to_lines };

  /// For the tiles of a pair of parts.
  void exchange(int lines, int columns, way where) {
    auto here = tiles_.sent(comm_.rank(), lines, columns),
         there = tiles_.received(comm_.rank(), lines, columns);
    pair *from = by_lines_, *to = by_columns_;
    if (where == way::to_lines) {
      std::swap(here, there);
      std::swap(from, to);
    }
    exchange_slabs(comm_.transport(), from, here, to, there, tiles_.are_even(), stream_.get());
  }

  communicator<gpu>& comm_;
  std::unique_ptr<square_slabs<T>> passes_;
  slab_tiles const& tiles_;
  std::shared_ptr<std::byte> memory_;
  pair *by_lines_, *by_columns_;
  T* means_;
  device_buffer<std::byte> here_; ///< a byte of each rank, after one's own
  urgent_stream stream_;
  std::array<handover, 2> ready_, returned_, arrived_, solved_; ///< by part
  handover done_;
};

/// All of it, by the one rank there is.
template <class T>
class whole_squares final : public slab_backend<T> {
public:
  whole_squares(gpu& place, plan const& plan, std::unique_ptr<backend<T>> squares)
      : rows_{plan.axes[0].points}, layout_{completed(plan.problem, {})},
        squares_{std::move(squares)}, workspace_{place, squares_->workspace_size()} {}
  index_range rank_slab(int) const override { return {0, rows_}; }
  void solve(T const* rhs, T* solution, T* removed_mean) override {
    squares_->solve({.rhs = rhs,
                     .solution = solution,
                     .gradient = {},
                     .removed_mean = removed_mean,
                     .rhs_layout = layout_,
                     .solution_layout = layout_},
                    workspace_.data());
  }

private:
  std::size_t rows_;
  field_layout layout_;
  std::unique_ptr<backend<T>> squares_;
  device_buffer<std::byte> workspace_;
};

/// Squares in tiles, and long fields; null if they are not compiled for the problem, or as many
/// ranks.
template <class T>
std::unique_ptr<slab_backend<T>> make_tiled_slabs(communicator<gpu>& comm, plan const& plan) {
  device_guard const current{comm.place().device()};
  auto passes = gpu_impl::make_square_slabs<T>(comm.place(), plan, comm.rank(), comm.size());
  bool const is_long = !passes;
  if (is_long) passes = gpu_impl::make_long_slabs<T>(comm.place(), plan, comm.rank(), comm.size());
  // All ranks the same ones or none, whatever GPUs they have.
  auto const found = comm.all_gather(passes ? 1 + is_long : 0);
  for (int const of_rank : found)
    if (of_rank == 0 || of_rank != found[0]) return nullptr;
  if (comm.size() == 1)
    return std::make_unique<whole_squares<T>>(comm.place(), plan,
                                              gpu_impl::make_fused<T>(comm.place(), plan));
  return std::make_unique<tiled_slabs<T>>(comm, std::move(passes));
}

} // namespace
} // namespace warpfold::inline v0::poisson
