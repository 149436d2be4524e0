#pragma once
// Poisson's and Helmholtz' equation on boxes, by real transforms along each axis: plan once, solve
// many times.
//
//   poisson::solver<float, gpu> solver(place, {.axes = {{.points = 4096}, {.points = 4096}}});
//   solver.solve({.rhs = f, .solution = u});

#include <warpfold/detail/poisson/poisson_engine.hpp>
#include <warpfold/error.hpp>
#include <warpfold/execution.hpp>
#include <warpfold/span.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string_view>
#include <type_traits>
#include <vector>

namespace warpfold::inline v0::poisson {

/// The condition at one end of an axis.
enum class boundary : std::uint8_t {
  periodic,  ///< at both ends or at none
  dirichlet, ///< u is given
  neumann    ///< the derivative of u along the axis, in its direction, is given
};

/// Positions of the n points of an axis of length L; h is their distance, j = 0 ... n - 1.
enum class grid : std::uint8_t {
  cells, ///< at the centres of n cells: (j + 1/2) h, h = L / n
  /// On the ends of cells. An end where u is given is no point; one where its derivative is given
  /// is a point. Periodic: j h, h = L / n. Dirichlet twice: (j + 1) h, h = L / (n + 1). Neumann
  /// twice: j h, h = L / (n - 1), n >= 2. Dirichlet, then Neumann: (j + 1) h, h = L / n. Neumann,
  /// then Dirichlet: j h, h = L / n.
  nodes
};

/// Discretisation of the second derivative: its factor for the mode of wavenumber k, t = k h.
enum class symbol : std::uint8_t {
  spectral,     ///< -k^2
  second_order, ///< (2 cos t - 2) / h^2: three points, five in two dimensions, seven in three
  /// (-cos 2t + 16 cos t - 15) / (6 h^2): five points along each axis. Ends that are not periodic
  /// leave it the second order, except for solutions that reflection continues smoothly.
  fourth_order
};

/// Choice of the constant where the equation leaves it open: without a Dirichlet boundary, and with
/// lambda = 0.
enum class gauge : std::uint8_t {
  zero_mean,  ///< The mean of u is 0. Ends that are points (Neumann on nodes) count half.
  first_point ///< u is 0 at the first point, but for rounding
};

/// Arithmetic of the transforms.
enum class precision : std::uint8_t {
  full, ///< that of the fields' elements
  /// float, for fields of double: the right-hand side is rounded, a float solver's engine solves,
  /// and the solution is widened. Values of both must lie in float's range, 1e-38 to 3e38; beyond
  /// it they become 0, infinite or NaN. Nothing is scaled, since finding the largest value would
  /// take one more pass; the equation is linear, so a caller can scale both.
  single
};

/// One direction of a box, and its points.
struct axis {
  std::size_t points = 0; ///< at least 1, or what the grid needs
  double length = 1;      ///< above 0
  boundary lower = boundary::periodic, upper = boundary::periodic; ///< at the ends
  poisson::grid grid = poisson::grid::nodes;                       ///< positions of the points
};

/// Laplacian(u) - lambda u = f on a box.
struct problem {
  /// One to three, the slowest varying in memory first: an array of two axes is [y][x].
  std::vector<axis> axes;
  /// Any finite number with which T holds the modes' divisors, and the transforms' scale over
  /// them. If it makes a divisor 0, to the precision of the elements, and is not 0 itself, the
  /// problem is refused. A solve may have another one: fields::lambda, or an argument.
  double lambda = 0;
  poisson::symbol symbol = poisson::symbol::spectral; ///< discretisation
  poisson::gauge gauge = poisson::gauge::zero_mean;   ///< read where is_singular
  /// Right-hand sides in one solve, one after the other in memory.
  std::size_t batch = 1;
  /// True if solutions' derivatives are wanted.
  bool gradient = false;
  /// With precision::single and fields of double, the solution, removed means and derivatives by
  /// symbol::spectral have the bits of a float solver's for the rounded right-hand side. The rms
  /// error of the solution is up to some 15 times 2^-24 rms(f) rms(1 / divisor), over all modes; f
  /// includes what boundary values add, in double. Mostly that is 1e-7 to 6e-7 of the solution, but
  /// far more with boundary values that are not smooth. Derivatives have up to pi / spacing
  /// times the solution's error, also differences, which are taken in double. Lambda is rounded to
  /// float. A solve needs memory for floats: a field, and one more for each derivative by
  /// symbol::spectral. No effect on fields of float.
  poisson::precision precision = poisson::precision::full;
};

/// True if the problem has a constant that no boundary fixes. Known at once; never throws.
[[nodiscard]] bool is_singular(problem const& problem);

/// The coordinate of each point of an axis, from its lower end. On the calling thread, at once.
/// @throws argument_error for an axis that a solver refuses for its points, its boundaries or a
///         length that is not positive and finite; and for more points than the host's physical
///         memory has room for
[[nodiscard]] std::vector<double> coordinates(axis const& axis);

/// Options of a solver.
struct solver_options {
  /// False: the caller gives workspace_size() bytes by set_workspace before the first solve.
  bool own_workspace = true;
  /// True if fields may have gaps: see fields::rhs_layout. Engines that want dense fields then have
  /// memory for copies: of the solution and, with symbol::spectral, of the gradient.
  bool strided_fields = false;
};

/// True if the place is a gpu.
template <class Place>
inline constexpr bool on_gpu = std::is_same_v<Place, gpu>;
/// An array of the place.
template <class T, class Place>
using span_on = std::conditional_t<on_gpu<Place>, device_span<T>, std::span<T>>;

/// Where the numbers of a field lie: distances between neighbours, in elements. One that is 0 is
/// what the faster axes take, without a gap; so by itself a field is dense: row-major, right-hand
/// sides one after the other.
struct field_layout {
  /// Along each axis of the problem, in their order. The last one's is 1, the others' at least what
  /// the faster axes take. That of an axis of one point is not read.
  std::array<std::size_t, 3> strides{};
  std::size_t batch = 0; ///< between right-hand sides, likewise
};

/// The arrays of one solve, in the place's memory.
template <class T, class Place>
struct fields {
  span_on<T const, Place> rhs; ///< f: points of all axes times batch
  /// May be the same array as rhs; else they do not overlap.
  span_on<T, Place> solution;
  /// Derivatives along each axis, if problem::gradient; an empty one is not computed. For
  /// symbol::spectral the derivatives of the interpolating sums of modes (the mode that alternates
  /// from point to point of a periodic axis has none); else central differences of the symbol's
  /// order, through boundaries as the equation itself goes.
  std::array<span_on<T, Place>, 3> gradient{};
  /// Boundary values of each axis that is not periodic: u, or its derivative in the direction of
  /// the axis, at the end itself, at the points of the other axes, row-major; empty is 0. Not with
  /// symbol::spectral: its modes meet only homogeneous conditions, and converge slowly to others.
  std::array<span_on<T const, Place>, 3> lower{}, upper{};
  /// One number a batch, or empty. The mean that was subtracted from the right-hand side, with its
  /// boundary values, to make a singular problem solvable; else 0.
  span_on<T, Place> removed_mean{};
  /// One number a batch, in place of problem::lambda; or empty. Read as the solve runs, also at
  /// each replay of a captured graph, and not checked: at an eigenvalue, and at numbers more than
  /// 30 decades from the eigenvalues, solutions mean nothing. Where it is 0 and no end is
  /// Dirichlet, a mean is removed. With gauge::first_point it has to be 0.
  span_on<T const, Place> lambda{};
  /// Layouts with gaps need solver_options::strided_fields: of the inside of a field with ghost
  /// points, say. Their arrays begin at the first point and reach to the last one or beyond. Memory
  /// between points is neither read nor written. Arrays of the same layout may have their rows
  /// in turns; others share no range of memory. Where solution is rhs, both layouts are the same.
  field_layout rhs_layout{}, solution_layout{};
  std::array<field_layout, 3> gradient_layout{}; ///< likewise
};

/// A planned problem. A gpu takes fused kernels where those were measured to be faster, else cuFFT,
/// which is optional when this library is built: without it every problem goes to the fused
/// kernels. A host solves any problem by itself.
///
/// Place        gpu or host; T float or double.
/// Determinism  The same bits on every run on one kind of GPU, or on a host with any number of
///              threads. Fused solutions have the same bits in any batch; cuFFT's do where lengths
///              have no large prime factors: it goes another way for other numbers of lines. Host
///              and GPU, fused kernels and cuFFT differ by rounding errors.
/// Lifetime     The place (and a caller's workspace) outlives the solver and its enqueued work. The
///              solver, and the arrays and the workspace of its capture, outlive graphs captured
///              from it. One solve at a time.
/// Move-only.
template <class T, class Place>
class solver {
public:
  /// Makes plans and tables, and allocates. Blocks, and has no `_async` form: vendors' planners
  /// wait for the GPU. (cuFFT's: not while other threads capture.)
  /// @throws argument_error for no axis or more than three; an axis without points, or with too few
  ///         for its grid; a length that is not positive and finite, or whose eigenvalues, or the
  ///         transforms' scale over them, T cannot hold; a periodic end opposite another one; a
  ///         lambda that is an eigenvalue, or with which the same does not hold;
  ///         gauge::first_point for a problem that is not singular; a batch of 0; on a host an axis
  ///         of more than 2^28 points; on a gpu without cuFFT a problem that can_fuse does not
  ///         know. An axis whose tables exceed the host's physical memory is refused before
  ///         anything is allocated, and so are right-hand sides of a host. Tables take 16 bytes a
  ///         point and a T on a gpu. On a host they take about 300 bytes a point, with a prime
  ///         factor above 13 about 800, and each thread's lines besides. vendor_error; cuda_error
  solver(Place& place, poisson::problem const& problem, solver_options const& options = {});
  /// By an engine of another component.
  /// @throws also what that component says
  template <detail::engine_of<T, Place> Engine>
  solver(Place& place, poisson::problem const& problem, Engine engine,
         solver_options const& options = {})
      : solver(place, problem, options, detail::makers_of<T>(engine, place)) {}
  solver(solver&&) noexcept;
  solver& operator=(solver&&) noexcept;
  ~solver();

  /// As given.
  [[nodiscard]] poisson::problem const& problem() const noexcept;
  /// "fused" or "cuFFT", or what another component's engine is called.
  [[nodiscard]] std::string_view engine_name() const noexcept;
  /// Points of one right-hand side.
  [[nodiscard]] std::size_t size() const noexcept;

  /// Bytes that a solve needs beside the fields; 0 on a host, and for some problems on a gpu.
  [[nodiscard]] std::size_t workspace_size() const noexcept;
  /// For options without own_workspace; kept for all solves after this. Aligned to 256 bytes.
  /// Waits for nothing.
  /// @throws argument_error if it is too small, misaligned, or not wanted
  void set_workspace(device_span<std::byte> memory) requires on_gpu<Place>;

  /// Solves; blocks.
  /// @throws argument_error, before anything is touched, for arrays of wrong sizes, null ones and
  ///         arrays that overlap; layouts whose points do, or with gaps that were not planned;
  ///         values at periodic ends or with symbol::spectral; derivatives that were not planned; a
  ///         workspace that was not given. vendor_error; cuda_error
  void solve(fields<T, Place> const& fields);
  /// Enqueues a solve on the stream of the gpu and returns: neither allocates nor waits, and can be
  /// captured in a CUDA graph. On a host it is solve().
  /// @throws what solve() throws
  void solve_async(fields<T, Place> const& fields);

  /// Solves with another lambda than the planned one, the same for all right-hand sides. Solutions
  /// have the bits of a solver planned with it by the same engine. Where it is 0 and no end is
  /// Dirichlet, a mean is removed, however the problem was planned; where it is not 0, none is.
  /// Blocks.
  /// @param lambda a negative number other than the last one is held against all eigenvalues on
  ///               the host first: as many steps as a plane of the box has points, and memory there
  /// @throws also argument_error for a lambda that is not finite, that is an eigenvalue, or that is
  ///         out of proportion to the eigenvalues and the transforms' scale (30 decades); for one
  ///         that is not 0 with gauge::first_point; beside fields.lambda; and by engines of a
  ///         component that do not know it
  void solve(fields<T, Place> const& fields, double lambda);
  /// Enqueues solve(fields, lambda). A captured graph keeps the number: for others use
  /// fields.lambda.
  /// @throws what solve() throws
  void solve_async(fields<T, Place> const& fields, double lambda);

private:
  solver(Place& place, poisson::problem const& problem, solver_options const& options,
         detail::engine_makers<T, Place> const& makers);

  struct state;
  std::unique_ptr<state> state_;
};

/// True if fused kernels are compiled for the problem, and the GPU has the shared memory. Two or
/// three axes whose transforms are powers of two take up to 170 KB a block, the longest lines most.
/// So does one such axis that is periodic or has equal ends on cells. All others want 227 KB, which
/// compute capability 9.0 has. Known without waiting for the GPU. A solver with precision::single
/// takes the kernels that T = float has.
/// @throws argument_error for problems that a solver refuses; cuda_error
template <class T>
[[nodiscard]] bool can_fuse(gpu const& place, problem const& problem);

extern template class solver<float, gpu>;
extern template class solver<double, gpu>;
extern template class solver<float, host>;
extern template class solver<double, host>;

} // namespace warpfold::inline v0::poisson
