// The arithmetic of option pricing on the GPU: divisions and roots against the correctly rounded
// ones, prices and Greeks against the host's, bit for bit.

#include "gpu.hpp"
#include "one_option.hpp"

namespace {

using namespace test;
namespace wf = warpfold;
namespace pricing = warpfold::pricing;
using wf::detail::rounded_reciprocal;
using wf::detail::rounded_root;

__device__ std::uint64_t scrambled(std::uint64_t x) { // splitmix64 (Steele et al. 2014)
  x += 0x9e3779b97f4a7c15U;
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9U;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebU;
  return x ^ (x >> 31);
}

/// Counts the mantissas whose reciprocal or root of `exponent` and the one above is not CUDA's.
__global__ void float_kernel(int exponent, unsigned long long* wrong) {
  unsigned const mantissa = blockIdx.x * blockDim.x + threadIdx.x;
  float const x = __uint_as_float(mantissa | static_cast<unsigned>(127 + exponent) << 23);
  if (rounded_reciprocal(x) != __frcp_rn(x)) atomicAdd(wrong, 1);
  if (rounded_root(x) != __fsqrt_rn(x)) atomicAdd(wrong + 1, 1);
}

/// As float_kernel, for random doubles, many of them with long runs of equal bits.
__global__ void double_kernel(std::uint64_t seed, unsigned long long* wrong) {
  std::uint64_t const h = scrambled(seed + blockIdx.x * blockDim.x + threadIdx.x);
  std::uint64_t const all = (std::uint64_t{1} << 52) - 1, end = all >> (h & 63);
  std::uint64_t mantissa = h >> 12;
  if ((h >> 6 & 3) == 1) mantissa |= end;
  if ((h >> 6 & 3) == 2) mantissa &= ~end;
  if ((h >> 6 & 3) == 3) mantissa |= all & ~end;
  auto const exponent = 1023 + static_cast<int>(scrambled(h) % 1600) - 800;
  double const x = __longlong_as_double(
      static_cast<long long>(mantissa | static_cast<std::uint64_t>(exponent) << 52));
  // The one exception: below what is correct where all bits are ones.
  long long const down = mantissa == all;
  if (__double_as_longlong(rounded_reciprocal(x)) != __double_as_longlong(__drcp_rn(x)) - down)
    atomicAdd(wrong, 1);
  if (rounded_root(x) != __dsqrt_rn(x)) atomicAdd(wrong + 1, 1);
}

template <class T>
__global__ void prices_kernel(pricing::option<T> const* options, std::size_t size,
                              pricing::valuation<T>* values, pricing::prices<T>* prices) {
  std::size_t const i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= size) return;
  values[i] = mills_valuation(options[i]);
  prices[i] = mills_prices(options[i]);
}

TEST_SUITE("gpu") {
  TEST_CASE("reciprocals and roots are those of IEEE 754 for every mantissa") {
    wf::gpu place;
    memory_of<wf::gpu, unsigned long long> wrong(place, {0, 0});
    for (int exponent : {-99, -50, -1, 0, 1, 2, 50, 99}) {
      float_kernel<<<(1 << 23) / 256, 256, 0, place.stream()>>>(exponent, wrong.all().data());
      wf::check(cudaGetLastError());
    }
    CHECK(wrong.get(0) == 0);
    CHECK(wrong.get(1) == 0);
    double_kernel<<<1 << 20, 256, 0, place.stream()>>>(20261121, wrong.all().data());
    wf::check(cudaGetLastError());
    CHECK(wrong.get(0) == 0);
    CHECK(wrong.get(1) == 0);
  }

  TEST_CASE_TEMPLATE("fast: options have the same bits on the host and on a GPU", T, float,
                     double) {
    unsigned const seed = 42;
    CAPTURE(seed);
    std::mt19937_64 random{seed};
    std::uniform_real_distribution<double> part{0, 1};
    auto const even = [&](double low, double high) {
      return static_cast<T>(low * std::pow(high / low, part(random)));
    };
    std::vector<pricing::option<T>> options(200'001);
    for (auto& o : options) {
      T const spot = even(1e-3, 1e5);
      o = {spot,
           static_cast<T>(spot * even(0.2, 5)),
           even(1e-4, 30),
           even(0.001, 4),
           static_cast<T>(0.2 * part(random) - 0.05),
           random() % 2 == 0 ? T{0} : static_cast<T>(0.1 * part(random))};
      if (random() % 64 == 0) { // not regular
        T const odd[] = {T{0},
                         std::numeric_limits<T>::infinity(),
                         std::numeric_limits<T>::denorm_min(),
                         std::numeric_limits<T>::max(),
                         T{-1},
                         std::numeric_limits<T>::quiet_NaN()};
        *members(o)[random() % 5] = odd[random() % 6];
      }
    }
    wf::gpu place;
    memory_of<wf::gpu, pricing::option<T>> there(place, options);
    memory_of<wf::gpu, pricing::valuation<T>> values(
        place, std::vector<pricing::valuation<T>>(options.size()));
    memory_of<wf::gpu, pricing::prices<T>> prices(place,
                                                  std::vector<pricing::prices<T>>(options.size()));
    auto const blocks = static_cast<unsigned>((options.size() + 255) / 256);
    prices_kernel<<<blocks, 256, 0, place.stream()>>>(there.all().data(), options.size(),
                                                      values.all().data(), prices.all().data());
    wf::check(cudaGetLastError());
    auto const got = wf::to_vector(place, values.all());
    auto const got_prices = wf::to_vector(place, prices.all());
    // NaNs differ in sign and payload from place to place.
    auto const same = [](T a, T b) { return same_bits(a, b) || (a != a && b != b); };
    std::size_t different = 0;
    for (std::size_t i = 0; i < options.size(); ++i) {
      auto const mine = values_of(mills_valuation(options[i])), theirs = values_of(got[i]);
      auto const p = mills_prices(options[i]);
      bool equal = same(p.call, got_prices[i].call) && same(p.put, got_prices[i].put);
      for (std::size_t k = 0; k < 14; ++k) equal = equal && same(mine[k], theirs[k]);
      different += !equal;
    }
    CHECK(different == 0);
  }
}

} // namespace
