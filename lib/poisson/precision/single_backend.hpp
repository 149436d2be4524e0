#pragma once
// Transforms in float for fields of double.

#include "poisson/backend.hpp"
#include "poisson/launches.hpp"

#include <cstddef>
#include <memory>
#include <utility>

namespace warpfold::inline v0::poisson {

/// A solve by an engine of floats, in place in a dense copy. Copies lie in the workspace, before
/// the engine's. Boundary values and differences stay the solver's, in double.
template <class Place>
class single_backend final : public backend<double> {
public:
  single_backend(Place& place, plan const& of, std::unique_ptr<backend<float>> run)
      : place_{place}, of_{of}, run_{std::move(run)}, dense_{completed(of.problem, {})} {
    std::size_t const batch = of.problem.batch, field = of.size() * batch * sizeof(float);
    gpu_impl::workspace_shape shape;
    solution_ = shape.add(field);
    if (of.problem.gradient && of.problem.symbol == symbol::spectral)
      for (std::size_t d = 0; d < of.axes.size(); ++d) gradient_[d] = shape.add(field);
    removed_mean_ = shape.add(batch * sizeof(float));
    lambdas_ = shape.add(batch * sizeof(float));
    engine_ = shape.add(run_->workspace_size());
    bytes_ = shape.size();
    if constexpr (!on_gpu<Place>) owned_ = std::make_unique_for_overwrite<std::byte[]>(bytes_);
  }

  [[nodiscard]] std::size_t workspace_size() const override { return on_gpu<Place> ? bytes_ : 0; }
  [[nodiscard]] bool takes_strides() const override { return true; }

  void solve(arrays<double> const& given, std::byte* workspace) override {
    using namespace gpu_impl;
    using namespace host_impl;
    std::byte* const memory = on_gpu<Place> ? workspace : owned_.get();
    std::size_t const batch = of_.problem.batch;
    // A copy of an array; null for none.
    auto const copy_of = [&](auto const* array, std::size_t begin) {
      return array ? reinterpret_cast<float*>(memory + begin) : nullptr;
    };
    arrays<float> copies{};
    copies.rhs = copies.solution = copy_of(given.solution, solution_);
    copies.rhs_layout = copies.solution_layout = dense_;
    for (std::size_t d = 0; d < of_.axes.size(); ++d) {
      copies.gradient[d] = copy_of(given.gradient[d], gradient_[d]);
      copies.gradient_layout[d] = dense_;
    }
    copies.removed_mean = copy_of(given.removed_mean, removed_mean_);
    copies.lambda = given.lambda;
    if (float* const lambdas = copy_of(given.lambdas, lambdas_)) {
      convert(place_, given.lambdas, batch, lambdas);
      copies.lambdas = lambdas;
    }
    convert_field(place_, of_, given.rhs, given.rhs_layout, copies.solution, dense_);
    run_->solve(copies, memory + engine_);

    auto const widen = [&](float const* copy, double* field, field_layout const& layout) {
      if (field) convert_field(place_, of_, copy, dense_, field, layout);
    };
    widen(copies.solution, given.solution, given.solution_layout);
    for (std::size_t d = 0; d < of_.axes.size(); ++d)
      widen(copies.gradient[d], given.gradient[d], given.gradient_layout[d]);
    if (float const* const mean = copies.removed_mean)
      convert(place_, mean, batch, given.removed_mean);
  }

private:
  Place& place_;
  plan const& of_;
  std::unique_ptr<backend<float>> run_;
  field_layout dense_;
  /// Where parts of the workspace begin, in bytes.
  std::size_t solution_, gradient_[3]{}, removed_mean_, lambdas_, engine_;
  std::size_t bytes_;
  std::unique_ptr<std::byte[]> owned_; ///< on a host, whose solves are given no workspace
};

} // namespace warpfold::inline v0::poisson
