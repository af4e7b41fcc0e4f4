// Fuses a scan with the kernel that first reads its results, if that reads each result only at its
// own point: the kernel becomes part of the scan (PrimitiveStep::consumer). The results are stored
// only if other steps read them.
// In: the steps of a plan, before chains are formed. Out: fewer steps.
#pragma once
#include "compiler/plan/plan.hpp"

namespace tutti::compiler {

void fuse_consumers(Plan& plan);

}  // namespace tutti::compiler
