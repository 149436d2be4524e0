#pragma once
// The built-in sums by index, by element type: backends instantiate what these lists name.

#include <warpfold/scatter.hpp>

#include <cstdint>

// X(element, index)
#define WARPFOLD_SCATTERS_OF_float(X) X(float, std::uint32_t) X(float, std::uint64_t)
#define WARPFOLD_SCATTERS_OF_double(X) X(double, std::uint32_t) X(double, std::uint64_t)
#define WARPFOLD_FOR_EACH_SCATTER(X) WARPFOLD_SCATTERS_OF_float(X) WARPFOLD_SCATTERS_OF_double(X)
