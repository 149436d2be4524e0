#pragma once
// Views of the shape of std::mdspan, whose header need not be there.

#include <cstddef>
#include <type_traits>

namespace warpfold::inline v0::detail {

/// An mdspan of at least one dimension whose data handle is a plain pointer.
template <class M>
concept mdspan_like = (M::rank() >= 1) && requires(M const& view) {
  requires std::is_pointer_v<std::remove_cvref_t<decltype(view.data_handle())>>;
  {static_cast<std::size_t>(view.extent(0))};
  {static_cast<std::size_t>(view.stride(0))};
};

} // namespace warpfold::inline v0::detail
