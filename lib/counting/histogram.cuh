#pragma once

#include <warpfold/detail/counting/histogram.cuh>

#include "histogram.hpp"
