#pragma once

#include <warpfold/detail/reduction/fold.cuh>

#include "measures.hpp"
