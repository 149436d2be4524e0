#pragma once
// Prices and Greeks by the Mills ratio, for packs of options.

#include "packs.cuh"

namespace warpfold::inline v0::pricing::gpu_impl {

struct prices_formula {
  // On an H200, us for 2^24, 2^26 and 2^28 in float and 2^26 in double, blocks of 256 and one turn:
  // 107, 421, 1720, 1038; of 128 and four turns: 105, 405, 1656, 1005. 2026-11-23.
  static constexpr int turns = 4;
  // Without a limit the rare options take so many registers that occupancy is halved. Float,
  // limits of 40, 44, 48 and 56 on an H200: 3324, 3307, 3299 and 3185 GB/s for the usual book; 2825
  // (it spills), 3424, 3740 and 3646 where all six quantities are arrays. 2026-11-21.
  template <class T>
  static constexpr int registers = std::is_same_v<T, float> ? 48 : 64;
  template <detail::yields known, class T>
  __device__ static prices<T> regular(option<T> const& one) {
    return detail::regular_prices<known>(one);
  }
  template <class T>
  __device__ static prices<T> limit(option<T> const& one) {
    return detail::limit_prices(one);
  }
};

struct valuation_formula {
  static constexpr int turns = 1; // 2^24 in float: 243 us; with a loop of four 252. 2026-11-23.
  template <class T>
  static constexpr int registers = 64;
  template <detail::yields known, class T>
  __device__ static valuation<T> regular(option<T> const& one) {
    return detail::regular_valuation<known>(one);
  }
  template <class T>
  __device__ static valuation<T> limit(option<T> const& one) {
    return detail::limit_valuation(one);
  }
};

template <class Formula, shape is>
struct mills_of_pack : Formula {
  static constexpr shape known = is;
  // Where instructions are the limit, two packs share what a thread begins with: on an H200, float
  // prices of the usual book, in GB/s, one pack 2936, two 3299 (with fewer registers, too; 3 and
  // more are slower), eight Greeks 3695 and 3781. Books of six arrays are the other way round: 3830
  // and 3740, in double 3624 and 3412. 2026-11-21.
  static constexpr int packs_of_thread = known == shape::usual ? 2 : 1;

  template <class T, int width>
  __device__ auto operator()(option_pack<T, width> const& options) const {
    using regularity = detail::regularity<T>;
    result_pack<decltype(Formula::limit(options.of[0])), width> results;
    typename regularity::bits bits = 0;
#pragma unroll
    for (int i = 0; i < width; ++i) {
      results.of[i] = Formula::template regular<yields_of<known>>(options.of[i]);
      bits |= regularity::of(options.of[i]);
    }
    results.all_regular = bits < regularity::limit;
    return results;
  }
};

template <shape is>
using prices_of_pack = mills_of_pack<prices_formula, is>;
template <shape is>
using valuations_of_pack = mills_of_pack<valuation_formula, is>;

} // namespace warpfold::inline v0::pricing::gpu_impl
