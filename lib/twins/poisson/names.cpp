#include <warpfold/twins/tags.hpp>

namespace warpfold::inline v0::twins {

char const* to_string(engine tag) noexcept {
  switch (tag) {
  case engine::automatic: return "automatic";
  case engine::fused: return "fused";
  case engine::vendor: return "vendor";
  case engine::course: return "course";
  case engine::course_shared: return "course_shared";
  case engine::course_coalesced: return "course_coalesced";
  }
  return "unknown";
}

} // namespace warpfold::inline v0::twins
