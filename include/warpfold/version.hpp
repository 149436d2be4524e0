#pragma once
// The library's version. CMake reads it here.

#define WARPFOLD_VERSION_MAJOR 0
#define WARPFOLD_VERSION_MINOR 2
#define WARPFOLD_VERSION_PATCH 0

/// The version as one number, to compare: 1'002'003 is 1.2.3.
#define WARPFOLD_VERSION                                                                           \
  (WARPFOLD_VERSION_MAJOR * 1000000 + WARPFOLD_VERSION_MINOR * 1000 + WARPFOLD_VERSION_PATCH)

// Everything lies in the inline namespace warpfold::v0, whose number changes with the ABI: objects
// compiled against another ABI do not link. Programs write warpfold:: alone.
