#pragma once
// What the tests of Poisson's passes in the emulator share: how a pass runs, what three passes over
// a square are, and what solutions are held against.

#include "cluster.hpp"
#include "simt_test.hpp"

#include "poisson/squares/fused_column_pass.hpp"
#include "poisson/squares/fused_row_pass.hpp"

#include <bit>
#include <cmath>
#include <utility>
#include <vector>

namespace simt {

/// What becomes of a block before a body sees it, where every barrier is to stay.
inline constexpr auto as_it_is = [](block const& one) { return one; };

template <std::size_t Bytes>
struct shared_bytes {
  alignas(16) unsigned char bytes[Bytes];
};

/// Calls body(block, shared memory) in as many blocks of a shape; of_block makes a block into the
/// one that the body sees.
template <class Shape, int Cluster = 1, class OfBlock, class Body>
void run_pass(int blocks, options const& how, OfBlock of_block, Body body) {
  using number = warpfold::poisson::complex<typename Shape::number>;
  launch<shared_bytes<Cluster * Shape::shared>>(
      blocks / Cluster, Cluster * Shape::threads, how, [&](block const& one, auto& shared) {
        if constexpr (Cluster > 1) {
          clustered const some(of_block(one), Cluster, Shape::shared);
          body(some, reinterpret_cast<number*>(some.own(shared.bytes)));
        } else body(of_block(one), reinterpret_cast<number*>(shared.bytes));
      });
}

/// Elements at a multiple of 16 bytes.
template <class T>
class aligned {
public:
  explicit aligned(std::size_t size) : packs_(size / 4) {}
  T* data() { return packs_.data()->of; }
  warpfold::poisson::complex_pair<T>* pairs() {
    return reinterpret_cast<warpfold::poisson::complex_pair<T>*>(packs_.data());
  }

private:
  struct alignas(16) pack {
    T of[4];
  };
  std::vector<pack> packs_;
};

template <class T>
struct solved {
  std::vector<T> solutions, means;
  bool operator==(solved const&) const = default;
};

/// The arrays of the second pass of a test's solver over squares so wide, but for those of a solve;
/// `share` is one over what the transforms multiply by.
template <class T, class Solver>
warpfold::poisson::column_arrays<T> column_arrays_of(Solver const& of, double share, int width,
                                                     int interleaved, int ahead) {
  return {.spectra = nullptr,
          .removed_mean = nullptr,
          .factors = of.factors.data(),
          .roots = of.tables.roots.data(),
          .modes = of.tables.modes.data(),
          .eigenvalues = of.eigenvalues.data(),
          .scale = static_cast<T>(share / of.divisor),
          .mean_scale = static_cast<T>(of.plan.singular ? share : 0),
          .width = width,
          .interleaved_log2 = std::countr_zero(static_cast<unsigned>(interleaved)),
          .ahead = ahead};
}

/// The three passes over squares of `height` lines in place. Rows and columns have all but the
/// arrays of a solve; solve_columns(block, columns, number of the block, shared memory) is the
/// second pass, of so many blocks a square. With `fixes`, first points are subtracted.
template <class Rows, class Columns, class T, class OfBlock, class SolveColumns>
solved<T> three_passes(options const& how, std::vector<T> const& rhs, int height,
                       warpfold::poisson::row_arrays<T> rows,
                       warpfold::poisson::column_arrays<T> columns, int column_blocks, bool fixes,
                       OfBlock of_block, SolveColumns solve_columns) {
  namespace po = warpfold::poisson;
  int const lines = height / 2, batch = static_cast<int>(rhs.size()) / (height * columns.width);
  aligned<T> own(rhs.size()), apart(rhs.size());
  std::copy(rhs.begin(), rhs.end(), own.data());
  std::vector<T> means(static_cast<std::size_t>(batch), T(NAN)), firsts = means;
  rows.rhs = rows.solution = own.data();
  rows.spectra = columns.spectra = (Rows::in_place ? own : apart).pairs();
  rows.first_point = fixes ? firsts.data() : nullptr;
  rows.lines_log2 = std::countr_zero(static_cast<unsigned>(lines));
  rows.lines = static_cast<std::size_t>(batch) * static_cast<std::size_t>(lines);
  rows.ahead = Rows::lines;
  columns.removed_mean = means.data();

  auto const first_of = [](auto const& block) {
    return static_cast<std::size_t>(block.block_rank()) * Rows::lines;
  };
  int const row_blocks = batch * lines / Rows::lines;
  run_pass<Rows, Rows::cluster>(row_blocks, how, of_block, [&](auto const& block, auto* shared) {
    po::rows_forward<Rows>(block, rows, first_of(block), shared);
  });
  run_pass<Columns>(batch * column_blocks, how, of_block, [&](auto const& block, auto* shared) {
    solve_columns(block, columns, block.block_rank(), shared);
  });
  if (fixes)
    run_pass<Rows>(batch, how, of_block, [&](auto const& block, auto* shared) {
      po::rows_back<Rows>(block, rows,
                          static_cast<std::size_t>(block.block_rank()) *
                              static_cast<std::size_t>(lines),
                          true, shared);
    });
  run_pass<Rows>(row_blocks, how, of_block, [&](auto const& block, auto* shared) {
    po::rows_back<Rows>(block, rows, first_of(block), false, shared);
  });
  return {std::vector<T>(own.data(), own.data() + rhs.size()), means};
}

/// expected(rhs) of each of so many right-hand sides in `all`, in double.
template <class T, class Expected>
std::vector<std::vector<double>> each_expected(std::vector<T> const& all, std::size_t batch,
                                               Expected expected) {
  auto const size = static_cast<std::ptrdiff_t>(all.size() / batch);
  std::vector<std::vector<double>> exact;
  for (auto first = all.begin(); first != all.end(); first += size)
    exact.push_back(expected(std::vector<double>(first, first + size)));
  return exact;
}

/// Checks solutions, less their first points if `fixes`, and the means that singular problems lose.
template <class T>
void check_solved(solved<T> const& got, std::vector<T> const& rhs,
                  std::vector<std::vector<double>> const& exact, bool singular,
                  bool fixes = false) {
  for (std::size_t b = 0; b < exact.size(); ++b) {
    std::size_t const size = exact[b].size();
    T const *const u = &got.solutions[b * size], *const f = &rhs[b * size];
    double const first = fixes ? exact[b][0] : 0;
    double error = 0, norm = 0, mean = 0, absolute = 0;
    for (std::size_t i = 0; i < size; ++i) {
      double const wanted = exact[b][i] - first;
      error += std::pow(u[i] - wanted, 2);
      norm += wanted * wanted;
      mean += f[i] / static_cast<double>(size);
      absolute += std::abs(f[i]) / static_cast<double>(size);
    }
    double const unit = std::numeric_limits<T>::epsilon();
    CHECK(std::sqrt(error / norm) < 100 * unit);
    CHECK(std::abs(got.means[b] - (singular ? mean : 0)) <= 100 * unit * absolute);
    if (fixes) CHECK(u[0] == 0);
  }
}

/// The barriers without which solve(options, of_block) gives the same all the same.
template <class Solve>
std::string unneeded_barriers_of(Solve solve) {
  auto const expected = solve(options{}, as_it_is);
  return unneeded_barriers([&](options const& how, dropped_barrier& dropped) {
    return solve(how, [&](block const& one) { return skipping(one, dropped); }) == expected;
  });
}

} // namespace simt
