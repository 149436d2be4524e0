// Prices and Greeks on a GPU, by the Mills ratio.

#include "packs.cuh"

namespace warpfold::inline v0::pricing::gpu_impl {

/// Prices, or with `greeks` valuations, of a pack of options.
template <bool greeks, bits how, shape is>
struct mills_of_pack {
  static constexpr shape known = is;
  // On an H200, us for 2^24, 2^26 and 2^28 in float and 2^26 in double, blocks of 256 and one turn:
  // 107, 421, 1720, 1038; of 128 and four turns: 105, 405, 1656, 1005. Greeks of 2^24 in float:
  // 243; with a loop of four 252. 2026-11-23.
  static constexpr int turns = greeks ? 1 : how == bits::native ? 8 : 4;
  // Native prices, 2^26 and 2^28: the polynomial's time / theirs is 0.92 and 0.90 with 40
  // registers, two packs and four turns; with one pack 0.94 and 0.91, and with eight turns 0.93 and
  // 0.93; with 32 registers 0.90 and 0.87. 2026-11-27. Without a limit the rare options take so
  // many registers that occupancy is halved. Float, limits of 40, 44, 48 and 56 on an H200: 3324,
  // 3307, 3299 and 3185 GB/s for the usual book; 2825 (it spills), 3424, 3740 and 3646 where all
  // six quantities are arrays. 2026-11-21.
  template <class T>
  static constexpr int registers = how == bits::native                   ? 40
                                   : std::is_same_v<T, float> && !greeks ? 48
                                                                         : 64;
  // Where instructions are the limit, two packs share what a thread begins with: on an H200, float
  // prices of the usual book, in GB/s, one pack 2936, two 3299 (with fewer registers, too; 3 and
  // more are slower), eight Greeks 3695 and 3781. Books of six arrays are the other way round: 3830
  // and 3740, in double 3624 and 3412. 2026-11-21.
  static constexpr int packs_of_thread = known == shape::usual && how == bits::portable ? 2 : 1;

  template <class T>
  __device__ static auto regular(option<T> const& one) {
    if constexpr (greeks) return detail::regular_valuation<yields_of<known>>(one);
    else return detail::regular_prices<yields_of<known>, how>(one);
  }
  template <class T>
  __device__ static auto limit(option<T> const& one) {
    if constexpr (greeks) return detail::limit_valuation(one);
    else return detail::limit_prices(one);
  }
  template <class T, int width>
  __device__ auto operator()(option_pack<T, width> const& options) const {
    using regularity = detail::regularity<T>;
    result_pack<decltype(regular(options.of[0])), width> results;
    typename regularity::bits bits = 0;
#pragma unroll
    for (int i = 0; i < width; ++i) {
      results.of[i] = regular(options.of[i]);
      bits |= regularity::of(options.of[i]);
    }
    results.all_regular = bits < regularity::limit;
    return results;
  }
};

template <shape is>
using prices_of_pack = mills_of_pack<false, bits::portable, is>;
template <shape is>
using native_prices_of_pack = mills_of_pack<false, bits::native, is>;
template <shape is>
using valuations_of_pack = mills_of_pack<true, bits::portable, is>;

template <class T>
void compute(cudaStream_t stream, price_call<T> const& call) {
  // On an H200 doubles in packs of 16 bytes run at 2777 GB/s, of 8 at 2661, of 32 with 128
  // registers at 2726, and where all six quantities are arrays those of 16 at 3412 and of 32 at
  // 3086. Prices and eight Greeks in float took 891 us in packs of two (2^25), 1151 us one by one.
  // 2026-11-21.
  if (!call.outputs.only_prices())
    return transform_book<8 / sizeof(T), valuations_of_pack>(stream, call);
  if constexpr (sizeof(T) == 4)
    if (call.how == bits::native) return transform_book<4, native_prices_of_pack>(stream, call);
  transform_book<16 / sizeof(T), prices_of_pack>(stream, call);
}

#define INSTANTIATE(T) template void compute(cudaStream_t, price_call<T> const&);
WARPFOLD_FOR_EACH_PRICED(INSTANTIATE)

} // namespace warpfold::inline v0::pricing::gpu_impl
