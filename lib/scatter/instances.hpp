#pragma once
// The built-in sums by index and weighted histograms, by element type: backends instantiate what
// these lists name.

#include <warpfold/scatter.hpp>

#include <cstdint>

// X(element, key, bins)
#define WARPFOLD_SCATTER_KEYS(X, T)                                                                \
  X(T, std::uint32_t, bin_of_index<std::uint32_t>)                                                 \
  X(T, std::uint64_t, bin_of_index<std::uint64_t>)                                                 \
  X(T, std::uint8_t, bin_function<std::uint8_t>)                                                   \
  X(T, std::int32_t, bin_function<std::int32_t>)                                                   \
  X(T, std::uint32_t, bin_function<std::uint32_t>)                                                 \
  X(T, float, bin_function<float>)                                                                 \
  X(T, double, bin_function<double>)
// X(element)
#define WARPFOLD_SCATTERS_OF_float(X) X(float)
#define WARPFOLD_SCATTERS_OF_double(X) X(double)
