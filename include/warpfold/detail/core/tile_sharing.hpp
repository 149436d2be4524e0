#pragma once
// A simulation whose tiles are simulated by several ranks.

#include <warpfold/detail/core/macros.hpp>

#include <cstddef>
#include <cstdint>
#include <span>

namespace warpfold::inline v0::detail {
struct path_plan;
struct path_finish;
} // namespace warpfold::inline v0::detail

namespace warpfold::inline v0::pricing {

/// Consecutive tiles, or other pieces of the work.
struct piece_range {
  std::uint32_t first, count;
};

/// Where the sums of pieces lie: row after row, or first all rows of those `width` pieces that rank
/// 0 does, and so on.
struct sum_places {
  std::byte* memory;
  std::size_t apart; ///< bytes from what is a rank's to what is the next one's
  std::uint32_t width;

  /// Places for `pieces` pieces, all done by one rank.
  static sum_places whole(void* memory, std::uint32_t pieces) {
    return {static_cast<std::byte*>(memory), 0, pieces};
  }
  /// The `count` sums of a row's piece.
  template <class Sums>
  WARPFOLD_HOST_DEVICE Sums* at(std::uint64_t row, std::uint32_t piece,
                                std::uint32_t count = 1) const {
    std::uint32_t const rank = piece / width;
    return reinterpret_cast<Sums*>(memory + rank * apart) +
           (row * width + (piece - rank * width)) * count;
  }
};

class tile_sharing {
public:
  virtual ~tile_sharing() = default;
  [[nodiscard]] virtual std::uint32_t ranks() const = 0;
  /// The range of `pieces` pieces that is done here. The first ranks may have one each, the last
  /// none.
  [[nodiscard]] virtual piece_range own(std::uint32_t pieces) const = 0;
  /// For `rows` rows of `pieces` pieces, with `bytes` bytes of sums each. On a gpu this, and what
  /// follows, enqueues.
  virtual sum_places open(std::size_t rows, std::uint32_t pieces, std::size_t bytes) = 0;
  /// The own sums are there; brings the others.
  virtual void share() = 0;
};

/// tile_sharing for simulations of paths, which also state what all ranks must agree on.
class path_sharing : public tile_sharing {
public:
  /// Comes before all other calls. `element`: bytes of an element.
  virtual void begin(detail::path_plan const& plan, std::span<detail::path_finish const> finish,
                     std::size_t element) = 0;
  /// Bytes at the start of a gpu's workspace that are its own.
  [[nodiscard]] virtual std::size_t taken() const { return 0; }
  /// Waits for the estimates. @throws communication_error unless all ranks agree
  virtual void settle() = 0;
};

} // namespace warpfold::inline v0::pricing
