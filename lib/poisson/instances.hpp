#pragma once
// What Poisson's solvers are compiled for.

// X(element)
#define WARPFOLD_POISSON_OF_float(X) X(float)
#define WARPFOLD_POISSON_OF_double(X) X(double)

// X(element, place)
#define WARPFOLD_SOLVERS_OF_gpu_float(X) X(float, gpu)
#define WARPFOLD_SOLVERS_OF_gpu_double(X) X(double, gpu)
#define WARPFOLD_SOLVERS_OF_host_float(X) X(float, host)
#define WARPFOLD_SOLVERS_OF_host_double(X) X(double, host)
