#pragma once
// Backends of implied volatility; their arguments are checked.

#include "backend.hpp"

#include <warpfold/detail/pricing/implied_volatility_terms.hpp>

namespace warpfold::inline v0::pricing {

inline constexpr int quote_columns = 6;

/// The quantities of `size` quotes, in the order of quote<T>.
template <class T>
struct quotes_view {
  column<option_kind> kind;
  column<T> of[quote_columns];
  std::size_t size = 0;

  WARPFOLD_HOST_DEVICE quote<T> operator[](std::size_t i) const {
    return {kind[i], of[0][i], of[1][i], of[2][i], of[3][i], of[4][i], of[5][i]};
  }
  quotes_view part(std::size_t first, std::size_t count) const {
    return {kind.from(first),
            {of[0].from(first), of[1].from(first), of[2].from(first), of[3].from(first),
             of[4].from(first), of[5].from(first)},
            count};
  }
};

template <class T>
struct implied_view {
  T* volatility;
  implied_status* status; ///< may be null

  /// Writes result number i.
  WARPFOLD_HOST_DEVICE void put(std::size_t i, implied<T> const& found) const {
    volatility[i] = found.volatility;
    if (status) status[i] = found.status;
  }
  implied_view from(std::size_t first) const {
    return {volatility + first, status ? status + first : nullptr};
  }
};

namespace gpu_impl {
/// Enqueues on a stream of the current device.
template <class T>
void imply(cudaStream_t stream, quotes_view<T> const& quotes, implied_view<T> const& to);
} // namespace gpu_impl

namespace host_impl {
template <class T>
void imply(host const& place, quotes_view<T> const& quotes, implied_view<T> const& to);
} // namespace host_impl

} // namespace warpfold::inline v0::pricing
