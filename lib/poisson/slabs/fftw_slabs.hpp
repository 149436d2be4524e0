#pragma once
// Slabs on hosts.

#include "poisson/fftw/fftw_lines.hpp"
#include "poisson/instances.hpp"
#include "slab_passes.hpp"

#include <algorithm>
#include <vector>

namespace warpfold::inline v0::poisson {
namespace {

template <class T>
class fftw_slabs final : public slab_passes<T> {
public:
  fftw_slabs(host const& place, plan const& of, slab_part const& part)
      : place_{place}, scale_{static_cast<T>(of.scale())}, lambda_{
                                                               static_cast<T>(of.problem.lambda)} {
    plan const own = narrowed(of, 0, part.rows), across = narrowed(of, 1, part.columns);
    size_ = own.size();
    across_size_ = across.size();
    if (size_ > 0)
      for (std::size_t d = 1; d < of.axes.size(); ++d) {
        forward_.emplace_back(own, d, false);
        backward_.emplace_back(own, d, true);
      }
    if (across_size_ > 0) {
      first_.emplace_back(across, 0, false);
      first_.emplace_back(across, 0, true);
    }
    auto const add = [&](std::size_t d, std::size_t first, std::size_t count) {
      auto const begin = of.axes[d].eigenvalues.begin() + static_cast<std::ptrdiff_t>(first);
      eigenvalues_.emplace_back(begin, begin + static_cast<std::ptrdiff_t>(count));
    };
    add(0, 0, of.axes[0].points);
    add(1, part.first_column, part.columns);
    if (of.axes.size() > 2) add(2, 0, of.axes[2].points);
    else eigenvalues_.push_back({T{0}});
    has_constant_ = part.first_column == 0 && part.columns > 0;
    is_singular_ = of.singular && has_constant_;
  }

  void forward(T const* rhs, T* modes) override {
    if (rhs != modes) std::copy_n(rhs, size_, modes);
    for (auto const& along : forward_) along(place_, modes, 1);
  }
  void solve(T* modes, T* mean) override {
    if (across_size_ == 0) return;
    first_[0](place_, modes, 1);
    if (has_constant_) *mean = is_singular_ ? modes[0] * scale_ : T{0};
    auto const &a = eigenvalues_[0], &b = eigenvalues_[1], &c = eigenvalues_[2];
    auto const rows = static_cast<std::int64_t>(a.size() * b.size());
    detail::parallel_for(threads_for(place_, across_size_), rows, [&](std::int64_t number) {
      auto const row = static_cast<std::size_t>(number);
      T* const first = modes + row * c.size();
      T const others = a[row / b.size()] + b[row % b.size()] - lambda_;
      bool const is_first = is_singular_ && row == 0;
      if (is_first) first[0] = T{0};
      for (std::size_t k = is_first; k < c.size(); ++k) first[k] *= scale_ / (others + c[k]);
    });
    first_[1](place_, modes, 1);
  }
  void backward(T* modes) override {
    for (auto const& along : backward_) along(place_, modes, 1);
  }

private:
  host place_;
  std::size_t size_, across_size_;
  T scale_, lambda_;
  bool has_constant_, is_singular_;
  std::vector<axis_transform<T>> forward_, backward_, first_;
  std::vector<std::vector<T>> eigenvalues_; ///< of three axes
};

} // namespace

namespace host_impl {

template <class T>
std::unique_ptr<slab_passes<T>> make_slabs(host const& place, plan const& of,
                                           slab_part const& part) {
  return std::make_unique<fftw_slabs<T>>(place, of, part);
}

} // namespace host_impl
} // namespace warpfold::inline v0::poisson

#define INSTANTIATE(T)                                                                             \
  namespace warpfold::inline v0::poisson {                                                         \
  template std::unique_ptr<slab_passes<T>> host_impl::make_slabs(host const&, plan const&,         \
                                                                 slab_part const&);                \
  }
