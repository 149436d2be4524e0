#pragma once
// Tasks on a GPU by CUB and by Thrust in one object.

#include "cub.cuh"
#include "thrust.cuh"
