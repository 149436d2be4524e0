#pragma once
// Keeps what several runs on the same paths leave of each tile, until their differences are made.

#include "difference_body.hpp"

#include <warpfold/detail/core/scratch.hpp>
#include <warpfold/detail/core/tile_sharing.hpp>
#include <warpfold/execution.hpp>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <type_traits>
#include <vector>

namespace warpfold::inline v0::pricing {

/// Runs are simulated one after the other, each with the recorder in place of what shares its
/// tiles. Their sums lie at the start of a gpu's workspace, in memory of the recorder's on a host,
/// or with those of other ranks.
template <class Place>
class run_recorder final : public path_sharing {
public:
  /// For runs of `values` values over `tiles` tiles. `among` is null where nobody else takes part.
  run_recorder(Place& place, std::size_t runs, std::size_t values, std::uint32_t tiles,
               path_sharing* among)
      : place_{place}, runs_{runs}, values_{values}, tiles_{tiles}, among_{among} {
    if constexpr (!on_gpu)
      if (!among) own_ = std::make_unique_for_overwrite<detail::path_sums[]>(sums());
  }

  std::uint32_t ranks() const override { return among_ ? among_->ranks() : 1; }
  piece_range own(std::uint32_t pieces) const override {
    return among_ ? among_->own(pieces) : piece_range{0, pieces};
  }
  std::size_t taken() const override { return discounts_at() + rounded(runs_ * values_ * 8); }

  void begin(detail::path_plan const& plan, std::span<detail::path_finish const> finish,
             std::size_t element) override {
    for (auto const& one : finish) discounts_.push_back(one.discount);
    if (among_ && run_ == 0) among_->begin(plan, finish, element);
  }
  sum_places open(std::size_t rows, std::uint32_t pieces, std::size_t bytes) override {
    if (run_ == 0) {
      if (among_) all_ = among_->open(rows * runs_, pieces, bytes);
      else if constexpr (on_gpu) all_ = sum_places::whole(workspace(), pieces);
      else all_ = sum_places::whole(own_.get(), pieces);
    }
    return {all_.memory + run_ * rows * all_.width * bytes, all_.apart, all_.width};
  }
  void share() override {
    if (++run_ == runs_ && among_) among_->share();
  }
  void settle() override {
    if (run_ == runs_ && among_) among_->settle();
  }

  /// The sums of all runs, once they are done; discounts in host memory.
  run_sums recorded() const { return {all_, discounts_.data(), static_cast<int>(values_)}; }
  std::vector<double> const& discounts() const { return discounts_; }
  /// Where there is room for them on a gpu.
  double* discounts_there() const requires std::is_same_v<Place, gpu> {
    return reinterpret_cast<double*>(workspace() + discounts_at());
  }

private:
  static constexpr bool on_gpu = std::is_same_v<Place, gpu>;

  static constexpr std::size_t rounded(std::size_t bytes) { return (bytes + 255) / 256 * 256; }
  std::size_t sums() const { return runs_ * values_ * tiles_; }
  std::size_t discounts_at() const {
    return among_ ? 0 : rounded(sums() * sizeof(detail::path_sums));
  }
  std::byte* workspace() const {
    return static_cast<std::byte*>(detail::gpu_scratch(place_).workspace(taken()));
  }

  Place& place_;
  std::size_t runs_, values_;
  std::uint32_t tiles_;
  path_sharing* among_;
  std::unique_ptr<detail::path_sums[]> own_;
  std::size_t run_ = 0; ///< the next one
  sum_places all_{};
  std::vector<double> discounts_; ///< one a value, of the first run, of the next one, and so on
};

/// Writes the estimates of difference d to to[d], one a value: memory of the place. A gpu enqueues.
void finish_differences(gpu& place, run_recorder<gpu> const& runs,
                        std::vector<difference> const& all, std::vector<estimate*> const& to,
                        difference_ending const& ending);
void finish_differences(host const& place, run_recorder<host const> const& runs,
                        std::vector<difference> const& all, std::vector<estimate*> const& to,
                        difference_ending const& ending);

} // namespace warpfold::inline v0::pricing
