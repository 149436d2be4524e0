#pragma once
// Fields with gaps for backends that want dense ones: copies before and after their solve.

#include "backend.hpp"

#include <cstdint>
#include <utility>
#include <vector>

namespace warpfold::inline v0::poisson {

/// Solves in a dense copy if the solution has gaps; a derivative with gaps has one of its own. On a
/// gpu copies lie in the workspace, after the backend's.
template <class T, class Place>
class dense_fields final : public backend<T> {
public:
  dense_fields(Place& place, plan const& of, std::unique_ptr<backend<T>> run)
      : place_{place}, of_{of}, run_{std::move(run)}, dense_{completed(of.problem, {})},
        begin_{aligned(run_->workspace_size())}, field_{aligned(of.size() * of.problem.batch *
                                                                sizeof(T))},
        copies_{1 + (of.problem.gradient && of.problem.symbol == symbol::spectral ? of.axes.size()
                                                                                  : 0)} {
    if constexpr (!on_gpu<Place>) owned_.resize(copies_ * field_ / sizeof(T));
  }

  [[nodiscard]] std::size_t workspace_size() const override {
    return on_gpu<Place> ? begin_ + copies_ * field_ : 0;
  }
  [[nodiscard]] bool takes_strides() const override { return true; }

  void solve(arrays<T> const& given, std::byte* workspace) override {
    using namespace gpu_impl;
    using namespace host_impl;
    T* next = owned_.data();
    if constexpr (on_gpu<Place>) next = reinterpret_cast<T*>(workspace + begin_);
    auto const copy_of = [&](T* field, field_layout const& layout) {
      return !field || is_dense(of_.problem, layout)
                 ? field
                 : std::exchange(next, next + field_ / sizeof(T));
    };
    arrays<T> dense = given;
    dense.solution = copy_of(given.solution, given.solution_layout);
    for (std::size_t d = 0; d < of_.axes.size(); ++d)
      dense.gradient[d] = copy_of(given.gradient[d], given.gradient_layout[d]);
    if (!is_dense(of_.problem, given.rhs_layout)) {
      convert_field(place_, of_, given.rhs, given.rhs_layout, dense.solution, dense_);
      dense.rhs = dense.solution;
    }
    dense.rhs_layout = dense.solution_layout = dense_;
    for (auto& layout : dense.gradient_layout) layout = dense_;
    run_->solve(dense, workspace);
    auto const put_back = [&](T const* copy, T* field, field_layout const& layout) {
      if (copy != field) convert_field(place_, of_, copy, dense_, field, layout);
    };
    put_back(dense.solution, given.solution, given.solution_layout);
    for (std::size_t d = 0; d < of_.axes.size(); ++d)
      put_back(dense.gradient[d], given.gradient[d], given.gradient_layout[d]);
  }

private:
  static std::size_t aligned(std::size_t bytes) { return (bytes + 255) / 256 * 256; }

  Place& place_;
  plan const& of_;
  std::unique_ptr<backend<T>> run_;
  field_layout dense_;
  std::size_t begin_, field_; ///< bytes before the copies, and of one
  std::size_t copies_;
  std::vector<T> owned_; ///< on a host
};

} // namespace warpfold::inline v0::poisson
