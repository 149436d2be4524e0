#pragma once
// Solves in copies of fields: dense ones for backends that want those, and floats for doubles.

#include "backend.hpp"
#include "launches.hpp"

#include <cstddef>
#include <memory>
#include <type_traits>
#include <utility>

namespace warpfold::inline v0::poisson {

/// A solve of fields of T by an engine of U. A field of another type or with gaps is copied, and a
/// right-hand side, too, into the solution's copy. Copies lie in the workspace, before the
/// engine's. Boundary values and differences stay the solver's.
template <class T, class U, class Place>
class copied_fields final : public backend<T> {
public:
  copied_fields(Place& place, plan const& of, std::unique_ptr<backend<U>> run)
      : place_{place}, of_{of}, run_{std::move(run)}, dense_{completed(of.problem, {})} {
    std::size_t const batch = of.problem.batch, field = of.size() * batch * sizeof(U);
    gpu_impl::workspace_shape shape;
    solution_ = shape.add(field);
    if (of.problem.gradient && of.problem.symbol == symbol::spectral)
      for (std::size_t d = 0; d < of.axes.size(); ++d) gradient_[d] = shape.add(field);
    if (converts) removed_mean_ = shape.add(batch * sizeof(U));
    if (converts) lambdas_ = shape.add(batch * sizeof(U));
    engine_ = shape.add(run_->workspace_size());
    bytes_ = shape.size();
    if constexpr (!on_gpu<Place>) owned_ = std::make_unique_for_overwrite<std::byte[]>(bytes_);
  }

  [[nodiscard]] std::size_t workspace_size() const override { return on_gpu<Place> ? bytes_ : 0; }
  [[nodiscard]] bool takes_strides() const override { return true; }

  void solve(arrays<T> const& given, std::byte* workspace) override {
    using namespace gpu_impl;
    using namespace host_impl;
    std::byte* const memory = on_gpu<Place> ? workspace : owned_.get();
    // A field, or where its copy is.
    auto const dense_one = [&](auto* field, [[maybe_unused]] field_layout const& layout,
                               std::size_t begin) -> U* {
      if constexpr (!converts)
        if (is_dense(of_.problem, layout)) return field;
      return field ? reinterpret_cast<U*>(memory + begin) : nullptr;
    };
    arrays<U> dense{};
    dense.solution = dense_one(given.solution, given.solution_layout, solution_);
    for (std::size_t d = 0; d < of_.axes.size(); ++d)
      dense.gradient[d] = dense_one(given.gradient[d], given.gradient_layout[d], gradient_[d]);
    dense.rhs_layout = dense.solution_layout = dense_;
    for (auto& layout : dense.gradient_layout) layout = dense_;
    dense.lambda = given.lambda;
    if constexpr (converts) {
      if (given.removed_mean) dense.removed_mean = reinterpret_cast<U*>(memory + removed_mean_);
      if (given.lambdas) {
        auto* const lambdas = reinterpret_cast<U*>(memory + lambdas_);
        convert(place_, given.lambdas, of_.problem.batch, lambdas);
        dense.lambdas = lambdas;
      }
    } else {
      dense.removed_mean = given.removed_mean;
      dense.lambdas = given.lambdas;
      dense.rhs = given.rhs;
    }
    if (converts || !is_dense(of_.problem, given.rhs_layout)) {
      convert_field(place_, of_, given.rhs, given.rhs_layout, dense.solution, dense_);
      dense.rhs = dense.solution;
    }
    run_->solve(dense, memory + engine_);

    auto const put_back = [&](U const* copy, T* field, field_layout const& layout) {
      if (static_cast<void const*>(copy) != field)
        convert_field(place_, of_, copy, dense_, field, layout);
    };
    put_back(dense.solution, given.solution, given.solution_layout);
    for (std::size_t d = 0; d < of_.axes.size(); ++d)
      put_back(dense.gradient[d], given.gradient[d], given.gradient_layout[d]);
    if constexpr (converts)
      if (U const* const mean = dense.removed_mean)
        convert(place_, mean, of_.problem.batch, given.removed_mean);
  }

private:
  static constexpr bool converts = !std::is_same_v<T, U>;

  Place& place_;
  plan const& of_;
  std::unique_ptr<backend<U>> run_;
  field_layout dense_;
  /// Where parts of the workspace begin, in bytes.
  std::size_t solution_, gradient_[3]{}, removed_mean_ = 0, lambdas_ = 0, engine_;
  std::size_t bytes_;
  std::unique_ptr<std::byte[]> owned_; ///< on a host, whose solves are given no workspace
};

} // namespace warpfold::inline v0::poisson
