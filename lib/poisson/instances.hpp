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

// X(element, what makes the launch of rows). Boxes of double are solved in units, as fast.
#define WARPFOLD_ROWS_OF_square_float(X) X(float, make_row_launch)
#define WARPFOLD_ROWS_OF_square_double(X) X(double, make_row_launch)
#define WARPFOLD_ROWS_OF_cube_float(X) X(float, make_cube_row_launch)

// X(element, whether lines are along another axis than the fastest)
#define WARPFOLD_LINES_OF_contiguous_float(X) X(float, false)
#define WARPFOLD_LINES_OF_contiguous_double(X) X(double, false)
#define WARPFOLD_LINES_OF_strided_float(X) X(float, true)
#define WARPFOLD_LINES_OF_strided_double(X) X(double, true)

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
