#include <warpfold/detail/core/arguments.hpp>
#include <warpfold/detail/core/refusal.hpp>

#include <cstdint>

namespace warpfold::inline v0::detail {
namespace {

std::uintptr_t address(void const* data) { return reinterpret_cast<std::uintptr_t>(data); }

} // namespace

void check_elements(char const* argument, void const* data, std::size_t size,
                    std::size_t alignment) {
  if (!data && size > 0)
    refuse(argument, text("null, with ", size, " elements"), "memory that holds them");
  if (address(data) % alignment != 0)
    refuse(argument, text("at address ", address(data)),
           text("multiples of ", alignment, ", the alignment of its elements"));
  // Beyond every address of today's processors: a number that has wrapped around.
  constexpr std::size_t most = std::size_t{1} << 56;
  if (size > most) refuse(argument, text(size, " elements"), text("up to ", most));
}

void check_result(void const* data, std::size_t size, std::size_t alignment, char const* argument) {
  if (size == 0) refuse(argument, "empty", "room for one element");
  check_elements(argument, data, size, alignment);
}

bool share_memory(void const* a, std::size_t a_bytes, void const* b, std::size_t b_bytes) {
  return a_bytes > 0 && b_bytes > 0 && address(a) < address(b) + b_bytes &&
         address(b) < address(a) + a_bytes;
}

void check_count_apart(std::uint64_t const* count, void const* output, std::size_t bytes,
                       char const* argument) {
  if (count && share_memory(count, sizeof *count, output, bytes))
    refuse(argument, "memory of values.count", "memory of its own");
}

} // namespace warpfold::inline v0::detail
