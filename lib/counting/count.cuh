#pragma once

#include <warpfold/detail/counting/count.cuh>

#include "count.hpp"
