#pragma once
// The tour's sections, one a case study. Each prints its tables as it goes and returns whether
// everything agreed with its references.

#include <warpfold/execution.hpp>

namespace warpfold::tour {

bool reduction_section(any_place& place);
bool counting_section(any_place& place);
bool pricing_section(any_place& place);
bool monte_carlo_section(any_place& place);
bool poisson_section(any_place& place);
/// All GPUs of the machine; where there is none, ranks on the host.
bool group_section();

} // namespace warpfold::tour
