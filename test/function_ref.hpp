#pragma once
// A function that is called before its owner goes. std::function, which would own it, is a dozen
// functions for each lambda to compile; this is two.

#include <concepts>
#include <type_traits>
#include <utility>

namespace test {

template <class Signature>
class function_ref;

template <class Result, class... Arguments>
class function_ref<Result(Arguments...)> {
public:
  template <class Function>
  requires(!std::same_as<std::remove_cv_t<Function>, function_ref>)
      function_ref(Function const& function)
      : function_{&function}, call_{call<Function>} {}

  Result operator()(Arguments... arguments) const {
    return call_(function_, std::forward<Arguments>(arguments)...);
  }

private:
  template <class Function>
  static Result call(void const* function, Arguments... arguments) {
    return (*static_cast<Function const*>(function))(std::forward<Arguments>(arguments)...);
  }

  void const* function_;
  Result (*call_)(void const* function, Arguments... arguments);
};

} // namespace test
