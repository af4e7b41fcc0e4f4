// The bitcode of kernels/gpu that was built into the library.
#pragma once
#include <string_view>

namespace tutti::codegen {

std::string_view gpu_bitcode();  // empty without clang at build time

}  // namespace tutti::codegen
