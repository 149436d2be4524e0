#pragma once
// The factor of a correlation matrix.

#include <span>
#include <string_view>
#include <vector>

namespace warpfold::inline v0::pricing {

/// A lower triangle L with L L^T = the correlation matrix, its rows and columns in `order`.
struct correlation_factor {
  std::vector<int> order;   ///< row i is asset order[i]
  std::vector<double> rows; ///< n x n, row-major; 0 above the diagonal, and from column `rank` on
  int rank;                 ///< normals that matter: fewer than assets where some depend on others
};

/// Symmetry, unit diagonal and pivots may be off by that much.
inline constexpr double correlation_slack = 1e-10;

/// Factorises an n x n matrix, row-major, by Cholesky's method with the largest pivot first (N. J.
/// Higham, Analysis of the Cholesky decomposition of a semi-definite matrix, 1990). For equal
/// pivots the first is taken. Sums are in a fixed order: the same bits on every host.
/// @throws argument_error, naming the argument, unless the matrix has n^2 elements, is finite and
///         symmetric, has a diagonal of 1 and is positive semidefinite
correlation_factor factor_of(std::string_view argument, std::span<double const> matrix, int n);

} // namespace warpfold::inline v0::pricing
