#include "codegen/nvptx/primitive_bitcode.hpp"

#ifdef TUTTI_GPU_BITCODE
asm(".pushsection .rodata\n"
    ".balign 16\n"
    "tutti_gpu_bitcode_begin:\n"
    ".incbin \"" TUTTI_GPU_BITCODE
    "\"\n"
    "tutti_gpu_bitcode_end:\n"
    ".popsection\n");
extern const char begin[] asm("tutti_gpu_bitcode_begin");
extern const char end[] asm("tutti_gpu_bitcode_end");
#endif

namespace tutti::codegen {

std::string_view gpu_bitcode() {
#ifdef TUTTI_GPU_BITCODE
  return {begin, static_cast<size_t>(end - begin)};
#else
  return {};
#endif
}

}  // namespace tutti::codegen
