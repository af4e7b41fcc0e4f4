// Scans whose results are first read by a kernel that wants each at its own point alone: the kernel
// becomes part of the scan (PrimitiveStep::consumer). The results are stored for others only.
// In: the steps of a plan, before chains are formed. Out: fewer steps.
#pragma once
#include "compiler/plan/plan.hpp"

namespace tutti::compiler {

void fuse_consumers(Plan& plan);

}  // namespace tutti::compiler
