#pragma once
// What backends are told of a problem.

#include "lambda.hpp"

#include <warpfold/detail/core/refusal.hpp>
#include <warpfold/poisson.hpp>

#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <string_view>
#include <vector>

namespace warpfold::inline v0::poisson {

/// The transform that takes a right-hand side's values along an axis to its modes. Cosines and
/// sines are FFTW's REDFT and RODFT, unnormalised, of the numbers that the literature gives them.
enum class transform : std::uint8_t {
  fourier,
  cosine_1, ///< nodes, Neumann twice
  cosine_2, ///< cells, Neumann twice
  cosine_3, ///< nodes, Neumann then Dirichlet
  cosine_4, ///< cells, Neumann then Dirichlet
  sine_1,   ///< nodes, Dirichlet twice
  sine_2,   ///< cells, Dirichlet twice
  sine_3,   ///< nodes, Dirichlet then Neumann
  sine_4    ///< cells, Dirichlet then Neumann
};

/// 2 and 3 undo each other, up to axis_plan::period; all others undo themselves.
transform inverse_of(transform forward);

enum class line_kind : std::uint8_t {
  fourier,
  second, ///< cosine or sine II
  third,  ///< its inverse
  fourth,
  first ///< I
};
line_kind kind_of(transform forward);
constexpr bool is_sine(transform forward) { return forward >= transform::sine_1; }

/// The length of an axis in spacings: half the period of the modes, or that of periodic ones.
std::size_t spacings_of(transform forward, std::size_t points);
/// Forward and inverse together multiply by it: points for fourier, twice the spacings for others.
double period_of(transform forward, std::size_t points);

/// Refuses what is no enumerator.
template <class Enum>
void check_enum(Enum value, Enum last, std::string_view argument) {
  if (value > last)
    detail::refuse(argument, static_cast<int>(value),
                   detail::text("0 to ", static_cast<int>(last)));
}

struct axis_plan {
  std::size_t points;
  double spacing;
  transform forward;
  /// The axis' second difference has them, for modes in the transform's order; of fourier 0 ...
  /// points - 1, those from points / 2 + 1 on being the negative ones.
  std::vector<double> eigenvalues;
  /// The same modes', as derivatives see them: 0 for the one that alternates from point to point
  /// of a periodic axis.
  std::vector<double> wavenumbers;
  double period; ///< period_of
};

struct plan {
  poisson::problem problem;
  std::vector<axis_plan> axes; ///< as in the problem
  bool singular;
  double largest = 0; ///< sum of the axes' largest eigenvalues, without their signs

  [[nodiscard]] std::size_t size() const; ///< points of one right-hand side
  /// True if the first mode is a constant: no Dirichlet end. Then lambda = 0 makes a solve
  /// singular.
  [[nodiscard]] bool has_constant() const;
  /// 1 / product of the axes' periods. Modes are multiplied by scale / (sum of the axes'
  /// eigenvalues - lambda); the first mode of a singular solve by 0.
  [[nodiscard]] double scale() const;
};

/// Bytes of the host's physical memory; where nobody knows, more than any has.
std::size_t host_memory();

/// True if a host has stages for a complex transform of this length, without a prime factor above
/// 13; others become convolutions. As smooth_transform::takes, but without a search.
bool has_host_stages(std::size_t length);
/// Bytes of memory at the peak of making what transforms lines on a host: tables, and room for the
/// lines of each thread, in packs if there may be more than one pair of lines.
std::size_t host_line_bytes(transform forward, std::size_t points, int threads, bool has_packs);
/// Refuses an axis of which that is more than the host's memory; `all`: points of all lines.
void check_host_line(std::string const& name, transform forward, std::size_t points,
                     std::size_t all, host const& place);

/// What a place's problems may have at most.
struct plan_bounds {
  std::size_t points = std::numeric_limits<std::size_t>::max();    ///< of an axis
  std::size_t memory = std::numeric_limits<std::ptrdiff_t>::max(); ///< bytes of right-hand sides
  host const* transforms = nullptr; ///< the host that transforms; null on a gpu
};
/// A host counts what is made of an axis by int.
template <bool on_gpu>
inline constexpr std::size_t most_points = on_gpu ? plan_bounds{}.points : std::size_t{1} << 28;

/// Checks the problem, for fields' elements of so many bytes, and looks at it axis by axis; numbers
/// are held against the range of the transforms' elements. Before it allocates it refuses what is
/// out of bounds, and axes whose tables the host has no memory for.
plan make_plan(problem const& problem, std::size_t element = sizeof(double),
               plan_bounds const& bounds = {});

/// Refuses the argument `lambda` of a solve, for fields' elements of so many bytes: a number that
/// is not finite, that is an eigenvalue, or whose divisors an engine's elements do not hold.
void check_lambda(plan const& plan, double lambda, std::size_t element);

/// The arrays of a checked solve; null is none. Boundary values are already in rhs.
template <class T>
struct arrays {
  T const* rhs;
  T* solution; ///< may be rhs
  T* gradient[3];
  T* removed_mean;
  T const* lambdas = nullptr;     ///< by right-hand side, in the place's memory
  std::optional<double> lambda{}; ///< of all, without `lambdas`; nothing: the plan's
  /// Complete (layout.hpp). Backends that do not take strides are given dense ones.
  field_layout rhs_layout{}, solution_layout{}, gradient_layout[3]{};

  [[nodiscard]] entry_lambda<T> lambda_or(double planned) const {
    return {lambdas, static_cast<T>(lambda.value_or(planned))};
  }
};

/// One way to solve on one place, planned. Derivatives of symbols other than spectral are
/// differences of its solution (ghosts.hpp), which the solver takes.
template <class T>
class backend {
public:
  virtual ~backend() = default;
  [[nodiscard]] virtual std::size_t workspace_size() const = 0;
  /// On a gpu enqueues on the place's stream; on a host blocks. Fixes the gauge and writes
  /// removed_mean. arrays::gradient is what symbol::spectral wants; else null.
  virtual void solve(arrays<T> const& of, std::byte* workspace) = 0;
  /// True if fields may have gaps, between which it reads and writes nothing.
  [[nodiscard]] virtual bool takes_strides() const { return false; }
};

/// A backend and its name, as solver::engine_name() returns it.
template <class T>
struct engine {
  std::string_view name;
  std::unique_ptr<backend<T>> run;
};

} // namespace warpfold::inline v0::poisson
