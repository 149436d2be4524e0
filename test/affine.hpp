#pragma once
// An operator whose order shows: maps x -> factor * x + offset modulo 2^32, one after the other.

#include <warpfold/detail/core/macros.hpp>

#include <cstdint>

namespace test {

struct affine {
  std::uint32_t factor, offset;
  bool operator==(affine const&) const = default;
};

struct then {
  WARPFOLD_HOST_DEVICE affine operator()(affine const& first, affine const& second) const {
    return {first.factor * second.factor, first.offset * second.factor + second.offset};
  }
};

} // namespace test
