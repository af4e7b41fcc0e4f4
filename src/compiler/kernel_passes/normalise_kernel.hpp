// The last steps on a kernel: joins axes of the domain that are walked as one, and fixes which of
// its numbers are structure (machine code depends on them) and which are arguments.
#pragma once
#include <functional>

#include "compiler/kernel/kernel.hpp"

namespace tutti::compiler {

void normalise_kernel(Kernel& kernel);
// Sources that are alike share their strides: those of one shape for which `same` holds as well.
void mark_alike(Kernel& kernel, const std::function<bool(const Source&, const Source&)>& same);
// The part of it that depends on sizes.
void choose_index_width(Kernel& kernel);

}  // namespace tutti::compiler
