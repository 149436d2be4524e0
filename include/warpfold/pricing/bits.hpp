#pragma once
// The choice between equal bits everywhere and a GPU's own functions.

#include <cstdint>

namespace warpfold::inline v0::pricing {

/// The functions that a verb computes with, and so which bits its results have. Every verb's
/// options say which it takes unless told otherwise, and why. The stated errors hold for both,
/// unless a smaller one is stated for portable.
enum class bits : std::uint8_t {
  portable, ///< the same bits on a host and on every GPU
  /// In float a GPU takes its own instructions for powers of two, reciprocals and roots. They are
  /// faster. Their last bits may differ between kinds of GPUs, and from a host's. On one kind bits
  /// are equal on every run and for every grid. In double, and on a host: as portable.
  native
};

} // namespace warpfold::inline v0::pricing
