#pragma once
// Memory of a place, and copies within it.

#include "core/rows.hpp"

#include <warpfold/detail/core/scratch.hpp>
#include <warpfold/execution.hpp>

#include <cstddef>
#include <cstring>
#include <type_traits>
#include <vector>

namespace warpfold::inline v0::comm {

// A few words to and from a GPU, by kernels: copies between others in a stream take several
// microseconds each. They enqueue on the current device.

/// Words of 8 bytes that one call sends.
inline constexpr std::size_t most_sent = 32;

/// `words` words of the host's memory, which may change afterwards.
void send_words(gpu const& place, void* to, void const* from, std::size_t words);

/// `count` pieces of so many words, `pitch` bytes from each other, packed into pinned memory.
void fetch_words(gpu const& place, void* to, void const* from, std::size_t pitch, std::size_t words,
                 std::size_t count);

template <class Place>
class place_copies {
public:
  explicit place_copies(Place& place) : place_{place} {}

  [[nodiscard]] cudaStream_t stream() const {
    if constexpr (std::is_same_v<Place, gpu>) return place_.stream();
    else return nullptr;
  }
  /// `count` rows of `width` elements, as far apart as the pitches say. Enqueues on a gpu.
  template <class T>
  void rows(T* to, std::size_t to_pitch, T const* from, std::size_t from_pitch, std::size_t width,
            std::size_t count) const {
    if (width == 0 || count == 0) return;
    if constexpr (std::is_same_v<Place, gpu>) {
      device_guard const current{place_.device()};
      detail::copy_rows(to, to_pitch, from, from_pitch, width, count, stream());
    } else {
      for (std::size_t y = 0; y < count; ++y)
        std::memcpy(to + y * to_pitch, from + y * from_pitch, width * sizeof(T));
    }
  }

  /// Copies `words` words of 8 bytes from host memory, comm::most_sent of them at most.
  void from_host(std::byte* to, void const* from, std::size_t words) {
    if constexpr (std::is_same_v<Place, gpu>) {
      device_guard const current{place_.device()};
      send_words(place_, to, from, words);
    } else std::memcpy(to, from, words * word);
  }
  /// Makes the memory that to_host() of so many words returns. To be called before anything that
  /// waits for other ranks is enqueued: smaller memory is given back first, which waits for the
  /// GPU.
  void make_room(std::size_t words, std::size_t count) {
    if constexpr (std::is_same_v<Place, gpu>)
      static_cast<void>(detail::gpu_scratch(place_).staging(words * word * count));
    else pieces_.resize(words * word * count);
  }
  /// Returns host memory with `count` pieces of `words` words, packed; in `from` they lie `pitch`
  /// bytes apart. Its contents are there once the stream has passed this, until the next call.
  std::byte const* to_host(std::byte const* from, std::size_t pitch, std::size_t words,
                           std::size_t count) {
    if constexpr (std::is_same_v<Place, gpu>) {
      device_guard const current{place_.device()};
      auto* const staged =
          static_cast<std::byte*>(detail::gpu_scratch(place_).staging(words * word * count));
      fetch_words(place_, staged, from, pitch, words, count);
      return staged;
    } else {
      pieces_.resize(words * word * count);
      rows(pieces_.data(), words * word, from, pitch, words * word, count);
      return pieces_.data();
    }
  }

private:
  static constexpr std::size_t word = 8;

  Place& place_;
  std::vector<std::byte> pieces_;
};

} // namespace warpfold::inline v0::comm
