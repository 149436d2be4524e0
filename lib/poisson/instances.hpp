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

// X(element, kind of axis)
#ifdef WARPFOLD_PERIODIC_UNITS
#define WARPFOLD_UNITS_OF_float(X) X(float, fourier)
#define WARPFOLD_UNITS_OF_double(X) X(double, fourier)
#else
#define WARPFOLD_UNITS_OF_float(X)                                                                 \
  X(float, fourier) X(float, first) X(float, second) X(float, third) X(float, fourth)
#define WARPFOLD_UNITS_OF_double(X)                                                                \
  X(double, fourier) X(double, first) X(double, second) X(double, third) X(double, fourth)
#endif
