#pragma once
// doctest's INFO and CAPTURE, with two functions each to compile; doctest's own have a class each,
// which made a seventh of the tests' code.

#include <doctest/doctest.h>

#include <ostream>

namespace test {

/// What is printed if an assertion fails in its scope, or an exception leaves that.
class context final : doctest::detail::ContextScopeBase {
public:
  using printer = void (*)(void const* text, std::ostream* to);

  context(void const* text, printer by) : text_{text}, print_{by} {}
  ~context() override {
    if (need_to_destroy) destroy();
  }
  void stringify(std::ostream* to) const override { print_(text_, to); }

  template <class Text>
  static void print(void const* text, std::ostream* to) {
    (*static_cast<Text const*>(text))(to);
  }

private:
  void const* text_;
  printer print_;
};

} // namespace test

#undef DOCTEST_INFO_IMPL
#define DOCTEST_INFO_IMPL(name, to, ...)                                                           \
  auto const DOCTEST_CAT(name, _text) = [&](std::ostream* to) {                                    \
    doctest::detail::MessageBuilder name(__FILE__, __LINE__, doctest::assertType::is_warn);        \
    name.m_stream = to;                                                                            \
    name* __VA_ARGS__;                                                                             \
  };                                                                                               \
  test::context const DOCTEST_CAT(name, _scope)(                                                   \
      &DOCTEST_CAT(name, _text), test::context::print<decltype(DOCTEST_CAT(name, _text))>)
