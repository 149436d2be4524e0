#pragma once
// Memory of a place, and copies within it.

#include <warpfold/buffer.hpp>
#include <warpfold/execution.hpp>

#include <cstddef>
#include <cstring>
#include <type_traits>
#include <vector>

namespace warpfold::comm {

template <class Place>
class place_copies {
public:
  explicit place_copies(Place& place) : place_{place} {}

  [[nodiscard]] cudaStream_t stream() const {
    if constexpr (std::is_same_v<Place, gpu>) return place_.stream();
    else return nullptr;
  }
  /// `count` rows of `width` elements, which are as far apart as the pitches say. Enqueues on a
  /// gpu.
  template <class T>
  void rows(T* to, std::size_t to_pitch, T const* from, std::size_t from_pitch, std::size_t width,
            std::size_t count) const {
    if (width == 0 || count == 0) return;
    if constexpr (std::is_same_v<Place, gpu>) {
      device_guard const current{place_.device()};
      check(cudaMemcpy2DAsync(to, to_pitch * sizeof(T), from, from_pitch * sizeof(T),
                              width * sizeof(T), count, cudaMemcpyDeviceToDevice, stream()));
    } else {
      for (std::size_t y = 0; y < count; ++y)
        std::memcpy(to + y * to_pitch, from + y * from_pitch, width * sizeof(T));
    }
  }

  /// Of the host's; on a gpu through its staging memory, whose first 256 bytes are taken until the
  /// stream has passed this.
  void from_host(std::byte* to, void const* from, std::size_t bytes) {
    if constexpr (std::is_same_v<Place, gpu>) {
      device_guard const current{place_.device()};
      void* const staged = place_.staging(staged_bytes);
      std::memcpy(staged, from, bytes);
      check(cudaMemcpyAsync(to, staged, bytes, cudaMemcpyHostToDevice, stream()));
    } else std::memcpy(to, from, bytes);
  }
  /// `count` pieces, so far from each other, one after the other on the host; there when the stream
  /// has passed this, and until the next call.
  std::byte const* to_host(std::byte const* from, std::size_t pitch, std::size_t bytes,
                           std::size_t count) {
    if constexpr (std::is_same_v<Place, gpu>) {
      device_guard const current{place_.device()};
      auto* const staged = static_cast<std::byte*>(place_.staging(staged_bytes)) + 256;
      check(cudaMemcpy2DAsync(staged, bytes, from, pitch, bytes, count, cudaMemcpyDeviceToHost,
                              stream()));
      return staged;
    } else {
      pieces_.resize(bytes * count);
      rows(pieces_.data(), bytes, from, pitch, bytes, count);
      return pieces_.data();
    }
  }

private:
  static constexpr std::size_t staged_bytes = 256 + 1024 * 256; ///< of 1024 ranks

  Place& place_;
  std::vector<std::byte> pieces_;
};

/// Bytes in a place's memory.
template <class Place>
class place_memory {
public:
  place_memory() = default;
  place_memory(Place const& place, std::size_t bytes) {
    if constexpr (std::is_same_v<Place, gpu>) bytes_ = buffer(place, bytes);
    else bytes_.resize(bytes);
  }
  std::byte* data() { return bytes_.data(); }

private:
  using buffer = std::conditional_t<std::is_same_v<Place, gpu>, device_buffer<std::byte>,
                                    std::vector<std::byte>>;
  buffer bytes_;
};

} // namespace warpfold::comm
