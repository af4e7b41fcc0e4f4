// The last pass over the code of a kernel. Joins axes of the domain that are iterated as one, and
// decides which numbers are structure, on which machine code depends, and which are arguments.
#pragma once
#include <functional>

#include "compiler/kernel/kernel.hpp"

namespace tutti::compiler {

void normalise_kernel(Kernel& kernel);
// Finds sources that share their strides: those of one shape for which `same` holds as well.
void mark_alike(Kernel& kernel, const std::function<bool(const Source&, const Source&)>& same);
// Decides wide_index: the part of normalisation that depends on sizes.
void choose_index_width(Kernel& kernel);

}  // namespace tutti::compiler
