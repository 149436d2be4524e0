#pragma once
// What a good user of FFTW writes for periodic boxes on a host: its real transform of all axes,
// planned by FFTW_MEASURE, a loop that divides, and the transform back, all on several threads.

#include "bench.hpp"

#include <warpfold/detail/core/parallel.hpp>

#include <fftw3.h>

#include <memory>
#include <numbers>
#include <span>
#include <stdexcept>
#include <vector>

namespace warpfold::bench {

/// For boxes of length 1 along two or three axes, by the spectral symbol.
class fftw_solve {
public:
  fftw_solve(std::vector<int> points, int threads) : points_{std::move(points)}, threads_{threads} {
    std::size_t size = 1;
    for (int const n : points_) size *= static_cast<std::size_t>(n);
    auto const last = static_cast<std::size_t>(points_.back());
    lines_ = size / last;
    modes_.reset(fftw_alloc_complex(lines_ * (last / 2 + 1)));
    scale_ = 1 / static_cast<double>(size);
    for (int const n : points_) {
      std::vector<double>& of = eigenvalues_.emplace_back();
      for (int m = 0; m < n; ++m) {
        double const k = 2 * std::numbers::pi * (m <= n / 2 ? m : m - n);
        of.push_back(-k * k);
      }
    }
    std::vector<double> like(size); // what is planned with is overwritten
    alignment_ = fftw_alignment_of(like.data());
    static bool const has_threads = fftw_init_threads() != 0;
    if (!has_threads) throw std::runtime_error("FFTW's threads do not start");
    auto const rank = static_cast<int>(points_.size());
    fftw_plan_with_nthreads(threads);
    forward_.reset(fftw_plan_dft_r2c(rank, points_.data(), like.data(), modes_.get(),
                                     FFTW_MEASURE | FFTW_PRESERVE_INPUT));
    back_.reset(fftw_plan_dft_c2r(rank, points_.data(), modes_.get(), like.data(), FFTW_MEASURE));
    fftw_plan_with_nthreads(1);
    fftw_forget_wisdom(); // the twin plans without
    if (!modes_ || !forward_ || !back_) throw std::runtime_error("FFTW has no plan");
  }

  void operator()(std::span<double const> rhs, std::span<double> solution) const {
    auto* const from = const_cast<double*>(rhs.data()); // is preserved
    if (fftw_alignment_of(from) != alignment_ || fftw_alignment_of(solution.data()) != alignment_)
      throw std::runtime_error("FFTW's plans are for other alignments");
    fftw_execute_dft_r2c(forward_.get(), from, modes_.get());
    detail::parallel_for(threads_, static_cast<std::int64_t>(lines_),
                         [&](std::int64_t line) { divide(static_cast<std::size_t>(line)); });
    fftw_execute_dft_c2r(back_.get(), modes_.get(), solution.data());
  }

private:
  void divide(std::size_t line) const {
    double across = 0;
    std::size_t rest = line;
    for (std::size_t d = points_.size() - 1; d-- > 0;) {
      across += eigenvalues_[d][rest % eigenvalues_[d].size()];
      rest /= eigenvalues_[d].size();
    }
    std::vector<double> const& along = eigenvalues_.back();
    std::size_t const count = along.size() / 2 + 1;
    fftw_complex* const modes = modes_.get() + line * count;
    for (std::size_t m = 0; m < count; ++m) {
      double const factor = line == 0 && m == 0 ? 0 : scale_ / (across + along[m]);
      modes[m][0] *= factor;
      modes[m][1] *= factor;
    }
  }

  struct free {
    void operator()(void* memory) const { fftw_free(memory); }
  };
  struct destroy {
    void operator()(fftw_plan plan) const { fftw_destroy_plan(plan); }
  };
  using plan = std::unique_ptr<std::remove_pointer_t<fftw_plan>, destroy>;

  std::vector<int> points_;
  int threads_, alignment_ = 0;
  std::size_t lines_ = 0;
  double scale_ = 1;
  std::vector<std::vector<double>> eigenvalues_;
  std::unique_ptr<fftw_complex[], free> modes_;
  plan forward_, back_;
};

} // namespace warpfold::bench
