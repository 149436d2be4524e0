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
#define WARPFOLD_UNITS_OF_fourier_float(X) X(float, fourier)
#define WARPFOLD_UNITS_OF_fourier_double(X) X(double, fourier)
#define WARPFOLD_UNITS_OF_first_float(X) X(float, first)
#define WARPFOLD_UNITS_OF_first_double(X) X(double, first)
#define WARPFOLD_UNITS_OF_second_float(X) X(float, second)
#define WARPFOLD_UNITS_OF_second_double(X) X(double, second)
#define WARPFOLD_UNITS_OF_third_float(X) X(float, third)
#define WARPFOLD_UNITS_OF_third_double(X) X(double, third)
#define WARPFOLD_UNITS_OF_fourth_float(X) X(float, fourth)
#define WARPFOLD_UNITS_OF_fourth_double(X) X(double, fourth)
