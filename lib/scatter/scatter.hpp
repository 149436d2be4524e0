#pragma once
// Sums by index, and weighted histograms.

#include "instances.hpp"
#include "reduction/door.hpp"

#ifndef __CUDACC__
#include <warpfold/detail/scatter/scatter_host.hpp>
#endif

#define INSTANTIATE_KEY(T, Key, BinOf)                                                             \
  template void add_words(door_place&, scatter_input<T, Key, BinOf> const&,                        \
                          scatter_unit<T> const&, scatter_form, std::uint64_t*, scatter_status*);
#define INSTANTIATE(T)                                                                             \
  namespace warpfold::inline v0::detail {                                                          \
  WARPFOLD_SCATTER_KEYS(INSTANTIATE_KEY, T)                                                        \
  template void round_words(door_place&, scatter_rounding<T> const&, scatter_form, scatter_end);   \
  }
