#pragma once
// What the tests of Poisson's passes in the emulator share.

#include "simt/poisson/solved.hpp"
#include "simt/simt.hpp"

#include "poisson/complex.hpp"

#include <functional>
#include <string>

namespace simt {

/// Calls body(block, shared memory) in as many blocks of a shape.
template <class Shape, int Cluster = 1, class Body>
void run_pass(int blocks, options const& how, Body body) {
  launch({blocks, Shape::threads, Shape::shared, Cluster}, how,
         [&](block const& one, void* shared) {
           body(one, static_cast<warpfold::poisson::complex<typename Shape::number>*>(shared));
         });
}

/// The barriers without which solve(options) gives the same all the same.
template <class T>
std::string unneeded_barriers_of(test::function_ref<solved<T>(options const&)> solve) {
  auto const expected = solve(options{});
  return unneeded_barriers([&](options const& how) { return solve(how) == expected; });
}

} // namespace simt
