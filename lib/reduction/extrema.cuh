#pragma once

#include <warpfold/detail/reduction/extremum_tally.hpp>
#include <warpfold/detail/reduction/tally.cuh>

#include "extrema.hpp"
