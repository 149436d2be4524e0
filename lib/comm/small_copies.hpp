#pragma once
// A few words to and from a GPU, by kernels: copies between others in a stream take several
// microseconds each.

#include <warpfold/execution.hpp>

#include <cstddef>

namespace warpfold::inline v0::comm {

/// Words of 8 bytes that one call sends.
inline constexpr std::size_t most_sent = 32;

/// `words` words of the host's memory, which may change afterwards. Enqueues on the current device.
void send_words(gpu const& place, void* to, void const* from, std::size_t words);

/// `count` pieces of so many words, `pitch` bytes from each other, to pinned memory, one after the
/// other. Enqueues on the current device.
void fetch_words(gpu const& place, void* to, void const* from, std::size_t pitch, std::size_t words,
                 std::size_t count);

} // namespace warpfold::inline v0::comm
