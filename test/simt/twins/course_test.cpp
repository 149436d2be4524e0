// The course's kernels in the emulator, against its formula written out.

#include "simt/simt.hpp"

#include <twins/poisson/course_body.hpp>

#include <vector>

namespace {

using namespace warpfold::poisson;

struct no_shared {};

/// Kernels of the course, without the transforms, on an array and one beside it.
template <bool Shared, bool Coalesced, class T>
std::vector<T> course_simt(simt::options const& how, course_tiles const& of,
                           std::vector<T> const& rhs, std::vector<T> const& k,
                           std::vector<T> const& l, simt::poisoned<T>& means) {
  int const tiles = static_cast<int>(of.count()), threads = of.side * of.side;
  simt::poisoned<complex<T>> modes(rhs.size());
  simt::poisoned<T> solution(rhs.size());
  simt::launch<no_shared>(tiles, threads, how, [&](simt::block const& block, no_shared&) {
    course_to_complex(block, of, rhs.data(), modes.data());
  });
  course_modes<T> const by{modes.data(), k.data(), l.data(), means.data(), T(0.5)};
  simt::launch<course_shared_wavenumbers<T>>(
      tiles, threads, how, [&](simt::block const& block, course_shared_wavenumbers<T>& shared) {
        if constexpr (Shared) course_solve_shared(block, of, by, shared);
        else course_solve(block, of, by);
      });
  simt::launch<no_shared>(tiles, threads, how, [&](simt::block const& block, no_shared&) {
    course_to_real<Coalesced>(block, of, modes.data(), solution.data(), T(0.5));
  });
  return {solution.data(), solution.data() + rhs.size()};
}

template <class T>
std::vector<T> formula(course_tiles const& of, std::vector<T> const& rhs, std::vector<T> const& k,
                       std::vector<T> const& l) {
  std::vector<T> solution;
  auto const area = k.size() * l.size();
  for (std::size_t i = 0; i < rhs.size(); ++i) {
    std::size_t const at = i % area, row = at / l.size(), column = at % l.size();
    T const divisor = at == 0 ? T(1) : -(k[row] * k[row] + l[column] * l[column]);
    solution.push_back((rhs[i] * (T(1) / divisor) - rhs[i - at]) * T(0.5));
  }
  CHECK(solution.size() == static_cast<std::size_t>(of.rows * of.columns * of.batch));
  return solution;
}

template <class T>
struct data {
  explicit data(course_tiles const& of)
      : rhs(test::exact_values<T>(static_cast<std::size_t>(of.rows * of.columns * of.batch),
                                  simt::seed())) {
    // Powers of two, so that nothing rounds.
    for (std::int64_t i = 0; i < of.rows; ++i) k.push_back(T(i % 3 == 1 ? 2 : 0));
    for (std::int64_t i = 0; i < of.columns; ++i) l.push_back(T(i % 3 == 2 ? 0 : 1 << i % 3));
    for (std::size_t i = 0; i < rhs.size(); ++i) rhs[i] *= static_cast<T>(i % 5 + 1);
    for (T& one : l) one = one == 0 ? T(4) : one;
  }
  std::vector<T> rhs, k, l;
};

template <bool Shared, bool Coalesced, class T>
void check_course(course_tiles const& of) {
  data<T> const given(of);
  auto const expected = formula(of, given.rhs, given.k, given.l);
  auto const area = static_cast<std::size_t>(of.rows * of.columns);
  simt::in_every_order([&](simt::options const& how) {
    simt::poisoned<T> means(static_cast<std::size_t>(of.batch));
    auto const solution =
        course_simt<Shared, Coalesced>(how, of, given.rhs, given.k, given.l, means);
    CHECK(solution == expected);
    for (std::size_t b = 0; b * area < given.rhs.size(); ++b)
      CHECK(means[b] == given.rhs[b * area] * T(0.5));
  });
}

} // namespace

TEST_CASE_TEMPLATE("simt course: kernels compute what is taught", T, float, double) {
  for (course_tiles const of :
       {course_tiles{1, 1, 1}, {16, 16, 1}, {17, 16, 2}, {15, 33, 3}, {40, 5, 2}}) {
    CAPTURE(of.rows);
    CAPTURE(of.columns);
    check_course<false, false, T>(of);
    check_course<true, false, T>(of);
    check_course<true, true, T>(of);
  }
}

TEST_CASE("simt course: a barrier left out is noticed") {
  course_tiles const of{20, 20, 1};
  data<double> const given(of);
  auto const expected = formula(of, given.rhs, given.k, given.l);
  CHECK(simt::unneeded_barriers([&](simt::options const& how) {
          simt::poisoned<double> means(1);
          return course_simt<true, true>(how, of, given.rhs, given.k, given.l, means) == expected;
        }) == "");
}
