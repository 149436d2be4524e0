#pragma once
// A ray caster: a workload for the aggregated counter, not a part of warpfold's interface. The same
// calls for both places, with the same bits.
//
// Coordinates are finite and of ordinary size (their products neither overflow nor underflow).

#include "landscape.hpp"
#include "shading.hpp"
#include "traversal.hpp"

#include <warpfold/buffer.hpp>
#include <warpfold/execution.hpp>
#include <warpfold/span.hpp>

#include <span>
#include <string>
#include <type_traits>
#include <vector>

namespace warpfold::raycast {

/// How a gpu's threads put their counts together: the strategies of the aggregated counter. The
/// host counts or, with `none`, does not.
enum class counting {
  none,     ///< not at all
  global,   ///< an atomic addition in GPU memory for each count
  warp,     ///< one for the threads of a warp that count together
  block,    ///< in shared memory, and one in GPU memory at the end
  any,      ///< only whether a block counted anything: totals are numbers of blocks
  automatic ///< as the counter chooses
};
inline constexpr counting strategies[] = {counting::none,  counting::global, counting::warp,
                                          counting::block, counting::any,    counting::automatic};
char const* to_string(counting how);

/// When a ray counts.
enum class moment {
  at_end,   ///< nodes, leaves and tests once, when it is done
  each_leaf ///< a leaf when it finds one, as in the article; nothing else. Closest hits only.
};

/// What is counted, in the order of the totals.
struct totals {
  std::uint64_t nodes = 0, leaves = 0, tests = 0;

  bool operator==(totals const&) const = default;
};

struct trace_options {
  query what = query::closest;
  counting how = counting::automatic;
  moment when = moment::at_end;
};

/// Arrays in the memory of a place.
template <class Place, class T>
using array = std::conditional_t<std::is_same_v<Place, gpu>, device_buffer<T>, std::vector<T>>;
template <class Place, class T>
using view = std::conditional_t<std::is_same_v<Place, gpu>, device_span<T>, std::span<T>>;

/// A tree over triangles. It refers to nothing else.
template <class Place>
struct hierarchy {
  array<Place, node> nodes;
  array<Place, leaf_triangle> triangles;
  float extent = 0;

  [[nodiscard]] tree_view on_place() const {
    return {nodes.data(), triangles.data(), static_cast<std::uint32_t>(triangles.size()), extent};
  }
};

/// Blocking.
/// @throws argument_error if there are 2^30 triangles or more
hierarchy<gpu> build(gpu& place, device_span<triangle const> source);
hierarchy<host> build(host const& place, std::span<triangle const> source);

/// hits[i] = the hit of rays[i]; what is met on the way is added to `sum`, unless nothing is
/// counted. On a gpu it is enqueued on the stream.
void trace_async(gpu& place, tree_view tree, device_span<ray const> rays, device_span<hit> hits,
                 device_span<totals> sum, trace_options options = {});
void trace_async(host const& place, tree_view tree, std::span<ray const> rays, std::span<hit> hits,
                 std::span<totals> sum, trace_options options = {});

/// The closest hits, by testing all triangles.
void trace_all_async(gpu& place, device_span<triangle const> triangles, float extent,
                     device_span<ray const> rays, device_span<hit> hits);
void trace_all_async(host const& place, std::span<triangle const> triangles, float extent,
                     std::span<ray const> rays, std::span<hit> hits);

/// What the generators make, from number 0 on.
void fill_async(gpu& place, landscape const& from, device_span<triangle> triangles);
void fill_async(host const& place, landscape const& from, std::span<triangle> triangles);
void fill_async(gpu& place, camera const& from, device_span<ray> rays);
void fill_async(host const& place, camera const& from, std::span<ray> rays);
void fill_async(gpu& place, random_ray const& from, device_span<ray> rays);
void fill_async(host const& place, random_ray const& from, std::span<ray> rays);

/// The picture of the camera's hits, row by row.
void shade_async(gpu& place, shade const& how, device_span<hit const> hits,
                 device_span<pixel> picture);
void shade_async(host const& place, shade const& how, std::span<hit const> hits,
                 std::span<pixel> picture);

/// How many of the parallel rays through the points (x, y) of the integer lattice, |x|, |y| <=
/// radius, meet the sphere of this radius around the origin, its outline included: added to `sum`.
/// The arithmetic is exact up to radius 2048.
void count_lattice_async(gpu& place, int radius, counting how, device_span<std::uint64_t> sum);
void count_lattice_async(host const& place, int radius, counting how, std::span<std::uint64_t> sum);

/// Whether write_png does anything in this build.
bool can_write_png();
/// @throws error if the file cannot be written, or this build has no libpng
void write_png(std::string const& path, std::span<pixel const> picture, std::uint32_t width);

} // namespace warpfold::raycast
