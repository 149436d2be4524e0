// What an engine of compiled kernels refuses.

#include "poisson.hpp"
#include "refusals.hpp"

#include <warpfold/compiled.hpp>

namespace refusals_compiled_test {

using namespace test;
namespace wf = warpfold;

TEST_SUITE("gpu") {
  TEST_CASE("refuses: problems that no kernels are compiled for") {
    wf::gpu place;
    refusals<wf::gpu> all(place);
    all.of("compiled.hpp");
    all.row("can_compile", "problem.axes",
            [&] { static_cast<void>(po::can_compile<float>(place, {})); });
    all.of("poisson.hpp");
    auto const square = [](po::axis const& along) { return po::problem{{along, along}}; };
    po::problem derived = square(axis_of(axis_kinds[0], 100));
    derived.gradient = true;
    po::problem box = square(axis_of(axis_kinds[0], 100));
    box.axes.push_back(box.axes[0]);
    for (po::problem const& of :
         {square(axis_of(axis_kinds[0], 512)), po::problem{{axis_of(axis_kinds[0], 3000)}},
          square(axis_of(axis_kinds[0], 3001)), square(axis_of(axis_kinds[0], 20000)),
          square(axis_of(axis_kind{neumann, neumann, grid::nodes}, 3001)),
          square(axis_of(axis_kind{neumann, dirichlet, grid::nodes}, 3000)), derived, box}) {
      CAPTURE(name_of(of));
      CHECK_FALSE(po::can_compile<float>(place, of));
      all.row("solver::solver", "engine",
              [&place, of] { po::solver<float, wf::gpu>(place, of, po::compiled); });
    }
  }
}

} // namespace refusals_compiled_test
