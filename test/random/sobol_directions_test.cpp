// Direction numbers of Sobol's sequence against cuRAND's table, which is in host memory.

#include <warpfold/random/sobol.hpp>

#include <curand.h>
#include <doctest/doctest.h>

#include <algorithm>

using warpfold::host;
using warpfold::random::sobol_sequence;

TEST_CASE("direction numbers of all dimensions are cuRAND's") {
  curandDirectionVectors32_t* theirs = nullptr;
  REQUIRE(curandGetDirectionVectors32(&theirs, CURAND_DIRECTION_VECTORS_32_JOEKUO6) ==
          CURAND_STATUS_SUCCESS);
  constexpr int dimensions = sobol_sequence<host>::max_dimensions;
  sobol_sequence<host> const sequence(host(1), dimensions);
  auto const ours = sequence.directions();
  REQUIRE(ours.size() == std::size_t{32} * dimensions);
  int same = 0;
  for (std::size_t d = 0; d < dimensions; ++d)
    same += std::equal(theirs[d], theirs[d] + 32, ours.begin() + 32 * d) ? 1 : 0;
  CHECK(same == dimensions);
}

TEST_CASE("fewer dimensions are the first ones") {
  sobol_sequence<host> const all(host(1), sobol_sequence<host>::max_dimensions);
  for (int const dimensions : {1, 2, 3, 37, 1112, 19'999}) {
    sobol_sequence<host> const some(host(1), dimensions);
    auto const words = some.directions();
    CHECK(words.size() == 32 * static_cast<std::size_t>(dimensions));
    CHECK(std::equal(words.begin(), words.end(), all.directions().begin()));
  }
}
