#pragma once

#include <warpfold/detail/scatter/scatter.cuh>

#include "scatter.hpp"
