// Chains: consecutive map kernels over one two-dimensional domain, run row block by row block.
// Values passed between them stay in the caches and never become whole arrays. Neighbouring row
// blocks recompute the rows that a row block needs beyond its own. A kernel over several planes of
// such a domain may read values of the run, but its own results are stored. Kernels over one long
// line run tile by tile in the same way. In: the steps of a plan. Out: the same, with runs of steps
// replaced by chains where that saves memory traffic.
#pragma once
#include "compiler/plan/plan.hpp"

namespace tutti::compiler {

void form_chains(Plan& plan);

}  // namespace tutti::compiler
