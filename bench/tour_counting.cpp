// The tour's second section: a ray caster that counts the leaves it finds.

#include "raycast/table.hpp"
#include "tour.hpp"

#include <cstdio>

namespace warpfold::tour {

bool counting_section(any_place& place) {
  std::printf(
      "\n2. Counting\n===========\n\n"
      "A kernel walks a tree of boxes for every ray, and counts the leaves that it finds.\n");
  return raycast::print_table(place, {});
}

} // namespace warpfold::tour
