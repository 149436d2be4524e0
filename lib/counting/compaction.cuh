#pragma once

#include <warpfold/detail/counting/compaction.cuh>

#include "compaction.hpp"
