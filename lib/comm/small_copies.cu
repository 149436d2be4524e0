#include "place_copies.hpp"

#include <warpfold/detail/core/launch.cuh>

#include <algorithm>
#include <cstdint>
#include <cstring>

namespace warpfold::inline v0::comm {
namespace {

using word = std::uint64_t;

struct letter {
  word words[most_sent];
};

__global__ void send_kernel(letter from, word* to) { to[threadIdx.x] = from.words[threadIdx.x]; }

__global__ void fetch_kernel(std::byte const* from, std::size_t pitch, std::uint32_t words,
                             std::uint32_t all, word* to) {
  for (std::uint32_t i = blockIdx.x * blockDim.x + threadIdx.x; i < all;
       i += gridDim.x * blockDim.x) {
    std::uint32_t const piece = i / words;
    to[i] = reinterpret_cast<word const*>(from + piece * pitch)[i - piece * words];
  }
}

} // namespace

void send_words(gpu const& place, void* to, void const* from, std::size_t words) {
  letter sent{};
  std::memcpy(sent.words, from, words * sizeof(word));
  detail::launch(place.stream(), {1, static_cast<int>(words)}, send_kernel, sent,
                 static_cast<word*>(to));
}

void fetch_words(gpu const& place, void* to, void const* from, std::size_t pitch, std::size_t words,
                 std::size_t count) {
  constexpr std::size_t threads = 256;
  std::size_t const all = words * count,
                    blocks = std::min<std::size_t>((all + threads - 1) / threads, 32);
  detail::launch(place.stream(), {static_cast<int>(blocks), threads}, fetch_kernel,
                 static_cast<std::byte const*>(from), pitch, static_cast<std::uint32_t>(words),
                 static_cast<std::uint32_t>(all), static_cast<word*>(to));
}

} // namespace warpfold::inline v0::comm
