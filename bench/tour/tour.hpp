#pragma once
// The tour's sections, one a case study. Each prints its tables as it goes and returns whether
// everything agreed with its references.

#include <warpfold/execution.hpp>

#include <cstdio>
#include <cstring>

namespace warpfold::tour {

/// Prints a number in `width` columns and its unit, blanks if it is 0.
inline void print(int width, int decimals, double number, char const* unit = "") {
  if (number > 0) std::printf("%*.*f%s", width, decimals, number, unit);
  else std::printf("%*s", width + static_cast<int>(std::strlen(unit)), "");
}

bool reduction_section(any_place& place);
bool scan_section(any_place& place);
bool scatter_section(any_place& place);
bool counting_section(any_place& place);
bool pricing_section(any_place& place);
bool monte_carlo_section(any_place& place);
bool products_section(any_place& place);
bool poisson_section(any_place& place);
/// All GPUs of the machine; where there is none, ranks on the host.
bool group_section();

} // namespace warpfold::tour
