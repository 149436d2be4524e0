#pragma once

#include <warpfold/detail/core/scratch.hpp>
#include <warpfold/detail/reduction/tally.cuh>

#include "risk.hpp"
