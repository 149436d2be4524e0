#include <warpfold/detail/core/verb.hpp>

#if __has_include(<nvtx3/nvToolsExt.h>)
#include <nvtx3/nvToolsExt.h>
#define WARPFOLD_HAS_NVTX 1
#else
#define WARPFOLD_HAS_NVTX 0
#endif

namespace warpfold::inline v0::detail {
namespace {

thread_local constinit char const* outermost = nullptr;

#if WARPFOLD_HAS_NVTX
nvtxDomainHandle_t domain() {
  static nvtxDomainHandle_t const made = nvtxDomainCreateA("warpfold");
  return made;
}

void begin_range(char const* name) {
  nvtxDomainHandle_t const of = domain();
  if (!of) return; // nobody listens
  nvtxEventAttributes_t range{};
  range.version = NVTX_VERSION;
  range.size = NVTX_EVENT_ATTRIB_STRUCT_SIZE;
  range.messageType = NVTX_MESSAGE_TYPE_ASCII;
  range.message.ascii = name;
  nvtxDomainRangePushEx(of, &range);
}

void end_range() {
  if (nvtxDomainHandle_t const of = domain()) nvtxDomainRangePop(of);
}
#else
void begin_range(char const*) {}
void end_range() {}
#endif

} // namespace

verb::verb(char const* name) noexcept : outermost_{!outermost} {
  if (outermost_) outermost = name;
  begin_range(name);
}

verb::~verb() {
  end_range();
  if (outermost_) outermost = nullptr;
}

char const* current_verb() noexcept { return outermost; }

} // namespace warpfold::inline v0::detail
