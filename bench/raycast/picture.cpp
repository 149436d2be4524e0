// Files and names.

#include "raycast.hpp"

#include <cstdio>

#ifdef WARPFOLD_RAYCAST_PNG
#include <png.h>
#endif

namespace warpfold::raycast {

char const* to_string(counting how) {
  switch (how) {
  case counting::none: return "none";
  case counting::global: return "global";
  case counting::warp: return "warp";
  case counting::block: return "block";
  case counting::any: return "any";
  case counting::automatic: return "automatic";
  }
  return "unknown";
}

#ifdef WARPFOLD_RAYCAST_PNG

bool can_write_png() { return true; }

void write_png(std::string const& path, std::span<pixel const> picture, std::uint32_t width) {
  png_image image{};
  image.version = PNG_IMAGE_VERSION;
  image.width = width;
  image.height = static_cast<png_uint_32>(picture.size() / width);
  image.format = PNG_FORMAT_RGB;
  if (png_image_write_to_file(&image, path.c_str(), 0, picture.data(), 0, nullptr) == 0)
    throw error("the picture " + path + " could not be written: " + image.message);
}

#else

bool can_write_png() { return false; }

void write_png(std::string const& path, std::span<pixel const>, std::uint32_t) {
  throw error("the picture " + path + " could not be written: this build has no libpng");
}

#endif

} // namespace warpfold::raycast
