#include <warpfold/detail/core/refusal.hpp>
#include <warpfold/detail/scan/scan.hpp>

namespace warpfold::inline v0::detail {

void check_scan(void const* values, std::size_t size, std::size_t element, void const* results,
                std::size_t results_size, std::size_t result, bool may_be_same) {
  if (results_size != size)
    refuse("results", text(results_size, " elements"), text(size, ", one for each value"));
  bool const is_in_place = may_be_same && values == results;
  if (!is_in_place && share_memory(values, size * element, results, size * result))
    refuse("results", "memory that it shares with values",
           may_be_same ? "the values themselves, or other memory" : "other memory");
}

} // namespace warpfold::inline v0::detail
