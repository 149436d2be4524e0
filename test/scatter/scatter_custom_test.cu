// Sums by index in kernels of one's own.

#include "gpu.hpp"

#include <warpfold/scatter.cuh>

#include <algorithm>
#include <random>

namespace scatter_custom_test {

using namespace test;
namespace wf = warpfold;

template <class Sums, class T>
__global__ void add_kernel(Sums sums, T const* values, std::uint32_t const* indices, int size,
                           unsigned* refused) {
  int const step = static_cast<int>(gridDim.x * blockDim.x);
  for (int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x); i < size; i += step)
    if (!sums.add(indices[i], values[i])) atomicAdd(refused, 1u);
}
template <class Sums, class T>
__global__ void finish_kernel(Sums sums, T* results, int bins) {
  int const b = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (b < bins) results[b] = sums.sum(static_cast<std::uint64_t>(b));
}

template <class T, bool Wide>
void check_sums(wf::gpu& place) {
  using sums_type = wf::fixed_point_sums<T, Wide>;
  constexpr int size = 100'003, bins = 3001;
  std::mt19937_64 random{691};
  std::vector<T> values(size);
  std::vector<std::uint32_t> indices(size);
  for (T& x : values) x = static_cast<T>(static_cast<double>(random()) * 0x1p-63 - 1);
  for (auto& i : indices) i = static_cast<std::uint32_t>(random() % bins);
  wf::scatter_bound const bound{1, 1e5};
  wf::device_buffer<T> there(place, std::span<T const>(values)), results(place, bins),
      own(place, bins);
  wf::device_buffer<std::uint32_t> at(place, std::span<std::uint32_t const>(indices));
  wf::scatter_sum(place, there, at, bound, results, {.wide = Wide});

  // And one of each kind that cannot be added.
  values[5] = T{2};
  indices[77] = bins;
  wf::device_buffer<std::uint64_t> words(place, bins * sums_type::words_of_bin);
  wf::device_buffer<unsigned> refused(place, std::vector<unsigned>(1));
  wf::check(cudaMemsetAsync(words.data(), 0, words.size() * sizeof(std::uint64_t), place.stream()));
  sums_type const sums(words, bound);
  for (int const first : {0, size / 3}) { // two kernels
    int const count = first == 0 ? size / 3 : size - first;
    add_kernel<<<37, 96, 0, place.stream()>>>(sums, there.data() + first, at.data() + first, count,
                                              refused.data());
    wf::check(cudaGetLastError());
  }
  finish_kernel<<<(bins + 127) / 128, 128, 0, place.stream()>>>(sums, own.data(), bins);
  wf::check(cudaGetLastError());
  auto const expected = wf::to_vector(place, results), found = wf::to_vector(place, own);
  CHECK(std::memcmp(expected.data(), found.data(), bins * sizeof(T)) == 0);
  CHECK(wf::to_vector(place, refused)[0] == 0);

  wf::copy(place, std::span<T const>(values), there.span());
  wf::copy(place, std::span<std::uint32_t const>(indices), at.span());
  add_kernel<<<37, 96, 0, place.stream()>>>(sums, there.data(), at.data(), size, refused.data());
  wf::check(cudaGetLastError());
  CHECK(wf::to_vector(place, refused)[0] == 2);
}

/// Cloud in cell on a periodic grid: the k-th of the four nodes around a particle, and its share.
struct particle {
  float x, y, charge; ///< in cells
};
constexpr int side = 48;
__host__ __device__ std::uint32_t node_of(particle const& p, int k) {
  int const i = static_cast<int>(p.x) + k % 2, j = static_cast<int>(p.y) + k / 2;
  return static_cast<std::uint32_t>(j % side * side + i % side);
}
__host__ __device__ float share_of(particle const& p, int k) {
  float const x = p.x - static_cast<float>(static_cast<int>(p.x));
  float const y = p.y - static_cast<float>(static_cast<int>(p.y));
  return p.charge * (k % 2 != 0 ? x : 1 - x) * (k / 2 != 0 ? y : 1 - y);
}
template <class Sums>
__global__ void deposit_kernel(Sums sums, particle const* particles, int size) {
  int const step = static_cast<int>(gridDim.x * blockDim.x);
  for (int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x); i < size; i += step)
    for (int k = 0; k < 4; ++k) sums.add(node_of(particles[i], k), share_of(particles[i], k));
}

TEST_SUITE("gpu") {
  TEST_CASE("fast: a stencil in a kernel of one's own has the sums of scatter_sum") {
    wf::gpu place;
    unsigned const seed = std::random_device{}();
    CAPTURE(seed);
    std::mt19937_64 random{seed};
    std::uniform_real_distribution<float> anywhere(0, side - 0.01F), charge(-1, 1);
    std::vector<particle> particles(30'011);
    for (auto& p : particles) p = {anywhere(random), anywhere(random), charge(random)};
    std::vector<float> shares;
    std::vector<std::uint32_t> nodes;
    for (auto const& p : particles)
      for (int k = 0; k < 4; ++k) {
        shares.push_back(share_of(p, k));
        nodes.push_back(node_of(p, k));
      }
    wf::scatter_bound const bound{1, 1e5};
    wf::device_buffer<float> values(place, std::span<float const>(shares)),
        expected(place, side * side), found(place, side * side);
    wf::device_buffer<std::uint32_t> at(place, std::span<std::uint32_t const>(nodes));
    wf::scatter_sum(place, values, at, bound, expected);
    auto const sums_of_all = wf::to_vector(place, expected);
    for (int turn = 0; turn < 3; ++turn) {
      std::ranges::shuffle(particles, random);
      wf::device_buffer<particle> there(place, std::span<particle const>(particles));
      wf::device_buffer<std::uint64_t> words(place, std::vector<std::uint64_t>(side * side));
      wf::fixed_point_sums<float> const sums(words, bound);
      deposit_kernel<<<20 + turn, 128, 0, place.stream()>>>(sums, there.data(), 30'011);
      finish_kernel<<<18, 128, 0, place.stream()>>>(sums, found.data(), side * side);
      wf::check(cudaGetLastError());
      CHECK(wf::to_vector(place, found) == sums_of_all);
    }
  }
  TEST_CASE_TEMPLATE("fast: kernels of one's own have the sums of scatter_sum", T, float, double) {
    wf::gpu place;
    check_sums<T, false>(place);
    check_sums<T, true>(place);
  }
}

TEST_CASE("what sums of one's own refuse") {
  alignas(16) std::uint64_t words[4] = {};
  auto const make = [&]<bool Wide>(std::uint64_t* at, std::size_t size, wf::scatter_bound bound) {
    return refused_by([&] { wf::fixed_point_sums<float, Wide> const sums({at, size}, bound); });
  };
  auto const narrow = [&](auto... given) { return make.template operator()<false>(given...); };
  CHECK(narrow(words, std::size_t{4}, wf::scatter_bound{1, 2}) == "(nothing)");
  CHECK(narrow(static_cast<std::uint64_t*>(nullptr), std::size_t{4}, wf::scatter_bound{1, 2}) ==
        "words");
  CHECK(make.template operator()<true>(words, 3, {1, 2}) == "words");
  CHECK(narrow(words, std::size_t{4}, wf::scatter_bound{-1, 2}) == "bound.value");
  CHECK(narrow(words, std::size_t{4}, wf::scatter_bound{1, 0.5}) == "bound.sum");
}

} // namespace scatter_custom_test
