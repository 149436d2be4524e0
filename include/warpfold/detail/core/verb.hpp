#pragma once
// A public call's name, in refusals and in profilers.

namespace warpfold::inline v0::detail {

/// Stands first in every public verb, or in the job that it is. Refusals of the calling thread name
/// the outermost verb; Nsight Systems shows every one, in the domain "warpfold". Costs some
/// nanoseconds where nobody listens.
class verb {
public:
  /// @param name a string literal, as users write it behind warpfold::
  explicit verb(char const* name) noexcept;
  ~verb();
  verb(verb const&) = delete;
  verb& operator=(verb const&) = delete;

private:
  bool outermost_;
};

/// The outermost verb that the calling thread is in; null outside of all.
[[nodiscard]] char const* current_verb() noexcept;

} // namespace warpfold::inline v0::detail
