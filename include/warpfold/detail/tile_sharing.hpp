#pragma once
// A simulation whose tiles are simulated by several ranks.

#include <cstddef>
#include <cstdint>
#include <span>

namespace warpfold::detail {
struct path_plan;
struct path_finish;
} // namespace warpfold::detail

namespace warpfold::pricing {

/// Consecutive tiles, or other pieces of the work.
struct piece_range {
  std::uint32_t first, count;
};

class tile_sharing {
public:
  virtual ~tile_sharing() = default;
  [[nodiscard]] virtual std::uint32_t ranks() const = 0;
  /// Which of so many pieces are done here.
  [[nodiscard]] virtual piece_range own(std::uint32_t pieces) const = 0;
  /// A matrix of `rows` rows of `pieces` sums of `bytes` bytes will be shared. On a gpu this, and
  /// what follows, enqueues.
  virtual void open(std::size_t rows, std::uint32_t pieces, std::size_t bytes) = 0;
  /// Of that matrix the own pieces are there; brings the others.
  virtual void share(void* sums) = 0;
};

/// The same for simulations of paths, which say what all ranks have to agree on.
class path_sharing : public tile_sharing {
public:
  /// Before all else; elements are of so many bytes.
  virtual void begin(detail::path_plan const& plan, std::span<detail::path_finish const> finish,
                     std::size_t element) = 0;
  /// Waits for the estimates. @throws communication_error unless all ranks agree
  virtual void settle() = 0;
};

} // namespace warpfold::pricing
