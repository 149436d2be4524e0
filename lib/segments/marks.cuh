#pragma once

#include <warpfold/detail/segments/marks.cuh>

#include "marks.hpp"
