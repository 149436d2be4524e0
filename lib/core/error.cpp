#include <warpfold/error.hpp>

namespace warpfold {

argument_error::argument_error(std::string_view argument, std::string_view reason)
    : error("warpfold: argument '" + std::string(argument) + "' refused: " + std::string(reason)),
      argument_(argument) {}

cuda_error::cuda_error(cudaError_t status, std::string_view what, std::source_location where)
    : error("warpfold: " + std::string(what) + " (" + cudaGetErrorName(status) + ") at " +
            where.file_name() + ":" + std::to_string(where.line()) + " in " +
            where.function_name()),
      status_(status) {}

void check(cudaError_t status, std::source_location where) {
  if (status == cudaSuccess) return;
  cudaGetLastError(); // clears it
  throw cuda_error(status, cudaGetErrorString(status), where);
}

} // namespace warpfold
