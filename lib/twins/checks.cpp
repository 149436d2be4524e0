#include "checks.hpp"

#include <warpfold/detail/core/refusal.hpp>
#include <warpfold/detail/twins/tasks.hpp>
#include <warpfold/twins/scatter.hpp>

#include <bit>
#include <cstddef>

namespace warpfold::inline v0 {

namespace twins {
namespace {

template <class Tag, std::size_t Count>
char const* name_of(Tag tag, char const* const (&names)[Count]) noexcept {
  auto const number = static_cast<std::size_t>(tag);
  return number < Count ? names[number] : "unknown";
}

} // namespace

char const* to_string(vendor tag) noexcept { return name_of(tag, {"fold", "cub", "thrust"}); }

char const* to_string(classic tag) noexcept {
  return name_of(tag,
                 {"ladder_divergent", "ladder_strided", "ladder_sequential", "ladder_first_add",
                  "ladder_last_warp", "ladder_unrolled", "ladder_cascaded", "halving"});
}

char const* to_string(reducer tag) noexcept {
  return tag.is_classic() ? to_string(tag.as_classic()) : to_string(tag.as_vendor());
}

char const* to_string(scattering tag) noexcept { return name_of(tag, {"fixed_point", "atomics"}); }

} // namespace twins

namespace detail {

void check_vendor(twins::vendor twin, bool on_gpu, bool blocking) {
  if (twin < twins::fold || twin > twins::thrust)
    refuse("twin", text("vendor number ", static_cast<int>(twin)), "fold, cub or thrust");
  if (twin == twins::cub && !on_gpu) refuse("twin", "cub on a host", "fold or thrust");
  if (twin == twins::thrust && on_gpu && !blocking)
    refuse("twin", "thrust, which blocks, in an _async form", "fold or cub");
}

void check_classic(twins::reducer const& twin, bool is_sum) {
  auto const rung = twin.as_classic();
  if (rung < twins::ladder_divergent || rung > twins::halving)
    refuse("twin", text("classic number ", static_cast<int>(rung)),
           "ladder_divergent ... ladder_cascaded, or halving");
  if (!is_sum)
    refuse("twin", to_string(rung), "fold or a vendor: classics sum, in the default accumulator");
  int const threads = twin.block_threads();
  if (threads < 32 || threads > 1024 || !std::has_single_bit(static_cast<unsigned>(threads)))
    refuse("twin", text("blocks of ", threads, " threads"), "32, 64, 128, 256, 512 or 1024");
}

void check_scattering(twins::scattering twin) {
  if (twin != twins::scattering::fixed_point && twin != twins::scattering::atomics)
    refuse("twin", text("scattering number ", static_cast<int>(twin)), "fixed_point or atomics");
}

void check_has_thrust(twins::vendor twin, bool has_thrust) {
  if (twin == twins::thrust && !has_thrust)
    refuse("twin", "thrust, which is not compiled for this verb and these elements",
           "fold, or cub on a gpu");
}

void check_own(twins::reducer twin) {
  if (twin != twins::reducer(twins::fold))
    refuse("twin", text(to_string(twin), ", which is not compiled for these elements"), "fold");
}

void check_room(std::size_t size, std::size_t capacity, twins::vendor twin, char const* argument) {
  if (capacity < size)
    refuse(argument, text("room for ", capacity, " elements"),
           text("room for all ", size, ": ", to_string(twin), " needs it"));
}

} // namespace detail

} // namespace warpfold::inline v0
