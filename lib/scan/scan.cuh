#pragma once

#include <warpfold/detail/scan/scan.cuh>

#include "scan.hpp"
