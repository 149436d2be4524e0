// Cholesky's method, with pivots, for correlation matrices.

#include "correlation.hpp"

#include <warpfold/detail/core/arguments.hpp>
#include <warpfold/detail/core/refusal.hpp>

#include <cmath>
#include <cstddef>
#include <numeric>
#include <string>
#include <utility>

namespace warpfold::inline v0::pricing {
namespace {

using detail::refuse, detail::text;

void check_matrix(std::string_view argument, std::span<double const> matrix, std::size_t n) {
  detail::check_elements(std::string(argument).c_str(), matrix.data(), matrix.size());
  if (matrix.size() != n * n)
    refuse(argument, text(matrix.size(), " elements"), text(n * n, ", for ", n, " assets"));
  auto const refuse_at = [&](std::size_t i, std::size_t j, char const* accepted) {
    refuse(argument, text("element (", i, ", ", j, ") is ", matrix[i * n + j]), accepted);
  };
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t j = 0; j < n; ++j) {
      double const here = matrix[i * n + j];
      if (!std::isfinite(here)) refuse_at(i, j, "finite numbers");
      if (i == j && !(std::abs(here - 1) <= correlation_slack))
        refuse_at(i, j, "a diagonal of ones");
      if (j < i && !(std::abs(here - matrix[j * n + i]) <= correlation_slack))
        refuse_at(i, j, "a symmetric matrix");
    }
}

} // namespace

correlation_factor factor_of(std::string_view argument, std::span<double const> matrix, int n) {
  auto const size = static_cast<std::size_t>(n);
  check_matrix(argument, matrix, size);
  correlation_factor factor{std::vector<int>(size), std::vector<double>(size * size), 0};
  std::iota(factor.order.begin(), factor.order.end(), 0);
  auto const at = [&](std::size_t i, std::size_t j) -> double& {
    return factor.rows[i * size + j];
  };
  // The rest of the matrix, in `order`: correlations less the products of rows so far.
  auto const rest = [&](std::size_t i, std::size_t j, std::size_t columns) {
    auto const asset = [&](std::size_t k) { return static_cast<std::size_t>(factor.order[k]); };
    double left = i == j ? 1 : matrix[asset(i) * size + asset(j)];
    for (std::size_t k = 0; k < columns; ++k) left -= at(i, k) * at(j, k);
    return left;
  };
  std::size_t column = 0;
  for (; column < size; ++column) {
    std::size_t largest = column;
    for (std::size_t i = column + 1; i < size; ++i)
      if (rest(i, i, column) > rest(largest, largest, column)) largest = i;
    if (!(rest(largest, largest, column) > correlation_slack)) break;
    std::swap(factor.order[column], factor.order[largest]);
    for (std::size_t k = 0; k < column; ++k) std::swap(at(column, k), at(largest, k));
    double const pivot = std::sqrt(rest(column, column, column));
    for (std::size_t i = column + 1; i < size; ++i) at(i, column) = rest(i, column, column) / pivot;
    at(column, column) = pivot;
  }
  factor.rank = static_cast<int>(column);
  // A semidefinite matrix leaves nothing but rounding: |a_ij|^2 <= a_ii a_jj.
  for (std::size_t i = column; i < size; ++i)
    for (std::size_t j = column; j <= i; ++j)
      if (double const left = rest(i, j, column); !(std::abs(left) <= 4 * n * correlation_slack))
        refuse(argument,
               i == j ? text("a matrix in which asset ", factor.order[i],
                             " would have a variance of ", left, " given the assets before it")
                      : text("a matrix that leaves a covariance of ", left, " to assets ",
                             factor.order[j], " and ", factor.order[i], " given the others"),
               "a positive semidefinite one");
  return factor;
}

} // namespace warpfold::inline v0::pricing
