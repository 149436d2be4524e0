#include <warpfold/detail/core/arguments.hpp>
#include <warpfold/error.hpp>

#include <cstdint>
#include <string>

namespace warpfold::inline v0::detail {
namespace {

std::uintptr_t address(void const* data) { return reinterpret_cast<std::uintptr_t>(data); }

} // namespace

void check_elements(char const* argument, void const* data, std::size_t size,
                    std::size_t alignment) {
  if (!data && size > 0)
    throw argument_error(argument, "null, with " + std::to_string(size) + " elements");
  if (address(data) % alignment != 0)
    throw argument_error(argument, "not aligned to the " + std::to_string(alignment) +
                                       " bytes that its elements need");
  // Beyond every address of today's processors: a number that has wrapped around.
  constexpr std::size_t most = std::size_t{1} << 56;
  if (size > most)
    throw argument_error(argument, std::to_string(size) + " elements, more than any memory holds");
}

void check_result(void const* data, std::size_t size, std::size_t alignment, char const* argument) {
  if (size == 0) throw argument_error(argument, "has room for no value");
  check_elements(argument, data, size, alignment);
}

bool share_memory(void const* a, std::size_t a_bytes, void const* b, std::size_t b_bytes) {
  return a_bytes > 0 && b_bytes > 0 && address(a) < address(b) + b_bytes &&
         address(b) < address(a) + a_bytes;
}

} // namespace warpfold::inline v0::detail
