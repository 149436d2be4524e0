#include <warpfold/detail/core/parallel.hpp>

#include <algorithm>
#include <exception>
#include <mutex>

namespace warpfold::inline v0::detail {

void for_each_index(int threads, std::int64_t count, void (*body)(void*, std::int64_t),
                    void* context) {
  int const team = static_cast<int>(std::min<std::int64_t>(threads, count));
  std::exception_ptr failure;
  std::mutex guard;
#pragma omp parallel for schedule(static) num_threads(team) if (team > 1)
  for (std::int64_t i = 0; i < count; ++i) {
    try {
      body(context, i);
    } catch (...) {
      std::lock_guard const lock{guard};
      if (!failure) failure = std::current_exception();
    }
  }
  if (failure) std::rethrow_exception(failure);
}

} // namespace warpfold::inline v0::detail
