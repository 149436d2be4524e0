#pragma once
// Tags that ask for another's code in a call: `sum(place, values, twins::cub)`. The first value of
// each is warpfold's own code, as in the call without a tag, so that one loop covers all.

namespace warpfold::inline v0::twins {

/// Whose code works on an array.
enum class vendor {
  fold,  ///< warpfold's
  cub,   ///< CUB; gpu only
  thrust ///< Thrust, on CUDA or on OpenMP; blocking calls only
};
using enum vendor;

/// A sum as it was taught: M. Harris, "Optimizing Parallel Reduction in CUDA", 2008, whose kernels
/// are launched again on the blocks' partials until one is left, and a tutorial's fold. The bits
/// depend on the number of elements and the block size alone, and are the same on a host.
enum class classic {
  ladder_divergent,  ///< rung 1: neighbours first; threads with tid % 2s == 0 work (divergent)
  ladder_strided,    ///< rung 2: the same tree, working threads side by side (bank conflicts)
  ladder_sequential, ///< rung 3: each step adds the upper half to the lower (no conflicts)
  ladder_first_add,  ///< rung 4: rung 3, with the first addition while loading
  ladder_last_warp,  ///< rung 5: rung 4, the last warp unrolled (with today's warp barriers)
  ladder_unrolled,   ///< rung 6: rung 5, unrolled for a block size known at compile time
  ladder_cascaded,   ///< rung 7: rung 6, many elements a thread, at most 256 blocks
  halving            ///< halves the array in GPU memory, one launch per halving
};
using enum classic;

/// The tag of a sum: a vendor, or a rung of the ladder.
class reducer {
public:
  /// A vendor's code, or warpfold's.
  constexpr reducer(vendor tag) : vendor_{tag} {}
  /// A rung; `block_threads` is 32, 64, ... 1024.
  constexpr reducer(classic rung, int block_threads = 128)
      : classic_{rung}, block_threads_{block_threads}, is_classic_{true} {}

  /// Which kind it is.
  [[nodiscard]] constexpr bool is_classic() const { return is_classic_; }
  /// The vendor; fold of a classic.
  [[nodiscard]] constexpr vendor as_vendor() const { return vendor_; }
  /// The rung, and its threads per block.
  [[nodiscard]] constexpr classic as_classic() const { return classic_; }
  [[nodiscard]] constexpr int block_threads() const { return block_threads_; }

  /// True if both ask for the same code.
  friend constexpr bool operator==(reducer const&, reducer const&) = default;

private:
  vendor vendor_ = vendor::fold;
  classic classic_ = classic::ladder_divergent;
  int block_threads_ = 128;
  bool is_classic_ = false;
};

/// How values are summed by index.
enum class scattering {
  fixed_point, ///< warpfold's
  atomics      ///< atomic additions in the values' type; on a host one value after the other
};

/// Whose random numbers.
enum class generator {
  philox,        ///< warpfold's Philox4x32-10
  curand_philox, ///< the others are cuRAND's, with its own seeding, order and transforms
  curand_xorwow,
  curand_mrg32k3a,
  curand_mtgp32,  ///< Mersenne Twister for GPUs, 200 streams of period 2^11213 - 1; needs a gpu
  curand_mt19937, ///< Mersenne Twister, 8192 substreams
  curand_sobol    ///< one dimension; takes no seed
};

/// How European options are priced.
enum class formula {
  mills,      ///< warpfold's: one exponential and a difference of Mills ratios
  polynomial, ///< Hull's polynomial of five terms, about six digits, as in the course of 2008
  vendor      ///< as textbooks write it, with the vendor's erfc, log and exp
};

/// How paths of European options are simulated.
enum class simulation {
  fused,        ///< warpfold's: normals are made in shared memory and used at once
  stored,       ///< warpfold's normals, made once and stored; the same bits
  vendor,       ///< cuRAND's or the C++ library's stored normals, one reduction an option
  block_reduce, ///< cub::BlockReduce with cuRAND's device generators, one block an option; gpu only
  blocks_reduce ///< the same with several blocks an option
};

/// An engine for Poisson's equation.
enum class engine {
  automatic,       ///< warpfold's choice
  fused,           ///< warpfold's kernels; refused where they do not take the problem
  vendor,          ///< cuFFT on a gpu, FFTW on a host
  course,          ///< the course of 2008: complex transforms of the whole square; gpu only
  course_shared,   ///< wavenumbers through shared memory
  course_coalesced ///< and real parts taken out by a kernel whose accesses are coalesced
};

/// A tag's name as it is written in the enum; "unknown" for a value that is none.
[[nodiscard]] char const* to_string(vendor) noexcept;
[[nodiscard]] char const* to_string(classic) noexcept;
[[nodiscard]] char const* to_string(reducer) noexcept;
[[nodiscard]] char const* to_string(scattering) noexcept;
[[nodiscard]] char const* to_string(generator) noexcept;
[[nodiscard]] char const* to_string(formula) noexcept;
[[nodiscard]] char const* to_string(simulation) noexcept;
[[nodiscard]] char const* to_string(engine) noexcept;

} // namespace warpfold::inline v0::twins
