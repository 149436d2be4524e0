#include <warpfold/detail/core/refusal.hpp>
#include <warpfold/detail/core/verb.hpp>
#include <warpfold/error.hpp>

#include <cstdio>

namespace warpfold::inline v0 {
namespace {

std::string place_of(std::source_location const& where) {
  return std::string(" at ") + where.file_name() + ':' + std::to_string(where.line()) + " in " +
         where.function_name();
}

} // namespace

detail::text::operator std::string() const {
  std::string all;
  for (part const* p = parts_; p != parts_ + count_; ++p) switch (p->of) {
    case kind::truth: all += p->natural ? "true" : "false"; break;
    case kind::integer: all += std::to_string(p->integer); break;
    case kind::natural: all += std::to_string(p->natural); break;
    case kind::real: {
      char digits[32];
      std::snprintf(digits, sizeof digits, "%.17g", p->real);
      all += digits;
      break;
    }
    case kind::characters: all += p->characters; break;
    case kind::string: all += *p->string; break;
    case kind::view: all += *p->view; break;
    }
  return all;
}

argument_error::argument_error(std::string_view argument, std::string_view reason)
    : error(detail::text("warpfold", detail::current_verb() ? "::" : "",
                         detail::current_verb() ? detail::current_verb() : "", ": '", argument,
                         "' is refused: ", reason)),
      argument_(argument), verb_(detail::current_verb() ? detail::current_verb() : "") {}

void detail::refuse(std::string_view argument, text const& found, text const& accepted) {
  throw argument_error(argument, std::string(found) + "; accepted: " + std::string(accepted));
}

cuda_error::cuda_error(cudaError_t status, std::string_view what, std::source_location where)
    : error("warpfold: " + std::string(what) + " (" + cudaGetErrorName(status) + ')' +
            place_of(where)),
      status_(status) {}

vendor_error::vendor_error(int status, std::string_view name, std::source_location where)
    : error("warpfold: " + std::string(name) + place_of(where)), status_(status) {}

void check(cudaError_t status, std::source_location where) {
  if (status == cudaSuccess) return;
  cudaGetLastError(); // clears it
  throw cuda_error(status, cudaGetErrorString(status), where);
}

} // namespace warpfold::inline v0
