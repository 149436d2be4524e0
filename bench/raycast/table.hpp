#pragma once
// The article's table beside this machine's figures: a section of the tour, and all that the tool
// warpfold-raycast prints.

#include <warpfold/execution.hpp>

#include <cstdint>
#include <string>

namespace warpfold::raycast {

struct table_options {
  std::uint32_t rays = 0; ///< about; 0 for 1,000,000 on a gpu and 50,000 on the host
  std::string picture;    ///< where to write it; nowhere if empty
};

/// Prints the tables and returns whether all hits, counts and pictures agree.
bool print_table(any_place& place, table_options const& options);

} // namespace warpfold::raycast
