#include "checks.hpp"

#include <warpfold/error.hpp>
#include <warpfold/twins/reductions.hpp>

#include <bit>
#include <string>

namespace warpfold::inline v0 {

namespace twins {

char const* to_string(vendor of) noexcept {
  switch (of) {
  case vendor::fold: return "fold";
  case vendor::cub: return "cub";
  case vendor::thrust: return "thrust";
  }
  return "unknown";
}

char const* to_string(classic of) noexcept {
  switch (of) {
  case classic::ladder_divergent: return "ladder_divergent";
  case classic::ladder_strided: return "ladder_strided";
  case classic::ladder_sequential: return "ladder_sequential";
  case classic::ladder_first_add: return "ladder_first_add";
  case classic::ladder_last_warp: return "ladder_last_warp";
  case classic::ladder_unrolled: return "ladder_unrolled";
  case classic::ladder_cascaded: return "ladder_cascaded";
  case classic::halving: return "halving";
  }
  return "unknown";
}

char const* to_string(reducer of) noexcept {
  return of.is_classic() ? to_string(of.as_classic()) : to_string(of.as_vendor());
}

} // namespace twins

namespace detail {

void check_vendor(twins::vendor twin, bool on_gpu, bool blocking) {
  if (twin < twins::fold || twin > twins::thrust)
    throw argument_error("twin", std::to_string(static_cast<int>(twin)) + " is no vendor");
  if (twin == twins::cub && !on_gpu) throw argument_error("twin", "cub needs a gpu");
  if (twin == twins::thrust && on_gpu && !blocking)
    throw argument_error("twin", "thrust blocks: it has no _async form");
}

void check_classic(twins::reducer const& twin, bool is_sum) {
  auto const rung = twin.as_classic();
  if (rung < twins::ladder_divergent || rung > twins::halving)
    throw argument_error("twin", std::to_string(static_cast<int>(rung)) + " is no classic");
  if (!is_sum)
    throw argument_error("twin",
                         std::string(to_string(rung)) + " only sums, in the default accumulator");
  int const threads = twin.block_threads();
  if (threads < 32 || threads > 1024 || !std::has_single_bit(static_cast<unsigned>(threads)))
    throw argument_error("twin", "blocks of " + std::to_string(threads) +
                                     " threads, not 32, 64, 128, 256, 512 or 1024");
}

void check_has_thrust(twins::vendor twin, bool is_compiled) {
  if (twin == twins::thrust && !is_compiled)
    throw argument_error("twin", "thrust is not compiled for these elements");
}

void check_own(twins::reducer twin) {
  if (twin != twins::reducer(twins::fold))
    throw argument_error("twin",
                         std::string(to_string(twin)) + " is not compiled for these elements");
}

} // namespace detail

} // namespace warpfold::inline v0
