// What the question whether kernels can be compiled refuses.

#include "poisson.hpp"
#include "refusals.hpp"

#include <warpfold/compiled.hpp>

namespace refusals_compiled_test {

using namespace test;
namespace wf = warpfold;

TEST_SUITE("gpu") {
  TEST_CASE("what can_compile refuses") {
    wf::gpu place;
    refusals<wf::gpu> all(place);
    all.of("compiled.hpp");
    all.row("can_compile", "problem.axes",
            [&] { static_cast<void>(po::can_compile<float>(place, {})); });
  }
}

} // namespace refusals_compiled_test
