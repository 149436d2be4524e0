#pragma once

#include <warpfold/detail/reduction/fold.cuh>

#include "fold.hpp"
