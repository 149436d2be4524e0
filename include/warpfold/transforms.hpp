#pragma once
// Real transforms along one axis of an array: cosine and sine transforms, the Fourier transform of
// real numbers, and Hartley's. Plan once, run many times.
//
//   transforms::plan<float, gpu> plan(
//       place, {.kind = transforms::kind::cosine_2, .shape = {64, 1024}, .axis = 1});
//   plan.run(x, y);

#include <warpfold/error.hpp>
#include <warpfold/execution.hpp>
#include <warpfold/poisson.hpp>
#include <warpfold/span.hpp>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

namespace warpfold::inline v0::transforms {

/// Transforms of n numbers x into y[k], k = 0 ... n - 1; sums run over j = 0 ... n - 1. Signs and
/// factors are FFTW's ("What FFTW Really Computes", FFTW 3.3 manual, section 4.8), of
/// scaling::none; N is what forward and inverse together multiply by. The numbers of the types are
/// those of G. Strang, "The discrete cosine transform", SIAM Review 41, 1999.
enum class kind : std::uint8_t {
  /// For n >= 2: y[k] = x[0] + (-1)^k x[n-1] + 2 sum over j = 1 ... n - 2 of
  /// x[j] cos(pi j k / (n - 1)). Its own inverse, N = 2 (n - 1). FFTW's REDFT00.
  cosine_1,
  /// y[k] = 2 sum x[j] cos(pi (j + 1/2) k / n). N = 2 n. FFTW's REDFT10.
  cosine_2,
  /// y[k] = x[0] + 2 sum over j >= 1 of x[j] cos(pi j (k + 1/2) / n). The inverse of cosine_2, and
  /// the other way round, N = 2 n. FFTW's REDFT01.
  cosine_3,
  /// y[k] = 2 sum x[j] cos(pi (j + 1/2) (k + 1/2) / n). Its own inverse, N = 2 n. FFTW's REDFT11.
  cosine_4,
  /// y[k] = 2 sum x[j] sin(pi (j + 1) (k + 1) / (n + 1)). Its own inverse, N = 2 (n + 1). FFTW's
  /// RODFT00.
  sine_1,
  /// y[k] = 2 sum x[j] sin(pi (j + 1/2) (k + 1) / n). N = 2 n. FFTW's RODFT10.
  sine_2,
  /// y[k] = (-1)^k x[n-1] + 2 sum over j <= n - 2 of x[j] sin(pi (j + 1) (k + 1/2) / n).
  /// The inverse of sine_2, and the other way round, N = 2 n. FFTW's RODFT01.
  sine_3,
  /// y[k] = 2 sum x[j] sin(pi (j + 1/2) (k + 1/2) / n). Its own inverse, N = 2 n. FFTW's RODFT11.
  sine_4,
  /// The Fourier transform of real numbers: y[k] = sum x[j] cos(2 pi j k / n) for k <= n / 2, and
  /// y[n-k] = -sum x[j] sin(2 pi j k / n) for 0 < k < n / 2: real parts up, then imaginary parts
  /// down. N = n. FFTW's R2HC; its inverse is HC2R.
  halfcomplex,
  /// y[k] = sum x[j] (cos(2 pi j k / n) + sin(2 pi j k / n)). Its own inverse, N = n. FFTW's DHT.
  hartley
};

/// From points to modes, or back.
enum class direction : std::uint8_t {
  forward, ///< as kind says
  inverse  ///< what undoes that, times N: cosine_3 for cosine_2, and so on
};

/// Factors of a transform.
enum class scaling : std::uint8_t {
  none,    ///< as kind says: inverse(forward(x)) = N x
  inverse, ///< direction::inverse is divided by N: inverse(forward(x)) = x
  /// Multiplies by an orthogonal matrix, so that norms are kept and the inverse is the transpose.
  /// Everything is divided by sqrt(N), and further: of cosine_1, x[0] and x[n-1] are multiplied by
  /// sqrt(2) and y[0] and y[n-1] divided by it; of cosine_2, y[0], and of sine_2, y[n-1] is divided
  /// by sqrt(2); of cosine_3, x[0], and of sine_3, x[n-1] is multiplied by it; of halfcomplex, all
  /// y but y[0] and (n even) y[n/2] are multiplied by it. As SciPy's norm="ortho", with
  /// orthogonalize=True; but its Fourier transforms leave out the last of these. SciPy 1.10
  /// scales the other end of sine_2 and sine_3.
  orthonormal
};

/// A transform along one axis of a dense array; there is one for each line of the array.
struct problem {
  transforms::kind kind{};           ///< of the transform
  transforms::direction direction{}; ///< forward by default
  /// Elements along each axis, the slowest varying in memory first; at least one axis, and one
  /// element of each. Leading axes may count what is transformed in one batch.
  std::vector<std::size_t> shape;
  std::size_t axis = 0;          ///< of the shape: along which lines are transformed
  transforms::scaling scaling{}; ///< none by default
};

/// A planned transform.
///
/// Place        gpu or host; T float or double.
/// Lengths      On a host any; on a gpu those that can_transform knows.
/// Strides      None: arrays are dense. Lines along any axis are read and written in place, without
///              transpositions, in one pass over the array.
/// Accuracy     Relative root mean square errors of lines of up to 4097 random numbers (on a gpu
///              32768), the largest seen: in 300 runs on a host 2.4e-7 in float and 5.8e-16 in
///              double; in few runs on a gpu 2.5e-7 and 4e-16, with a prime factor above 7 3.1e-7
///              and 6e-16. Lines are transformed in pairs, 0 and 1, 2 and 3 and so on: errors are
///              relative to the larger of both, and a NaN or infinity of one is in both results. A
///              gpu transforms contiguous lines of 2^k points alone, from 128 to 32768 (double:
///              16384), except those of types I. A library built without WARPFOLD_UNITS pairs
///              these, too.
/// Determinism  The same bits on every run on one kind of GPU, or on a host with any number of
///              threads. A line's bits depend on its partner, if it has one; host and GPU differ by
///              rounding errors.
/// Lifetime     The place outlives the plan and its enqueued work. The plan, and the arrays of its
///              capture, outlive graphs captured from it. One run at a time.
/// Move-only.
template <class T, class Place>
class plan {
public:
  /// Makes tables, and allocates. Blocks.
  /// @throws argument_error for a shape without axes; an axis of the shape without elements, or
  ///         with one, of cosine_1; more elements than memory has room for; an axis that the shape
  ///         does not have; enumerators that there are not; on a host a line of more than 2^28
  ///         elements, or whose tables exceed the physical memory; on a gpu what can_transform
  ///         does not know. On a host tables take about 300 bytes an element, with a prime factor
  ///         above 13 about 800, and each thread's lines besides. std::bad_alloc; cuda_error
  plan(Place& place, transforms::problem const& problem);
  plan(plan&&) noexcept;
  plan& operator=(plan&&) noexcept;
  ~plan();

  /// As given.
  [[nodiscard]] transforms::problem const& problem() const noexcept;
  /// Elements of an array.
  [[nodiscard]] std::size_t size() const noexcept;
  /// N, by which forward and inverse together multiply with scaling::none.
  [[nodiscard]] double period() const noexcept;

  /// Transforms every line of `input` to `output`, both in the place's memory; blocks. They may be
  /// the same array; else they do not overlap.
  /// @throws argument_error for arrays of wrong sizes, null ones and arrays that overlap, before
  ///         anything is touched; cuda_error
  void run(poisson::span_on<T const, Place> input, poisson::span_on<T, Place> output);
  /// Enqueues that on the stream of the gpu and returns: neither allocates nor waits, and can be
  /// captured in a CUDA graph. On a host it is run().
  /// @throws what run() throws
  void run_async(poisson::span_on<T const, Place> input, poisson::span_on<T, Place> output);

private:
  struct state;
  std::unique_ptr<state> state_;
};

/// True if a plan on the gpu takes the problem. Its complex transform has n elements, that of
/// cosine_1 2 (n - 1), and that of sine_1 2 (n + 1). Without a prime factor above 7, up to 25828
/// floats or 12914 doubles fit in the 227 KB of a block's shared memory, which compute capability
/// 9.0 has; with one, up to 12863 or 6399. If lines are contiguous and that is a power of two, up
/// to 32768 floats or 16384 doubles fit, unless WARPFOLD_UNITS was off. There are fewer than 2^31
/// lines. Known without waiting for the GPU.
/// @throws argument_error for problems that a plan refuses on any place; cuda_error
template <class T>
[[nodiscard]] bool can_transform(gpu const& place, problem const& problem);

extern template class plan<float, gpu>;
extern template class plan<double, gpu>;
extern template class plan<float, host>;
extern template class plan<double, host>;

} // namespace warpfold::inline v0::transforms
