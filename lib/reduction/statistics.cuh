#pragma once

#include <warpfold/detail/reduction/description_tally.hpp>
#include <warpfold/detail/reduction/tally.cuh>

#include "statistics.hpp"
