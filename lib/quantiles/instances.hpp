// Selections are compiled for keys of 32 and of 64 bits.
#pragma once

#include <cstdint>

#define WARPFOLD_KEYS_OF_uint32(X) X(std::uint32_t)
#define WARPFOLD_KEYS_OF_uint64(X) X(std::uint64_t)
